"""A CloudFormation template as resources by logical id, tolerant of anything that can be parsed.

What rules, comparisons and the reader of queues build on: properties with functions evaluated, the
construct path, and the line of every property. Whether a resource makes sense is not asked here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from quota_verifier.documents import DataPath, Document, as_map, load_document
from quota_verifier.errors import InputError
from quota_verifier.template import conditions, loops, parameters
from quota_verifier.template.intrinsics import resolve
from quota_verifier.template.scope import Scope
from quota_verifier.template.unresolved import Unresolved
from quota_verifier.template.yaml_tags import CLOUDFORMATION_TAGS
from quota_verifier.words import shown

JOB_QUEUE = "AWS::Batch::JobQueue"
QUOTA_SHARE = "AWS::Batch::QuotaShare"
SCHEDULING_POLICY = "AWS::Batch::SchedulingPolicy"
SERVICE_ENVIRONMENT = "AWS::Batch::ServiceEnvironment"

NAME_PROPERTIES: Mapping[str, str] = {
    JOB_QUEUE: "JobQueueName",
    QUOTA_SHARE: "QuotaShareName",
    SCHEDULING_POLICY: "Name",
    SERVICE_ENVIRONMENT: "ServiceEnvironmentName",
}
"""The property that holds a resource's physical name."""

_NO_VALUES: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource: its properties hold plain data and, where the template does not tell, Unresolved.

    `condition` is None for a resource that is there; a resource whose condition is false is not in
    the template at all, and one that only the deployment decides keeps that Unresolved.
    `body` is the resource as written, functions and all.
    """

    logical_id: str
    type: str
    properties: Mapping[str, object]
    body: Mapping[str, object] = field(repr=False)
    document: Document = field(repr=False)
    path: DataPath
    condition: Unresolved | None = None

    @property
    def construct_path(self) -> str:
        """The CDK construct path (`Demo/Queue/Resource`); empty for a template not made by CDK."""
        path = (as_map(self.body.get("Metadata")) or {}).get("aws:cdk:path")
        return path if isinstance(path, str) else ""

    @property
    def label(self) -> str:
        """What reports call it: the construct path without the last `/Resource`, else the logical id."""
        return self.construct_path.removesuffix("/Resource") or self.logical_id

    @property
    def name(self) -> object:
        """The physical name: text, Unresolved, or None where CloudFormation makes one up."""
        return self.properties.get(NAME_PROPERTIES.get(self.type, ""))

    def line_of(self, *path: str | int) -> int:
        """The line of a property, of the nearest enclosing one, or of the resource."""
        return self.document.line_of((*self.path, *(("Properties", *path) if path else ())))

    def at(self, *path: str | int) -> str:
        """FILE:LINE of a property, as `InputError.source` takes it."""
        return f"{self.document.source}:{self.line_of(*path)}"


@dataclass(frozen=True, slots=True)
class Template:
    """The resources of a template in the order they are written, by logical id."""

    resources: Mapping[str, Resource]
    document: Document = field(repr=False)

    @property
    def source(self) -> str:
        """The file."""
        return self.document.source

    def of_type(self, resource_type: str) -> tuple[Resource, ...]:
        """The resources of one type, in the order they are written."""
        return tuple(found for found in self.resources.values() if found.type == resource_type)


def load_template(path: str | Path, *, values: Mapping[str, str] = _NO_VALUES) -> Template:
    """The template in a file; `values` are parameter values by name.

    Raises InputError for a file that is not a template, and for a value that its parameter refuses.
    """
    document = load_document(path, tags=CLOUDFORMATION_TAGS)
    parameters.refuse_undeclared(values, declared_parameters(document), document.source)
    return parse_template(document, values=values)


def declared_parameters(document: Document) -> Mapping[str, object]:
    """The Parameters section of a template."""
    return _section(document, "Parameters")


def parse_template(document: Document, *, values: Mapping[str, str] = _NO_VALUES) -> Template:
    """The template that a document holds; values that it does not declare are ignored."""
    written = _section(document, "Resources")
    if not written:
        raise InputError("the template has no Resources", source=document.source)
    try:
        known = parameters.values(declared_parameters(document), values)
    except InputError as error:
        raise error.within(document.source) from None
    scope = Scope(known, _section(document, "Mappings"), _section(document, "Conditions"), frozenset(written))
    bodies: dict[str, tuple[object, DataPath]] = {}
    for logical_id, body, path in loops.expanded(written, scope, document):
        if logical_id in bodies:
            raise InputError(
                "a loop makes this resource twice",
                source=document.at(path),
                where=logical_id,
                remedy="put the loop's identifier into the logical id",
            )
        bodies[logical_id] = (body, path)
    scope = Scope(scope.parameters, scope.mappings, scope.conditions, frozenset(bodies))
    found: dict[str, Resource] = {}
    for logical_id, (body, path) in bodies.items():
        resource = _resource(logical_id, body, path, document, scope)
        if resource is not None:
            found[logical_id] = resource
    return Template(found, document)


def _section(document: Document, name: str) -> Mapping[str, object]:
    written = (as_map(document.data) or {}).get(name)
    section = {} if written is None else as_map(written)
    if section is None:
        raise InputError(f"{shown(written)} is not a map", source=document.at((name,)), where=name)
    return section


def _resource(logical_id: str, body: object, path: DataPath, document: Document, scope: Scope) -> Resource | None:
    """One resource; None where its condition is false."""
    written = as_map(body) or {}
    kind = written.get("Type")
    if logical_id.startswith("Fn::"):
        raise InputError(
            f"only CloudFormation knows the resources that {logical_id} makes",
            source=document.at(path),
            where="Resources",
            remedy="read the processed template (aws cloudformation get-template)",
        )
    if not isinstance(kind, str):
        raise InputError("a resource needs a Type", source=document.at(path), where=logical_id, remedy="add its Type")
    outcome = conditions.decide(written["Condition"], scope, resolve) if "Condition" in written else True
    if outcome is False:
        return None
    properties = as_map(resolve(written.get("Properties") or {}, scope))
    if properties is None:
        raise InputError("Properties is not a map", source=document.at((*path, "Properties")), where=logical_id)
    condition = outcome if isinstance(outcome, Unresolved) else None
    return Resource(logical_id, kind, properties, written, document, path, condition)
