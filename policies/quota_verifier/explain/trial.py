"""try_job(): one more job, submitted at an instant of a simulated state; what becomes of it and of the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

from quota_verifier.errors import InputError
from quota_verifier.explain.explain import Explanation, explained
from quota_verifier.explain.moment import index_of
from quota_verifier.explain.preemptions import Preemption, preemptions
from quota_verifier.model import Job, Queue
from quota_verifier.scheduler import Assumptions, Run, Timing, simulate
from quota_verifier.scheduler.assumptions import Profiles
from quota_verifier.scheduler.events import Kind
from quota_verifier.scheduler.run import UNKNOWN, State
from quota_verifier.workload import Workload


class Answer(StrEnum):
    """What becomes of the job."""

    RUNS_NOW = "runs now"
    WAITS = "waits"
    NEVER_STARTS = "never starts"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Changed:
    """Another job that fares differently because of the new one; times in ms, None where none came."""

    job: str
    share: str
    preemptions: tuple[int, int]
    first_start: tuple[int | None, int | None]
    end: tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class Trial:
    """A job's dry run: the answer, why it stands so at once, whom it preempts, and who else fares differently.

    `changed` compares the run without the job (first of each pair) with the one that has it.
    """

    job: Job
    answer: Answer
    explanation: Explanation
    preempts: tuple[Preemption, ...]
    changed: tuple[Changed, ...]


def try_job(
    queue: Queue,
    workload: Workload,
    job: Job,
    *,
    assumptions: Assumptions | None = None,
    timing: Timing | None = None,
    under: Profiles = "one-at-a-time",
) -> Trial:
    """What becomes of `job` when it is submitted at its time to the queue that runs `workload`.

    Among jobs of the same instant, share and priority the order is that of their ids, as everywhere (R9). Raises
    InputError where the workload has a job of that id, and as `simulate` does.
    """
    if any(other.id == job.id for other in workload.jobs):
        raise InputError(
            f"the workload has a job {job.id!r} already", source=workload.source, remedy="give the job another id"
        )
    simulated = partial(simulate, queue, assumptions=assumptions, timing=timing)
    more = replace(workload, jobs=(*workload.jobs, job))
    without, run = simulated(workload), simulated(more)
    explanation = explained(run, more, job.id, at_ms=job.submit_ms, under=under)
    index = index_of(run, job.id, workload.source)
    return Trial(
        job=job,
        answer=_answer(run, index, explanation),
        explanation=explanation,
        preempts=tuple(each for each in preemptions(run, job=index) if each.job == job.id),
        changed=tuple(_changed(without, run, index)),
    )


def _answer(run: Run, index: int, explanation: Explanation) -> Answer:
    if run.outcomes[index].state is State.REJECTED:
        return Answer.REJECTED
    at_ms = run.jobs[index].submit_ms
    if any(e.at == at_ms and e.kind is Kind.DISPATCHED and e.job == index for e in run.events):
        return Answer.RUNS_NOW
    return Answer.NEVER_STARTS if explanation.starts.starts[0].start.at_ms is None else Answer.WAITS


def _changed(without: Run, run: Run, tried: int) -> Iterator[Changed]:
    """The other jobs whose runs differ; both runs hold them in one order, but for the job that was tried."""
    rows = [row for row in range(len(run.jobs)) if row != tried]
    for old, new in enumerate(rows):
        before, after = without.outcomes[old], run.outcomes[new]
        seen = (before.preemptions, before.first_start, before.end)
        if seen != (after.preemptions, after.first_start, after.end):
            yield Changed(
                run.jobs[new].id,
                run.jobs[new].share,
                (before.preemptions, after.preemptions),
                (_known(before.first_start), _known(after.first_start)),
                (_known(before.end), _known(after.end)),
            )


def _known(ms: int) -> int | None:
    return None if ms == UNKNOWN else ms
