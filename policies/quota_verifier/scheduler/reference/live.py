"""A queue that runs on: the reference engine with jobs, updates and shares that come as time goes by (R11, R20).

The rules are those of a simulation; only who calls whom differs. Here the caller tells what happens, in the order in
which it happens, and `close` lets the scheduler decide once for all that happened at an instant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from quota_verifier.model import EnvironmentUpdate, Job, JobUpdate, Queue, Share, ShareUpdate, TimeLimitAction
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.events import Event
from quota_verifier.scheduler.reference.capacity import refresh_limits
from quota_verifier.scheduler.reference.changes import configure, update_job
from quota_verifier.scheduler.reference.engine import (
    Asked,
    Needs,
    active_share,
    begin_instant,
    end_instant,
    initial_core,
    needs_of,
    next_release,
    submit,
)
from quota_verifier.scheduler.reference.state import ActiveJob, ActiveShare, Phase
from quota_verifier.scheduler.timing import Timing


class LiveQueue:
    """A job queue whose clock the caller drives, in milliseconds from any origin.

    At each instant: `open`, then what happens, then `close`. Instants must not go back, and none that
    `next_release` names may be passed over.
    """

    def __init__(
        self, queue: Queue, assumptions: Assumptions, timing: Timing, watch: Callable[[Event], None], now: int = 0
    ) -> None:
        self.core = initial_core(queue, (), (), assumptions, timing, watch)
        self.core.now = now
        self._index_of = {unit: index for index, unit in enumerate(self.core.units)}
        self._needs: dict[Asked, Needs] = {}
        self._changes = 0

    def next_release(self) -> int | None:
        """The next instant at which something happens by itself: a run ends, a stop ends, a time limit is over."""
        return next_release(self.core)

    def open(self, now: int) -> None:
        """Let the clock reach `now` and release what is due. It may be called again at the same instant."""
        begin_instant(self.core, now)

    def close(self) -> None:
        """Let the scheduler decide on all that has happened at this instant."""
        end_instant(self.core)
        self.core.spans.clear()  # the watcher is told the same when it happens

    def submit(self, job: Job) -> ActiveJob:
        """A job arrives now. The record returned is the engine's own and changes as the job lives."""
        core = self.core
        asked = tuple(job.demand.items())
        if asked not in self._needs:
            self._add_units(job.demand)
            self._needs[asked] = needs_of(asked, self._index_of, core.timing)
        active = ActiveJob(len(core.jobs), job, self.share(job.share), *self._needs[asked], priority=job.priority)
        core.jobs.append(active)
        submit(core, active)
        return active

    def update_job(self, job: ActiveJob, *, priority: int | None = None, terminate: bool = False) -> None:
        """UpdateServiceJob or TerminateServiceJob, now (R3, R10)."""
        update_job(self.core, job, JobUpdate(self.core.now, job.job.id, priority, terminate))

    def configure(self, update: ShareUpdate | EnvironmentUpdate) -> None:
        """UpdateQuotaShare or UpdateServiceEnvironment, now (R20)."""
        self._add_units(update.limits or ())
        configure(self.core, update, self._changes)
        self._changes += 1

    def configure_queue(self, *, enabled: bool, time_limits: tuple[TimeLimitAction, ...]) -> None:
        """UpdateJobQueue, now: whether it takes new jobs, and its time limits (R8, R20)."""
        self.core.queue = replace(self.core.queue, enabled=enabled, time_limits=time_limits)

    def add_share(self, share: Share) -> None:
        """CreateQuotaShare, now. The share comes after all others in declaration order."""
        core = self.core
        self._add_units(share.limits)
        core.queue = replace(core.queue, shares=(*core.queue.shares, share))
        core.shares.append(active_share(len(core.shares), share, len(core.units)))
        refresh_limits(core)

    def remove_share(self, name: str) -> None:
        """DeleteQuotaShare, now, of a share without jobs. Raises ValueError while it has some."""
        core, gone = self.core, self.share(name)
        if self.is_busy(name):
            raise ValueError(f"quota share {name} still has jobs")
        core.queue = replace(core.queue, shares=tuple(share for share in core.queue.shares if share.name != name))
        core.shares.remove(gone)
        for index, share in enumerate(core.shares):
            share.index = index
        if core.last_share >= gone.index:
            core.last_share -= 1
        refresh_limits(core)

    def is_busy(self, name: str) -> bool:
        """Whether a share has jobs that wait, run or are being stopped."""
        share = self.share(name)
        stopping = any(job.share is share for job in self.core.stopping.values())
        return bool(share.waiting_count or share.placed or stopping)

    def jobs_of(self, name: str) -> list[ActiveJob]:
        """The jobs of a share that wait, run or are being stopped, in order of submission."""
        share = self.share(name)
        return [job for job in self.core.jobs if job.share is share and job.phase is not Phase.DONE]

    def share(self, name: str) -> ActiveShare:
        """The engine's record of a share. Raises KeyError where there is none."""
        for share in self.core.shares:
            if share.share.name == name:
                return share
        raise KeyError(name)

    def _add_units(self, units: Iterable[str]) -> None:
        """Make room for units that nobody has mentioned so far."""
        core = self.core
        new = [unit for unit in dict.fromkeys(units) if unit not in self._index_of]
        if not new:
            return
        core.units = (*core.units, *new)
        self._index_of = {unit: index for index, unit in enumerate(core.units)}
        places = [core.free, core.unassigned, core.spare]
        for share in core.shares:
            places += [share.limit, share.cap, share.largest, share.usage, share.held, share.stopping]
        for place in places:
            place.extend([0] * len(new))
        refresh_limits(core)
