"""What a workload must satisfy beyond its form: names that exist, sizes and times that make sense."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from quota_verifier.documents import DataPath
from quota_verifier.durations import LONGEST_MS, format_duration
from quota_verifier.errors import InputError
from quota_verifier.model import Job, JobUpdate, Queue, ShareUpdate, Update
from quota_verifier.validation import did_you_mean
from quota_verifier.workload.job_list import JobList
from quota_verifier.workload.schema import HIGHEST_PRIORITY, MOST_ATTEMPTS
from quota_verifier.workload.workload import Workload, subject_of

Place = Callable[[DataPath], tuple[str, str]]
"""The source and the place in it of the value at a path such as `("jobs", 3, "share")`."""


_MOST_LISTED = 30
_MOST_COMPARED = 2_000


class _Problem(NamedTuple):
    path: DataPath
    text: str
    remedy: str


def check_workload(workload: Workload, queue: Queue | None = None) -> Workload:
    """`workload`, once it makes sense by itself and, where given, on `queue`.

    Raises InputError for: no jobs, a share or job that does not exist, a unit that nobody lists, a demand
    below 1, a negative duration, a value outside AWS's range, two updates of one thing at one instant.
    A job that can never run is no error: the scheduler reports it (R21).
    """

    def place(path: DataPath) -> tuple[str, str]:
        if len(path) < 2:
            return workload.source, ""
        index = int(path[1])
        subject = f"job {workload.jobs[index].id!r}" if path[0] == "jobs" else f"update {index + 1}"
        return workload.source, ": ".join((subject, *map(str, path[2:])))

    check_jobs(workload.jobs, workload.updates, queue, place)
    return workload


def check_jobs(jobs: Sequence[Job], updates: Sequence[Update], queue: Queue | None, place: Place) -> None:
    """As `check_workload`, for jobs and updates in the order of their file. Raises InputError."""
    for problem in _problems(jobs, updates, queue):
        source, where = place(problem.path)
        raise InputError(problem.text, source=source, where=where, remedy=problem.remedy)


def _problems(jobs: Sequence[Job], updates: Sequence[Update], queue: Queue | None) -> Iterator[_Problem]:
    if not jobs:
        yield _Problem(("jobs",), "the workload has no jobs", "give at least one")
    unsound = () if isinstance(jobs, JobList) and _are_sound(jobs, updates, queue) else jobs
    if queue is not None:
        yield from _against_queue(unsound, updates, queue)
    for index, job in enumerate(unsound):
        yield from _job_problems(index, job)
    yield from _update_problems(jobs, updates)


def _are_sound(jobs: JobList, updates: Sequence[Update], queue: Queue | None) -> bool:
    from quota_verifier.workload.check_columns import are_sound

    if queue is None:
        return are_sound(jobs.columns, None, None)
    return are_sound(jobs.columns, {share.name for share in queue.shares}, {*queue.units, *_units_of(updates)})


def _against_queue(jobs: Sequence[Job], updates: Sequence[Update], queue: Queue) -> Iterator[_Problem]:
    names = [share.name for share in queue.shares]
    shares = set(names)
    units = {*queue.units, *_units_of(updates)}
    for index, job in enumerate(jobs):
        if job.share not in shares:
            yield _Problem(("jobs", index, "share"), *unknown_name("share", job.share, names))
        if not units.issuperset(job.demand):
            unit = min(set(job.demand) - units)
            yield _Problem(("jobs", index, "demand"), *unknown_name("unit", unit, queue.units))
    for index, update in enumerate(updates):
        if isinstance(update, ShareUpdate) and update.share not in shares:
            yield _Problem(("updates", index, "share"), *unknown_name("share", update.share, names))


def _units_of(updates: Sequence[Update]) -> Iterator[str]:
    for update in updates:
        if not isinstance(update, JobUpdate):
            yield from update.limits or ()


def unknown_name(what: Literal["share", "unit", "job"], name: str, known: Sequence[str]) -> tuple[str, str]:
    """The problem and the remedy where nothing has that name; the known ones are listed unless they are many."""
    problem = {
        "share": f"the queue has no share {name!r}",
        "unit": f"neither the environment nor a share lists the unit {name!r}",
        "job": f"the workload has no job {name!r}",
    }[what]
    if len(known) <= _MOST_LISTED:
        return problem, f"known are {', '.join(known)}" if known else ""
    guess = did_you_mean(name, known[:_MOST_COMPARED])
    return problem, guess if guess.startswith("did you mean") else f"name one of its {what}s"


def _job_problems(index: int, job: Job) -> Iterator[_Problem]:
    if not job.demand or min(job.demand.values()) < 1:
        low = [f"{count} of {unit}" for unit, count in sorted(job.demand.items()) if count < 1]
        asked = low[0] if low else "nothing"
        yield _Problem(("jobs", index, "demand"), f"the job asks for {asked}", "ask for 1 instance or more")
    if job.submit_ms < 0 or job.work_ms < 0:
        field, ms = ("submit", job.submit_ms) if job.submit_ms < 0 else ("work", job.work_ms)
        yield _Problem(("jobs", index, field), f"{format_duration(ms)} is negative", "write 0 or more")
    if job.submit_ms > LONGEST_MS or job.work_ms > LONGEST_MS:
        field = "submit" if job.submit_ms > LONGEST_MS else "work"
        yield _Problem(("jobs", index, field), "is longer than any schedule", "write less than 1000000w")
    if not 0 <= job.priority <= HIGHEST_PRIORITY:
        yield _out_of_range(("jobs", index, "priority"), job.priority, f"0 to {HIGHEST_PRIORITY}")
    if not 1 <= job.attempts <= MOST_ATTEMPTS:
        yield _out_of_range(("jobs", index, "attempts"), job.attempts, f"1 to {MOST_ATTEMPTS}")
    if job.preemption_retries is not None and job.preemption_retries < 0:
        yield _out_of_range(("jobs", index, "preemption_retries"), job.preemption_retries, "null, or 0 and more")
    for field, ms in (("timeout", job.timeout_ms), ("checkpoint", job.checkpoint_ms)):
        if ms is not None and ms < 1:
            yield _Problem(("jobs", index, field), f"{format_duration(ms)} is too short", "write 1ms or more")
    for run, failure in enumerate(job.failures):
        if failure.after_ms < 0:
            text = f"{format_duration(failure.after_ms)} is negative"
            yield _Problem(("jobs", index, "fails", run, "after"), text, "write 0 or more")


def _out_of_range(path: DataPath, value: int, allowed: str) -> _Problem:
    return _Problem(path, f"{value} is out of range", f"write {allowed}")


def _update_problems(jobs: Sequence[Job], updates: Sequence[Update]) -> Iterator[_Problem]:
    submitted = {job.id: job.submit_ms for job in jobs} if updates else dict[str, int]()
    seen: set[tuple[int, str, str]] = set()
    for index, update in enumerate(updates):
        if isinstance(update, JobUpdate) and update.job not in submitted:
            yield _Problem(("updates", index, "job"), *unknown_name("job", update.job, sorted(submitted)))
        elif isinstance(update, JobUpdate) and 0 <= update.at_ms < submitted[update.job]:
            at = format_duration(submitted[update.job])
            text = f"the job {update.job!r} is submitted only at {at}"
            remedy = "update it later, or give it the priority from the start"
            yield _Problem(("updates", index, "at"), text, remedy)
        if update.at_ms < 0:
            text = f"{format_duration(update.at_ms)} is negative"
            yield _Problem(("updates", index, "at"), text, "write 0 or more")
        if isinstance(update, JobUpdate) and not 0 <= (update.priority or 0) <= HIGHEST_PRIORITY:
            path: DataPath = ("updates", index, "priority")
            yield _out_of_range(path, update.priority or 0, f"0 to {HIGHEST_PRIORITY}")
        subject = subject_of(update)
        if (update.at_ms, *subject) in seen:
            named = " ".join((subject[0], *([repr(subject[1])] if subject[1] else [])))
            text = f"the {named} is updated twice at {format_duration(update.at_ms)}"
            yield _Problem(("updates", index), text, "join the two, or set them apart in time")
        seen.add((update.at_ms, *subject))
