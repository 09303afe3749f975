"""What a rule file requires of a property, and whether a resource has it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from quota_verifier.documents import DataPath
from quota_verifier.errors import InputError
from quota_verifier.lint.queues import quota_managed_environments, quota_policies
from quota_verifier.lint.results import Result, Unknown, Violation, unknown
from quota_verifier.lint.rule import Check, Rule
from quota_verifier.lint.sharing import BORROW_LIMIT, STRATEGY, strategy
from quota_verifier.lint.values import text, values_at, whole
from quota_verifier.model import UNLIMITED_BORROWING
from quota_verifier.resource_schemas import PropertySchema
from quota_verifier.template import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    Resource,
    Template,
    Unresolved,
    quota_managed_queues,
)
from quota_verifier.words import did_you_mean

Value = str | int
_BORROW_LIMIT: Final = ".".join(str(step) for step in BORROW_LIMIT)


@dataclass(frozen=True, slots=True)
class Requirement:
    """What must hold of a property of a resource type; each part that is not None."""

    resource_type: str
    property: str
    schema: PropertySchema
    one_of: tuple[Value, ...] | None = None
    none_of: tuple[Value, ...] | None = None
    at_least: int | None = None
    at_most: int | None = None
    matches: str | None = None
    present: bool | None = None

    def checked(self) -> Requirement:
        """The requirement itself. Raises InputError for a part that the property can never meet or break."""
        kind = self.schema.type
        if (self.at_least is not None or self.at_most is not None) and kind not in {"integer", "number"}:
            raise InputError(f"{self.property} is no number but {_a(kind)}", remedy="use one_of or matches")
        if self.matches is not None:
            _check_pattern(self.matches, self.property, kind)
        for value in (*(self.one_of or ()), *(self.none_of or ())):
            self._check_value(value)
        return self

    def _check_value(self, value: Value) -> None:
        kind, known = self.schema.type, self.schema.values
        if kind not in {"integer", "number", "string"}:
            raise InputError(f"{self.property} has no plain value: it is {_a(kind)}", remedy="use present")
        if isinstance(value, int) is (kind == "string"):
            wanted = "a text" if kind == "string" else "a whole number"
            raise InputError(f"{value!r} is not {wanted}", remedy=f"{self.property} is one")
        if known and self.plain(value) not in known:
            raise InputError(f"{value!r} is no value of {self.property}", remedy=did_you_mean(str(value), known))

    def plain(self, value: object) -> Value | Unresolved | None:
        """A property's value as it is compared: numbers whole, enumerations in AWS's spelling."""
        if self.schema.type in {"integer", "number"}:
            return whole(value)
        found = text(value)
        return found.upper() if self.schema.any_case and isinstance(found, str) else found


def _check_pattern(pattern: str, path: str, kind: str) -> None:
    if kind != "string":
        raise InputError(f"{path} is no text but {_a(kind)}", remedy="use at_least, at_most or one_of")
    try:
        re.compile(pattern)
    except re.error as error:
        raise InputError(f"{pattern!r} is no regular expression: {error}", remedy="correct it") from None


def _a(kind: str) -> str:
    return {"array": "a list", "object": "a map", "integer": "a whole number", "string": "a text"}.get(kind, kind)


def rule_of(
    required: Requirement,
    condition: Requirement | None,
    *,
    id: str,
    title: str,
    why: str,
    fix: str,
    source: str,
    origin: str,
) -> Rule:
    """The rule that every resource of the type meets `required`, where it meets `condition`."""
    return Rule(
        id=id,
        title=title,
        why=why,
        source=source,
        origin=origin,
        properties={required.resource_type: (required.property,)},
        check=_check(required, condition, fix),
    )


def _check(required: Requirement, condition: Requirement | None, fix: str) -> Check:
    def check(template: Template) -> Iterator[Result]:
        for resource in _subjects(template, required.resource_type):
            left_open = [] if condition is None else _what_keeps_from(condition, resource)
            if left_open is not None:
                yield from left_open or (_with_fix(result, fix) for result in _broken(required, resource))

    return check


def _what_keeps_from(condition: Requirement, resource: Resource) -> list[Result] | None:
    """None where the condition does not hold; else what keeps one from telling that it does."""
    values = [value for _, value in values_at(resource, condition.property)]
    has_default = condition.property == _BORROW_LIMIT or condition.present is False
    absent = not values or (None in values and not has_default)
    broken = list(_broken(condition, resource))
    if absent or any(isinstance(result, Violation) for result in broken):
        return None
    return broken


def _with_fix(result: Result, fix: str) -> Result:
    if isinstance(result, Violation) and fix:
        return Violation(result.resource, result.path, result.message, fix)
    return result


def _subjects(template: Template, resource_type: str) -> tuple[Resource, ...]:
    """Shares, and what belongs to quota-managed queues: other resources are none of our business."""
    return {
        QUOTA_SHARE: template.of_type(QUOTA_SHARE),
        JOB_QUEUE: quota_managed_queues(template),
        SCHEDULING_POLICY: quota_policies(template),
        SERVICE_ENVIRONMENT: quota_managed_environments(template),
    }[resource_type]


def _broken(required: Requirement, resource: Resource) -> Iterator[Result]:
    """What of the requirement the resource does not meet."""
    name = required.property.rpartition(".")[2]
    for path, value in values_at(resource, required.property):
        if required.present is not None and required.present is (value is None):
            lacks = "is missing" if required.present else "is there"
            todo = f"add {name}" if required.present else f"remove {name}"
            yield Violation(resource, path, f"{required.property} {lacks}", todo)
            continue
        if value is None and required.property == _BORROW_LIMIT:
            yield from _without_borrow_limit(required, resource, path, name)
            continue
        plain = required.plain(value)
        if isinstance(plain, Unresolved):
            if required.present is None or _compares(required):
                yield unknown(resource, path, plain)
        elif plain is not None:
            yield from _compared(required, resource, path, plain, f"{name} {plain}")


def _without_borrow_limit(required: Requirement, resource: Resource, path: DataPath, name: str) -> Iterator[Result]:
    """An absent limit is -1, unlimited, for a share that borrows, and means nothing for another."""
    kind = strategy(resource)
    if isinstance(kind, Unresolved) and _compares(required):
        yield unknown(resource, STRATEGY, kind)
    elif not isinstance(kind, Unresolved) and kind is not None and kind.borrows:
        yield from _compared(required, resource, path, UNLIMITED_BORROWING, f"an absent {name}")


def _compares(required: Requirement) -> bool:
    parts = (required.one_of, required.none_of, required.at_least, required.at_most, required.matches)
    return any(part is not None for part in parts)


def _compared(
    required: Requirement, resource: Resource, path: DataPath, value: Value, shown: str
) -> Iterator[Violation | Unknown]:
    for problem, fix in _problems(required, value):
        yield Violation(resource, path, f"{shown} {problem}", fix)


def _problems(required: Requirement, value: Value) -> Iterator[tuple[str, str]]:
    allowed = [required.plain(one) for one in required.one_of or ()]
    refused = [required.plain(one) for one in required.none_of or ()]
    if allowed and value not in allowed:
        listed = " or ".join(str(one) for one in allowed)
        yield f"is not {listed}", f"write {listed}"
    if value in refused:
        yield "is not allowed", f"write anything but {' and '.join(str(one) for one in refused)}"
    if required.matches is not None and not re.fullmatch(required.matches, str(value)):
        yield f"does not match {required.matches}", f"write a value that matches {required.matches}"
    unlimited = required.property == _BORROW_LIMIT and value == UNLIMITED_BORROWING
    if isinstance(value, int):
        least, most = required.at_least, required.at_most
        if least is not None and value < least and not unlimited:
            yield f"is below {least}", f"write at least {least}"
        if most is not None and (value > most or unlimited):
            yield f"is {'unlimited, ' if unlimited else ''}above {most}", f"write at most {most}"
