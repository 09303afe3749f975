"""Runs every workload of a scope and keeps, for every share, the worst that was seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from head_waits import Observed, observe
from scopes import G5, Scope

from quota_verifier.bounds import Bound, Setting
from quota_verifier.bounds.bounds import plain_bounds
from quota_verifier.model import Job, Queue, Share
from quota_verifier.scheduler import Assumptions
from quota_verifier.scheduler.reference.engine import run_reference


@dataclass(slots=True)
class Seen:
    """The worst of one share in all runs: the longest wait of a head that fits what is guaranteed, in ms, and more."""

    wait: float = 0
    borrowed: int = 0
    largest: int = 0
    left: float = float("inf")
    longest_waiting: Sequence[Job] = ()

    def add(self, share: Share, seen: Observed, jobs: Sequence[Job]) -> None:
        key = (share.name, G5)
        for wait in seen.waits:
            if wait.share == share.name and wait.ms > self.wait:
                self.wait, self.longest_waiting = wait.ms, jobs
        self.borrowed = max(self.borrowed, seen.most_held.get(key, 0) - share.limit(G5))
        self.largest = max(self.largest, seen.largest_started.get(key, 0))
        for left in seen.left:
            if (left.share, left.unit) == key:
                self.left = min(self.left, left.left)


@dataclass(frozen=True, slots=True)
class Case:
    """One share of one queue under one profile: its bounds, and the worst that was seen."""

    queue: Queue
    profile: Assumptions
    share: Share
    bounds: dict[str, Bound]
    seen: Seen

    def holds(self, name: str) -> bool:
        """Whether no run broke the bound."""
        value = self.bounds[name].value
        return value is None or _within(name, value, self.seen)

    def attained(self, name: str) -> bool:
        """Whether some run would break a bound that is better by one."""
        value = self.bounds[name].value
        return value is not None and not _within(name, value + (1 if name == "kept" else -1), self.seen)

    def __str__(self) -> str:
        shares = ", ".join(
            f"{each.name}={each.limit(G5)} {each.strategy} {each.borrow_limit} {'swaps' * each.in_share_preemption}"
            for each in self.queue.shares
        )
        values = {name: bound.value for name, bound in self.bounds.items()}
        jobs = [(j.share, j.submit_ms, j.work_ms, j.demand[G5], j.priority) for j in self.seen.longest_waiting]
        return (
            f"{self.share.name} of {self.queue.environment.limit(G5)}: {shares}; {self.profile.deviations}; "
            f"{values}; seen {self.seen.wait} ms for {jobs}, {self.seen}"
        )


def _within(name: str, value: int, seen: Seen) -> bool:
    match name:
        case "reclaimed-within":
            return seen.wait <= value
        case "most-borrowed":
            return seen.borrowed <= value
        case "largest-job":
            return seen.largest <= value
        case "kept":
            return seen.left >= value
        case _:
            raise ValueError(name)


OBSERVED = ("reclaimed-within", "most-borrowed", "largest-job", "kept")
"""The bounds that one look at a run can break."""


@dataclass(slots=True)
class Explored:
    """All of a scope, and how many runs it took."""

    cases: list[Case] = field(default_factory=list)
    runs: int = 0

    def broken(self) -> Iterator[str]:
        """Every bound that a run broke."""
        for case in self.cases:
            for name in OBSERVED:
                if not case.holds(name):
                    yield f"{name}: {case}"


def explore(scope: Scope) -> Explored:
    """Every queue, every workload, every profile of `scope`."""
    explored = Explored()
    for queue in scope.queues():
        workloads = list(scope.workloads(queue))
        for simulated, alike in scope.profiles(queue):
            seen = {share.name: Seen() for share in queue.shares}
            guaranteed = {
                (share.name, G5): bounds_by_name(scope.setting(queue, simulated), share)["guaranteed"].value or 0
                for share in queue.shares
            }
            for jobs in workloads:
                run = run_reference(queue, jobs, (), simulated, scope.timing)
                observed = observe(run, guaranteed)
                for share in queue.shares:
                    seen[share.name].add(share, observed, jobs)
            explored.runs += len(workloads)
            explored.cases += [
                Case(queue, profile, share, bounds_by_name(scope.setting(queue, profile), share), seen[share.name])
                for profile in alike
                for share in queue.shares
            ]
    return explored


def bounds_by_name(setting: Setting, share: Share, unit: str = G5) -> dict[str, Bound]:
    """The bounds of `share`, by name."""
    return {bound.name: bound for bound in plain_bounds(setting, share, unit)}
