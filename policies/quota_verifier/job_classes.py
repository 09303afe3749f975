"""Whether jobs are set up for the share they go to: checkpoints, preemption retries, timeouts.

AWS Batch restarts a preempted job from the beginning unless its script saves to a checkpoint and resumes, re-queues it
without limit unless told otherwise, and leaves its run time to SageMaker (AWS Batch user guide, Preemption, Service job
timeouts). A class is the jobs of one share with the same label `class`, or with none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Literal

from quota_verifier.durations import format_duration
from quota_verifier.model import Job, JobUpdate, Queue, Share, Update
from quota_verifier.schedulability import never_schedulable

Check = Literal[
    "never_starts", "never_finishes", "no_checkpoint", "checkpoint_too_late", "fails_when_preempted",
    "unlimited_preemptions", "no_timeout",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ClassFinding:
    """What is wrong with some jobs of a class: how many, the first of them, and what would be right."""

    check: Check
    severity: Literal["error", "warning", "info"]
    share: str
    job_class: str
    jobs: int
    example: str
    message: str
    fix: str


@dataclass(frozen=True, slots=True)
class _Fault:
    check: Check
    severity: Literal["error", "warning", "info"]
    message: str
    fix: str


def check_job_classes(queue: Queue, jobs: Iterable[Job], updates: Sequence[Update] = ()) -> list[ClassFinding]:
    """Findings by share and class, the gravest first. Raises KeyError for a share that the queue does not have.

    Changes of shares and of the environment while jobs run are not looked at: a lowered limit can make any job a
    victim. `simulate` and `verify` do.
    """
    listed = sorted(jobs, key=_class_of)
    highest = _highest_priorities(listed, updates)
    found: list[ClassFinding] = []
    for (share_name, job_class), members in groupby(listed, key=_class_of):
        share = queue.share(share_name)
        faulty: dict[_Fault, list[str]] = {}
        for job in members:
            for fault in _faults(queue, share, job, highest[share_name]):
                faulty.setdefault(fault, []).append(job.id)
        found += [
            ClassFinding(**asdict(fault), share=share_name, job_class=job_class, jobs=len(ids), example=min(ids))
            for fault, ids in faulty.items()
        ]
    return sorted(found, key=_order)


def preempted_how(queue: Queue, share: Share, job: Job, highest_priority: int) -> str:
    """What can preempt the job, as the end of a sentence; empty where nothing can (R13, R16)."""
    borrows = any(share.borrow_cap(unit) != 0 and queue.borrowable(share.name, unit) for unit in job.demand)
    outranked = share.in_share_preemption and job.priority < highest_priority
    if borrows:
        return f"{share.name} borrows, and owners take their capacity back"
    return f"more urgent jobs of {share.name} preempt it" if outranked else ""


def _faults(queue: Queue, share: Share, job: Job, highest_priority: int) -> Iterator[_Fault]:
    never = never_schedulable(queue, share, job.demand)
    if never is not None:
        message = f"asks for {never.asked} {never.unit}, and {share.name} can never run more than {never.largest}"
        yield _Fault("never_starts", "error", message, "ask for fewer instances, or raise the share's limit")
    if job.timeout_ms is not None and job.timeout_ms < job.work_ms and job.checkpoint_ms is None:
        yield _Fault(
            "never_finishes",
            "error",
            "its timeout is shorter than its work, and each run starts anew",
            "raise the timeout, or save checkpoints",
        )
    if job.timeout_ms is None:
        message = "has no timeout: a job that hangs keeps its instances for SageMaker's default of a day"
        yield _Fault("no_timeout", "info", message, "set timeout")
    how = preempted_how(queue, share, job, highest_priority)
    if how:
        yield from _when_preempted(job, how)


def _when_preempted(job: Job, how: str) -> Iterator[_Fault]:
    if job.checkpoint_ms is None:
        fix = "save checkpoints (CheckpointConfig.S3Uri), resume from them, and set checkpoint"
        yield _Fault("no_checkpoint", "warning", f"{how}: without checkpoints a preemption loses all its work", fix)
    elif job.checkpoint_ms >= job.work_ms:
        message = f"{how}: it ends before its first checkpoint at {format_duration(job.checkpoint_ms)}"
        yield _Fault("checkpoint_too_late", "warning", message, "save checkpoints more often")
    if job.preemption_retries == 0:
        message = f"{how}: with preemption_retries 0 it fails at the first preemption"
        yield _Fault("fails_when_preempted", "warning", message, "set preemption_retries to 1 or more")
    elif job.preemption_retries is None:
        message = f"{how}: it is re-queued without limit, and may never finish"
        yield _Fault("unlimited_preemptions", "warning", message, "set preemption_retries")


def _class_of(job: Job) -> tuple[str, str]:
    return job.share, job.labels.get("class", "")


def _highest_priorities(jobs: Iterable[Job], updates: Iterable[Update]) -> dict[str, int]:
    """The highest priority that any job of a share has, or is given by an update."""
    highest: dict[str, int] = {}
    share_of: dict[str, str] = {}
    for job in jobs:
        share_of[job.id] = job.share
        highest[job.share] = max(job.priority, highest.get(job.share, 0))
    for update in updates:
        if isinstance(update, JobUpdate) and update.priority is not None and update.job in share_of:
            share = share_of[update.job]
            highest[share] = max(update.priority, highest[share])
    return highest


_SEVERITIES = ("error", "warning", "info")


def _order(finding: ClassFinding) -> tuple[int, str, str, str, str]:
    gravity = _SEVERITIES.index(finding.severity)
    return gravity, finding.share, finding.job_class, finding.check, finding.message
