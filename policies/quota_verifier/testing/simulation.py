"""Simulating a queue inside a test, and assertions that read like the claim."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, cast

from quota_verifier.documents import as_map, load_document
from quota_verifier.durations import parse_duration
from quota_verifier.errors import InputError
from quota_verifier.figures import Distribution, Figures, GroupFigures, ShareFigures, summarize
from quota_verifier.model import Queue
from quota_verifier.policy.expand import claims_of
from quota_verifier.policy.policy import Policy, WorkloadPlan, policy_from_data, read_policy, timing_from
from quota_verifier.policy.schema import ClaimRow, TimingSection, WorkloadSection
from quota_verifier.policy.verifier import verify
from quota_verifier.report.text import rendered
from quota_verifier.report.verify_text import claim_report
from quota_verifier.scheduler.assumptions import Profiles
from quota_verifier.scheduler.assumptions import assume as assumptions_from
from quota_verifier.scheduler.run import UNKNOWN, Run, State
from quota_verifier.scheduler.simulate import simulate
from quota_verifier.scheduler.timeline import timeline
from quota_verifier.scheduler.timing import Timing
from quota_verifier.template.reader import read_queue
from quota_verifier.validation import validate_file
from quota_verifier.words import did_you_mean, field_path
from quota_verifier.workload import Workload
from quota_verifier.workload.files import read_workload

WorkloadLike = Workload | Policy | str | PathLike[str] | Mapping[str, Any] | Sequence[Mapping[str, Any]]
"""A workload; a policy or its file; a workload file; a policy's `workload` section as data; or rows of jobs."""

QueueLike = Queue | str | PathLike[str]
TimingLike = Timing | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class JobResult:
    """What became of one job; times in ms, None where they never came."""

    id: str
    share: str
    state: State
    submit_ms: int
    first_start_ms: int | None
    end_ms: int | None
    preemptions: int
    lost_ms: int

    @property
    def wait_ms(self) -> int | None:
        """First start less submission."""
        return None if self.first_start_ms is None else self.first_start_ms - self.submit_ms


@dataclass(frozen=True, slots=True)
class ShareResult:
    """The figures of one share; distributions are in ms."""

    figures: ShareFigures

    @property
    def wait(self) -> Distribution:
        """First start less submission."""
        return self.figures.group.wait

    @property
    def turnaround(self) -> Distribution:
        """End less submission."""
        return self.figures.group.turnaround

    @property
    def reclaim(self) -> Distribution:
        """From the first preemption for a job of the share until it started."""
        return self.figures.reclaim

    @property
    def preemptions(self) -> int:
        """Preemptions that the share's jobs suffered."""
        return self.figures.group.preempted_cross_share + self.figures.group.preempted_in_share

    @property
    def utilization(self) -> Mapping[str, Fraction | None]:
        """What the share held of each unit over its own limit."""
        return self.figures.utilization

    @property
    def jobs(self) -> GroupFigures:
        """Everything else about its jobs."""
        return self.figures.group


@dataclass(frozen=True)
class Simulation:
    """A queue that has run a workload under one set of assumptions."""

    run: Run
    policy: Policy

    @cached_property
    def figures(self) -> Figures:
        """All figures of the run."""
        return summarize(self.run)

    def share(self, name: str) -> ShareResult:
        """The figures of a share. Raises InputError for one that the queue does not have."""
        for found in self.figures.shares:
            if found.name == name:
                return ShareResult(found)
        raise _unknown("share", name, [share.name for share in self.figures.shares])

    def job(self, name: str) -> JobResult:
        """What became of a job. Raises InputError for one that the workload does not have."""
        for job, outcome in zip(self.run.jobs, self.run.outcomes, strict=True):
            if job.id == name:
                start = None if outcome.first_start == UNKNOWN else outcome.first_start
                end = None if outcome.end == UNKNOWN else outcome.end
                told = (outcome.state, job.submit_ms, start, end, outcome.preemptions, outcome.lost_ms)
                return JobResult(job.id, job.share, *told)
        raise _unknown("job", name, [job.id for job in self.run.jobs])

    def timeline(self, around: str, *, max_rows: int = 40) -> str:
        """What happened around an instant such as `20s`, and why."""
        return timeline(self.run, parse_duration(around), max_rows=max_rows)

    def expect(self, subject: str = "queue", **measures: object) -> None:
        """Assert a claim in the words of a policy file: `expect("share QS3", wait={"p95": "<= 5m"})`.

        `subject` is `queue`, `share NAME`, `class NAME`, `unit NAME` or `job ID`. Raises AssertionError with what was
        measured and the timeline.
        """
        __tracebackhide__ = True
        row = {**_subject(subject), **measures}
        _assert(self.run.queue, _with_claims(self.policy, [row]), "default")


def run_workload(
    queue: QueueLike,
    workload: WorkloadLike,
    *,
    timing: TimingLike | None = None,
    assume: Sequence[str] = (),
    until: str | None = None,
) -> Simulation:
    """Run a workload through a queue.

    `timing` is as in a policy file, `assume` texts such as `A1=skip`, `until` an instant to stop after. What is not
    given is what the policy says, where the workload is one. Raises InputError.
    """
    model = _queue(queue)
    policy = _policy(model, workload, timing, assume, until)
    loaded = cast("Workload", policy.workload)
    run = simulate(model, loaded, assumptions=policy.assumptions, timing=policy.timing, until_ms=policy.until_ms)
    return Simulation(run, policy)


def assert_holds(
    queue: QueueLike,
    *claims: Mapping[str, Any],
    workload: WorkloadLike,
    timing: TimingLike | None = None,
    assume: Sequence[str] = (),
    under: Profiles | None = None,
    until: str | None = None,
) -> None:
    """Assert claims in the words of a policy file.

        assert_holds(queue, {"share": "QS3", "wait": {"p95": "<= 5m"}}, workload=jobs)

    They must hold under every profile of `under`, by default `one-at-a-time`, as in policy files; without claims,
    those of the policy that is the workload. Raises AssertionError with what was measured, the worst job and the
    timeline, and InputError for what cannot be judged.
    """
    __tracebackhide__ = True
    model = _queue(queue)
    policy = _policy(model, workload, timing, assume, until)
    _assert(model, _with_claims(policy, claims) if claims else policy, under)


def _assert(queue: Queue, policy: Policy, under: Profiles | None) -> None:
    __tracebackhide__ = True
    if not policy.claims:
        raise InputError("no claim to judge", remedy="give one such as {'share': 'QS3', 'wait': '<= 5m'}")
    (found,) = verify(queue, policy, under=under).policies
    failed = [verdict for verdict in found.verdicts if not verdict.passes]
    if failed:
        parts = (part for verdict in failed for part in claim_report(verdict, found.run.assumptions))
        raise AssertionError(f"\n{rendered(parts, width=100)}".rstrip("\n"))


def _with_claims(policy: Policy, rows: Iterable[Mapping[str, Any]]) -> Policy:
    given = [(f"expect[{place}]", validate_file(ClaimRow, dict(row), "")) for place, row in enumerate(rows)]
    claims = tuple(claim for where, row in given for claim in claims_of(row, "", where))
    return replace(policy, claims=claims, waivers=())


def _queue(queue: QueueLike) -> Queue:
    return queue if isinstance(queue, Queue) else read_queue(os.fspath(queue))


def _policy(
    queue: Queue, workload: WorkloadLike, timing: TimingLike | None, assume: Sequence[str], until: str | None
) -> Policy:
    """The workload as a policy with its jobs loaded, and with what the caller says in place of what it says."""
    policy = _read(queue, workload)
    loaded = policy.workload.load(queue) if isinstance(policy.workload, WorkloadPlan) else policy.workload
    return replace(
        policy,
        workload=loaded,
        timing=policy.timing if timing is None else _timing(timing),
        assumptions=assumptions_from(assume, policy.assumptions),
        until_ms=policy.until_ms if until is None else parse_duration(until),
    )


def _read(queue: Queue, workload: WorkloadLike) -> Policy:
    if isinstance(workload, Policy):
        return workload
    if isinstance(workload, Workload):
        return Policy((), workload)
    if isinstance(workload, str | PathLike):
        path = Path(workload)
        if path.suffix in (".yaml", ".yml", ".json") and "expect" in (as_map(load_document(path).data) or {}):
            return read_policy(path)
        return Policy((), read_workload(path, queue=queue))
    if isinstance(workload, Mapping):
        data = dict(workload)
        if "expect" in data:
            return policy_from_data(data, source="workload")
    else:
        data = {"jobs": [dict(row) for row in workload]}
    section = validate_file(WorkloadSection, data, "workload")
    return Policy((), WorkloadPlan(section, lambda path: ("", field_path(path)), "workload", Path()))


def _timing(timing: TimingLike) -> Timing:
    return timing if isinstance(timing, Timing) else timing_from(validate_file(TimingSection, dict(timing), "timing"))


def _subject(text: str) -> dict[str, str]:
    kind, _, name = text.strip().partition(" ")
    if kind == "queue" and not name:
        return {}
    if kind not in ("share", "class", "unit", "job") or not name.strip():
        raise InputError(f"{text!r} is no subject", remedy="write queue, or share, class, unit or job and a name")
    return {kind: name.strip()}


def _unknown(what: str, name: str, known: Sequence[str]) -> InputError:
    return InputError(f"there is no {what} {name!r}", remedy=did_you_mean(name, known))
