"""What a claim must satisfy before anything is simulated: known names, and something to speak of.

A claim about nothing holds whatever happens, so it is an error, never a pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from quota_verifier.durations import format_duration
from quota_verifier.errors import InputError
from quota_verifier.figures import JobColumns
from quota_verifier.figures.columns import Mask
from quota_verifier.figures.groups import with_labels
from quota_verifier.model import Job, Queue, Share
from quota_verifier.policy.claims import Claim, JobSetClaim, MeasureClaim, PreemptorsClaim, Subject
from quota_verifier.policy.likeness import configurations
from quota_verifier.policy.policy import Policy
from quota_verifier.policy.schema import OF_MONEY
from quota_verifier.words import did_you_mean
from quota_verifier.workload import Workload

_MOST_LISTED = 20


def subjects_of(policy: Policy, queue: Queue, workload: Workload, jobs: JobColumns) -> tuple[Mask, ...]:
    """The jobs that each claim of the policy is about; `jobs` are the workload's jobs as columns.

    Raises InputError for names that the queue or the workload does not have, and for a claim about nothing.
    """
    _check_timing(policy, queue, jobs)
    later = configurations(queue, workload)
    found: list[Mask] = []
    for claim in policy.claims:
        members = _members(claim, queue, workload.jobs, jobs)
        if policy.until_ms is not None:
            members = members & (jobs.submit <= policy.until_ms)
        if isinstance(claim, MeasureClaim) and claim.measure in ("utilization", "idle_reserved"):
            _check_capacity(claim, later)
        elif not members.any() and not isinstance(claim, JobSetClaim):
            raise _nothing(policy, claim)
        elif isinstance(claim, MeasureClaim) and claim.measure == "reclaimed_within":
            _check_owners(claim, members, later, jobs)
        _check_prices(policy, claim, members, jobs)
        _check_instant(policy, claim)
        _check_job_ids(claim, workload.jobs)
        found.append(members)
    return tuple(found)


def _error(claim: Claim, field: str, problem: str, remedy: str) -> InputError:
    where = ".".join(part for part in (claim.where, field) if part)
    return InputError(problem, source=claim.source, where=where, remedy=remedy)


def _members(claim: Claim, queue: Queue, jobs: Sequence[Job], table: JobColumns) -> Mask:
    subject = claim.subject
    members = np.ones(len(jobs), np.bool_)
    if subject.share is not None:
        names = [share.name for share in queue.shares]
        if subject.share not in names:
            raise _error(claim, "share", f"the queue has no share {subject.share!r}", _known(subject.share, names))
        members &= table.share == names.index(subject.share)
    if subject.unit is not None:
        units = tuple(dict.fromkeys((*queue.units, *table.units)))
        if subject.unit not in units:
            problem = f"neither the queue nor a job uses the unit {subject.unit!r}"
            raise _error(claim, "unit", problem, _known(subject.unit, units))
        members &= table.of_unit(subject.unit) > 0
    if subject.labels:
        _check_labels(claim, jobs)
        members &= with_labels(jobs, subject.labels)
    if subject.job is not None:
        members &= np.array([job.id == subject.job for job in jobs], np.bool_)
        if not members.any():
            problem = f"the workload has no job {subject.job!r}"
            raise _error(claim, "job", problem, _known(subject.job, (job.id for job in jobs)))
    return members


def _check_labels(claim: Claim, jobs: Sequence[Job]) -> None:
    for key, value in claim.subject.labels:
        values = dict.fromkeys(job.labels[key] for job in jobs if key in job.labels)
        if not values:
            keys = dict.fromkeys(key for job in jobs for key in job.labels)
            remedy = _known(key, keys) if keys else "give the jobs labels"
            raise _error(claim, "class", f"no job carries the label {key!r}", remedy)
        if value not in values:
            name = value if key == "class" else f"{key}={value}"
            raise _error(claim, "class", f"no job is of the class {name!r}", _known(value, values))


def _known(word: str, names: Iterable[str]) -> str:
    """A remedy for a name that does not exist: the nearest one, and all of them where they are few."""
    listed = list(names)
    if not listed:
        return "there is none"
    near = did_you_mean(word, listed)
    if not near.startswith("did you mean"):
        return near if len(listed) <= _MOST_LISTED else f"it is none of {len(listed)}"
    return f"{near} Known are {', '.join(listed)}" if 1 < len(listed) <= _MOST_LISTED else near


def _nothing(policy: Policy, claim: Claim) -> InputError:
    soon = f" by {format_duration(policy.until_ms)}" if policy.until_ms is not None else ""
    whose = "" if claim.subject == Subject() else f" of {claim.subject.text}"
    return _error(
        claim,
        "",
        f"a claim about nothing: the workload submits no job{whose}{soon}",
        "add such jobs, or drop the claim",
    )


def _check_capacity(claim: MeasureClaim, configurations: Sequence[Queue]) -> None:
    subject = claim.subject
    if subject.share is None:
        limited = [
            queue.environment.limit(unit)
            for queue in configurations
            for unit in queue.units
            if subject.unit in (None, unit)
        ]
        owner = "the environment"
    else:
        shares = [queue.share(subject.share) for queue in configurations]
        limited = [share.limit(unit) for share in shares for unit in share.limits if subject.unit in (None, unit)]
        owner = f"share {subject.share}"
    if not any(limited):
        of_unit = f" of {subject.unit}" if subject.unit else ""
        raise _error(claim, claim.measure, f"a claim about nothing: {owner} has no capacity{of_unit}", "name another")
    if claim.measure == "idle_reserved":
        _check_reserving(claim, configurations)


def _check_reserving(claim: MeasureClaim, configurations: Sequence[Queue]) -> None:
    """Only RESERVE shares have reserved idle capacity; a DISABLED one may withhold its own (A10)."""

    def reserves(share: Share) -> bool:
        return (not share.strategy.lends or not share.enabled) and claim.subject.share in (None, share.name)

    if not any(reserves(share) for queue in configurations for share in queue.shares):
        who = f"share {claim.subject.share}" if claim.subject.share else "every share of the queue"
        raise _error(
            claim, "idle_reserved", f"a claim about nothing: {who} lends what it does not use", "claim utilization"
        )


def _check_owners(claim: MeasureClaim, members: Mask, configurations: Sequence[Queue], jobs: JobColumns) -> None:
    """Some job must fit its share's own limit at some time, or there is never anything to reclaim."""
    for shape in np.unique(jobs.shape[members]).tolist():
        asked = dict(zip(jobs.units, jobs.demand[shape].tolist(), strict=True))
        position = int(jobs.shape_share[shape])
        shares = [queue.shares[position] for queue in configurations]
        if any(all(n <= share.limit(unit) for unit, n in asked.items()) for share in shares):
            return
    raise _error(
        claim,
        claim.measure,
        "a claim about nothing: no job fits its share's own limit, so none may reclaim",
        "raise the limit, or drop the claim",
    )


def _check_prices(policy: Policy, claim: Claim, members: Mask, jobs: JobColumns) -> None:
    """A claim about money needs a price for every unit that its jobs ask for."""
    if not isinstance(claim, MeasureClaim) or claim.measure not in OF_MONEY:
        return
    if policy.prices is None:
        problem = f"{claim.measure} is money, and there is no table of prices"
        raise _error(claim, claim.measure, problem, "add prices: FILE to the policy file, or give --prices FILE")
    asked = [unit for unit in jobs.units if members.any() and int(jobs.of_unit(unit)[members].max())]
    missing = [
        unit
        for unit in asked
        if unit not in policy.prices.per_hour and (claim.subject.unit is None or unit == claim.subject.unit)
    ]
    if missing:
        remedy = f"add them to {policy.prices.source}" if policy.prices.source else "add them"
        raise _error(claim, claim.measure, f"no price for {', '.join(missing)}", remedy)


def _check_instant(policy: Policy, claim: Claim) -> None:
    at = getattr(claim, "at_ms", None)
    if at is not None and policy.until_ms is not None and at > policy.until_ms:
        raise _error(
            claim,
            "at",
            f"{format_duration(at)} is after `until` ({format_duration(policy.until_ms)})",
            "simulate longer",
        )


def _check_job_ids(claim: Claim, jobs: Sequence[Job]) -> None:
    match claim:
        case JobSetClaim():
            field, named = claim.which, claim.jobs
        case PreemptorsClaim():
            field, named = "preempted_by", claim.by
        case _:
            return
    ids = {job.id: job.share for job in jobs}
    for name in named:
        if name not in ids:
            raise _error(claim, field, f"the workload has no job {name!r}", _known(name, ids))
        share = claim.subject.share
        if isinstance(claim, JobSetClaim) and share not in (None, ids[name]):
            raise _error(claim, field, f"job {name!r} is in share {ids[name]!r}", "leave it out, or drop `share`")


def _check_timing(policy: Policy, queue: Queue, jobs: JobColumns) -> None:
    units = tuple(dict.fromkeys((*queue.units, *jobs.units)))
    for name in ("startup", "stop", "restore"):
        for unit in getattr(policy.timing, name).by_unit:
            if unit not in units:
                raise InputError(
                    f"neither the queue nor a job uses the unit {unit!r}",
                    source=policy.source,
                    where=f"timing.{name}",
                    remedy=_known(unit, units),
                )
