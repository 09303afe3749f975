"""R6: whether a failed run is tried again (evaluateOnExit)."""

from __future__ import annotations

from collections.abc import Sequence

from quota_verifier.model import RetryRule


def retries_failure(rules: Sequence[RetryRule], status_reason: str) -> bool:
    """The first rule whose glob matches decides; no match means retry (assumed, as for container jobs)."""
    for rule in rules:
        if _matches(rule.on_status_reason, status_reason):
            return rule.action == "RETRY"
    return True


def _matches(glob: str, text: str) -> bool:
    """Only an asterisk at the end stands for more text (AWS user guide, service job retries)."""
    return text.startswith(glob[:-1]) if glob.endswith("*") else text == glob
