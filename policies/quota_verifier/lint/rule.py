"""A rule: a pure function over a template, with what there is to say about it as data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from quota_verifier.errors import InputError
from quota_verifier.lint.results import Result, Severity
from quota_verifier.resource_schemas import property_schema
from quota_verifier.template import Template

Check = Callable[[Template], Iterable[Result]]
"""Looks at a template. Properties with functions are evaluated; what is left to the deployment is Unresolved."""

SEVERITIES: Final[Mapping[str, Severity]] = {"E": Severity.ERROR, "W": Severity.WARNING, "I": Severity.INFO}
"""The severity that the first letter of a rule's id stands for, as in cfn-lint."""

_ID = re.compile(r"[EWI]9[5-9][0-9]{2}")
SHIPPED_ID: Final = re.compile(r"[EWI]95[0-9]{2}")
"""The ids of the rules that come with this package; 9600 to 9999 are for rules of your own."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    `title` states what holds where all is well, `why` what happens otherwise, in one line. `source` is
    the page of AWS's documentation that it rests on. `properties` are the properties that findings are
    about, by resource type; they are checked against the registry schemas when the rule is loaded.
    """

    id: str
    title: str
    why: str
    properties: Mapping[str, tuple[str, ...]]
    check: Check = field(repr=False)
    source: str = ""
    origin: str = field(default="", repr=False)
    """The file of a rule of your own; empty for a rule that comes with this package."""

    @property
    def severity(self) -> Severity:
        """What its findings count as."""
        return SEVERITIES[self.id[0]]

    @property
    def page(self) -> str:
        """Where it is documented."""
        return f"docs/rules.md#{self.id.lower()}" if not self.origin else ""


def validate(rule: Rule, source: str) -> Rule:
    """The rule itself. Raises InputError for an id, a text or a property path that is not right."""

    def refused(problem: str, remedy: str) -> InputError:
        return InputError(problem, source=source, where=f"rule {rule.id}", remedy=remedy)

    if not _ID.fullmatch(rule.id):
        raise refused("not a rule id", "write E, W or I and four digits from 9600 to 9999")
    for name, text in (("title", rule.title), ("why", rule.why)):
        if not text.strip() or "\n" in text:
            raise refused(f"{name} is not one line of text", f"say in one line {_SAYS[name]}")
    if rule.source and not rule.source.startswith("https://"):
        raise refused(f"source {rule.source!r} is not an address", "write the https address of a page")
    if not any(rule.properties.values()):
        raise refused("names no property", "name the properties that its findings are about")
    for resource_type, paths in rule.properties.items():
        for path in paths:
            try:
                property_schema(resource_type, path)
            except InputError as error:
                raise refused(error.problem, error.remedy) from None
    return rule


_SAYS = {"title": "what holds where all is well", "why": "what happens otherwise"}
