"""Which claims of a policy a search can break, and why it leaves the others alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from quota_verifier.errors import InputError
from quota_verifier.figures import job_columns
from quota_verifier.model import Queue
from quota_verifier.policy.check import subjects_of
from quota_verifier.policy.claims import Claim, JobSetClaim, MeasureClaim
from quota_verifier.policy.names import claim_names
from quota_verifier.policy.policy import Policy
from quota_verifier.search.envelope import Draft, Envelope, jobs_of
from quota_verifier.words import did_you_mean
from quota_verifier.workload import Workload


@dataclass(frozen=True, slots=True)
class Chosen:
    """The claims that are searched, and those that are not with the reason; each with its number from 1."""

    searched: tuple[tuple[int, MeasureClaim], ...]
    left: tuple[tuple[int, Claim, str], ...]


def choose(policy: Policy, queue: Queue, envelope: Envelope, wanted: Sequence[str] = ()) -> Chosen:
    """The claims that `wanted` gives by number, name or a part of their text; all of them where it is empty.

    Raises InputError for a name that fits none, for a share or unit that the queue does not have, for timing that
    names a unit nobody uses, and where none of the claims can be searched.
    """
    numbers = _wanted(policy, wanted)
    reasons = {number: _reason(policy, policy.claims[number - 1], queue, envelope) for number in numbers}
    searched = tuple(
        (number, claim)
        for number in numbers
        if not reasons[number] and isinstance(claim := policy.claims[number - 1], MeasureClaim)
    )
    if not searched:
        first = numbers[0]
        raise InputError(
            f"no claim can be searched: {policy.claims[first - 1].text}: {reasons[first]}",
            source=policy.source,
            remedy="claim something of a share, a class or the queue that the envelope has jobs for",
        )
    left = tuple((number, policy.claims[number - 1], reason) for number, reason in reasons.items() if reason)
    return Chosen(searched, left)


def _wanted(policy: Policy, wanted: Sequence[str]) -> tuple[int, ...]:
    every = range(1, len(policy.claims) + 1)
    names = claim_names(policy.claims)
    found: set[int] = set()
    for text in wanted:
        if text.isascii() and text.isdigit():
            fits = [int(text)] if int(text) in every else []
            remedy = f"the policy has claims 1 to {len(policy.claims)}"
        elif text in names:
            fits, remedy = [names.index(text) + 1], ""
        else:
            fits = [number for number in every if text.casefold() in policy.claims[number - 1].text.casefold()]
            remedy = did_you_mean(text, names)
        if not fits:
            raise InputError(f"no claim is called {text!r}", source="--claim", remedy=remedy)
        found.update(fits)
    return tuple(sorted(found or every))


def _reason(policy: Policy, claim: Claim, queue: Queue, envelope: Envelope) -> str:
    """Why no workload of the envelope can break the claim; empty where one might."""
    if isinstance(claim, JobSetClaim) or not isinstance(claim, MeasureClaim) or claim.subject.job is not None:
        return "it names single jobs of the policy's own workload"
    _check_names(claim, queue, envelope)
    one_of_each = [
        Draft(kind.start_ms, index, kind.work_low, kind.sizes[0], kind.priorities[0])
        for index, kind in enumerate(envelope.kinds)
    ]
    workload = Workload(jobs_of(envelope, tuple(sorted(one_of_each))))
    columns = job_columns(queue, workload.jobs)
    subjects_of(replace(policy, claims=()), queue, workload, columns)  # the timing's units
    try:
        subjects_of(replace(policy, claims=(claim,)), queue, workload, columns)
    except InputError as error:
        return f"no job of the envelope is its subject ({error.problem})"
    return ""


def _check_names(claim: MeasureClaim, queue: Queue, envelope: Envelope) -> None:
    shares = [share.name for share in queue.shares]
    units = dict.fromkeys((*queue.units, *(unit for kind in envelope.kinds for unit in kind.each)))
    for what, name, known in (("share", claim.subject.share, shares), ("unit", claim.subject.unit, list(units))):
        if name is not None and name not in known:
            raise InputError(
                f"the queue has no {what} {name!r}",
                source=claim.source,
                where=claim.where,
                remedy=did_you_mean(name, known),
            )
