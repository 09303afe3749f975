"""Plain CloudFormation: the requests' members are its properties, but for the first letter.

Source: AWS CloudFormation template reference, AWS::Batch::SchedulingPolicy, ServiceEnvironment, JobQueue, QuotaShare.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from quota_verifier.aws.calls import ENVIRONMENT, POLICY, QUEUE, Call, Made, creation
from quota_verifier.aws.export.files import ExportedFile
from quota_verifier.documents import as_list, as_map, dump_yaml
from quota_verifier.template.declaration import Declaration

_LOGICAL_IDS = {POLICY: "Policy", ENVIRONMENT: "Environment", QUEUE: "Queue"}
_TAGS = "tags"
_OTHERS = re.compile(r"[^A-Za-z0-9]")


def export(declaration: Declaration) -> tuple[ExportedFile, ...]:
    """`template.yaml`. Every name is written, as in the other formats."""
    resources = {_logical_id(call.step): _resource(call) for call in creation(declaration)}
    template = {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": f"Quota-managed job queue {declaration.queue.name}",
        "Resources": resources,
    }
    return (ExportedFile("template.yaml", dump_yaml(template)),)


def _resource(call: Call) -> dict[str, object]:
    return {"Type": f"AWS::Batch::{call.operation.removeprefix('Create')}", "Properties": _properties(call.request)}


def _properties(request: Mapping[str, object]) -> dict[str, object]:
    # The keys of tags are the user's own.
    return {_capitalised(key): value if key == _TAGS else _property(value) for key, value in request.items()}


def _property(value: object) -> object:
    if isinstance(value, Made):
        return {"Fn::GetAtt": [_logical_id(value.step), _capitalised(value.member)]}
    if (entries := as_map(value)) is not None:
        return _properties(entries)
    items = as_list(value)
    return value if items is None else [_property(item) for item in items]


def _capitalised(name: str) -> str:
    return name[0].upper() + name[1:]


def _logical_id(step: str) -> str:
    """Letters and digits alone, from the share's name and nothing else, so that other shares change no id."""
    if step in _LOGICAL_IDS:
        return _LOGICAL_IDS[step]
    name = step.removeprefix("quota-share-")
    kept = _OTHERS.sub("", name)
    apart = "" if kept == name else hashlib.sha256(name.encode()).hexdigest()[:8].upper()
    return f"Share{kept}{apart}"
