"""Bounds of queues small enough to reckon by hand."""

from __future__ import annotations

import pytest
from scopes import BORROW, G5, LEND, RESERVE

from quota_verifier.bounds import KnownJobs, bounds_of, demands_of
from quota_verifier.bounds.bounds import VALUES_REST_ON
from quota_verifier.errors import InputError
from quota_verifier.model import Environment, Job, Queue, Share
from quota_verifier.scheduler import Delay, Timing, assume, profiles

P5 = "ml.p5.48xlarge"
STOP = Timing(stop=Delay(20_000))


def share(name, limit, strategy=BORROW, percent=None, **rest) -> Share:
    return Share(name, limit if isinstance(limit, dict) else {G5: limit}, strategy, percent, **rest)


def queue(capacity, *shares, **rest) -> Queue:
    limits = capacity if isinstance(capacity, dict) else {G5: capacity}
    return Queue(Environment(limits, enabled=rest.pop("environment_enabled", True)), shares, **rest)


def value(of, name, bound, *answers, unit=G5, **rest):
    found = bounds_of(of, assumptions=assume(answers), timing=rest.pop("timing", STOP), **rest)
    return found.of(name, unit).bound(bound).value


def values(of, bound, *answers, **rest):
    return [value(of, each.name, bound, *answers, **rest) for each in of.shares]


def aws_example() -> Queue:
    """Case C01."""
    return queue(
        3, share("QS1", 1, BORROW, 200, in_share_preemption=True), share("QS2", 1, LEND), share("QS3", 1, RESERVE)
    )


@pytest.mark.parametrize(
    ("bound", "expected"),
    [
        ("guaranteed", [1, 1, 1]),
        ("most-borrowed", [1, 0, 0]),
        ("largest-job", [2, 1, 1]),
        ("kept", [0, 1, 1]),
        ("reclaimed-within", [0, 20_000, 0]),
        ("all-reclaimed-within", [0, 20_000, 0]),
    ],
)
def test_the_bounds_of_the_worked_example(bound, expected):
    assert values(aws_example(), bound) == expected


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        (queue(7, share("A", 6, LEND), share("B", 4, LEND)), [3, 1]),  # C19
        (queue(4, share("A", 6, LEND), share("B", 4, LEND)), [0, 0]),
        (queue(11, share("A", 5, LEND), share("B", 5, LEND)), [5, 5]),
        (queue(2, share("A", 5, LEND)), [2]),
        (queue(7, share("A", 6, RESERVE), share("B", 4, LEND)), [6, 1]),
        (queue(7, share("A", 6, RESERVE), share("B", 4, RESERVE)), [3, 1]),
        (queue({P5: 1}, share("A", 1, LEND)), [0]),
    ],
)
def test_what_is_guaranteed_is_the_limit_less_what_others_were_promised_twice(of, expected):
    assert values(of, "guaranteed") == expected


def test_a_keeper_may_lose_to_lenders_that_hold():
    """A5: with hold a lender keeps its idle capacity too while its head waits."""
    of = queue(7, share("A", 6, RESERVE), share("B", 4, LEND))
    assert value(of, "A", "guaranteed", "A5=hold") == 3


@pytest.mark.parametrize(
    ("of", "answers", "expected"),
    [
        (queue(8, share("A", 4), share("B", 4, LEND)), (), 4),
        (queue(8, share("A", 4, BORROW, -1), share("B", 4, LEND)), (), 4),
        (queue(8, share("A", 4, BORROW, 0), share("B", 4, LEND)), (), 0),
        (queue(8, share("A", 4, BORROW, 50), share("B", 4, LEND)), (), 2),
        (queue(8, share("A", 4), share("B", 4, RESERVE)), (), 0),
        (queue(8, share("A", 4, LEND), share("B", 4, LEND)), (), 0),
        (queue(7, share("A", 3, BORROW, 50), share("B", 4, LEND)), (), 1),
        (queue(7, share("A", 3, BORROW, 50), share("B", 4, LEND)), ("A4=ceil",), 2),
        (queue(10, share("A", 4), share("B", 4, RESERVE)), (), 0),
        (queue(10, share("A", 4), share("B", 4, RESERVE)), ("A6=borrowable",), 2),
        (queue(8, share("A", 4), share("B", 4, LEND, enabled=False)), (), 4),
        (queue(8, share("A", 4), share("B", 4, LEND, enabled=False)), ("A10=withheld",), 0),
        (queue(6, share("A", 4), share("B", 4, LEND)), (), 2),
        (queue(3, share("A", 4), share("B", 4, LEND)), (), 0),
        (queue(9, share("A", 4), share("B", 3, LEND), share("C", 2, RESERVE)), (), 3),
    ],
)
def test_the_most_that_can_be_borrowed_is_what_others_lend_up_to_the_borrow_limit(of, answers, expected):
    """C03, C20, A4, A6, A10."""
    assert value(of, "A", "most-borrowed", *answers) == expected


@pytest.mark.parametrize(
    ("of", "answers", "expected"),
    [
        (queue(12, share("A", 2, BORROW, -1), share("B", 3, LEND), share("C", 5, RESERVE)), (), 5),  # C02 f
        (queue(5, share("A", 2), share("B", 4, RESERVE), share("C", 4, LEND)), (), 1),
        (queue(8, share("A", 4), share("B", 4, LEND, enabled=False)), ("A10=withheld",), 4),
        (queue(10, share("A", 4), share("B", 4, LEND)), ("A6=borrowable",), 8),
    ],
)
def test_the_largest_job_is_what_r21_admits_and_what_can_be_free(of, answers, expected):
    assert value(of, "A", "largest-job", *answers) == expected


@pytest.mark.parametrize(
    ("largest", "expected"),
    [({}, 0), ({"A": 1}, 4), ({"A": 2}, 3), ({"*": 4}, 1), ({"*": 9, "A": 5}, 0), ({"A": 6}, 0)],
)
def test_a_reclaim_takes_gangs_whole_so_it_leaves_less_than_the_limit(largest, expected):
    of = queue(8, share("A", 4), share("B", 4, LEND))
    assert value(of, "A", "kept", known=KnownJobs(largest=largest)) == expected
    assert value(of, "B", "kept", known=KnownJobs(largest=largest)) == 4


def test_jobs_on_several_units_keep_nothing():
    of = queue({G5: 4, P5: 4}, share("A", {G5: 2, P5: 2}), share("B", {G5: 2, P5: 2}, LEND))
    assert value(of, "A", "kept") == 0
    single = KnownJobs({"A": ((((G5, 1)),), ((P5, 2),))})
    assert [value(of, "A", "kept", unit=unit, known=single) for unit in (G5, P5)] == [2, 1]


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        (queue(8, share("A", 4, LEND), share("B", 4, LEND)), 0),  # nobody borrows
        (queue(8, share("A", 4, LEND), share("B", 4, BORROW, 0)), 0),
        (queue(8, share("A", 4, RESERVE), share("B", 4)), 0),  # never lent
        (queue(8, share("A", 4, LEND), share("B", 4)), 20_000),
        (queue(6, share("A", 4, LEND), share("B", 4)), 20_000),
        (queue(4, share("A", 4, LEND), share("B", 4)), None),  # nothing guaranteed
        (queue(8, share("A", 4, LEND), share("B", 4), environment_enabled=False), None),
        (queue({P5: 8}, share("A", 4, LEND), share("B", 4)), None),
    ],
)
def test_what_was_lent_is_back_within_one_stop_time_or_was_never_away(of, expected):
    assert value(of, "A", "reclaimed-within") == expected


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ((), [20_000, 20_000, 0]),
        (("A1=per-unit",), [20_000, 20_000, 0]),
        (("A1=skip",), [None, None, 0]),
        (("A5=hold",), [None, None, None]),
        (("A5=hold", "A1=skip"), [None, None, None]),
    ],
)
def test_a_bound_in_time_rests_on_one_head_and_on_lenders_that_lend(answers, expected):
    """A1, A5."""
    of = queue(6, share("A", 2), share("B", 2), share("C", 2, RESERVE))
    assert values(of, "reclaimed-within", *answers) == expected


def test_two_shares_alone_need_no_assumption_about_lenders():
    of = queue(4, share("A", 2, LEND), share("B", 2))
    assert value(of, "A", "reclaimed-within", "A5=hold") == 20_000


def test_with_stop_time_0_everything_is_back_at_once_whatever_is_assumed():
    of = queue(6, share("A", 2), share("B", 2), share("C", 2, RESERVE))
    assert values(of, "reclaimed-within", "A1=skip", "A5=hold", timing=Timing(startup=Delay(9))) == [0, 0, 0]


def test_a_share_takes_back_for_one_head_at_a_time():
    of = queue(8, share("A", 4, LEND), share("B", 4))
    assert value(of, "A", "all-reclaimed-within") == 4 * 20_000
    assert value(of, "A", "all-reclaimed-within", known=KnownJobs(smallest={"A": 3})) == 20_000
    assert value(of, "A", "all-reclaimed-within", known=KnownJobs(smallest={"*": 5})) is None


def test_units_have_stop_times_of_their_own_unless_jobs_tie_them():
    of = queue({G5: 4, P5: 4}, share("A", {G5: 2, P5: 2}, LEND), share("B", {G5: 2, P5: 2}))
    timing = Timing(stop=Delay(20_000, {P5: 120_000}))
    single = KnownJobs(dict.fromkeys("AB", (((G5, 1),), ((P5, 1),))))
    assert value(of, "A", "reclaimed-within", timing=timing) == 120_000
    assert value(of, "A", "reclaimed-within", timing=timing, known=single) == 20_000
    assert value(of, "A", "reclaimed-within", unit=P5, timing=timing, known=single) == 120_000


def test_shares_without_jobs_on_a_unit_do_not_compete_for_it():
    of = queue({G5: 4, P5: 4}, share("A", {G5: 2, P5: 2}, LEND), share("B", {G5: 2, P5: 2}))
    known = KnownJobs(demands_of([Job("b", "B", 0, 1, {P5: 1}), Job("a", "A", 0, 1, {G5: 1})]))
    assert value(of, "A", "reclaimed-within", known=known) == 0


def test_every_single_answer_that_changes_a_value_is_told():
    of = queue(8, share("A", 3, BORROW, 50), share("B", 4, LEND), share("C", 0 + 1, RESERVE))
    turned = {
        bound.name: [(turn.assume, turn.value) for turn in bound.elsewhere]
        for bound in bounds_of(of, timing=STOP).of("A", G5).bounds
    }
    assert turned == {
        "guaranteed": [],
        "most-borrowed": [("A4=ceil", 2)],
        "largest-job": [("A4=ceil", 5)],
        "kept": [],
        "reclaimed-within": [],
        "all-reclaimed-within": [],
    }
    other = bounds_of(of, timing=STOP).of("B", G5).bound("reclaimed-within")
    assert [(turn.assume, turn.value) for turn in other.elsewhere] == [("A1=skip", None), ("A5=hold", None)]


@pytest.mark.parametrize(
    "of", [aws_example(), queue(7, share("A", 3, BORROW, 50), share("B", 4), share("C", 1, RESERVE))]
)
def test_no_value_rests_on_the_order_of_shares_or_of_victims(of):
    """A2, A3, A7, A8, A9: the bounds do not even ask."""
    own = bounds_of(of, timing=STOP)
    for profile in profiles("one-at-a-time"):
        if not profile.deviations or profile.deviations[0].partition("=")[0] in VALUES_REST_ON:
            continue
        other = bounds_of(of, assumptions=profile, timing=STOP)
        for mine, theirs in zip(own.units, other.units, strict=True):
            assert [bound.value for bound in mine.bounds] == [bound.value for bound in theirs.bounds]


def reasons(of, name, *answers, **rest):
    found = bounds_of(of, assumptions=assume(answers), timing=STOP, **rest)
    return [(fall.bound, fall.because) for fall in found.of(name, G5).shortfalls]


@pytest.mark.parametrize(
    ("of", "answers", "known", "expected"),
    [
        (queue(8, share("A", 4, LEND), share("B", 4, LEND)), (), {}, []),
        (queue(7, share("A", 4, LEND), share("B", 4, LEND)), (), {"*": 1}, [("guaranteed", "over-promised")]),
        (
            queue(7, share("A", 4, LEND), share("B", 4, LEND)),
            (),
            {},
            [("guaranteed", "over-promised"), ("guaranteed", "head-of-line")],
        ),
        (queue(8, share("A", 4), share("B", 4, LEND)), (), {}, [("guaranteed", "head-of-line"), ("kept", "gangs")]),
        (queue(8, share("A", 4), share("B", 4, LEND)), ("A1=skip",), {}, [("kept", "gangs")]),
        (queue(8, share("A", 4), share("B", 4, LEND)), (), {"A": 1}, []),
        (queue(8, share("A", 4), share("B", 4, LEND)), (), {"A": 4}, [("kept", "gangs")]),
        (queue(8, share("A", 4), share("B", 4, RESERVE)), (), {}, [("most-borrowed", "nobody-lends")]),
        (
            queue(5, share("A", 2), share("B", 4, RESERVE), share("C", 4, LEND)),
            ("A1=skip",),
            {},
            [("guaranteed", "over-promised"), ("most-borrowed", "nobody-lends"), ("largest-job", "never-starts")],
        ),
        (
            queue(6, share("A", 2, LEND), share("B", 2), share("C", 2, LEND)),
            ("A5=hold",),
            {},
            [("reclaimed-within", "assumption")],
        ),
        (queue(8, share("A", 4, LEND, enabled=False), share("B", 4, LEND)), (), {}, [("guaranteed", "disabled")]),
        (queue(8, share("A", 4, LEND), share("B", 4, LEND), enabled=False), (), {}, [("guaranteed", "disabled")]),
        (
            queue(8, share("A", 4, LEND), share("B", 4, LEND), environment_enabled=False),
            (),
            {},
            [("guaranteed", "disabled")],
        ),
        (queue({P5: 8}, share("A", 4, LEND), share("B", 4)), (), {}, [("guaranteed", "over-promised")]),
    ],
)
def test_what_falls_short_of_the_limits_is_listed_with_its_reason(of, answers, known, expected):
    assert reasons(of, "A", *answers, known=KnownJobs(largest=known)) == expected


def test_a_condition_that_fails_says_why_there_is_no_bound():
    of = queue(6, share("A", 2, LEND), share("B", 2), share("C", 2, LEND))
    bound = bounds_of(of, assumptions=assume(["A1=skip"]), timing=STOP).of("A", G5).bound("reclaimed-within")
    assert bound.value is None
    assert {condition.id: condition.holds for condition in bound.conditions} == {
        "configuration-stays": None,
        "lenders-lend": True,
        "one-head": False,
    }


@pytest.mark.parametrize(
    ("known", "message"),
    [
        (KnownJobs(largest={"a": 1}), "--largest-job: unknown share 'a'; did you mean 'A'?"),
        (KnownJobs(smallest={"Z": 1}), "--smallest-job: unknown share 'Z'; known are A, B"),
        (
            KnownJobs(largest={"*": 2}, smallest={"A": 3}),
            "--smallest-job: the smallest job of A would be larger (3) than its largest (2); give 2 or less",
        ),
    ],
)
def test_sizes_that_cannot_be_are_refused(known, message):
    with pytest.raises(InputError) as raised:
        bounds_of(queue(8, share("A", 4), share("B", 4, LEND)), known=known)
    assert str(raised.value) == message


def test_the_bounds_of_an_unknown_share_or_unit_are_a_key_error():
    with pytest.raises(KeyError):
        bounds_of(aws_example()).of("QS1", P5)
