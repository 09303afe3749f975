"""What a change of a template does to running work: before, after, and at an instant of a workload's run."""

from __future__ import annotations

from quota_verifier.diff.changes import Change, Comparison, Fate, PropertyChange, compare
from quota_verifier.diff.check import ChangeReport, check, diff
from quota_verifier.diff.rule import ChangeRule
from quota_verifier.diff.rules import CHANGE_RULES
from quota_verifier.diff.sides import Side, read_side

__all__ = [
    "CHANGE_RULES",
    "Change",
    "ChangeReport",
    "ChangeRule",
    "Comparison",
    "Fate",
    "PropertyChange",
    "Side",
    "check",
    "compare",
    "diff",
    "read_side",
]
