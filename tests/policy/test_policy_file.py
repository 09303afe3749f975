"""Reading policy files, and the one message that each mistake gets."""

from __future__ import annotations

import re

import pytest
import yaml
from policy_helpers import G5, NOTEBOOK, P5, one

from quota_verifier.errors import InputError
from quota_verifier.model import Environment, Queue, Share
from quota_verifier.policy import policy_from_data, read_policy, verify
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.timing import Delay, Timing

HEAD = """\
workload:
  jobs:
    - {id: a, share: QS1, work: 1h, instances: 1, labels: {class: urgent, team: x}}
    - {id: b, share: QS2, work: 1h, instances: 1}
expect:
"""

BAD_CLAIMS = {
    "{shar: QS1, preemptions: 0}": "[0].shar: unknown key 'shar'; did you mean 'share'?",
    "{clas: urgent, preemptions: 0}": "[0].clas: unknown key 'clas'; did you mean 'class'?",
    "{share: QS9, preemptions: 0}": (
        "[0].share: the queue has no share 'QS9'; did you mean 'QS3'? Known are QS1, QS2, QS3"
    ),
    "{class: urgnt, preemptions: 0}": "[0].class: no job is of the class 'urgnt'; did you mean 'urgent'?",
    "{class: {team: y}, preemptions: 0}": "[0].class: no job is of the class 'team=y'; known are x",
    "{class: {tem: x}, preemptions: 0}": (
        "[0].class: no job carries the label 'tem'; did you mean 'team'? Known are class, team"
    ),
    "{unit: ml.g5.2xlarge, preemptions: 0}": (
        "[0].unit: neither the queue nor a job uses the unit 'ml.g5.2xlarge'; did you mean 'ml.g5.xlarge'?"
    ),
    "{job: c, preemptions: 0}": "[0].job: the workload has no job 'c'; known are a, b",
    "{at: 1s, running: [c]}": "[0].running: the workload has no job 'c'; known are a, b",
    "{at: 1s, share: QS2, running: [a]}": "[0].running: job 'a' is in share 'QS1'; leave it out, or drop `share`",
    "{job: a, preempted_by: [c]}": "[0].preempted_by: the workload has no job 'c'; known are a, b",
    "{share: QS3, preemptions: 0}": (
        "[0]: a claim about nothing: the workload submits no job of share QS3; add such jobs, or drop the claim"
    ),
    "{class: urgent, share: QS2, wait: <= 1h}": (
        "[0]: a claim about nothing: the workload submits no job of share QS2, class urgent; "
        "add such jobs, or drop the claim"
    ),
    "{share: QS2, idle_reserved: <= 10%}": (
        "[0].idle_reserved: a claim about nothing: share QS2 lends what it does not use; claim utilization"
    ),
    "{share: QS3}": (
        "[0]: claims nothing; add a measure: wait, turnaround, slowdown, starvation, reclaimed_within, preemptions, "
        "thrash, lost_work, cost, lost_work_cost, disruption_ratio, utilization, idle_reserved, never_schedulable, "
        "finished, state, starts, ends, preempted_by, running, waiting"
    ),
    "{share: QS1, wait: 5m}": ("[0].wait: '5m' does not say how to compare; write a comparison such as '<= 5m'"),
    "{share: QS1, wait: {p95: 5m}}": (
        "[0].wait.p95: '5m' does not say how to compare; write a comparison such as '<= 5m'"
    ),
    "{share: QS1, wait: {p96: <= 5m}}": "[0].wait.p96: unknown key 'p96'; did you mean 'p99'?",
    "{share: QS1, wait: {}}": "[0].wait: claims nothing; give one of every, min, mean, p50, p90, p95, p99, max",
    "{share: QS1, wait: [1]}": "[0].wait: a list is not a comparison; write one such as '<= 5m'",
    "{class: urgent, utilization: <= 60%}": (
        "[0]: utilization is about capacity, not about jobs; name a share or a unit, or neither"
    ),
    "{state: RUNNING}": "[0]: state is about one job; add `job: ID`",
    "{job: a, state: RUNING}": (
        "[0].state: 'RUNING' is not allowed; write 'SUBMITTED', 'RUNNABLE', 'SCHEDULED', 'RUNNING', 'SUCCEEDED', "
        "'FAILED' or 'REJECTED'"
    ),
    "{job: a, share: QS1, wait: <= 1m}": (
        "[0]: names a job and more; a job's id is enough: leave out share, class and unit"
    ),
    "{at: 20s, preemptions: 0}": ("[0]: `at` belongs to state, running or waiting; leave out `at`, or add one of them"),
    "{running: [a]}": "[0]: running is about an instant; add `at: 20s`",
    "{at: 1s, class: urgent, running: [a]}": (
        "[0]: running lists jobs of the queue or of a share; name a share or nothing"
    ),
    "{share: QS1, preemptions: true}": "[0].preemptions: true is not a comparison; write one such as '<= 2'",
}


def refusal(tmp_path, text: str) -> str:
    file = tmp_path / "p.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        verify(NOTEBOOK, file, under="default")
    return str(error.value).replace(f"{tmp_path}/", "")


@pytest.mark.parametrize("claim", BAD_CLAIMS)
def test_a_bad_claim_gets_one_message_with_its_line(tmp_path, claim):
    assert refusal(tmp_path, f"{HEAD}  - {claim}\n") == f"p.yaml:6: expect{BAD_CLAIMS[claim]}"


@pytest.mark.parametrize(
    ("tail", "message"),
    [
        (
            "assume: {A1: skipp}",
            "p.yaml:7: assume: A1 (does a head that cannot start block the jobs behind it) cannot be 'skipp'; "
            "one of strict, per-unit, skip",
        ),
        (
            "assume: {A11: skip}",
            "p.yaml:7: assume: unknown assumption 'A11'; one of A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, as in A1=skip",
        ),
        ("under: some", "p.yaml:7: under: 'some' is not allowed; write 'default', 'one-at-a-time' or 'all'"),
        ("timing: {stop: -3}", "p.yaml:7: timing.stop: -3 is a negative duration; write 0 or more"),
        ("timing: {stopp: 3}", "p.yaml:7: timing.stopp: unknown key 'stopp'; did you mean 'stop'?"),
        (
            "timing: {stop: {ml.p5: 3}}",
            "p.yaml: timing.stop: neither the queue nor a job uses the unit 'ml.p5'; known are ml.g5.xlarge",
        ),
        ("until: 1d\nexpects: []", "p.yaml:8: expects: unknown key 'expects'; did you mean 'expect'?"),
    ],
)
def test_a_mistake_beside_the_claims_gets_one_message(tmp_path, tail, message):
    assert refusal(tmp_path, f"{HEAD}  - {{preemptions: 0}}\n{tail}\n") == message


@pytest.mark.parametrize(
    ("workload", "message"),
    [
        ("{}", "a policy has one workload, this has none; give one of generate, trace, file, jobs"),
        (
            "{file: x.yaml, jobs: []}",
            "a policy has one workload, this has file and jobs; give one of generate, trace, file, jobs",
        ),
        (
            "{file: x.yaml, updates: []}",
            "`updates` go with `jobs`, not with `file`; write them in the workload file",
        ),
    ],
)
def test_a_policy_has_exactly_one_workload(tmp_path, workload, message):
    assert (
        refusal(tmp_path, f"workload: {workload}\nexpect: [{{preemptions: 0}}]\n") == f"p.yaml:1: workload: {message}"
    )


def test_a_claim_on_an_instant_after_the_horizon_is_refused(tmp_path):
    text = f"{HEAD}  - {{job: a, state: RUNNING, at: 2h}}\nuntil: 1h\n"
    assert refusal(tmp_path, text) == "p.yaml:6: expect[0].at: 2h is after `until` (1h); simulate longer"


def test_a_claim_on_jobs_after_the_horizon_is_about_nothing(tmp_path):
    text = HEAD.replace("share: QS2,", "share: QS2, submit: 2h,") + "  - {share: QS2, wait: <= 1h}\nuntil: 1h\n"
    assert "the workload submits no job of share QS2 by 1h" in refusal(tmp_path, text)


def test_an_owner_that_can_never_reclaim_is_refused(tmp_path):
    text = HEAD.replace("share: QS1, work: 1h, instances: 1", "share: QS1, work: 1h, instances: 2")
    assert refusal(tmp_path, f"{text}  - {{share: QS1, reclaimed_within: 1m}}\n") == (
        "p.yaml:6: expect[0].reclaimed_within: a claim about nothing: no job fits its share's own limit, "
        "so none may reclaim; raise the limit, or drop the claim"
    )
    raised = text.replace("expect:", f"  updates: [{{at: 1h, share: QS1, limits: {{{G5}: 2}}}}]\nexpect:")
    (tmp_path / "raised.yaml").write_text(f"{raised}  - {{share: QS1, reclaimed_within: 1m}}\n", encoding="utf-8")
    assert verify(NOTEBOOK, tmp_path / "raised.yaml", under="default").policies


def test_capacity_that_nobody_has_is_refused():
    queue = Queue(Environment({G5: 1}), (Share("A", {G5: 1, P5: 1}), Share("B", {G5: 1})))
    jobs = f"jobs: [{{id: a, share: A, work: 1h, demand: {{{G5}: 1}}}}]"
    with pytest.raises(InputError, match=r"about nothing: the environment has no capacity of ml\.p5\.48xlarge"):
        one(queue, jobs, f"{{unit: {P5}, utilization: <= 60%}}")
    with pytest.raises(InputError, match=r"about nothing: share B has no capacity of ml\.p5\.48xlarge"):
        one(queue, jobs, f"{{share: B, unit: {P5}, utilization: <= 60%}}")


def test_a_comparison_that_yaml_takes_for_a_block_of_text_gets_a_hint(tmp_path):
    message = refusal(tmp_path, f"{HEAD}  - utilization: >= 60%\n")
    assert re.fullmatch(r"p\.yaml:6:\d+: malformed YAML: .*; put a comparison .* in quotes, as in '>= 60%'", message)


def test_an_empty_list_of_claims_is_refused(tmp_path):
    assert refusal(tmp_path, HEAD.replace("expect:", "expect: []")) == (
        "p.yaml:5: expect: has 0 items; give at least 1"
    )


def test_a_policy_is_read_with_its_timing_and_assumptions(tmp_path):
    file = tmp_path / "p.yaml"
    file.write_text(
        f"""\
description: Owners get their capacity back
queue: training
{HEAD}  - {{share: QS1, wait: {{p50: <= 1h, p95: <= 2h}}}}
  - {{preemptions: {{max: <= 1}}}}
timing: {{startup: 3m, stop: {{default: 20s, {G5}: 1m}}}}
assume: {{A1: skip, A10: withheld}}
under: all
until: 2d
""",
        encoding="utf-8",
    )
    policy = read_policy(file)
    assert policy.description == "Owners get their capacity back"
    assert policy.queue == "training"
    assert policy.timing == Timing(startup=Delay(180_000), stop=Delay(20_000, {G5: 60_000}))
    assert policy.assumptions == Assumptions(head_blocking="skip", disabled_share="withheld")
    assert (policy.under, policy.until_ms) == ("all", 172_800_000)
    assert [(claim.text, claim.source, claim.where) for claim in policy.claims] == [
        ("share QS1: wait p50 <= 1h", f"{file}:8", "expect[0]"),
        ("share QS1: wait p95 <= 2h", f"{file}:8", "expect[0]"),
        ("queue: preemptions max <= 1", f"{file}:9", "expect[1]"),
    ]


def test_files_are_looked_for_beside_the_policy(tmp_path, monkeypatch):
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / "jobs.yaml").write_text("jobs: [{id: a, share: QS2, work: 1h, instances: 1}]\n", encoding="utf-8")
    (folder / "p.yaml").write_text("workload: {file: jobs.yaml}\nexpect: [{finished: all}]\n", encoding="utf-8")
    (folder / "jobs.csv").write_text(f"id,share,submit,work,{G5}\nb,QS2,0,60,1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert verify(NOTEBOOK, "policies/p.yaml").ok
    missing = policy_from_data({"workload": {"file": "none.yaml"}, "expect": [{"finished": "all"}]}, base=folder)
    with pytest.raises(InputError, match=r"none\.yaml: no such file"):
        verify(NOTEBOOK, missing)


def test_a_generated_workload_labels_its_classes(tmp_path):
    data = yaml.safe_load("""
    workload:
      generate:
        seed: 7
        duration: 6h
        classes: [{name: urgent, share: QS3, every: 1h, work: 20m}, {name: batch, share: QS1, rate: 2, work: 40m}]
    expect: [{class: urgent, wait: <= 0s}]
    """)
    assert verify(NOTEBOOK, policy_from_data(data)).ok


def test_a_workload_mistake_in_a_policy_names_its_place(tmp_path):
    text = HEAD.replace("share: QS2, work", "share: QS8, work")
    message = refusal(tmp_path, f"{text}  - {{preemptions: 0}}\n")
    assert message.startswith("p.yaml:4: workload.jobs[1].share: ")
    text = HEAD.replace("id: b", "id: a")
    assert refusal(tmp_path, f"{text}  - {{preemptions: 0}}\n").startswith("p.yaml:4: workload.jobs[1].id: ")
