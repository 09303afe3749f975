"""What a sweep says of its variants, checked against runs one by one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
import yaml
from sweep_helpers import FIXED, G5, GENERATED, LIMITS, P5, QUEUE, named, planned, policy, ran, swept, value

from quota_verifier.errors import InputError
from quota_verifier.figures import summarize
from quota_verifier.model import Environment, Share, Strategy
from quota_verifier.policy import verify
from quota_verifier.policy.schema import PolicyFile
from quota_verifier.scheduler import simulate
from quota_verifier.sweep.outcome import outcome_of
from quota_verifier.sweep.unit import simulated
from quota_verifier.sweep.variants import Axis
from quota_verifier.workload.generate import generate_workload

FIXED_BY_UNIT = """
workload:
  jobs:
    - {id: a1, share: A, work: 1h, demand: {ml.g5.xlarge: 2}}
expect: [{share: A, preemptions: 0}]
"""


def with_seed(seed: int, text: str = GENERATED):
    return policy(text.replace("seed: 1", f"seed: {seed}"))


def generated(seed: int):
    return generate_workload(PolicyFile.model_validate(yaml.safe_load(GENERATED)).workload.generate, QUEUE, seed=seed)


def test_the_first_seed_is_the_one_that_verify_judges():
    found = swept(seeds=1)
    (verdicts,) = verify(QUEUE, policy(), under="default").policies
    (base,) = found.variants
    assert [claim.worst.verdict for claim in base.claims] == [verdict.verdict for verdict in verdicts.verdicts]
    assert [claim.worst.text for claim in base.claims] == [verdict.measured.text for verdict in verdicts.verdicts]
    assert value(base, found, "wait_p95").mean == max(share.group.wait.p95 for share in verdicts.figures.shares)


def test_every_variant_gets_the_same_jobs_and_each_seed_other_ones():
    units = list(planned(LIMITS, seeds=3).units())
    jobs = [unit.jobs.workload(unit.queue).jobs for unit in units]
    assert jobs[:3] == jobs[3:6] == jobs[6:9] == [generated(seed).jobs for seed in (1, 2, 3)]
    assert len({tuple(job.submit_ms for job in of) for of in jobs}) == 3


def test_objectives_are_means_of_what_the_runs_come_to():
    found = swept(LIMITS, seeds=(4, 9))
    none = named(found, "A.borrow_limit=0")
    runs = [summarize(simulate(none.variant.queue, generated(seed), timing=policy().timing)) for seed in (4, 9)]
    assert value(none, found, "wait_p95").mean == Fraction(
        sum(max(share.group.wait.p95 for share in run.shares) for run in runs), 2
    )
    assert value(none, found, "lost_work").mean == Fraction(
        sum(run.queue.group.lost_instance_time_ms for run in runs), 2
    )
    assert (value(none, found, "capacity").mean, value(none, found, "capacity").half) == (4, None)


def test_differences_are_from_the_baseline_seed_by_seed():
    found = swept(LIMITS, seeds=4)
    base, none = named(found, "baseline"), named(found, "A.borrow_limit=0")
    place = [what.name for what in found.plan.objectives].index("wait_p95")
    single = [swept(LIMITS, seeds=(seed,)) for seed in (1, 2, 3, 4)]
    apart = [
        named(one, "A.borrow_limit=0").estimates[place].mean - named(one, "baseline").estimates[place].mean
        for one in single
    ]
    assert none.differences[place].mean == sum(apart) / 4
    assert base.differences[place] is None


def test_jobs_that_are_what_they_are_run_once_and_have_no_interval():
    found = swept(LIMITS, policies=[FIXED], seeds=10)
    assert found.plan.replications == 1
    assert [outcome.total for outcome in found.variants] == [1, 1, 1]
    assert value(found.variants[0], found, "wait_p95").half is None


def test_policies_on_the_same_jobs_share_their_runs():
    other = GENERATED.replace("wait: {p95: <= 90m}", "preemptions: <= 90")
    found = swept(policies=[GENERATED, FIXED, policy(other, "other.yaml")], seeds=2)
    assert [[policy.source for policy in scenario.policies] for scenario in found.plan.scenarios] == [
        ["policy.yaml", "other.yaml"],
        ["policy.yaml"],
    ]
    assert found.variants[0].total == 3
    assert [claim.count for claim in found.variants[0].claims] == [2, 2, 2, 2, 1, 1]


def test_an_objective_is_that_of_the_worst_workload():
    both = swept(policies=[GENERATED, FIXED], seeds=2)
    each = [swept(policies=[text], seeds=2) for text in (GENERATED, FIXED)]
    waits = [[value(found.variants[0], found, "wait_p95").mean] for found in each]
    assert value(both.variants[0], both, "wait_p95").mean >= max(waits)[0]
    margins = [value(found.variants[0], found, "margin").mean for found in each]
    assert value(both.variants[0], both, "margin").mean <= min(margins)


def test_a_variant_meets_the_policies_where_every_claim_holds_with_every_seed():
    found = swept(LIMITS, seeds=5)
    for outcome in found.variants:
        each = [verify(outcome.variant.queue, with_seed(seed), under="default").ok for seed in (1, 2, 3, 4, 5)]
        assert outcome.meets is all(each)
        assert min(claim.holds for claim in outcome.claims) >= sum(each)
    assert {outcome.meets for outcome in found.variants} == {True, False}


def test_the_worst_seed_of_a_claim_is_shown():
    found = swept(LIMITS, seeds=5)
    claim = named(found, "A.borrow_limit=0").claims[1]
    texts = {}
    for seed in (1, 2, 3, 4, 5):
        (judged,) = verify(named(found, "A.borrow_limit=0").variant.queue, with_seed(seed), under="default").policies
        texts[seed] = judged.verdicts[1].measured
    worst = max(texts, key=lambda seed: texts[seed].value)
    assert (claim.seed, claim.worst.text) == (worst, texts[worst].text)


def test_the_front_is_taken_among_the_variants_that_meet_the_policies():
    found = swept(LIMITS, Axis(f"environment.{G5}", (2, 4)), seeds=5)
    meeting = {outcome.variant.name for outcome in found.variants if outcome.meets}
    front = {outcome.variant.name for outcome in found.variants if outcome.on_front}
    assert found.ok
    assert front
    assert front <= meeting < {outcome.variant.name for outcome in found.variants}


def test_where_none_meets_the_policies_the_front_is_taken_among_all():
    hopeless = GENERATED.replace("p95: <= 90m", "max: <= 1s")
    found = swept(LIMITS, policies=[hopeless], seeds=2)
    assert not found.ok
    assert any(outcome.on_front for outcome in found.variants)


def test_a_variant_that_is_the_baseline_is_not_run_again():
    found = swept(LIMITS, seeds=2)
    assert [outcome.same_as for outcome in found.variants] == ["", "", "baseline"]
    assert len(found.results) == 4
    assert named(found, "A.borrow_limit=100").estimates == named(found, "baseline").estimates


def test_units_of_different_types_are_different_objectives():
    shares = (*QUEUE.shares, Share("C", {P5: 1}, Strategy.RESERVE))
    two = replace(QUEUE, environment=Environment({G5: 4, P5: 1}), shares=shares)
    names = [what.name for what in planned(queue=two, policies=[FIXED_BY_UNIT]).objectives]
    assert names[:3] == [f"capacity.{G5}", f"capacity.{P5}", "margin"]


def test_an_overloaded_variant_is_told_from_the_others():
    found = swept(Axis(f"environment.{G5}", (1,)), seeds=3)
    assert [outcome.overloaded for outcome in found.variants] == [0, 3]


def test_a_job_that_never_starts_leaves_no_mean_and_counts_as_worst():
    small = Axis(f"environment.{G5}", (1,))
    found = swept(small, policies=[FIXED], objectives=["wait_max"])
    assert value(found.variants[1], found, "wait_max").mean is None
    assert [outcome.on_front for outcome in found.variants] == [True, False]
    assert found.variants[1].claims[0].worst.text == "never"
    assert found.variants[1].differences == (None,)


def test_what_is_not_finished_is_not_compared():
    plan = planned(LIMITS, seeds=2)
    units = list(plan.units())
    some = {unit.key: simulated(unit) for unit in units[:3]}
    found = outcome_of(plan, some)
    assert [(outcome.done, outcome.total, outcome.complete) for outcome in found.variants] == [
        (2, 2, True),
        (1, 2, False),
        (2, 2, True),
    ]
    assert (found.complete, found.variants[1].meets, found.variants[1].estimates) == (False, False, ())
    assert outcome_of(plan, {units[2].key: some[units[2].key]}).variants[0].claims == ()


def test_profiles_are_tried_where_they_are_asked_for():
    risky = FIXED.replace("instances: 1}", "instances: 2}").replace(
        "{share: A, preemptions: 0}", "{job: a1, preemptions: 0}"
    )
    assert swept(policies=[risky]).variants[0].claims[1].worst.verdict == "holds"
    assert swept(policies=[risky], under="one-at-a-time").variants[0].claims[1].worst.verdict == "depends"
    assert swept(policies=[risky], assumptions=["A7=oldest"]).variants[0].claims[1].worst.verdict == "fails"


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ({"objectives": ["wait_p96"]}, "there is no objective 'wait_p96'; did you mean 'wait_p95'?"),
        ({"objectives": ["wait_p95.C"]}, "'wait_p95.C': the queue has no share 'C'; known are A, B"),
        ({"objectives": ["margin.A"]}, "there is no objective 'margin.A'; margin has no parts"),
        ({"objectives": ["capacity.x"]}, "'capacity.x': the queue has no unit 'x'; known are ml.g5.xlarge"),
        ({"assumptions": ["A1=odd"]}, "--assume: A1 (does a head"),
    ],
)
def test_what_does_not_exist_is_refused_before_anything_runs(rest, message):
    with pytest.raises(InputError) as caught:
        planned(LIMITS, **rest)
    assert str(caught.value).startswith(message)


def test_a_claim_about_nothing_names_the_variant_and_the_seed():
    claim = GENERATED.replace("{share: B, reclaimed_within: 1m}", "{share: A, reclaimed_within: 1m}").replace(
        "checkpoint: 5m", "instances: 2"
    )
    with pytest.raises(InputError) as caught:
        planned(Axis(f"shares.A.limits.{G5}", (1,)), policies=[claim])
    assert str(caught.value).startswith(
        f"policy.yaml: variant 'A.limits.{G5}=1', seed 1: expect[0].reclaimed_within: a claim about nothing"
    )
    rare = GENERATED.replace("rate: 1,", "rate: 0.2,").replace(
        "{share: B, reclaimed_within: 1m}", "{share: B, wait: <= 2h}"
    )
    with pytest.raises(InputError, match=r"policy.yaml: seed \d+: expect\[0\]: a claim about nothing"):
        planned(policies=[rare], seeds=20)


def test_an_objective_of_a_share_without_jobs_is_refused():
    with pytest.raises(InputError, match=r"'wait_p95\.B' is about nothing: share B has no jobs"):
        planned(policies=[FIXED_BY_UNIT], objectives=["wait_p95.B"])


def test_a_waiver_does_not_make_a_variant_meet_the_policies():
    waived = FIXED + "\nwaive: [{claim: A.preemptions, reason: new machines come, until: 2999-01-01}]"
    assert verify(QUEUE, policy(waived), under="default").ok
    (base,) = swept(policies=[waived]).variants
    assert not base.meets


def test_a_policy_whose_optional_trace_is_not_there_is_skipped_and_said_so():
    text = "workload: {trace: {file: nowhere.csv, optional: true}}\nexpect: [{preemptions: 0}]"
    absent = policy(text, "absent.yaml")
    plan = planned(policies=[absent, FIXED])
    assert [(skip.policy.source, skip.reason) for skip in plan.skipped] == [("absent.yaml", "there is no nowhere.csv")]
    assert [found.source for found in plan.policies] == ["policy.yaml"]
    with pytest.raises(InputError, match=r"absent\.yaml: no policy can be judged: there is no nowhere\.csv"):
        planned(policies=[absent])


def test_the_key_of_a_run_is_made_of_what_its_result_depends_on():
    def key(**rest):
        return next(iter(planned(**rest).units())).key

    one = key()
    assert one == key(seeds=7)
    assert one == key(objectives=["capacity"])
    assert one == key(policies=[policy(GENERATED, "elsewhere.yaml")])
    others = [
        key(seeds=(2,)),
        key(under="all"),
        key(assumptions=["A1=skip"]),
        key(policies=[GENERATED.replace("stop: 10s", "stop: 20s")]),
        key(policies=[GENERATED.replace("<= 90m", "<= 2h")]),
        key(policies=[GENERATED + "\nuntil: 4h"]),
        key(policies=[GENERATED.replace("20m", "21m")]),
        key(policies=[FIXED]),
        key(policies=[FIXED.replace("10m", "11m")]),
        key(queue=replace(QUEUE, enabled=False)),
    ]
    assert len({one, *others}) == 11


def test_a_result_that_could_not_be_judged_is_an_error_and_never_a_pass():
    plan = planned(policies=[FIXED])
    (unit,) = plan.units()
    refused = simulated(replace(unit, assume=("A1=odd",)))
    assert not refused.ok
    with pytest.raises(InputError, match=r"variant 'baseline', policy\.yaml: --assume: A1"):
        ran(plan, results={unit.key: refused})
