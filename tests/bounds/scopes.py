"""Small scopes, explored exhaustively: every queue of a few kinds of shares, every workload of a few kinds of jobs.

What is left out is stated by the scope's own fields; nothing is drawn at random.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

from quota_verifier.bounds import KnownJobs, Setting
from quota_verifier.model import Environment, Job, Queue, Share, Strategy
from quota_verifier.policy.likeness import likeness
from quota_verifier.scheduler import Assumptions, Delay, Timing, profiles
from quota_verifier.scheduler.assumptions import Profiles
from quota_verifier.workload import Workload

G5 = "ml.g5.xlarge"
RESERVE, LEND, BORROW = Strategy.RESERVE, Strategy.LEND, Strategy.LEND_AND_BORROW
STOP_MS = 10
"""Every time in a scope is a few milliseconds: what counts is what comes before what."""

LONG, SHORT = 100, 3


def kind(limit, strategy=BORROW, percent=None, *, swaps=False, enabled=True) -> Share:
    """A share without a name: only what it is."""
    return Share("", {G5: limit}, strategy, percent, in_share_preemption=swaps, enabled=enabled)


@dataclass(frozen=True, slots=True)
class Scope:
    """Queues: every tuple of `kinds`, with as much capacity as promised, more or less by `unassigned`.

    Workloads: every multiset of up to `jobs` jobs, each of any share, any of `sizes` and of `times`: when it is
    submitted, for how long it works, and its priority.
    """

    kinds: tuple[tuple[Share, ...], ...]
    jobs: int
    sizes: tuple[int, ...]
    times: tuple[tuple[int, int, int], ...]
    unassigned: tuple[int, ...] = (0,)
    under: Profiles = "one-at-a-time"
    stop_ms: int = STOP_MS

    def queues(self) -> Iterator[Queue]:
        for kinds in product(*self.kinds):
            shares = tuple(
                Share(
                    f"S{place}",
                    each.limits,
                    each.strategy,
                    each.borrow_limit,
                    in_share_preemption=each.in_share_preemption,
                    enabled=each.enabled,
                )
                for place, each in enumerate(kinds)
            )
            promised = sum(share.limit(G5) for share in shares)
            for more in self.unassigned:
                if promised + more > 0:
                    yield Queue(Environment({G5: promised + more}), shares)

    def workloads(self, queue: Queue) -> Iterator[Sequence[Job]]:
        one = list(product([share.name for share in queue.shares], self.sizes, self.times))
        for count in range(1, self.jobs + 1):
            for chosen in combinations_with_replacement(one, count):
                yield Workload(
                    tuple(
                        Job(f"j{place}", share, submit, work, {G5: size}, priority)
                        for place, (share, size, (submit, work, priority)) in enumerate(chosen)
                    )
                ).jobs

    def setting(self, queue: Queue, profile: Assumptions) -> Setting:
        """What the bounds follow from: jobs no larger than those of the scope."""
        known = KnownJobs(largest={"*": max(self.sizes)}, smallest={"*": min(self.sizes)})
        return Setting(queue, profile, self.timing, known)

    @property
    def timing(self) -> Timing:
        return Timing(stop=Delay(self.stop_ms))

    def profiles(self, queue: Queue) -> list[tuple[Assumptions, list[Assumptions]]]:
        """The profiles to try, by those that cannot differ on `queue`: one to simulate, and all that it stands for."""
        job = Job("j", queue.shares[0].name, 0, 0, {G5: 1})
        alike = likeness(queue, Workload((job,)))
        groups: dict[tuple[str, ...], list[Assumptions]] = {}
        for profile in profiles(self.under):
            groups.setdefault(alike.key(profile), []).append(profile)
        return [(group[0], group) for group in groups.values()]
