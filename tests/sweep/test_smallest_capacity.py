from __future__ import annotations

import pytest
from sweep_helpers import FIXED, G5, GENERATED, LIMITS, QUEUE, planned, policy

from quota_verifier.policy import verify
from quota_verifier.sweep.executors import Here
from quota_verifier.sweep.outcome import outcome_of
from quota_verifier.sweep.run import run_units
from quota_verifier.sweep.scaling import read_dial
from quota_verifier.sweep.smallest import Search
from quota_verifier.sweep.unit import ClaimResult, UnitResult, simulated

PLAN = planned(seeds=3)
EASY = GENERATED.replace("<= 90m", "<= 3h")


def simulating(runs=None):
    """Judges units by running them; `runs` gets the labels of those that were due."""
    results = {}

    def judge(units):
        if runs is not None:
            runs.extend(unit.label for unit in units if unit.key not in results)
        run_units(units, Here(), results, in_flight=1)
        return results

    return judge


def searched(plan=PLAN, *, vary=None, high=12, method="scan", width=1, variant=0, judge=None):
    chosen = plan.variants[variant]
    search = Search(plan, chosen, read_dial(vary, chosen.queue), high, method)
    search.run(judge or simulating(), width)
    return search.result()


def meeting_at(*capacities: int, tried=None):
    """Judges as if the policies were met at these capacities and no others."""

    found = {}

    def judge(units):
        for unit in units:
            capacity = unit.queue.environment.limit(G5)
            if tried is not None and capacity not in tried:
                tried.append(capacity)
            claim = ClaimResult("holds" if capacity in capacities else "fails", f"at {capacity}", None, None)
            found[unit.key] = UnitResult((claim,) * 2, {})
        return found

    return judge


def test_the_capacity_found_is_the_least_of_all_that_meet_the_policies():
    found = searched(planned(policies=[EASY], seeds=2))
    meets = {
        capacity: all(
            simulated(unit).ok
            for unit in planned(queue=read_dial(None, QUEUE).turned(QUEUE, capacity), policies=[EASY], seeds=2).units()
        )
        for capacity in range(2, 13)
    }
    assert found.capacity == min(capacity for capacity, ok in meets.items() if ok)
    assert found.certain
    assert found.capacity > 2


def test_what_is_found_meets_the_policies_by_verify_and_one_less_does_not():
    found = searched(planned(policies=[FIXED]), high=8)
    assert found.capacity > found.low
    assert verify(found.found.queue, policy(FIXED), under="default").ok
    assert not verify(found.dial.turned(QUEUE, found.capacity - 1), policy(FIXED), under="default").ok


def test_each_capacity_below_is_listed_with_what_it_fails_by():
    found = searched(judge=meeting_at(5, 7))
    assert (found.low, found.now, found.capacity) == (2, 4, 5)
    assert list(found.tried) == [2, 3, 4, 5]
    assert found.tried[4] == "share B: every reclaim <= 1m: at 4 with seed 1"
    assert found.tried[5] == ""
    assert found.found.name == f"baseline, {G5}=5"


@pytest.mark.parametrize("width", [1, 2, 3, 7])
def test_how_many_are_tried_at_one_time_changes_nothing(width):
    assert searched(judge=meeting_at(6, 9), width=width) == searched(judge=meeting_at(6, 9))


def test_a_scan_finds_the_least_where_more_is_not_always_better():
    assert searched(judge=meeting_at(3, 8, 9, 10, 11, 12)).capacity == 3


def test_bisection_says_which_lower_ones_it_did_not_try():
    tried = []
    found = searched(judge=meeting_at(3, *range(40, 101), tried=tried), high=100, method="bisect")
    assert found.capacity == 40
    assert not found.certain
    assert {37, 38, 39} <= set(tried)
    assert len(tried) < 20


def test_bisection_goes_on_below_a_neighbour_that_meets_the_policies():
    found = searched(judge=meeting_at(4, 6, 9, 10, 11, 12), high=12, method="bisect")
    assert found.capacity == 4
    assert found.certain


def test_bisection_starts_from_the_present_capacity_where_the_highest_one_fails():
    assert searched(judge=meeting_at(3, 4), high=8, method="bisect").capacity == 3


@pytest.mark.parametrize(("method", "certain"), [("scan", True), ("bisect", False)])
def test_where_none_is_found_only_a_scan_knows_that_there_is_none(method, certain):
    found = searched(judge=meeting_at(), method=method, high=8)
    assert (found.capacity, found.found, found.certain) == (None, None, certain)


def test_a_capacity_that_fails_with_the_first_seed_costs_one_run():
    runs = []
    found = searched(planned(policies=[GENERATED.replace("<= 90m", "<= 1s")], seeds=9), high=4, judge=simulating(runs))
    assert found.capacity is None
    assert len(runs) == 3
    assert found.tried[4].startswith("share A: wait p95 <= 1s: ")
    assert found.tried[4].endswith(" with seed 1")


def test_a_capacity_at_which_a_claim_is_about_nothing_does_not_meet_the_policies():
    pairs = GENERATED.replace("checkpoint: 5m", "instances: 2").replace("share: B, reclaimed", "share: A, reclaimed")
    found = searched(planned(policies=[pairs.replace("<= 90m", "<= 90d")], seeds=1), high=3)
    assert found.capacity == 3
    assert "a claim about nothing: no job fits its share's own limit" in found.tried[2]


def test_each_variant_has_a_search_of_its_own_and_keeps_its_changes():
    plan = planned(LIMITS, policies=[EASY], seeds=2)
    none, some = (searched(plan, variant=place, high=14) for place in (1, 2))
    assert none.found.queue.shares[0].borrow_limit == 0
    assert none.capacity > some.capacity
    assert none.found.settings["shares.A.borrow_limit"] == 0


def test_an_interrupted_search_says_what_it_knows():
    search = Search(PLAN, PLAN.variants[0], read_dial(None, QUEUE), 12)
    failing = meeting_at()

    def judge(units):
        if units and units[0].queue.environment.limit(G5) == 4:
            raise KeyboardInterrupt
        return failing(units)

    with pytest.raises(KeyboardInterrupt):
        search.run(judge, 1)
    found = search.result(finished=False)
    assert list(found.tried) == [2, 3]
    assert (found.finished, found.certain, found.capacity) == (False, False, None)


def test_what_was_found_is_a_variant_like_any_other():
    plan = planned(policies=[EASY], seeds=2)
    found = searched(plan, high=14)
    units = list(plan.units_of(found.found))
    run_units(units, Here(), results := {}, in_flight=1)
    assert all(result.ok for result in results.values())
    assert outcome_of(plan, results).variants[0].complete is (found.found.queue == QUEUE)
