"""One workload under OLD, under NEW, and under OLD that becomes NEW in the middle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from quota_verifier.diff.aftermath import Aftermath, aftermath
from quota_verifier.diff.measures import Measures, measures
from quota_verifier.diff.moment import Moment, moment
from quota_verifier.diff.subject import Subject, widened
from quota_verifier.diff.updates import Rollout, rollout
from quota_verifier.model import Queue
from quota_verifier.scheduler import Assumptions, Run, Timing, simulate
from quota_verifier.workload import Workload
from quota_verifier.workload.load import load_warnings, offered_load

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Trial:
    """One run, and the measures of each share by name and of the whole queue."""

    run: Run
    shares: Mapping[str, Measures]
    queue: Measures


@dataclass(frozen=True, slots=True)
class Changed:
    """The run with the change: the instant of it, and the preemptions that follow."""

    trial: Trial
    moment: Moment
    aftermath: Aftermath


@dataclass(frozen=True, slots=True)
class Experiment:
    """The runs of a workload. `new` and `changed` are None where nobody asked or `notes` say why."""

    workload: Workload
    timing: Timing
    assumptions: Assumptions
    until_ms: int | None
    at_ms: int | None
    old: Trial
    new: Trial | None
    changed: Changed | None
    notes: tuple[str, ...]

    @property
    def share_names(self) -> tuple[str, ...]:
        """Every share of either side, those of OLD first."""
        return tuple(self.old.shares)


def experiment(
    subject: Subject,
    workload: Workload,
    *,
    at_ms: int | None = None,
    timing: Timing | None = None,
    assumptions: Assumptions | None = None,
    until_ms: int | None = None,
    progress: Progress | None = None,
) -> Experiment:
    """Run `workload` through the subject: OLD throughout, NEW throughout, and changed at `at_ms` where that is given.

    Nothing is changed at any instant where the deployment would fail. Raises InputError as `simulate` does.
    """
    setting = _Setting(workload, timing or Timing(), assumptions or Assumptions(), until_ms, progress)
    old = setting.trial(widened(subject.old, subject.added))
    new: Trial | None = None
    changed: Changed | None = None
    notes: tuple[str, ...] = ()
    if subject.new is None:
        notes = (f"nothing is run on NEW: {subject.why_not_new}",)
    else:
        new = setting.trial(widened(subject.new, subject.removed))
        if at_ms is not None and subject.refused:
            notes = (f"no run with the change: its deployment fails ({', '.join(subject.refused)})",)
        elif at_ms is not None:
            plan = rollout(subject, subject.new, workload.jobs, at_ms)
            trial = setting.trial(plan.queue, plan)
            changed = Changed(trial, moment(trial.run, plan.updates, at_ms), aftermath(trial.run, plan.updates, at_ms))
            notes = plan.notes
    return Experiment(
        workload=workload,
        timing=setting.timing,
        assumptions=setting.assumptions,
        until_ms=until_ms,
        at_ms=at_ms,
        old=old,
        new=new,
        changed=changed,
        notes=(*_overloads(workload, subject), *notes),
    )


def _overloads(workload: Workload, subject: Subject) -> tuple[str, ...]:
    """What makes waits say nothing about a change: more work than the capacity of a side can do (case C53)."""
    old, new = (load_warnings(offered_load(workload, side)) for side in (subject.old, subject.new or subject.old))
    sides = dict.fromkeys(old, "OLD") | dict.fromkeys(new, "NEW") | {text: "both" for text in old if text in new}
    return tuple(f"under {side}, {text}" for text, side in sides.items())


@dataclass(frozen=True, slots=True)
class _Setting:
    workload: Workload
    timing: Timing
    assumptions: Assumptions
    until_ms: int | None
    progress: Progress | None

    def trial(self, queue: Queue, plan: Rollout | None = None) -> Trial:
        workload = self.workload
        if plan is not None:
            workload = replace(workload, updates=(*workload.updates, *plan.updates))
        total = len(workload.jobs)
        tell = self.progress
        run = simulate(
            queue,
            workload,
            assumptions=self.assumptions,
            timing=self.timing,
            until_ms=self.until_ms,
            progress=None if tell is None else lambda count: tell(count, total),
        )
        of_shares, of_queue = measures(run)
        return Trial(run, of_shares, of_queue)
