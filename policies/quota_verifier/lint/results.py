"""What a rule finds, and what a run of the rules makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from quota_verifier.documents import DataPath
from quota_verifier.template import Resource, Unresolved
from quota_verifier.words import field_path


class Severity(StrEnum):
    """How bad a finding is: an error does not deploy or does not work, a warning surprises, information helps."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Outcome(StrEnum):
    """What a rule says of a template as a whole."""

    FAILS = "fails"
    PASSES = "passes"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True, slots=True)
class Violation:
    """A property that breaks a rule: the message has the bad value, `fix` says what would be right.

    `path` leads from the resource's Properties to the property; empty for the resource as a whole.
    """

    resource: Resource
    path: DataPath
    message: str
    fix: str

    @property
    def place(self) -> DataPath:
        """The path from the root of the template."""
        return (*self.resource.path, *(("Properties", *self.path) if self.path else ()))

    @property
    def sentence(self) -> str:
        """Message and fix in one line, for tools that show one."""
        return _sentence(self.message, self.fix)


@dataclass(frozen=True, slots=True)
class Unknown:
    """A property that a rule needs and the template does not tell; `reason` continues a sentence about it."""

    resource: Resource
    path: DataPath
    reason: str
    remedy: str = ""


Result = Violation | Unknown


def unknown(resource: Resource, path: DataPath, value: Unresolved) -> Unknown:
    """The property at `path` is left to the deployment."""
    return Unknown(resource, path, value.reason, value.remedy)


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation with everything that a report, an editor or the CDK needs to show it.

    `path` leads from the resource's Properties to the property, which `where` writes out; both are
    empty for the resource as a whole. Line and column are 1-based.
    """

    rule: str
    severity: Severity
    logical_id: str
    construct_path: str
    path: DataPath
    message: str
    fix: str
    file: str
    line: int
    column: int

    @property
    def where(self) -> str:
        """The property as messages write it: `CapacityLimits[0].MaxCapacity`."""
        return field_path(self.path)

    @property
    def sentence(self) -> str:
        """Message and fix in one line, for tools that show one."""
        return _sentence(self.message, self.fix)


def _sentence(message: str, fix: str) -> str:
    return f"{message}; {fix}" if fix else message


@dataclass(frozen=True, slots=True)
class NotChecked:
    """What a rule could not look at, and what would let it."""

    rule: str
    logical_id: str
    construct_path: str
    path: DataPath
    reason: str
    remedy: str

    @property
    def where(self) -> str:
        """The property as messages write it."""
        return field_path(self.path)
