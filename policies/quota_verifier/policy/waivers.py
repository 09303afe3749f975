"""Waivers: claims that may fail for now, with the reason and the last day.

A waiver lets one claim of its policy file fail until a date, that day included. Afterwards it fails again, so
that nobody forgets it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from quota_verifier.errors import InputError
from quota_verifier.policy.claims import Claim, MeasureClaim
from quota_verifier.policy.names import claim_names
from quota_verifier.policy.schema import WaiverRow
from quota_verifier.policy.wording import bound_text
from quota_verifier.words import did_you_mean
from quota_verifier.workload.check import Place


@dataclass(frozen=True, slots=True)
class Waiver:
    """Lets `claim` fail up to and including the day `until`. `source` is where it is written."""

    claim: Claim
    reason: str
    until: date
    source: str = ""

    def expired(self, today: date) -> bool:
        """Whether its last day is over."""
        return today > self.until


def waivers_of(rows: Sequence[WaiverRow], claims: Sequence[Claim], place: Place) -> tuple[Waiver, ...]:
    """The waivers of a policy file. Raises InputError for one of no claim, of several, or of one waived already."""
    found: dict[Claim, Waiver] = {}
    for index, row in enumerate(rows):
        source, where = place(("waive", index, "claim"))
        claim = _waived(row.claim, claims, source, where)
        if claim in found:
            raise InputError(f"{row.claim!r} is waived twice", source=source, where=where, remedy="leave one")
        found[claim] = Waiver(claim, row.reason, row.until, source)
    return tuple(found.values())


def _waived(text: str, claims: Sequence[Claim], source: str, where: str) -> Claim:
    """The one claim that is called `text`: by its name, its sentence, or its sentence without the bound."""
    names = claim_names(claims)
    wanted = " ".join(text.split())
    called = [
        claim for claim, name in zip(claims, names, strict=True) if wanted in (name, claim.text, _without_bound(claim))
    ]
    if len(called) == 1:
        return called[0]
    if called:
        several = [name for claim, name in zip(claims, names, strict=True) if claim in called]
        raise InputError(
            f"{text!r} is the name of {len(called)} claims",
            source=source,
            where=where,
            remedy=f"write one of {', '.join(several)}",
        )
    known = names if ":" not in wanted else [claim.text for claim in claims]
    raise InputError(f"no claim is called {text!r}", source=source, where=where, remedy=did_you_mean(wanted, known))


def _without_bound(claim: Claim) -> str:
    """`share QS3: wait max` for `share QS3: wait max <= 1m`: so a waiver outlives a new bound."""
    return claim.text.removesuffix(f" {bound_text(claim.bound)}") if isinstance(claim, MeasureClaim) else claim.text
