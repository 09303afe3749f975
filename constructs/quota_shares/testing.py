"""For tests of apps that use quota_shares: what of a template is worth a snapshot.

The snapshot extension needs syrupy, which the extra `pytest` brings.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import aws_cdk as cdk
from aws_cdk import assertions

if TYPE_CHECKING:
    from quota_shares._snapshot import BatchSnapshotExtension

__all__ = ["BatchSnapshotExtension", "batch_resources"]

_ASSET_HASH = re.compile(r"[0-9a-f]{64}")


def batch_resources(template: assertions.Template | cdk.Stack) -> dict[str, Any]:
    """The AWS::Batch resources of a template or stack by logical id, sorted, with asset hashes masked.

    Leaves out what changes with the toolchain and not with the app: bootstrap rules and parameters, CDK
    metadata, assets of other resources. The capacity limits of an environment are a set, and sorted too.
    """
    read = assertions.Template.from_stack(template) if isinstance(template, cdk.Stack) else template
    resources = read.to_json()["Resources"]
    ours = {name: resource for name, resource in resources.items() if resource["Type"].startswith("AWS::Batch::")}
    masked = json.loads(_ASSET_HASH.sub("<asset>", json.dumps(ours, sort_keys=True)))
    for resource in masked.values():
        properties = resource.get("Properties", {})
        if resource["Type"] == "AWS::Batch::ServiceEnvironment" and isinstance(properties.get("CapacityLimits"), list):
            properties["CapacityLimits"] = sorted(properties["CapacityLimits"], key=json.dumps)
    return masked


def __getattr__(name: str) -> object:
    if name != "BatchSnapshotExtension":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from quota_shares._snapshot import BatchSnapshotExtension

    return BatchSnapshotExtension
