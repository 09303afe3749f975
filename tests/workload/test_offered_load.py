from __future__ import annotations

from fractions import Fraction

from workload_helpers import G5, P5, read, shared

from quota_verifier.model import Environment, Job, Queue, Share
from quota_verifier.workload import UnitLoad, Workload, instance_seconds, load_warnings, offered_load

TEN = Queue(Environment({G5: 10}), (Share("A", {G5: 10}),))


def test_more_work_than_capacity_is_flagged() -> None:
    # C53: 20 jobs of 5 instances for 266 s, one every 100 s, on 10 instances.
    columns = {"id": "job", "submit": "submit", "instances": "n", "work": "runtime"}
    workload = read(shared("cases/C53_load.csv"), queue=TEN, columns=columns, shares={"*": "A"})
    loads = offered_load(workload, TEN)
    assert loads == offered_load(workload, TEN, span_ms=2_000_000)
    assert loads == (UnitLoad(G5, 26_600_000, 10, Fraction(2_000_000)),)
    assert loads[0].ratio == Fraction("1.33")
    assert loads[0].unstable
    assert load_warnings(loads) == (
        "ml.g5.xlarge is offered 133 % of its capacity: the queue grows as long as jobs come, "
        "and waits say nothing about the policy",
    )
    assert instance_seconds(workload) == 26_600


def jobs(*submits: int, work: int = 1_000, unit: str = G5) -> Workload:
    return Workload(tuple(Job(f"j{n}", "A", submit, work, {unit: 5}) for n, submit in enumerate(submits)))


def test_exactly_the_capacity_is_not_too_much() -> None:
    just = offered_load(jobs(0, 250, 500, 750, work=500), TEN)[0]
    assert (just.ratio, just.unstable) == (1, False)
    above = offered_load(jobs(0, 250, 500, 750, work=501), TEN)[0]
    assert (above.ratio, above.unstable) == (Fraction(501, 500), True)


def test_load_says_nothing_of_a_burst() -> None:
    # Jobs that all come before one of them could end are a scenario, not a stream.
    for workload in (jobs(5), jobs(5, 5, 5), jobs(0, 499, work=999)):
        load = offered_load(workload, TEN)[0]
        assert (load.ratio, load.unstable) == (None, False)
    assert load_warnings(offered_load(jobs(5), TEN)) == ()
    assert offered_load(jobs(0, 500), TEN)[0].ratio == 1


def test_a_unit_that_the_environment_lacks_is_flagged_and_an_unused_one_is_idle() -> None:
    queue = Queue(Environment({G5: 10}), (Share("A", {G5: 10, P5: 1}),))
    loads = {load.unit: load for load in offered_load(jobs(0, 500, unit=P5), queue)}
    assert (loads[G5].ratio, loads[G5].unstable) == (0, False)
    assert (loads[P5].ratio, loads[P5].unstable) == (None, True)
    assert load_warnings(tuple(loads.values())) == (
        "ml.p5.48xlarge is offered work, but the environment has none of it",
    )
