"""CloudFormation's short forms in YAML: `!Ref X` is `{Ref: X}`, `!Sub X` is `{Fn::Sub: X}`.

Source: AWS CloudFormation user guide, intrinsic function reference.
"""

from __future__ import annotations

from collections.abc import Callable

from quota_verifier.yaml_nodes import Tags

_FUNCTIONS = (
    "And",
    "Base64",
    "Cidr",
    "Contains",
    "EachMemberEquals",
    "EachMemberIn",
    "Equals",
    "FindInMap",
    "ForEach",
    "GetAZs",
    "If",
    "ImportValue",
    "Join",
    "Length",
    "Not",
    "Or",
    "RefAll",
    "Select",
    "Split",
    "Sub",
    "ToJsonString",
    "Transform",
    "ValueOf",
    "ValueOfAll",
)


def _function(name: str) -> Callable[[object], object]:
    return lambda argument: {name: argument}


def _get_att(argument: object) -> object:
    return {"Fn::GetAtt": argument.split(".", 1) if isinstance(argument, str) else argument}


CLOUDFORMATION_TAGS: Tags = {
    **{f"!{name}": _function(f"Fn::{name}") for name in _FUNCTIONS},
    "!Ref": _function("Ref"),
    "!Condition": _function("Condition"),
    "!GetAtt": _get_att,
}
"""For `load_document(path, tags=CLOUDFORMATION_TAGS)`."""
