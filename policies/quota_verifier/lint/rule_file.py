"""Rule files: rules as data, for what can be said of one property at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, StrictBool, StrictInt, StrictStr, model_validator

from quota_verifier.documents import load_document
from quota_verifier.errors import InputError
from quota_verifier.lint.requirement import Requirement, rule_of
from quota_verifier.lint.rule import Rule
from quota_verifier.resource_schemas import property_schema
from quota_verifier.validation import FileModel, validate_document

Line = Annotated[str, Field(min_length=1)]
Value = StrictStr | StrictInt
Values = Annotated[tuple[Value, ...], Field(min_length=1)]


class RequirementEntry(FileModel):
    """What must hold of a property."""

    property: Line = Field(description="Its path, such as CapacityLimits[].MaxCapacity.")
    one_of: Values | None = None
    none_of: Values | None = None
    at_least: StrictInt | None = None
    at_most: StrictInt | None = None
    matches: StrictStr | None = Field(default=None, description="A regular expression for the whole value.")
    present: StrictBool | None = Field(
        default=None, description="Whether the property has to be, or must not be, there."
    )

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if all(getattr(self, name) is None for name in _OPERATORS):
            raise InputError("says nothing of the property", remedy=f"add one of {', '.join(_OPERATORS)}")
        return self


_OPERATORS = tuple(name for name in RequirementEntry.model_fields if name != "property")


class RuleEntry(RequirementEntry):
    """One rule: every resource of the type must have the property as required."""

    id: Line = Field(description="E, W or I for error, warning or information, and four digits from 9600 to 9999.")
    title: Line = Field(description="What holds where all is well.")
    why: Line = Field(description="What happens otherwise, in one line.")
    resource: Line = Field(description="The resource type, such as AWS::Batch::QuotaShare.")
    when: RequirementEntry | None = Field(default=None, description="Only resources of which this holds.")
    fix: str = Field(default="", description="What to do; made from the requirement where it is not given.")
    source: str = Field(default="", description="The https address of a page that says more.")


class RuleFile(FileModel):
    """Rules of your own."""

    rules: Annotated[tuple[RuleEntry, ...], Field(min_length=1)]


def read_rule_file(path: Path) -> tuple[Rule, ...]:
    """The rules in a file. Raises InputError for the first mistake in it."""
    document = load_document(path)
    found: list[Rule] = []
    for index, entry in enumerate(validate_document(RuleFile, document).rules):
        place = document.at(("rules", index))
        try:
            required = _requirement(entry.resource, entry)
            condition = None if entry.when is None else _requirement(entry.resource, entry.when)
        except InputError as error:
            raise InputError(error.problem, source=place, where=f"rule {entry.id}", remedy=error.remedy) from None
        found.append(
            rule_of(
                required,
                condition,
                id=entry.id,
                title=entry.title,
                why=entry.why,
                fix=entry.fix,
                source=entry.source,
                origin=place,
            )
        )
    return tuple(found)


def _requirement(resource_type: str, entry: RequirementEntry) -> Requirement:
    """The requirement, checked against the property's schema."""
    schema = property_schema(resource_type, entry.property)
    return Requirement(
        resource_type,
        entry.property,
        schema,
        one_of=entry.one_of,
        none_of=entry.none_of,
        at_least=entry.at_least,
        at_most=entry.at_most,
        matches=entry.matches,
        present=entry.present,
    ).checked()


def rule_file_schema() -> dict[str, object]:
    """The JSON schema of rule files, for editors."""
    schema = RuleFile.model_json_schema(mode="validation")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "Rule file"}
