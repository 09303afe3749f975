"""No run of a scope breaks a bound, and what is called tight is attained by one (docs/bounds.md, Checked)."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache

import pytest
from exploring import OBSERVED, Explored, explore
from head_waits import observe
from scopes import BORROW, G5, LEND, LONG, RESERVE, SHORT, STOP_MS, Scope, kind

from quota_verifier.scheduler import Assumptions
from quota_verifier.scheduler.reference.engine import run_reference
from quota_verifier.testing.profiles import PROFILE_VARIABLE

EARLY, LATE, BRIEF = (0, LONG, 0), (1, LONG, 1), (1, SHORT, 0)
"""Two jobs that stay, the later one of higher priority, and one that is soon over."""

_FEW = (kind(1, RESERVE), kind(2, LEND), kind(2, BORROW, 50), kind(1, swaps=True))
_SOME = (kind(1, RESERVE), kind(2, LEND), kind(1, swaps=True))
_MANY = (*_FEW, kind(1), kind(1, LEND, swaps=True), kind(1, RESERVE, swaps=True), kind(2, BORROW, 100, swaps=True))

QUICK = {
    "two-shares": Scope((_FEW, _FEW), 3, (1, 2), (EARLY, LATE, BRIEF)),
    "promised-more-and-less": Scope((_SOME, _SOME), 3, (1, 2), (EARLY, LATE), unassigned=(-1, 1)),
    "three-shares": Scope(
        ((kind(1, LEND),), (kind(1), kind(1, swaps=True)), (kind(1, RESERVE), kind(1, LEND), kind(1, swaps=True))),
        3,
        (1, 2),
        (EARLY, LATE),
    ),
    "every-combination": Scope(((kind(1, LEND),), (kind(1, swaps=True),)), 3, (1,), (EARLY, LATE), under="all"),
    "disabled": Scope(((kind(2, LEND, enabled=False), kind(1, enabled=False)), _SOME), 3, (1, 2), (EARLY, LATE)),
}
THOROUGH = {
    "many-pairs": Scope((_MANY, _MANY), 4, (1, 2), (EARLY, LATE, BRIEF), unassigned=(-1, 0, 1)),
    "large-jobs": Scope((_FEW, _FEW), 4, (1, 2, 3), (EARLY, BRIEF), unassigned=(-1, 0, 1)),
    "triples": Scope((_SOME, _SOME, _SOME), 4, (1, 2), (EARLY, LATE), unassigned=(-1, 0, 1)),
    "every-combination-of-gangs": Scope(
        ((kind(1, LEND),), (kind(1, swaps=True),)), 4, (1, 2), (EARLY, LATE), under="all"
    ),
}
SCOPES = THOROUGH if os.environ.get(PROFILE_VARIABLE) == "long" else QUICK
TOGETHER = [pytest.param(name, marks=pytest.mark.xdist_group(f"bounds {name}")) for name in SCOPES]
"""The tests of one scope run in one process, which explores it once."""


@cache
def explored(name: str) -> Explored:
    return explore(SCOPES[name])


@pytest.mark.parametrize("name", TOGETHER)
def test_no_workload_breaks_a_bound(name):
    assert next(explored(name).broken(), None) is None
    assert explored(name).runs > 5_000


@pytest.mark.parametrize("name", TOGETHER)
def test_a_bound_that_is_called_tight_is_attained(name):
    """So one that is better by a single instance or millisecond would be refuted here."""
    attained: dict[str, int] = {}
    for case in explored(name).cases:
        for bound in _attainable(SCOPES[name], case):
            assert case.attained(bound), f"{bound} of {case}"
            attained[bound] = attained.get(bound, 0) + 1
    assert set(attained) >= {"reclaimed-within", "most-borrowed", "largest-job"}


def _attainable(scope: Scope, case) -> list[str]:
    """The bounds called tight that jobs as few and as small as the scope's can come up to."""
    instances = scope.jobs * max(scope.sizes)
    reachable = {
        "most-borrowed": case.share.limit(G5) + case.bounds["most-borrowed"].value <= instances,
        "largest-job": case.bounds["largest-job"].value <= max(scope.sizes),
        "reclaimed-within": case.queue.environment.limit(G5) < instances,
        "kept": case.profile.victim_order != "oldest" and case.queue.environment.limit(G5) < instances - 1,
    }
    return [name for name in OBSERVED if case.bounds[name].tight and reachable[name]]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("reclaimed-within", STOP_MS - 1),
        ("most-borrowed", 0),
        ("largest-job", 1),
        ("kept", 1),
    ],
)
def test_a_bound_that_is_wrong_by_one_is_refuted(name, wrong):
    """The exploration can fail: of a lender of 2 and a borrower of 1 it breaks each bound that is a little better."""
    scope = Scope(((kind(2, LEND),), (kind(1, BORROW, 100),)), 3, (1, 2), (EARLY, LATE), under="default")
    lender, borrower = explore(scope).cases
    case = lender if name == "reclaimed-within" else borrower
    assert case.holds(name)
    better = replace(case.bounds[name], value=wrong)
    assert not replace(case, bounds={**case.bounds, name: better}).holds(name)


def test_a_guarantee_that_is_too_large_by_one_is_refuted():
    """What is said to be guaranteed decides which heads must start, so one instance more is denied to somebody."""
    scope = Scope(((kind(1, LEND),), (kind(1, LEND),)), 3, (1,), (EARLY, LATE), under="default")
    (queue,) = scope.queues()
    sure = {(share.name, G5): 1 for share in queue.shares}
    waits = []
    for more in (0, 1):
        promised = {place: amount + more for place, amount in sure.items()}
        runs = [run_reference(queue, jobs, (), Assumptions(), scope.timing) for jobs in scope.workloads(queue)]
        waits.append(max((wait.ms for run in runs for wait in observe(run, promised).waits), default=0))
    assert waits[0] == 0
    assert waits[1] > STOP_MS
