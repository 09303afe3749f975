"""What a workload of the search comes to: every claim, under every profile that can differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from quota_verifier.errors import InputError
from quota_verifier.figures import JobColumns, job_columns
from quota_verifier.figures.columns import Mask
from quota_verifier.model import Job, Queue
from quota_verifier.policy.check import subjects_of
from quota_verifier.policy.claims import Measure, MeasureClaim
from quota_verifier.policy.evaluate import evaluate
from quota_verifier.policy.likeness import likeness
from quota_verifier.policy.measured import Measured
from quota_verifier.policy.policy import Policy
from quota_verifier.policy.view import RunView
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.run import Run
from quota_verifier.scheduler.simulate import simulate
from quota_verifier.search.envelope import Drafts, Envelope, jobs_of
from quota_verifier.workload import Workload

Findings = tuple[Measured | None, ...]
"""One for each claim that is searched; None where the workload has nothing for the claim to speak of."""

_OF_CAPACITY: frozenset[Measure] = frozenset(("utilization", "idle_reserved"))
_READS_ASSUMPTIONS: frozenset[Measure] = frozenset(("reclaimed_within", "never_schedulable", "idle_reserved"))
"""Measures that may differ between two runs of the same events."""


class Judge:
    """Simulates and measures; counts its simulations. `profiles` are those to judge under, the base first."""

    def __init__(
        self,
        queue: Queue,
        policy: Policy,
        envelope: Envelope,
        claims: Sequence[MeasureClaim],
        profiles: Sequence[Assumptions],
        at_least: int = 1,
    ) -> None:
        self.claims = tuple(claims)
        self.base = profiles[0]
        self.simulations = 0
        self._queue, self._policy, self._envelope = queue, policy, envelope
        self._profiles = tuple(profiles)
        self._at_least = at_least
        self._different: dict[frozenset[str], tuple[Assumptions, ...]] = {}

    def findings(self, drafts: Drafts) -> Iterator[tuple[Assumptions, Findings, Run]]:
        """What the claims come to under each profile that can differ, the base first."""
        jobs = jobs_of(self._envelope, drafts)
        workload, columns, members = self._prepared(jobs)
        if not any(mask is not None for mask in members):
            return
        first: tuple[Run, Findings] | None = None
        for profile in self._distinct(workload):
            run = self._simulate(workload, profile)
            known: Findings = ()
            if first is not None and run.events == first[0].events and run.outcomes == first[0].outcomes:
                known = first[1]
            found = self._measure(run, columns, members, known)
            first = first or (run, found)
            yield profile, found, run

    def finding(self, drafts: Drafts, claim: int, profile: Assumptions) -> Measured | None:
        """What one claim comes to under one profile; None where there is nothing to speak of."""
        workload, columns, members = self._prepared(jobs_of(self._envelope, drafts))
        if members[claim] is None:
            return None
        only: list[Mask | None] = [mask if place == claim else None for place, mask in enumerate(members)]
        return self._measure(self._simulate(workload, profile), columns, only, ())[claim]

    def run(self, drafts: Drafts, profile: Assumptions) -> Run:
        """The run of a workload under a profile."""
        return self._simulate(Workload(jobs_of(self._envelope, drafts)), profile)

    def subjects(self, claim: int, job: Job) -> bool:
        """Whether a claim speaks of a job."""
        subject = self.claims[claim].subject
        return (
            subject.share in (None, job.share)
            and (subject.unit is None or subject.unit in job.demand)
            and all(job.labels.get(key) == value for key, value in subject.labels)
            and (self._policy.until_ms is None or job.submit_ms <= self._policy.until_ms)
        )

    def _prepared(self, jobs: list[Job]) -> tuple[Workload, JobColumns, list[Mask | None]]:
        workload = Workload(jobs)
        columns = job_columns(self._queue, workload.jobs)
        members = [self._members(place, workload, columns) for place in range(len(self.claims))]
        return workload, columns, members

    def _members(self, place: int, workload: Workload, columns: JobColumns) -> Mask | None:
        claim = self.claims[place]
        count = sum(self.subjects(place, job) for job in workload.jobs)
        if count < self._at_least and not (claim.measure in _OF_CAPACITY and self._at_least == 1):
            return None
        try:
            return subjects_of(replace(self._policy, claims=(claim,)), self._queue, workload, columns)[0]
        except InputError:  # names were checked before, so this claim is about nothing here
            return None

    def _distinct(self, workload: Workload) -> tuple[Assumptions, ...]:
        units = frozenset("+".join(sorted(job.demand)) for job in workload.jobs)
        known = self._different.get(units)
        if known is None:
            like = likeness(self._queue, workload)
            by_key: dict[tuple[str, ...], Assumptions] = {}
            for profile in self._profiles:
                by_key.setdefault(like.key(profile), profile)
            known = self._different[units] = tuple(by_key.values())
        return known

    def _simulate(self, workload: Workload, profile: Assumptions) -> Run:
        self.simulations += 1
        return simulate(
            self._queue,
            workload,
            assumptions=profile,
            timing=self._policy.timing,
            until_ms=self._policy.until_ms,
            engine="reference",
        )

    def _measure(self, run: Run, columns: JobColumns, members: Sequence[Mask | None], known: Findings) -> Findings:
        view = RunView(run, columns)
        found: list[Measured | None] = []
        for place, (claim, mask) in enumerate(zip(self.claims, members, strict=True)):
            if mask is None:
                found.append(None)
            elif known and claim.measure not in _READS_ASSUMPTIONS:
                found.append(known[place])
            else:
                measured = evaluate(view, claim, mask, self._policy.prices)
                found.append(None if measured.kind is None else measured)  # without a kind, nothing was measured
        return tuple(found)


def breaks(measured: Measured | None) -> bool:
    """Whether a claim is broken; one about nothing is not."""
    return measured is not None and not measured.holds


def broken(findings: Findings) -> int | None:
    """The place of the first claim that is broken, or None."""
    return next((place for place, measured in enumerate(findings) if breaks(measured)), None)
