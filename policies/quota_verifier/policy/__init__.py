"""Policies: what must hold, and the verdict on it. Names load on first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quota_verifier.policy.claims import Claim
    from quota_verifier.policy.measured import Measured
    from quota_verifier.policy.policy import Policy, policy_from_data, read_policy
    from quota_verifier.policy.schema import policy_file_schema
    from quota_verifier.policy.verdicts import Evidence, PolicyVerdicts, Turn, Verdict, Verdicts
    from quota_verifier.policy.verifier import verify

__all__ = [
    "Claim",
    "Evidence",
    "Measured",
    "Policy",
    "PolicyVerdicts",
    "Turn",
    "Verdict",
    "Verdicts",
    "policy_file_schema",
    "policy_from_data",
    "read_policy",
    "verify",
]

_HOMES = {
    "Claim": "claims",
    "Evidence": "verdicts",
    "Measured": "measured",
    "Policy": "policy",
    "PolicyVerdicts": "verdicts",
    "Turn": "verdicts",
    "Verdict": "verdicts",
    "Verdicts": "verdicts",
    "policy_file_schema": "schema",
    "policy_from_data": "policy",
    "read_policy": "policy",
    "verify": "verifier",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
