"""Claims on single jobs and instants: states, starts, ends, preemptors, who runs and who waits.

Of a claim on one job, `members` marks that job alone.
"""

from __future__ import annotations

from quota_verifier.figures.columns import Mask
from quota_verifier.policy.claims import JobSetClaim, MeasureClaim, PreemptorsClaim, StateClaim
from quota_verifier.policy.measured import Measured
from quota_verifier.policy.view import RunView
from quota_verifier.policy.wording import value_text
from quota_verifier.scheduler.run import UNKNOWN, State

_HOLDING = (State.SCHEDULED, State.RUNNING)


def instant(view: RunView, claim: MeasureClaim, members: Mask) -> Measured:
    """Judge when a job first started, or ended by success or failure."""
    job = int(members.argmax())
    outcome = view.run.outcomes[job]
    ended = outcome.state in (State.SUCCEEDED, State.FAILED)
    known = outcome.first_start if claim.measure == "starts" else outcome.end if ended else UNKNOWN
    value = None if known == UNKNOWN else known
    return Measured(
        holds=claim.bound.holds(value),
        value=value,
        text=value_text(value, "instant"),
        kind="instant",
        detail=f"it is {outcome.state.value}" if value is None else "",
        job=view.run.jobs[job].id,
        at_ms=view.run.jobs[job].submit_ms if value is None else value,
    )


def state(view: RunView, claim: StateClaim, members: Mask) -> Measured:
    """Judge a job's state after the pass of an instant, or at the end of the run."""
    job = int(members.argmax())
    found = view.run.outcomes[job].state if claim.at_ms is None else view.states_at(claim.at_ms)[job]
    return Measured(
        holds=found is claim.state,
        value=found.value,
        text=found.value,
        detail=view.run.outcomes[job].detail if claim.at_ms is None else "",
        job=view.run.jobs[job].id,
        at_ms=view.run.end_ms if claim.at_ms is None else claim.at_ms,
    )


def job_set(view: RunView, claim: JobSetClaim) -> Measured:
    """Judge which jobs hold capacity, or are RUNNABLE, after the pass of an instant."""
    wanted = _HOLDING if claim.which == "running" else (State.RUNNABLE,)
    jobs = zip(view.run.jobs, view.states_at(claim.at_ms), strict=True)
    share = claim.subject.share
    found = tuple(job.id for job, now in jobs if now in wanted and share in (None, job.share))
    missing = [name for name in claim.jobs if name not in found]
    excess = [name for name in found if name not in claim.jobs]
    parts = (
        f"not {claim.which}: {', '.join(missing)}" if missing else "",
        f"too: {', '.join(excess)}" if excess else "",
    )
    return Measured(
        holds=not missing and not excess,
        value=found,
        text=", ".join(found) or "nothing",
        detail="; ".join(part for part in parts if part),
        job=next(iter((*missing, *excess)), None),
        at_ms=claim.at_ms,
    )


def preemptors(view: RunView, claim: PreemptorsClaim, members: Mask) -> Measured:
    """Judge which jobs preempted a job, in order."""
    job = int(members.argmax())
    found = tuple(view.run.jobs[by].id for by in view.preemptors(job))
    at = view.preempted_at(job)
    return Measured(
        holds=found == claim.by,
        value=found,
        text=", ".join(found) or "nobody",
        job=view.run.jobs[job].id,
        at_ms=at[-1] if at else view.run.jobs[job].submit_ms,
    )
