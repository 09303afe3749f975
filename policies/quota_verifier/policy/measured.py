"""What a claim came to in one run."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from quota_verifier.figures.plain import thousandths
from quota_verifier.policy.bounds import Kind, Value

Found = Value | str | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Measured:
    """Whether a claim holds in a run, and the numbers behind it.

    `value` is in ms, a count, an exact ratio, a state or job ids, None where it never came; `text` is the
    same for people. `detail` says how far the jobs are from the bound. `job` is the worst job and
    `at_ms` the instant to look at.
    """

    holds: bool
    value: Found
    text: str
    kind: Kind | None = None
    detail: str = ""
    job: str | None = None
    at_ms: int | None = None

    @property
    def plain(self) -> str | int | float | list[str] | None:
        """`value` for JSON: seconds, a count, a ratio to 6 decimals, text, or null where it never came."""
        value = self.value
        if isinstance(value, tuple):
            return list(value)
        if self.kind in ("duration", "instant") and isinstance(value, int | Fraction):
            return thousandths(value)
        return round(float(value), 6) if isinstance(value, Fraction) else value


NOTHING = "nothing to measure"


def nothing_measured(why: str) -> Measured:
    """A claim about something that this run does not have: it is not proven."""
    return Measured(holds=False, value=None, text=NOTHING, detail=why)
