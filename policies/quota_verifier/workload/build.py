"""Rows of a workload file -> jobs and updates of the model, on one time axis."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from quota_verifier.documents import DataPath, LineOf
from quota_verifier.errors import InputError
from quota_verifier.model import (
    EnvironmentUpdate,
    Failure,
    Job,
    JobUpdate,
    Queue,
    RetryRule,
    ShareUpdate,
    Update,
)
from quota_verifier.validation import field_path, validate_file
from quota_verifier.workload.check import Place, check_jobs
from quota_verifier.workload.demand import unit_in_play
from quota_verifier.workload.instants import ZONE_REMEDY, Instant, LocalClock, iso_date, time_zone
from quota_verifier.workload.options import TraceOptions, stated
from quota_verifier.workload.schema import (
    EnvironmentUpdateRow,
    JobRow,
    JobUpdateRow,
    ShareUpdateRow,
    UpdateRow,
    WorkloadFile,
)
from quota_verifier.workload.workload import Skipped, Workload

_DEFAULTS = TraceOptions()
_PathOf = Callable[[int], DataPath]


def workload_from_data(
    data: object,
    *,
    source: str = "",
    line_of: LineOf | None = None,
    queue: Queue | None = None,
    options: TraceOptions = _DEFAULTS,
) -> Workload:
    """The workload that plain data describes: `{"jobs": [...], "updates": [...]}`, as in a workload file.

    `line_of` turns a path in `data` into a line of `source` for messages. With `queue` the names in it
    are checked too. Raises InputError for the first mistake.
    """

    def place(path: DataPath) -> tuple[str, str]:
        return (f"{source}:{line_of(path)}" if line_of and source else source), field_path(path)

    rows = validate_file(WorkloadFile, data, source, line_of)
    return workload_from_rows(rows.jobs, rows.updates, place=place, source=source, queue=queue, options=options)


def workload_from_rows(
    job_rows: Sequence[JobRow],
    update_rows: Sequence[UpdateRow],
    *,
    place: Place,
    source: str = "",
    queue: Queue | None = None,
    options: TraceOptions = _DEFAULTS,
    skipped: tuple[Skipped, ...] = (),
    rules: Mapping[str, str] = MappingProxyType({}),
) -> Workload:
    """The workload of rows that were read one by one; `place` says where the value at a path stands.

    Raises InputError for the first mistake.
    """
    _refuse_twins(job_rows, place)
    times, time_rules = _time_axis(job_rows, update_rows, place, options)
    demands = _demands(job_rows, queue, place, options)
    jobs = [_job(row, next(times), demand, options) for row, demand in zip(job_rows, demands, strict=True)]
    updates = [_update(row, next(times)) for row in update_rows]
    check_jobs(jobs, updates, queue, place)
    return Workload(
        tuple(jobs), tuple(updates), source=source, skipped=skipped, rules={**stated(options), **time_rules, **rules}
    )


def _demands(rows: Sequence[JobRow], queue: Queue | None, place: Place, options: TraceOptions) -> list[dict[str, int]]:
    """Instances by unit for each row; `instances` stands for the one unit in play."""
    counted = next((index for index, row in enumerate(rows) if row.demand is None), None)
    if counted is None:
        return [row.demand or {} for row in rows]
    try:
        unit = unit_in_play(queue, (unit for row in rows for unit in row.demand or ()), options.unit)
    except InputError as error:
        raise _at(error, place(("jobs", counted, "instances"))) from None
    return [{unit: row.instances or 0} if row.demand is None else row.demand for row in rows]


def _at(error: InputError, place: tuple[str, str]) -> InputError:
    return InputError(error.problem, source=place[0], where=place[1], remedy=error.remedy)


def _refuse_twins(rows: Sequence[JobRow], place: Place) -> None:
    first: dict[str, int] = {}
    for index, row in enumerate(rows):
        if row.id in first:
            source, where = place(("jobs", index, "id"))
            earlier = place(("jobs", first[row.id], "id"))
            raise InputError(
                f"job id {row.id!r} was given before, at {': '.join(part for part in earlier if part)}",
                source=source,
                where=where,
                remedy="give every job its own id",
            )
        first[row.id] = index


def _time_axis(
    job_rows: Sequence[JobRow], update_rows: Sequence[UpdateRow], place: Place, options: TraceOptions
) -> tuple[Iterator[int], dict[str, str]]:
    """Milliseconds from the start for each job, then each update; and the rule, where dates were read."""
    instants = [row.submit for row in job_rows] + [row.at for row in update_rows]

    def path_of(index: int) -> DataPath:
        count = len(job_rows)
        return ("jobs", index, "submit") if index < count else ("updates", index - count, "at")

    if all(instant.form == "duration" for instant in instants):
        return iter([instant.ms for instant in instants]), {}
    _refuse_mixture(instants, path_of, place, zone=options.timezone)
    clock = LocalClock(time_zone(options.timezone)) if options.timezone else None
    moments = [clock.local_ms(i.ms) if clock and i.form == "local date" else i.ms for i in instants]
    origin = min(moments)
    return iter([moment - origin for moment in moments]), {"start": iso_date(origin)}


def _refuse_mixture(instants: Sequence[Instant], path_of: _PathOf, place: Place, *, zone: str | None) -> None:
    first = instants[0]
    for index, instant in enumerate(instants):
        if instant.form == "local date" and zone is None:
            problem, remedy = f"the date {instant.text!r} has no zone", ZONE_REMEDY
        elif (instant.form == "duration") != (first.form == "duration"):
            other = ": ".join(part for part in place(path_of(0)) if part)
            forms = ("a duration", "a date") if instant.form == "duration" else ("a date", "a duration")
            problem = f"{instant.text!r} is {forms[0]}, but {first.text!r} at {other} is {forms[1]}"
            remedy = "write all times of a file in one form"
        else:
            continue
        source, where = place(path_of(index))
        raise InputError(problem, source=source, where=where, remedy=remedy)


def _job(row: JobRow, submit_ms: int, demand: dict[str, int], options: TraceOptions) -> Job:
    return Job(
        id=row.id,
        share=row.share,
        submit_ms=submit_ms,
        work_ms=row.work,
        demand=demand,
        priority=row.priority,
        attempts=row.attempts,
        preemption_retries=row.preemption_retries,
        timeout_ms=row.timeout,
        checkpoint_ms=options.checkpoint if row.checkpoint is None else row.checkpoint,
        failures=tuple(Failure(failure.after, failure.reason) for failure in row.fails),
        retry_rules=tuple(RetryRule(rule.action, rule.on_status_reason) for rule in row.retry_rules),
        labels=row.labels,
    )


def _update(row: UpdateRow, at_ms: int) -> Update:
    enabled = {None: None, "ENABLED": True, "DISABLED": False}
    match row:
        case JobUpdateRow():
            return JobUpdate(at_ms, row.job, priority=row.priority, terminate=row.terminate is True)
        case ShareUpdateRow():
            return ShareUpdate(
                at_ms,
                row.share,
                limits=row.limits,
                strategy=row.strategy,
                borrow_limit=row.borrow_limit,
                in_share_preemption=row.in_share_preemption,
                enabled=enabled[row.state],
            )
        case EnvironmentUpdateRow():
            return EnvironmentUpdate(at_ms, limits=row.environment, enabled=enabled[row.state])
