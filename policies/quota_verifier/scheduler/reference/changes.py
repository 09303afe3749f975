"""R10 and R20: what changes while jobs run. A change never stops a job by itself."""

from __future__ import annotations

from dataclasses import replace

from quota_verifier.model import EnvironmentUpdate, JobUpdate, Queue, Share, ShareUpdate
from quota_verifier.scheduler.events import NOBODY, Event, Kind, Reason
from quota_verifier.scheduler.reference.attempts import REQUESTED_TEXT, stop, terminate_waiting
from quota_verifier.scheduler.reference.capacity import refresh_limits
from quota_verifier.scheduler.reference.order import enqueue, leave_queue
from quota_verifier.scheduler.reference.state import ActiveJob, Core, Phase
from quota_verifier.scheduler.run import How


def configured(queue: Queue, update: ShareUpdate | EnvironmentUpdate) -> Queue:
    """The queue with an update of a share or of the environment applied (R20)."""
    if isinstance(update, EnvironmentUpdate):
        environment = queue.environment
        changed = replace(
            environment,
            limits=environment.limits if update.limits is None else update.limits,
            enabled=environment.enabled if update.enabled is None else update.enabled,
        )
        return replace(queue, environment=changed)
    shares = tuple(_updated(share, update) if share.name == update.share else share for share in queue.shares)
    return replace(queue, shares=shares)


def _updated(share: Share, update: ShareUpdate) -> Share:
    """AWS replaces the resource-sharing configuration as a whole: a new strategy drops the old borrow limit."""
    keeps_limit = update.strategy is None and update.borrow_limit is None
    return replace(
        share,
        limits=share.limits if update.limits is None else update.limits,
        strategy=share.strategy if update.strategy is None else update.strategy,
        borrow_limit=share.borrow_limit if keeps_limit else update.borrow_limit,
        in_share_preemption=(
            share.in_share_preemption if update.in_share_preemption is None else update.in_share_preemption
        ),
        enabled=share.enabled if update.enabled is None else update.enabled,
    )


def configure(core: Core, update: ShareUpdate | EnvironmentUpdate, index: int) -> None:
    """Put a configuration change into force; the next pass looks at everything again."""
    core.queue = configured(core.queue, update)
    core.environment = core.queue.environment
    refresh_limits(core)
    core.in_vain = 0
    core.record(Event(core.now, Kind.CONFIGURED, NOBODY, NOBODY, Reason.NONE, index))


def update_job(core: Core, job: ActiveJob, update: JobUpdate) -> None:
    """UpdateServiceJob or TerminateServiceJob; a job that is already over is left alone."""
    if job.phase is Phase.DONE:
        return
    if update.priority is not None and update.priority != job.priority:
        job.priority = update.priority
        core.record(Event(core.now, Kind.REPRIORITIZED, job.index, NOBODY, Reason.REQUESTED, update.priority))
        if job.phase is Phase.WAITING:
            since = job.head_since
            leave_queue(core, job)
            enqueue(core, job)
            job.head_since = since
    if update.terminate:
        if job.phase is Phase.WAITING:
            terminate_waiting(core, job, Reason.REQUESTED, REQUESTED_TEXT)
        elif job.phase is Phase.PLACED:
            core.record(Event(core.now, Kind.TERMINATED, job.index, NOBODY, Reason.REQUESTED, 0))
            stop(core, job, How.TERMINATED)
        elif job.phase is Phase.STOPPING:
            core.record(Event(core.now, Kind.TERMINATED, job.index, NOBODY, Reason.REQUESTED, 0))
            job.stop_how = How.TERMINATED
