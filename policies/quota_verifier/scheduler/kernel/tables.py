"""A queue and a workload -> the tables of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike, NDArray

from quota_verifier.model import JobUpdate, Queue, TimeLimitReason, Update
from quota_verifier.scheduler.assumptions import QUESTIONS, Assumptions
from quota_verifier.scheduler.events import Reason
from quota_verifier.scheduler.kernel import layout
from quota_verifier.scheduler.kernel.layout import FOREVER, NO_LEVEL, NOWHERE, Table
from quota_verifier.scheduler.kernel.shapes import Lane, all_units, lanes_of
from quota_verifier.scheduler.kernel.texts import Verdict, verdicts
from quota_verifier.scheduler.kernel.world import World, empty_world
from quota_verifier.scheduler.reference.attempts import TIMEOUT_TEXT
from quota_verifier.scheduler.reference.retries import retries_failure
from quota_verifier.scheduler.timing import Timing
from quota_verifier.workload.columns import UNSET, JobColumns

EVENTS_A_JOB, SPANS_A_JOB, FIRST_ROOM = 5, 1.5, 2048
"""Room for records at the start; more is made when it is needed. Memory that nobody writes to costs nothing."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The world of a run, and the names of its rows."""

    world: World
    units: tuple[str, ...]
    lanes: tuple[Lane, ...]
    verdicts: list[Verdict]


def make_tables(
    queue: Queue,
    jobs: JobColumns,
    updates: Sequence[Update],
    assumptions: Assumptions,
    timing: Timing,
    until_ms: int | None,
) -> Tables:
    """Everything as it is before the first instant, but for the configuration in force."""
    units = all_units(queue, jobs.shapes, updates)
    lanes, lane_of = lanes_of(queue, jobs.shapes, units)
    job_rows = jobs.rows_of(update.job for update in updates if isinstance(update, JobUpdate))
    texts = verdicts(queue)
    priorities, first_level = _levels(jobs, updates)
    fail_first, fails = _failures(jobs, texts)
    count, shares, width = len(jobs.submit_ms), len(queue.shares), max((len(lane.demand) for lane in lanes), default=1)
    list_levels = len(priorities) if assumptions.victim_order == "priority" else 1
    mask_words = (list_levels + 63) // 64
    submit = _column(jobs.submit_ms, np.int64)
    timeout, timeout_retry = _column(jobs.timeout_ms, np.int64), _timeout_retry(jobs)
    world = empty_world()
    world.put(
        jobs=np.zeros(count, layout.JOB),
        rare=np.zeros(count, layout.RARE),
        submit=submit,
        work=_column(jobs.work_ms, np.int64),
        queued=submit.copy() if assumptions.requeue_place == "back" else submit,
        shape=_column(jobs.shape, np.int32),
        lane_of=lane_of,
        first_level=first_level,
        lanes=_lane_table(jobs, lanes, lane_of, units, timing),
        asks=_ask_table(lanes, units),
        shares=_share_table(lanes, shares),
        quotas=np.zeros(shares * len(units), layout.QUOTA),
        units=np.zeros(len(units), layout.UNIT),
        endings=np.empty(2 * count + 80, layout.ENDING),
        deadlines=np.empty(2 * len(lanes) + 16, layout.ENDING),
        spans=np.empty(int(SPANS_A_JOB * count) + FIRST_ROOM, layout.SPAN),
        events=np.empty(EVENTS_A_JOB * count + FIRST_ROOM, layout.EVENT),
        notes=np.empty(EVENTS_A_JOB * count + FIRST_ROOM, layout.NOTE),
        line=np.empty(count, np.int32),
        pile=np.empty(count, np.int32),
        heads=np.zeros(len(lanes) + 1, np.int32),
        old_heads=np.zeros(len(lanes) + 1, np.int32),
        active=np.zeros(shares + 1, np.int32),
        order=np.zeros(shares + 1, np.int32),
        lists=_nowhere(shares * list_levels),
        masks=np.zeros(shares * mask_words, np.int64),
        stopping=np.empty(count, np.int32),
        claims=np.empty(count, np.int32),
        disorder=np.empty(count // 4 + 64, np.int32),
        blocked=np.zeros(2 * len(lanes) + 2, np.int32),
        attempts=_column(jobs.attempts, np.int64),
        retries=_column(jobs.preemption_retries, np.int64),
        timeout=timeout,
        checkpoint=_column(jobs.checkpoint_ms, np.int64),
        timeout_retry=timeout_retry,
        fail_first=fail_first,
        fails=fails,
        updates=_update_table(updates, job_rows, priorities),
        freed=np.zeros(shares * width, layout.FREED),
        taken=np.empty(2 * count, np.int32),
        ranks=np.empty(count, layout.RANK),
    )
    world.set(
        until=FOREVER if until_ms is None else until_ms,
        pause_at=FOREVER,
        last_share=NOWHERE,
        levels=len(priorities),
        list_levels=list_levels,
        mask_words=mask_words,
        width=width,
        has_failures=len(fails) > 0,
        plain_ends=not len(fails) and bool((timeout == UNSET).all()),
        attempts_step=len(world["attempts"]) > 1,
        retries_step=len(world["retries"]) > 1,
        timeout_step=len(timeout) > 1,
        checkpoint_step=len(world["checkpoint"]) > 1,
        timeout_retry_step=len(timeout_retry) > 1,
        level_step=len(first_level) > 1,
        job_count=count,
        share_count=shares,
        unit_count=len(units),
        lane_count=len(lanes),
        update_count=len(updates),
    )
    _set_assumptions(world, assumptions)
    _set_time_limits(world, queue)
    return Tables(world, units, lanes, texts)


def _column(values: NDArray[np.integer] | int, kind: DTypeLike) -> Table:
    """One row for each job, or one for all; in memory as compiled code expects it."""
    column = np.ascontiguousarray(np.atleast_1d(values), kind)
    return column if column.flags.writeable else column.copy()


def _nowhere(count: int) -> Table:
    lists = np.empty(count, layout.LIST)
    lists["first"] = lists["last"] = NOWHERE
    return lists


def _levels(jobs: JobColumns, updates: Sequence[Update]) -> tuple[Table, Table]:
    """The priorities that occur, in order, and the place of each job's first one among them."""
    changes = [u.priority for u in updates if isinstance(u, JobUpdate) and u.priority is not None]
    first = np.atleast_1d(np.asarray(jobs.priority, np.int64))
    low, high = (int(first.min()), int(first.max())) if len(first) else (0, 0)
    if high - low > 1 << 20:
        priorities = np.unique(np.append(first, np.array(changes, np.int64)))
        return priorities, np.searchsorted(priorities, first).astype(np.int32)
    present = np.zeros(high - low + 1, np.bool_)
    present[first - low] = True
    mine = np.flatnonzero(present) + low
    priorities = np.union1d(mine, np.array(changes, np.int64)).astype(np.int64)
    place = np.zeros(high - low + 1, np.int32)
    place[mine - low] = np.searchsorted(priorities, mine)
    return priorities, place[first - low]


def _lane_table(jobs: JobColumns, lanes: Sequence[Lane], lane_of: Table, units: Sequence[str], timing: Timing) -> Table:
    unit_of = {unit: index for index, unit in enumerate(units)}
    table = np.zeros(len(lanes), layout.LANE)
    sizes = np.zeros(len(lanes), np.int64)
    np.add.at(sizes, lane_of, np.bincount(jobs.shape, minlength=len(lane_of)))
    table["first"] = np.cumsum(sizes) - sizes
    table["head"] = NOWHERE
    table["line_level"] = NO_LEVEL
    asks = 0
    for row, lane in enumerate(lanes):
        unit, count = next(iter(lane.demand.items()))
        record = table[row]
        record["startup"] = timing.startup.of(lane.demand)
        record["stop"] = timing.stop.of(lane.demand)
        record["restore"] = timing.restore.of(lane.demand)
        record["share"], record["unit"], record["count"] = lane.share, unit_of[unit], count
        record["quota"] = lane.share * len(units) + unit_of[unit]
        record["ask_first"], record["ask_last"] = asks, asks + len(lane.demand)
        asks += len(lane.demand)
    return table


def _ask_table(lanes: Sequence[Lane], units: Sequence[str]) -> Table:
    unit_of = {unit: index for index, unit in enumerate(units)}
    asks = [(count, unit_of[unit]) for lane in lanes for unit, count in lane.demand.items()]
    table = np.zeros(len(asks), layout.ASK)
    for row, (count, unit) in enumerate(asks):
        table[row]["count"], table[row]["unit"] = count, unit
    return table


def _share_table(lanes: Sequence[Lane], shares: int) -> Table:
    table = np.zeros(shares, layout.SHARE)
    owners = np.array([lane.share for lane in lanes], np.int64)
    table["lane_first"] = np.searchsorted(owners, np.arange(shares), side="left")
    table["lane_last"] = np.searchsorted(owners, np.arange(shares), side="right")
    return table


def _failures(jobs: JobColumns, texts: list[Verdict]) -> tuple[Table, Table]:
    """The failures of each job one after the other, with what evaluateOnExit says to each; new verdicts."""
    if not jobs.failures:
        return np.zeros(1, np.int64), np.zeros(0, layout.FAIL)
    counts = np.zeros(len(jobs.submit_ms) + 1, np.int64)
    rows: list[tuple[int, int, bool, bool]] = []
    known: dict[str, int] = {}
    for row, failures in sorted(jobs.failures.items()):
        counts[row + 1] = len(failures)
        rules = jobs.rules_of(row)
        for failure in failures:
            verdict = known.get(failure.reason)
            if verdict is None:
                verdict = known[failure.reason] = len(texts)
                texts.append((Reason.JOB_FAULT, failure.reason))
            retry = retries_failure(rules, failure.reason)
            rows.append((failure.after_ms, verdict, failure.is_capacity_error, retry))
    return np.cumsum(counts), np.array(rows, layout.FAIL)


def _timeout_retry(jobs: JobColumns) -> Table:
    by_rules = np.array([retries_failure(rules, TIMEOUT_TEXT) for rules in jobs.rule_sets], np.int8)
    return np.atleast_1d(by_rules[jobs.rules])


def _update_table(updates: Sequence[Update], job_rows: dict[str, int], priorities: Table) -> Table:
    table = np.zeros(len(updates), layout.UPDATE)
    for row, update in enumerate(updates):
        record = table[row]
        record["at"] = update.at_ms
        record["job"] = record["level"] = NOWHERE
        if isinstance(update, JobUpdate):
            record["job"] = job_rows[update.job]
            record["terminate"] = update.terminate
            if update.priority is not None:
                record["value"] = update.priority
                record["level"] = np.searchsorted(priorities, update.priority)
    return table


def _set_assumptions(world: World, assumptions: Assumptions) -> None:
    place = {question.field: question.choices.index(getattr(assumptions, question.field)) for question in QUESTIONS}
    world.set(
        blocking=place["head_blocking"],
        share_order=place["share_order"],
        by_head_since=place["borrow_order"],
        hold=place["waiting_lender"],
        victim_order=place["victim_order"],
        back=place["requeue_place"],
        preempt_first=place["means_order"],
        withhold_disabled=place["disabled_share"],
    )


def _set_time_limits(world: World, queue: Queue) -> None:
    """The first action for each reason counts."""
    fields = {
        TimeLimitReason.INSUFFICIENT_INSTANCE_CAPACITY: "capacity_limit",
        TimeLimitReason.SERVICE_ENVIRONMENT_MAX_RESOURCE: "environment_limit",
        TimeLimitReason.QUOTA_MANAGEMENT_LIMIT_EXCEEDED: "quota_limit",
    }
    world.set(watch_heads=len(queue.time_limits) > 0, **dict.fromkeys(fields.values(), NOWHERE))
    for action in reversed(queue.time_limits):
        world.set(**{fields[action.reason]: action.max_time_ms})
