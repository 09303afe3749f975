"""Sentences about a change that text and Markdown share."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.diff.aftermath import Aftermath, Preemption
from quota_verifier.diff.changes import Change, Comparison, Fate
from quota_verifier.diff.links import is_left_out, is_retained
from quota_verifier.diff.moment import Eligible, Moment
from quota_verifier.diff.order import created, deleted
from quota_verifier.diff.trial import Experiment
from quota_verifier.diff.values import Difference
from quota_verifier.durations import format_duration
from quota_verifier.report.numbers import counted, instance_hours

MOST_LISTED = 10
"""Jobs, preemptions and properties that a list names; the JSON document has them all."""


def label(change: Change) -> str:
    """What a report calls a resource: the logical id, or both where it has another one."""
    old, resource = change.pair.old, change.pair.resource
    renamed = old is not None and old.resource.logical_id != resource.logical_id
    return f"{old.resource.logical_id} -> {resource.logical_id}" if old and renamed else resource.logical_id


def kind(change: Change) -> str:
    """`QuotaShare` of `AWS::Batch::QuotaShare`."""
    return change.type.rpartition(":")[2]


def fate(comparison: Comparison, change: Change) -> str:
    """What becomes of it, and how it is told where the logical id does not tell."""
    if change.fate is Fate.RECREATED:
        return f"deleted and created (paired by {change.pair.by})"
    if change.fate is Fate.REMOVED and is_left_out(comparison, change):
        return "stays deployed, its stack is not in NEW"
    if change.fate in (Fate.REMOVED, Fate.REPLACED) and is_retained(change):
        return f"{change.fate.value}, what is deployed is retained"
    return change.fate.value


def property_texts(change: Change) -> tuple[str, ...]:
    """`CapacityLimits[ml.g5.xlarge].MaxCapacity 4 -> 2`, one for each property that changes."""
    found: list[str] = []
    for one in change.properties[:MOST_LISTED]:
        open_text = " (only the deployment tells)" if one.difference is Difference.OPEN else ""
        found.append(f"{one.text}{', replaces' if one.replaces else ''}{open_text}")
    if len(change.properties) > MOST_LISTED:
        found.append(f"and {len(change.properties) - MOST_LISTED} more")
    return tuple(found)


def told_changes(comparison: Comparison) -> tuple[Change, ...]:
    """The resources of which something changes."""
    return tuple(change for change in comparison.changes if change.fate is not Fate.KEPT)


def order_texts(comparison: Comparison) -> Iterator[tuple[str, str]]:
    """The order of creation and deletion, where there is more than one."""
    for name, changes, old in (("created", created(comparison), False), ("deleted", deleted(comparison), True)):
        ids = [(change.pair.old if old else change.pair.new) or change.pair.subject for change in changes]
        if len(ids) > 1:
            yield name, ", ".join(found.resource.logical_id for found in ids)


def eligible_texts(moment: Moment) -> Iterator[str]:
    """The jobs that others may preempt, those that the change alone makes so first."""
    for newly in (True, False):
        jobs = [job for job in moment.eligible if job.newly is newly]
        if jobs:
            which = "preemptible because of the change" if newly else "preemptible before it already"
            yield f"{which}: {_listed([_job(job) for job in jobs])}"
    if moment.terminated:
        yield f"terminated by the change: {_listed(list(moment.terminated))}"


def _job(job: Eligible) -> str:
    return f"{job.job} ({job.share}, {', '.join(f'{count} {unit}' for unit, count in job.demand)})"


def _listed(texts: list[str]) -> str:
    more = len(texts) - MOST_LISTED
    return ", ".join(texts[:MOST_LISTED]) + (f" and {more} more" if more > 0 else "")


def preemption_text(one: Preemption) -> str:
    """`r2 (vision) by s1 (speech), 2 instance-hours lost: the limit of vision is lower: 4 -> 2 ml.g5.xlarge`."""
    lost = f"{instance_hours(one.lost_ms)} instance-hours lost" if one.lost_ms else "no work lost"
    return f"{one.job} ({one.share}) by {one.by} ({one.by_share}), {lost}: {one.because}"


def aftermath_summary(after: Aftermath) -> str:
    """How many preemptions follow, and how many of them only the change allows."""
    if not after.preemptions:
        return "no job is preempted after it"
    total = counted(len(after.preemptions), "preemption")
    return f"{total} after it, {len(after.because)} only because of the change"


def at_text(of: Experiment) -> str:
    """`at 10m`."""
    return "" if of.at_ms is None else f"at {format_duration(of.at_ms)}"
