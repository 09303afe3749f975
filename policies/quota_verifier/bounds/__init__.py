"""Guarantees without simulation: bounds on a queue's shares that follow from the rules (docs/bounds.md)."""

from quota_verifier.bounds.bounds import Bounds, bounds_of
from quota_verifier.bounds.records import Bound, BoundName, Condition, Elsewhere, Shortfall, UnitBounds
from quota_verifier.bounds.setting import Setting
from quota_verifier.bounds.sizes import KnownJobs, demands_of

__all__ = [
    "Bound",
    "BoundName",
    "Bounds",
    "Condition",
    "Elsewhere",
    "KnownJobs",
    "Setting",
    "Shortfall",
    "UnitBounds",
    "bounds_of",
    "demands_of",
]
