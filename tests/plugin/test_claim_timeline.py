"""The worst job's story: a few lines around the instant that matters."""

from __future__ import annotations

from quota_shares.validation.evidence import EvidenceRuns
from quota_shares.validation.timeline import MOST_EVENTS, timeline
from quota_verifier.model import Environment, Queue, Share, Strategy
from quota_verifier.policy.policy import policy_from_data
from quota_verifier.policy.verdicts import Verdict
from quota_verifier.policy.verifier import verify
from quota_verifier.scheduler import Assumptions

G5 = "ml.g5.xlarge"
DEMO = Queue(
    Environment({G5: 3}),
    (
        Share("QS1", {G5: 1}, Strategy.LEND_AND_BORROW, 200, in_share_preemption=True),
        Share("QS2", {G5: 1}, Strategy.LEND),
        Share("QS3", {G5: 1}),
    ),
)


def judged(claim: dict[str, object], jobs: list[str], **more: object) -> Verdict:
    """The verdict on a claim about jobs written as `id share submit work [priority]`."""
    rows: list[dict[str, object]] = []
    for text in jobs:
        name, share, submit, work, *priority = text.split()
        rows.append(
            {
                "id": name,
                "share": share,
                "submit": submit,
                "work": work,
                "instances": 1,
                "priority": int((priority or [0])[0]),
            }
        )
    workload: dict[str, object] = {"jobs": rows}
    if "updates" in more:
        workload["updates"] = more.pop("updates")
    policy = policy_from_data({"workload": workload, "expect": [claim], "under": "default", **more})
    (verdict,) = verify(DEMO, policy).policies[0].verdicts
    return verdict


def told(verdict: Verdict, base: Assumptions | None = None) -> list[str]:
    evidence = verdict.evidence
    assert evidence is not None
    return timeline(EvidenceRuns().of(evidence), evidence, base or evidence.assumptions)


def test_a_job_that_borrows_is_preempted_and_starts_again() -> None:
    verdict = judged({"share": "QS1", "preemptions": 0}, ["a QS1 0s 1h", "b QS1 0s 1h", "owner QS2 10m 1h"])

    assert told(verdict) == [
        "b (share QS1, 1 ml.g5.xlarge, priority 0):",
        "   0s  submitted",
        "   0s  starts on borrowed capacity",
        "  10m  preempted by owner of QS2, which takes its share's own capacity back",
        "   1h  starts on its share's own capacity",
        "   2h  SUCCEEDED",
        "At 10m the shares hold: QS1 1 of its 1, QS2 1 of its 1, QS3 0 of its 1 ml.g5.xlarge.",
    ]


def test_a_more_urgent_job_of_the_same_share_is_named() -> None:
    verdict = judged({"job": "a", "preempted_by": []}, ["a QS1 0s 1h", "c QS2 0s 9h", "b QS1 5m 1h 7"])

    assert "    5m  preempted by b of QS1, which has a higher priority in the same share" in told(verdict)


def test_a_job_that_never_ends_its_wait_says_so() -> None:
    verdict = judged({"job": "b", "starts": "0s"}, ["a QS3 0s 1d", "b QS3 0s 1h"], until="2h")

    lines = told(verdict)
    assert lines[1:3] == ["  0s  submitted", "  2h  RUNNABLE when the simulation ends"]


def test_updates_and_terminations_are_told() -> None:
    updates = [{"at": "1m", "job": "b", "priority": 4}, {"at": "2m", "job": "b", "terminate": True}]
    verdict = judged({"job": "b", "starts": "0s"}, ["a QS3 0s 1d", "b QS3 0s 1h"], updates=updates, until="3m")

    assert [line.split("  ")[-1] for line in told(verdict)[1:4]] == [
        "submitted",
        "priority becomes 4",
        "terminated, on request",
    ]


def test_a_long_story_is_cut_to_the_events_around_the_instant() -> None:
    owners = [f"o{n} QS2 {n}h 30m" for n in range(1, 9)]
    verdict = judged({"share": "QS1", "preemptions": 0}, ["a QS1 0s 3d", "b QS1 0s 1d", *owners])

    lines = told(verdict)
    assert lines[1].strip().endswith("earlier)")
    assert len([line for line in lines[1:-1] if not line.strip().startswith("(")]) == MOST_EVENTS
    assert any("preempted by o8 of QS2" in line for line in lines)


def test_a_claim_without_a_worst_job_has_no_story() -> None:
    assert told(judged({"utilization": ">= 99%"}, ["a QS1 0s 1h"])) == []


def test_the_answers_of_the_run_are_named_where_they_are_not_the_defaults() -> None:
    verdict = judged({"share": "QS3", "wait": 0}, ["a QS3 0s 1h", "b QS3 0s 1h"], assume={"A1": "skip"})

    assert told(verdict)[0] == "b (share QS3, 1 ml.g5.xlarge, priority 0), under A1=skip:"


def test_the_answer_that_makes_a_claim_fail_is_named_even_if_it_is_the_default() -> None:
    jobs = ["a QS3 0s 1h", "b QS3 0s 1h"]
    verdict = judged({"share": "QS3", "wait": 0}, jobs)

    assert told(verdict, Assumptions(head_blocking="skip"))[0].endswith("priority 0), under A1=strict:")
