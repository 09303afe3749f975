"""Jobs of a trace -> a workload: groups to shares, sizes to instances, one time axis, one account."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from quota_verifier.errors import InputError
from quota_verifier.model import Job, Queue
from quota_verifier.workload.check import check_workload, unknown_name
from quota_verifier.workload.demand import unit_in_play
from quota_verifier.workload.instants import iso_date
from quota_verifier.workload.options import EVERY_GROUP, TraceOptions, stated
from quota_verifier.workload.readers.records import Account, Details, TraceJob
from quota_verifier.workload.window import jobs_in_window
from quota_verifier.workload.workload import Workload

_BURST = 20
_BURST_PERCENT = 1


def workload_from_trace(
    records: Iterable[TraceJob],
    account: Account,
    *,
    source: str,
    options: TraceOptions,
    queue: Queue | None,
    per_instance: int = 1,
    counted: str = "instances",
) -> Workload:
    """The workload of a trace's jobs; a job gets its size divided by `per_instance` instances, rounded up.

    `counted` names what sizes count (GPUs, processors). Jobs outside the window and of groups without a share are
    skipped and counted. Time counts from the first job that is left. Raises InputError for shares that `queue`
    does not have, and where no job is left.
    """
    _check_shares(options, queue, source)
    found = _padded(list(records))
    seen = dict.fromkeys(record.group for record in found)
    used = _shared(jobs_in_window(found, account, options, source), account, options)
    if not used:
        raise InputError(
            "the trace holds no job to use", source=source, remedy=_what_became_of_it(account) or "give another"
        )
    origin = min(record.submit_ms for record, _ in used)
    plain = any(record.details is None for record, _ in used)
    unit = _unit(queue, options, source) if plain else ""
    jobs = _jobs(used, origin, per_instance, unit, options)
    _note_burst(used, origin, account, options)
    idle = [group for group in options.shares or () if group != EVERY_GROUP and group not in seen]
    for group in sorted(idle):
        account.remarks.append(f"shares names the group {group!r}, which the trace does not mention")
    start = {"start": iso_date(origin)} if account.dated else {}
    units = {"unit": unit} if unit else {}
    sizes = {"instances": f"{counted} divided by {per_instance}, rounded up"} if counted != "instances" else {}
    workload = Workload(
        jobs,
        source=source,
        skipped=tuple(sorted(account.skipped, key=lambda skip: (skip.reason, len(skip.where), skip.where))),
        censored=account.censored,
        merged=account.merged,
        warnings=account.warnings,
        rules={**stated(options), **units, **sizes, **start, **account.rules},
        queue_delays={r.id: r.queue_delay_ms for r, _ in used if r.queue_delay_ms is not None},
    )
    return check_workload(workload, queue)


def _unit(queue: Queue | None, options: TraceOptions, source: str) -> str:
    try:
        return unit_in_play(queue, (), options.unit)
    except InputError as error:
        remedy = "name it, such as unit: ml.g5.xlarge"
        raise InputError(error.problem, source=source, where="unit", remedy=remedy) from None


def _padded(records: list[TraceJob]) -> list[TraceJob]:
    """Job numbers with leading zeros, so that jobs of one instant keep the order of their numbers."""
    width = max((len(record.id) for record in records), default=0)
    if all(len(record.id) == width for record in records) or not all(record.id.isdecimal() for record in records):
        return records
    return [record._replace(id=record.id.zfill(width)) for record in records]


def _check_shares(options: TraceOptions, queue: Queue | None, source: str) -> None:
    if queue is None or options.shares is None:
        return
    known = [share.name for share in queue.shares]
    for share in options.shares.values():
        if share not in known:
            problem, remedy = unknown_name("share", share, known)
            raise InputError(problem, source=source, where="shares", remedy=remedy)


def _shared(records: Sequence[TraceJob], account: Account, options: TraceOptions) -> list[tuple[TraceJob, str]]:
    """Each job with its share; a format without groups names shares itself."""
    shares = options.shares
    if shares is None:
        return [(record, record.group) for record in records]
    rest = shares.get(EVERY_GROUP)
    used: list[tuple[TraceJob, str]] = []
    for record in records:
        share = shares.get(record.group, rest)
        if share is None:
            account.skip(record.where, f"group {record.group!r} has no share")
        else:
            used.append((record, share))
    return used


def _jobs(
    used: Sequence[tuple[TraceJob, str]],
    origin: int,
    per_instance: int,
    unit: str,
    options: TraceOptions,
) -> tuple[Job, ...]:
    labels: dict[tuple[str, str], Mapping[str, str]] = {}
    demands: dict[int, Mapping[str, int]] = {}
    jobs: list[Job] = []
    for record, share in used:
        marks = labels.get((record.group, record.user))
        if marks is None:
            named = {"group": record.group, "user": record.user}
            marks = labels[record.group, record.user] = {key: value for key, value in named.items() if value}
        if record.details is not None:
            jobs.append(_detailed(record, record.details, share, origin, marks, options))
            continue
        demand = demands.get(record.size)
        if demand is None:
            demand = demands[record.size] = {unit: -(-record.size // per_instance)}
        jobs.append(
            Job(
                record.id,
                share,
                record.submit_ms - origin,
                record.work_ms,
                demand,
                checkpoint_ms=options.checkpoint,
                labels=marks,
            )
        )
    return tuple(jobs)


def _detailed(
    record: TraceJob,
    details: Details,
    share: str,
    origin: int,
    marks: Mapping[str, str],
    options: TraceOptions,
) -> Job:
    return Job(
        id=record.id,
        share=share,
        submit_ms=record.submit_ms - origin,
        work_ms=record.work_ms,
        demand=details.demand,
        priority=details.priority,
        attempts=details.attempts,
        preemption_retries=details.preemption_retries,
        timeout_ms=details.timeout_ms,
        checkpoint_ms=options.checkpoint,
        retry_rules=details.retry_rules,
        labels={**details.labels, **marks},
    )


def _note_burst(used: Sequence[tuple[TraceJob, str]], origin: int, account: Account, options: TraceOptions) -> None:
    """Many jobs at the first instant may stand for jobs that were there before the recording started."""
    at_start = sum(record.submit_ms == origin for record, _ in used)
    if options.recording_start is None and at_start > max(_BURST, len(used) * _BURST_PERCENT // 100):
        account.notes[
            "jobs at the first instant, which some traces use for 'before the recording' (recording_start)"
        ] = at_start


def _what_became_of_it(account: Account) -> str:
    counts: dict[str, int] = {}
    for skip in account.skipped:
        counts[skip.reason] = counts.get(skip.reason, 0) + 1
    parts = [f"{reason}: {count}" for reason, count in sorted(counts.items())]
    if account.censored:
        parts.append(f"end unknown: {account.censored}")
    remarks = f" ({'; '.join(account.remarks)})" if account.remarks else ""
    return f"of its rows, {', '.join(parts)}{remarks}" if parts else ""
