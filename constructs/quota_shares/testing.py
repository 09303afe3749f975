"""For tests of apps that use quota_shares: what of a template is worth a snapshot."""

from __future__ import annotations

import json
import re
from typing import Any

from aws_cdk import assertions

_ASSET_HASH = re.compile(r"[0-9a-f]{64}")


def batch_resources(template: assertions.Template) -> dict[str, Any]:
    """The AWS::Batch resources of a template by logical id, sorted, with asset hashes masked.

    Leaves out what changes with the toolchain and not with the app: bootstrap rules and parameters, CDK
    metadata, assets of other resources.
    """
    resources = template.to_json()["Resources"]
    ours = {name: resource for name, resource in resources.items() if resource["Type"].startswith("AWS::Batch::")}
    return json.loads(_ASSET_HASH.sub("<asset>", json.dumps(ours, sort_keys=True)))
