"""The envelope of a search: kinds of jobs with limits, and which workloads keep to them.

A workload of the search is a sorted tuple of drafts; the jobs are made from it. Times are whole milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from quota_verifier.model import Job

Origin = Literal["envelope", "generate"]
"""The section of the policy file that an envelope comes from."""


@dataclass(frozen=True, slots=True)
class Window:
    """At most `jobs` submissions in any time of length `per_ms`."""

    jobs: int
    per_ms: int


@dataclass(frozen=True, slots=True)
class Kind:
    """Jobs of one class. `sizes` multiply `each`; submissions lie in [start_ms, end_ms), work in [work_low, work_high].

    `sizes` and `priorities` ascend. `most` None is as many as the windows allow.
    """

    name: str
    share: str
    each: Mapping[str, int]
    sizes: Sequence[int]
    priorities: Sequence[int]
    work_low: int
    work_high: int
    start_ms: int
    end_ms: int
    windows: tuple[Window, ...] = ()
    most: int | None = None
    checkpoint_ms: int | None = None
    timeout_ms: int | None = None
    attempts: int = 1
    preemption_retries: int | None = None
    labels: Mapping[str, str] = field(default_factory=dict[str, str])

    def demand(self, size: int) -> dict[str, int]:
        """What a job of this size asks for."""
        return {unit: count * size for unit, count in self.each.items()}


@dataclass(frozen=True, slots=True)
class Envelope:
    """The workloads that a search may use. `most` None leaves the number of jobs open.

    `rules` say how it was derived, where the policy does not write one.
    """

    kinds: tuple[Kind, ...]
    horizon_ms: int
    most: int | None
    origin: Origin
    rules: tuple[str, ...] = ()


class Draft(NamedTuple):
    """A job of the search; `kind` is the position in `Envelope.kinds`."""

    submit_ms: int
    kind: int
    work_ms: int
    size: int
    priority: int


Drafts = tuple[Draft, ...]
"""A workload, sorted."""


def allows(envelope: Envelope, drafts: Drafts) -> bool:
    """Whether a workload keeps to every limit of the envelope."""
    if envelope.most is not None and len(drafts) > envelope.most:
        return False
    times: list[list[int]] = [[] for _ in envelope.kinds]
    for draft in drafts:
        kind = envelope.kinds[draft.kind]
        inside = kind.start_ms <= draft.submit_ms < kind.end_ms and kind.work_low <= draft.work_ms <= kind.work_high
        if not inside or draft.size not in kind.sizes or draft.priority not in kind.priorities:
            return False
        times[draft.kind].append(draft.submit_ms)
    return all(_keeps_pace(kind, sorted(submits)) for kind, submits in zip(envelope.kinds, times, strict=True))


def _keeps_pace(kind: Kind, submits: list[int]) -> bool:
    if kind.most is not None and len(submits) > kind.most:
        return False
    return all(
        later - earlier >= window.per_ms
        for window in kind.windows
        for earlier, later in zip(submits, submits[window.jobs :], strict=False)
    )


def fitted(envelope: Envelope, drafts: Iterable[Draft], most_jobs: int) -> Drafts:
    """The nearest workload that keeps to the envelope: jobs that come too fast come later, those too many not at all.

    Sizes, priorities and work must be those of the kinds already.
    """
    most = most_jobs if envelope.most is None else min(most_jobs, envelope.most)
    times: list[list[int]] = [[] for _ in envelope.kinds]
    kept: list[Draft] = []
    for draft in sorted(drafts):
        kind, before = envelope.kinds[draft.kind], times[draft.kind]
        at = max(draft.submit_ms, kind.start_ms, before[-1] if before else 0)
        for window in kind.windows:
            if len(before) >= window.jobs:
                at = max(at, before[-window.jobs] + window.per_ms)
        if at >= kind.end_ms or (kind.most is not None and len(before) >= kind.most):
            continue
        before.append(at)
        kept.append(draft._replace(submit_ms=at))
    return tuple(sorted(kept)[:most])


def jobs_of(envelope: Envelope, drafts: Drafts) -> list[Job]:
    """The jobs of a workload, numbered by class in order of submission."""
    totals = [0] * len(envelope.kinds)
    for draft in drafts:
        totals[draft.kind] += 1
    seen = [0] * len(envelope.kinds)
    jobs: list[Job] = []
    for draft in drafts:
        kind = envelope.kinds[draft.kind]
        seen[draft.kind] += 1
        digits = len(str(totals[draft.kind]))
        jobs.append(
            Job(
                id=f"{kind.name}-{seen[draft.kind]:0{digits}d}",
                share=kind.share,
                submit_ms=draft.submit_ms,
                work_ms=draft.work_ms,
                demand=kind.demand(draft.size),
                priority=draft.priority,
                attempts=kind.attempts,
                preemption_retries=kind.preemption_retries,
                timeout_ms=kind.timeout_ms,
                checkpoint_ms=kind.checkpoint_ms,
                labels={"class": kind.name, **kind.labels},
            )
        )
    return jobs
