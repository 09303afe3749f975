"""Every bound that is called tight is attained by a workload built for it, on every queue of a large family."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import get_args

import pytest
import witnesses
from exploring import bounds_by_name
from head_waits import observe
from scopes import BORROW, G5, LEND, RESERVE, STOP_MS, Scope, kind

from quota_verifier.bounds import BoundName, Setting, bounds_of
from quota_verifier.model import Share
from quota_verifier.scheduler import Assumptions, assume
from quota_verifier.scheduler.events import Kind

SHARING = [(RESERVE, None), (LEND, None), (BORROW, None), (BORROW, 0), (BORROW, 50), (BORROW, 100)]
KINDS = tuple(kind(limit, *sharing, swaps=swaps) for limit, sharing, swaps in product((1, 3), SHARING, (False, True)))
PLAIN = tuple(kind(limit, *sharing) for limit, sharing in product((1, 2), SHARING))
FAMILIES = {
    "alone": Scope((KINDS,), 0, (1,), (), unassigned=(-1, 0, 2)),
    "pairs": Scope((KINDS, PLAIN), 0, (1,), (), unassigned=(-1, 0, 1)),
    "triples": Scope(
        (PLAIN[3:], PLAIN[:4], (kind(2, RESERVE), kind(2), kind(1, LEND))), 0, (1,), (), unassigned=(-2, 0)
    ),
}
PROFILES = ["", "A1=skip", "A4=ceil", "A5=hold", "A6=borrowable", "A7=oldest", "A7=most-borrowed", "A9=preempt-first"]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("answer", PROFILES)
def test_a_workload_attains_every_bound_that_is_called_tight(family, answer):
    attained: Counter[str] = Counter()
    scope = FAMILIES[family]
    profile = assume([answer] if answer else [])
    for place, queue in enumerate(scope.queues()):
        if answer and place % 7:  # every seventh queue under each other answer
            continue
        setting = Setting(queue, profile, scope.timing)
        for share in queue.shares:
            for name, bound in bounds_by_name(setting, share).items():
                if bound.tight:
                    assert _seen(setting, share, name) == bound.value, f"{name} of {share.name} in {queue}"
                    attained[name] += 1
    assert answer or family == "alone" or len(attained) == len(get_args(BoundName))


def _seen(setting: Setting, share: Share, name: str) -> float:
    """What the workload that is built for a bound comes to."""
    found = bounds_by_name(setting, share)
    value = found[name].value
    guaranteed = {(each.name, G5): bounds_by_name(setting, each)["guaranteed"].value for each in setting.queue.shares}
    mine = (share.name, G5)
    assert value is not None
    if name == "guaranteed":
        seen = observe(witnesses.denied(setting, share, value), {**guaranteed, mine: value + 1})
        return value if any(wait.share == share.name and wait.until is None for wait in seen.waits) else value + 1
    if name == "most-borrowed":
        held = observe(witnesses.borrowing_all(setting, share, value), guaranteed).most_held.get(mine, 0)
        return max(0, held - share.limit(G5))
    if name == "largest-job":
        return observe(witnesses.one_large(setting, share, max(1, value)), guaranteed).largest_started.get(mine, 0)
    if name == "kept":
        size = max(1, setting.largest_coming(share, G5))
        seen = observe(witnesses.straddling(setting, share, size), guaranteed)
        return min(left.left for left in seen.left if left.share == share.name)
    if not value:
        return 0
    sure = guaranteed[mine]
    run = witnesses.all_lent(setting, share, sure, 1 if name == "reclaimed-within" else sure)
    starts = [
        event.at for event in run.events if event.kind is Kind.DISPATCHED and run.jobs[event.job].share == share.name
    ]
    return starts[-1] - witnesses.WANTED_AT


def test_above_what_is_guaranteed_an_owner_waits_as_long_as_other_owners_jobs_run():
    """No bound: twice the run time, twice the wait."""
    scope = Scope(((kind(2, LEND),), (kind(2, LEND),)), 0, (1,), (), unassigned=(-1,))
    (queue,) = scope.queues()
    setting = Setting(queue, Assumptions(), scope.timing)
    waits = []
    for work in (1_000, 2_000):
        run = witnesses.Jobs(work).add(queue.shares[1], 0, 2).add(queue.shares[0], 0, 1, 2).run(setting)
        second = max(event.at for event in run.events if event.kind is Kind.DISPATCHED)
        waits.append(second)
    assert waits == [1_000, 2_000]


def test_with_skip_a_head_that_was_overtaken_preempts_again_at_once():
    """A1: no bound is claimed for several heads of a share, but none of these waits for more than one stop time."""
    run, owner, job = witnesses.several_heads()
    bounds = bounds_of(run.queue, assumptions=run.assumptions, timing=run.timing).of(owner.name, G5)
    assert bounds.bound("reclaimed-within").value is None
    (start,) = [event.at for event in run.events if event.kind is Kind.DISPATCHED and run.jobs[event.job].id == job]
    assert start - witnesses.WANTED_AT == STOP_MS
