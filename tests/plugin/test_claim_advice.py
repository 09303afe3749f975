"""What would help: the limit that binds, and by how much, out of the run in which the claim fails."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quota_shares.validation.advice import advice, busiest
from quota_shares.validation.evidence import EvidenceRuns
from quota_verifier.model import Environment, Queue, Share, Strategy
from quota_verifier.policy.policy import policy_from_data
from quota_verifier.policy.verifier import verify
from quota_verifier.scheduler import simulate

G5 = "ml.g5.xlarge"
LEND, BORROW = Strategy.LEND, Strategy.LEND_AND_BORROW
DEMO = Queue(
    Environment({G5: 3}),
    (
        Share("QS1", {G5: 1}, BORROW, 200, in_share_preemption=True),
        Share("QS2", {G5: 1}, LEND),
        Share("QS3", {G5: 1}),
    ),
)


def job(name: str, share: str, submit: str, work: str = "1h", instances: int = 1, **more: object) -> dict[str, object]:
    return {"id": name, "share": share, "submit": submit, "work": work, "instances": instances, **more}


def advised(claim: dict[str, object], *jobs: dict[str, object], queue: Queue = DEMO, **more: object) -> list[str]:
    """The advice on the only claim, which must not be proven."""
    data = {"workload": {"jobs": list(jobs)}, "expect": [claim], "under": "default", **more}
    policy = policy_from_data(data, source="p.yaml")
    (verdict,) = verify(queue, policy).policies[0].verdicts
    assert not verdict.ok
    view = None if verdict.evidence is None else EvidenceRuns().of(verdict.evidence)
    return advice(policy, verdict, view)


def late(row: dict[str, object]) -> dict[str, object]:
    """The same job half a minute later, between two checkpoints of the others."""
    return {**row, "submit": "630s"}


def with_share(name: str, **changes: object) -> Queue:
    shares = tuple(replace(share, **changes) if share.name == name else share for share in DEMO.shares)
    return replace(DEMO, shares=shares)


@pytest.mark.parametrize(
    "claim",
    [
        {"share": "QS3", "wait": {"max": "<= 1m"}},
        {"share": "QS3", "turnaround": "<= 1h"},
        {"share": "QS3", "slowdown": "<= 1.5"},
        {"share": "QS3", "starvation": "<= 1m"},
    ],
)
def test_jobs_that_wait_for_each_other_need_a_larger_limit_of_their_own(claim: dict[str, object]) -> None:
    jobs = [job("a", "QS3", "0s"), job("b", "QS3", "1m"), job("c", "QS3", "2m")]

    assert advised(claim, *jobs) == [
        "QS3's own limit is 1 ml.g5.xlarge and it borrows nothing of the 2 that others lend;"
        " its demand peaks at 3 (2m, if no job waits). Raise its own limit towards 3"
        " (the environment, which has 3, would need 5)."
    ]


def test_the_advice_is_true_a_limit_as_large_as_that_ends_the_waiting() -> None:
    jobs = [job("a", "QS3", "0s"), job("b", "QS3", "1m"), job("c", "QS3", "2m")]
    policy = policy_from_data({"workload": {"jobs": jobs}, "expect": [{"share": "QS3", "wait": 0}]})

    larger = replace(with_share("QS3", limits={G5: 3}), environment=Environment({G5: 5}))
    assert verify(larger, policy).ok
    smaller = replace(with_share("QS3", limits={G5: 2}), environment=Environment({G5: 5}))
    assert not verify(smaller, policy).ok


def test_a_borrower_is_told_what_it_may_borrow() -> None:
    jobs = [job(name, "QS1", "0s") for name in "abcd"]

    assert advised({"share": "QS1", "wait": {"max": "<= 1m"}}, *jobs)[0].startswith(
        "QS1's own limit is 1 ml.g5.xlarge and it may borrow 1 more; its demand peaks at 4 (0s, if no job waits)."
    )


def test_an_unlimited_borrower_is_told_so() -> None:
    jobs = [job(name, "QS1", "0s") for name in "abcd"]
    queue = with_share("QS1", borrow_limit=None)

    assert "and it borrows what others lend, 1 at most" in advised({"share": "QS1", "wait": 0}, *jobs, queue=queue)[0]


def test_no_room_is_asked_for_where_the_environment_has_it() -> None:
    jobs = [job("a", "QS3", "0s"), job("b", "QS3", "0s")]
    queue = replace(DEMO, environment=Environment({G5: 4}))

    assert advised({"share": "QS3", "wait": 0}, *jobs, queue=queue) == [
        "QS3's own limit is 1 ml.g5.xlarge and it borrows nothing of the 2 that others lend;"
        " its demand peaks at 2 (0s, if no job waits). Raise its own limit towards 2."
    ]


def test_jobs_that_come_one_after_the_other_do_not_add_up() -> None:
    run = simulate(DEMO, policy_jobs(job("a", "QS3", "0s"), job("b", "QS3", "1h"), job("c", "QS3", "90m")))

    assert busiest(run, "QS3", G5) == (2, 90 * 60_000)
    assert busiest(run, "QS2", G5) == (0, 0)


def test_promises_above_the_environment_are_named() -> None:
    queue = replace(DEMO, environment=Environment({G5: 2}))
    jobs = [job("a", "QS1", "0s"), job("b", "QS2", "0s"), job("c", "QS3", "0s")]

    assert advised({"share": "QS2", "wait": 0}, *jobs, queue=queue) == [
        "The shares are promised 3 ml.g5.xlarge, and the environment has 2:"
        " raise the environment, or lower a share by 1."
    ]


@pytest.mark.parametrize(
    ("share", "instances", "queue", "says"),
    [
        (
            "QS3",
            4,
            DEMO,
            "big asks for 4 ml.g5.xlarge, and the environment has 3: raise it to at least 4, or ask for less.",
        ),
        (
            "QS3",
            2,
            DEMO,
            "big asks for 2 ml.g5.xlarge, and QS3's own limit is 1: raise it to at least 2, or let QS3 borrow.",
        ),
        ("QS3", 3, with_share("QS2", strategy=Strategy.RESERVE), "own limit is 1: raise it to at least 3."),
        (
            "QS1",
            3,
            DEMO,
            "big asks for 3 ml.g5.xlarge; QS1 owns 1, and the shares that lend own 1: raise QS1's own limit to at"
            " least 2, or have other shares lend.",
        ),
        (
            "QS1",
            2,
            with_share("QS1", borrow_limit=50),
            "big asks for 2 ml.g5.xlarge, and QS1 owns 1 with a borrow limit of 50 %: raise the borrow limit to at"
            " least 100 %.",
        ),
    ],
)
@pytest.mark.parametrize("claim", [{"finished": "all"}, {"never_schedulable": 0}, {"wait": {"max": "<= 1d"}}])
def test_a_job_that_can_never_start_is_told_the_smallest_change(
    claim: dict[str, object], share: str, instances: int, queue: Queue, says: str
) -> None:
    # R21
    (line,) = advised(claim, job("big", share, "0s", instances=instances), queue=queue)
    assert line.endswith(says)


def test_a_reclaim_cannot_be_faster_than_jobs_stop() -> None:
    jobs = [job("a", "QS1", "0s"), job("b", "QS1", "0s"), job("c", "QS2", "10m")]

    assert advised({"share": "QS2", "reclaimed_within": "10s"}, *jobs, timing={"stop": "20s"}) == [
        "A preempted job keeps its capacity for 20s (timing.stop), longer than the bound:"
        " capacity that QS2 lends cannot come back sooner. RESERVE keeps it idle instead."
    ]


def test_preempted_borrowers_are_told_what_they_own_and_need() -> None:
    jobs = [job("a", "QS1", "0s"), job("b", "QS1", "0s"), job("c", "QS2", "10m")]

    assert advised({"share": "QS1", "preemptions": 0}, *jobs) == [
        "1 time an owner took back what QS1 held above its own limit."
        " It owns 1 ml.g5.xlarge, and its demand peaks at 2 (0s, if no job waits):"
        " raise the limit, or lower the borrow limit so that jobs wait instead."
    ]


def test_in_share_preemptions_are_told_apart() -> None:
    queue = with_share("QS1", borrow_limit=0)
    jobs = [job("a", "QS1", "0s"), job("b", "QS1", "1m", priority=5), job("c", "QS1", "2m", priority=9)]

    assert advised({"share": "QS1", "preemptions": 0}, *jobs, queue=queue) == [
        "2 times a more urgent job of QS1 took the place of another: in-share preemption is on there."
    ]


def test_lost_work_is_traced_to_jobs_without_checkpoints() -> None:
    jobs = [job("a", "QS1", "0s"), job("b", "QS1", "0s"), job("c", "QS2", "10m")]

    assert advised({"share": "QS1", "lost_work": "<= 1m"}, *jobs)[-1] == (
        "Without a checkpoint interval a preempted job loses all its progress: 1 job here."
    )
    kept = [{**row, "checkpoint": "1m"} for row in jobs]
    assert not any(
        "checkpoint" in line for line in advised({"share": "QS1", "lost_work": 0}, *kept[:-1], late(kept[-1]))
    )


@pytest.mark.parametrize("claim", [{"utilization": ">= 90%"}, {"idle_reserved": "<= 10%"}])
def test_idle_reserves_are_named_where_capacity_is_wasted(claim: dict[str, object]) -> None:
    jobs = [job("a", "QS1", "0s"), job("b", "QS3", "0s", "15m")]

    assert advised(claim, *jobs) == [
        "QS3 kept 75 % of its ml.g5.xlarge idle, which LEND would let others use meanwhile."
    ]


def test_what_the_figures_do_not_tell_is_not_advised() -> None:
    jobs = [job("a", "QS3", "0s")]

    assert advised({"share": "QS3", "wait": {"max": ">= 1m"}}, *jobs) == []
    assert advised({"job": "a", "state": "FAILED"}, *jobs) == []
    assert advised({"job": "a", "preempted_by": ["a"]}, *jobs) == []
    assert advised({"at": "1m", "running": []}, *jobs) == []
    assert advised({"utilization": "<= 1%"}, *jobs) == []


def test_a_claim_that_fails_at_first_and_depends_names_the_answers_that_prove_it() -> None:
    jobs = [job("big", "QS1", "0s", instances=3), job("small", "QS1", "1s")]

    assert advised({"job": "small", "starts": "1s"}, *jobs, under="one-at-a-time") == [
        "If you know that AWS acts like this, write `assume: {A1: skip}` in p.yaml."
    ]


def policy_jobs(*jobs: dict[str, object]) -> object:
    policy = policy_from_data({"workload": {"jobs": list(jobs)}, "expect": [{"finished": "all"}]})
    return policy.workload.load(DEMO)
