"""Verdicts: holds, fails, depends, and what turns them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import yaml
from policy_helpers import G5, LENT, NOTEBOOK, NOTEBOOK_JOBS

from quota_verifier.errors import InputError
from quota_verifier.model import Environment, Job, Queue, Share, Strategy
from quota_verifier.policy import Policy, policy_from_data, verify
from quota_verifier.policy import verdicts as verdicts_module
from quota_verifier.policy.bounds import Bound
from quota_verifier.policy.claims import MeasureClaim, Subject
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.workload import Workload

# C09: G1 and BE0 run; G2 wants both of G's instances, so one idle instance may be lent to BE1, or held.
WAITING_LENDER = Queue(
    Environment({G5: 3}),
    (Share("G", {G5: 2}, Strategy.LEND), Share("BE", {G5: 1}, Strategy.LEND_AND_BORROW)),
)
WAITING_LENDER_JOBS = """
jobs:
  - {id: BE0, share: BE, work: 1000s, instances: 1}
  - {id: G1, share: G, work: 100s, instances: 1}
  - {id: G2, share: G, submit: 1s, work: 100s, instances: 2}
  - {id: BE1, share: BE, submit: 2s, work: 300s, instances: 1}
"""

STUCK_JOBS = "jobs: [{id: huge, share: QS3, work: 1s, instances: 2}]"


def policy(jobs: str, claims: str, **rest) -> Policy:
    return policy_from_data({"workload": yaml.safe_load(jobs), "expect": yaml.safe_load(claims), **rest})


@pytest.fixture
def simulations(monkeypatch) -> list[Assumptions]:
    """The profiles that were simulated, in order."""
    seen: list[Assumptions] = []
    simulate = verdicts_module.simulate

    def counting(*args, **rest):
        seen.append(rest["assumptions"])
        return simulate(*args, **rest)

    monkeypatch.setattr(verdicts_module, "simulate", counting)
    return seen


def test_a_claim_that_holds_under_every_profile_holds():
    found = verify(WAITING_LENDER, policy(WAITING_LENDER_JOBS, "[{job: G2, starts: 100s}]"))
    (verdict,) = found.policies[0].verdicts
    assert (verdict.verdict, verdict.turned_by, verdict.evidence, verdict.note) == ("holds", (), None, "")
    assert found.policies[0].profiles == 18
    assert found.ok


def test_a_claim_that_an_assumption_turns_depends_on_it():
    found = verify(WAITING_LENDER, policy(WAITING_LENDER_JOBS, "[{job: BE1, starts: 2s}]"))
    (verdict,) = found.policies[0].verdicts
    assert (verdict.verdict, verdict.measured.text) == ("depends", "2s")
    assert [(turn.changes, turn.measured.text) for turn in verdict.turned_by] == [(("A5=hold",), "200s")]
    assert verdict.note == "holds under the assumptions it starts from, but fails under A5=hold (200s)"
    assert not verdict.ok
    assert not found.ok


def test_a_claim_that_only_an_alternative_proves_depends_too():
    (verdict,) = verify(
        WAITING_LENDER, policy(WAITING_LENDER_JOBS, "[{share: BE, preemptions: 0}]")
    ).policies[0].verdicts  # fmt: skip
    assert (verdict.verdict, verdict.measured.holds) == ("depends", False)
    assert verdict.note == "fails under the assumptions it starts from, but holds under A5=hold (0)"


def test_a_claim_that_fails_under_every_profile_fails():
    (verdict,) = verify(NOTEBOOK, policy(STUCK_JOBS, "[{job: huge, starts: <= 1h}]")).policies[0].verdicts
    assert (verdict.verdict, verdict.turned_by) == ("fails", ())


def test_under_default_judges_the_base_profile_alone():
    of_file = policy(WAITING_LENDER_JOBS, "[{job: BE1, starts: 2s}]")
    found = verify(WAITING_LENDER, of_file, under="default")
    assert (found.ok, found.policies[0].profiles) == (True, 1)
    assert verify(WAITING_LENDER, replace(of_file, under="default")).ok


def test_assumptions_to_start_from_come_from_the_policy_or_the_caller():
    of_file = policy(WAITING_LENDER_JOBS, "[{job: BE1, starts: 200s}]", assume={"A5": "hold"})
    (verdict,) = verify(WAITING_LENDER, of_file).policies[0].verdicts
    assert (verdict.verdict, verdict.measured.holds) == ("depends", True)
    assert [turn.changes for turn in verdict.turned_by] == [("A5=lend",)]
    assert not verify(WAITING_LENDER, of_file, under="default", assume=["A5=lend"]).ok
    assert verify(WAITING_LENDER, of_file, under="default", assume=["A1=skip"]).ok  # on top of the policy's own
    assert not verify(WAITING_LENDER, of_file, under="default", assume=Assumptions()).ok
    with pytest.raises(InputError, match=r"A5 .* cannot be 'keep'; one of lend, hold"):
        verify(WAITING_LENDER, of_file, assume=["A5=keep"])


def test_all_combinations_are_named_by_the_smallest_that_turn_a_claim():
    found = verify(
        WAITING_LENDER, policy(WAITING_LENDER_JOBS, "[{job: BE1, starts: 2s}, {job: G2, starts: 100s}]"), under="all"
    ).policies[0]
    assert found.profiles == 3 * 4 * 2 * 2 * 2 * 2 * 6 * 2 * 2 * 2
    assert found.simulations < found.profiles / 10
    turned, certain = found.verdicts
    assert [turn.text for turn in turned.turned_by] == ["A5=hold"]
    assert certain.verdict == "holds"


def test_evidence_is_the_run_in_which_the_claim_fails(simulations):
    found = verify(WAITING_LENDER, policy(WAITING_LENDER_JOBS, "[{job: BE1, starts: 2s}, {job: BE1, starts: 200s}]"))
    turned, wrong = (verdict.evidence for verdict in found.policies[0].verdicts)
    assert (turned.assumptions, turned.job, turned.at_ms) == (
        Assumptions(waiting_lender="hold"), "BE1", 200_000,
    )  # fmt: skip
    assert turned.run.assumptions.waiting_lender == "hold"
    assert (wrong.assumptions, wrong.at_ms) == (Assumptions(), 2000)
    before = len(simulations)
    assert wrong.run is found.policies[0].run
    assert len(simulations) == before


def test_all_claims_on_a_workload_share_one_simulation_a_profile(simulations):
    first = policy(NOTEBOOK_JOBS, "[{preemptions: 2}, {share: QS2, wait: <= 1s}, {finished: all}]")
    second = policy(NOTEBOOK_JOBS, "[{thrash: 0}]")
    other_timing = policy(NOTEBOOK_JOBS, "[{thrash: 0}]", timing={"stop": "1s"})
    found = verify(NOTEBOOK, [first, second, other_timing], under="default")
    assert len(simulations) == 2
    assert [len(of_policy.verdicts) for of_policy in found.policies] == [3, 1, 1]
    assert found.policies[0].run is found.policies[1].run


def test_policies_with_other_assumptions_share_what_they_can(simulations):
    first = policy(NOTEBOOK_JOBS, "[{preemptions: 2}]", under="default")
    second = policy(NOTEBOOK_JOBS, "[{preemptions: 2}]", under="default", assume={"A8": "back"})
    found = verify(NOTEBOOK, [first, second, first])
    assert [profile.requeue_place for profile in simulations] == ["original", "back"]
    assert [of_policy.run.assumptions.requeue_place for of_policy in found.policies] == ["original", "back", "original"]


def test_progress_counts_simulations():
    told: list[tuple[int, int]] = []
    verify(
        NOTEBOOK, policy(NOTEBOOK_JOBS, "[{preemptions: 2}]"), progress=lambda done, total: told.append((done, total))
    )
    assert told == [(count, len(told)) for count in range(1, len(told) + 1)]
    assert 1 < len(told) < 18


def test_a_policy_can_be_made_of_a_workload_in_memory():
    workload = Workload((Job("a", "A", 0, 1000, {G5: 2}), Job("b", "A", 0, 1000, {G5: 4})))
    claim = MeasureClaim(Subject(share="A"), "wait", "max", Bound("<=", 1000, "duration"))
    found = verify(LENT, Policy(claims=(claim,), workload=workload))
    assert found.ok
    with pytest.raises(InputError, match="the queue has no share 'Z'"):
        verify(LENT, Policy(claims=(replace(claim, subject=Subject(share="Z")),), workload=workload))


def test_the_queue_comes_from_a_file_or_by_the_name_that_the_policy_gives(tmp_path):
    (tmp_path / "queue.yaml").write_text(
        f"environment: {{{G5}: 3}}\nshares: [{{name: QS3, limits: {{{G5}: 2}}, strategy: RESERVE}}]\n", encoding="utf-8"
    )
    assert verify(tmp_path / "queue.yaml", policy(STUCK_JOBS, "[{finished: all}]")).ok
    asked: list[str | None] = []

    def find(name: str | None) -> Queue:
        asked.append(name)
        return NOTEBOOK

    verify(find, [policy(STUCK_JOBS, "[{never_schedulable: 1}]", queue=name) for name in ("training", None)])
    assert asked == ["training", None]


def test_an_overloaded_workload_is_warned_of():
    rows = [f"{{id: j{i}, share: QS3, submit: {i * 600}, work: 1h, instances: 1}}" for i in range(20)]
    jobs = f"jobs: [{', '.join(rows)}]"
    (found,) = verify(NOTEBOOK, policy(jobs, "[{finished: all}]"), under="default").policies
    assert any(warning.startswith("ml.g5.xlarge is offered") for warning in found.warnings)


def test_verdicts_are_plain_data_for_json():
    found = verify(
        WAITING_LENDER,
        policy(
            WAITING_LENDER_JOBS,
            "[{job: BE1, starts: 2s}, {utilization: <= 100%}, {at: 0, running: [BE0, G1]}]",
            description="Idle capacity is lent",
        ),
    )
    plain = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert plain["ok"] is False
    (of_policy,) = plain["policies"]
    assert of_policy["description"] == "Idle capacity is lent"
    assert of_policy["assumptions"]["A5"] == "lend"
    first, second, third = of_policy["claims"]
    assert (first["claim"], first["verdict"], first["measured"]) == ("job BE1: starts == 2s", "depends", 2.0)
    assert first["turned_by"] == ["A5=hold"]
    assert first["turns"][0]["measured"] == 200.0
    assert isinstance(second["measured"], float)
    assert third["measured"] == ["BE0", "G1"]


def test_verdicts_are_the_same_for_rows_in_another_order():
    rows = yaml.safe_load(WAITING_LENDER_JOBS)
    turned = {"jobs": rows["jobs"][::-1]}
    claims = "[{job: BE1, starts: 2s}, {wait: {p95: <= 5s}}, {lost_work: 0}]"
    found = [verify(WAITING_LENDER, policy(yaml.safe_dump(data), claims)).as_dict() for data in (rows, turned)]
    assert json.dumps(found[0]) == json.dumps(found[1])
