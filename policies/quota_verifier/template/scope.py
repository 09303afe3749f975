"""What the expressions of one template may refer to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from quota_verifier.template.unresolved import Unresolved

PSEUDO_PARAMETERS = (
    "AWS::AccountId",
    "AWS::NotificationARNs",
    "AWS::Partition",
    "AWS::Region",
    "AWS::StackId",
    "AWS::StackName",
    "AWS::URLSuffix",
)
"""Values that CloudFormation itself supplies; `--param` may name them too."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Parameter values (pseudo parameters that were given among them), mappings, conditions, logical ids."""

    parameters: Mapping[str, object]
    mappings: Mapping[str, object]
    conditions: Mapping[str, object]
    logical_ids: frozenset[str]
    decided: dict[str, bool | Unresolved] = field(default_factory=dict[str, bool | Unresolved])
