"""How far a claim is from its limit."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from quota_verifier.policy.claims import Claim, MeasureClaim
from quota_verifier.policy.measured import Measured

FAILED = Fraction(-1)
"""The margin of a claim that is as far from holding as can be, or that fails without any distance to measure."""


def margin(claim: Claim, measured: Measured) -> Fraction | None:
    """The distance of the measure from the claim's limit, over the larger of the two: from -1 to 1, above 0 if safe.

    With `<= 10m`, 5m has margin 1/2 and 20m has -1/2; a wait that never ended has -1. A claim that is not
    about more or less (a limit of 0, an exact value, a state, a set of jobs) has margin -1 where it
    fails, and none where it holds.
    """
    value = measured.value
    bound = claim.bound if isinstance(claim, MeasureClaim) else None
    if bound is None or not bound.limit or not (bound.is_upper or bound.is_lower):
        return None if measured.holds else FAILED
    if not isinstance(value, int | Fraction):
        return None if measured.holds else FAILED
    above = Fraction(value - bound.limit) / max(value, bound.limit)
    return -above if bound.is_upper else above


def least(margins: Iterable[Fraction | None]) -> Fraction:
    """The worst claim's margin; 0 where no claim has one."""
    return min((found for found in margins if found is not None), default=Fraction(0))
