"""A counterexample written as a policy file fails under `verify` with the same measured value."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
import yaml
from search_worlds import G5, LENT, P5, RESERVED, TIMING, policy, searched

from quota_verifier.errors import InputError
from quota_verifier.model import Environment, Queue, Share, Strategy
from quota_verifier.policy import policy_from_data, read_policy, verify
from quota_verifier.search import write_replay
from quota_verifier.search.replay import claim_row, replay_data

COMMAND = str(Path(sys.executable).with_name("quota-shares"))
QUEUE = """\
environment: {ml.g5.xlarge: 3}
shares:
  - {name: QS1, limits: {ml.g5.xlarge: 1}, strategy: LEND_AND_BORROW, borrow_limit: 200, in_share_preemption: true}
  - {name: QS2, limits: {ml.g5.xlarge: 1}, strategy: LEND}
  - {name: QS3, limits: {ml.g5.xlarge: 1}, strategy: LEND}
"""
CLASSES = """
- {name: sweep, share: QS1, work: {min: 5m, max: 4h}, instances: [1, 2], priority: {min: 0, max: 10}, checkpoint: 7m}
- {name: nightly, share: QS2, work: {min: 5m, max: 4h}, preemption_retries: 1, labels: {team: "1"}}
- {name: urgent, share: QS3, work: {min: 5m, max: 20m}, attempts: 2, timeout: 2h}
"""


@pytest.mark.parametrize(
    "claim",
    [
        "{share: QS3, wait: {p95: <= 10s}}",
        "{class: urgent, wait: <= 10s}",
        "{class: {team: '1', class: nightly}, turnaround: {mean: <= 2h}}",
        "{share: QS1, slowdown: {max: <= 1.25}}",
        "{share: QS2, reclaimed_within: 10s}",
        "{share: QS1, preemptions: {max: <= 0}}",
        "{unit: ml.g5.xlarge, lost_work: <= 4m}",
        "{share: QS1, lost_work: {max: 0}}",
        "{disruption_ratio: <= 2.5%}",
        "{utilization: '>= 50%'}",
        "{share: QS1, starvation: <= 1h}",
        "{finished: all}",
        "{share: QS1, finished: '>= 2'}",
    ],
)
def test_what_is_written_fails_with_the_same_value(tmp_path, claim):
    timing = {"startup": "3m", "stop": {"default": "20s", G5: "30s"}, "restore": "1m"}
    read = policy(f"[{claim}]", CLASSES, timing=timing, until="6h", assume={"A8": "back"})
    result = searched(LENT, read, tries=400)
    assert result.counterexample is not None
    assert result.counterexample.assumptions.requeue_place == "back"
    for file in (tmp_path / "found.yaml", tmp_path / "found.json"):
        write_replay(read, result.counterexample, file)
        (verdict,) = verify(LENT, file).policies[0].verdicts
        assert verdict.verdict == "fails"
        assert verdict.claim.text == result.counterexample.claim.text
        assert verdict.measured == result.counterexample.measured
        assert verdict.evidence.assumptions == result.counterexample.assumptions


@pytest.mark.parametrize(
    ("claim", "assume", "value"),
    [
        ("{share: QS3, wait: {p95: <= 10s}}", [], 480.0),
        ("{share: QS1, preemptions: 0}", ["--assume", "A7=oldest"], 1),
    ],
)
def test_the_real_command_fails_on_what_the_real_command_wrote(tmp_path, claim, assume, value):
    (tmp_path / "queue.yaml").write_text(QUEUE)
    data = {
        "workload": {"jobs": [{"id": "own", "share": "QS3", "work": "1h", "instances": 1}]},
        "envelope": {"classes": yaml.safe_load(CLASSES)},
        "expect": [yaml.safe_load(claim)],
        "timing": TIMING,
    }
    (tmp_path / "policy.yaml").write_text(yaml.safe_dump(data))

    def ran(*argv: str) -> tuple[int, dict]:
        done = subprocess.run([COMMAND, *argv, "--json"], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.stderr == ""
        return done.returncode, json.loads(done.stdout)

    code, found = ran("search", "queue.yaml", "--policy", "policy.yaml", "--tries", "300", *assume, "--out", "c.yaml")
    assert (code, found["counterexample"]["replay"]) == (1, "c.yaml")
    code, judged = ran("verify", "queue.yaml", "--policy", "c.yaml")
    (row,) = judged["policies"][0]["claims"]
    assert (code, row["verdict"]) == (1, "fails")
    assert row["measured"] == found["counterexample"]["measured"] == value
    assert row["claim"] == found["counterexample"]["claim"]
    assert judged["policies"][0]["assumptions"] == found["counterexample"]["assumptions"]


def test_jobs_of_several_units_are_written_in_full(tmp_path):
    queue = Queue(Environment({G5: 2, P5: 1}), (Share("A", {G5: 2, P5: 1}, Strategy.LEND),))
    read = policy("[{wait: <= 0s}]", f"[{{name: a, share: A, work: 1h, demand: {{{G5}: 2, {P5}: 1}}}}]")
    result = searched(queue, read)
    write_replay(read, result.counterexample, tmp_path / "c.yaml")
    jobs = read_policy(tmp_path / "c.yaml").workload.load(queue).jobs
    assert tuple(jobs) == tuple(result.counterexample.run.jobs)
    assert jobs[0].demand == {G5: 2, P5: 1}


def test_the_file_says_what_it_is_and_holds_one_job_a_line(tmp_path):
    read = policy("[{share: QS2, reclaimed_within: 10s}]", timing=TIMING, queue="training")
    result = searched(RESERVED, read)
    write_replay(read, result.counterexample, tmp_path / "c.yaml")
    lines = (tmp_path / "c.yaml").read_text().splitlines()
    assert lines[0].startswith("# A counterexample, found by quota-shares search")
    assert 'description: "Counterexample: share QS2: every reclaim <= 10s, but it comes to 20s"' in lines
    assert 'queue: "training"' in lines
    assert len([line for line in lines if line.startswith("  - {id: ")]) == len(result.counterexample.jobs)


def test_defaults_are_not_written():
    read = policy("[{share: QS1, preemptions: 0}]")
    found = searched(RESERVED, read).counterexample
    assert set(replay_data(read, found)) == {"description", "workload", "under", "expect"}


@pytest.mark.parametrize(
    "row",
    [
        {"share": "QS1", "wait": {"every": "<= 5m", "min": "< 1s", "mean": ">= 2s", "p50": "== 1.5s"}},
        {"class": {"a": "b"}, "turnaround": {"p90": "<= 100h", "p99": "> 0s", "max": "<= 7d"}},
        {"unit": G5, "slowdown": {"p95": "<= 1.125"}, "starvation": "<= 90s"},
        {"reclaimed_within": {"every": "<= 1m", "mean": "<= 250ms"}},
        {"preemptions": {"total": 0, "cross_share": "<= 2", "in_share": "< 3", "caused": ">= 1", "max": "== 4"}},
        {"thrash": "<= 7", "lost_work": {"total": "<= 1h", "p95": "<= 1h", "max": 0}},
        {"disruption_ratio": "<= 0.05%", "utilization": ">= 33.333333%", "never_schedulable": 0},
        {"share": "QS3", "idle_reserved": "== 100%"},
        {"finished": "all"},
        {"finished": ">= 99.9%"},
        {"finished": 20},
    ],
)
def test_a_claim_written_down_reads_back_the_same(row):
    claims = policy_from_data({"workload": {"jobs": []}, "expect": [row]}).claims
    assert claims
    for claim in claims:
        again = policy_from_data({"workload": {"jobs": []}, "expect": [claim_row(claim)]}).claims
        assert [(one.subject, one.measure, one.part, one.bound) for one in again] == [
            (claim.subject, claim.measure, claim.part, claim.bound)
        ]


def test_a_ratio_keeps_every_decimal():
    (claim,) = policy_from_data({"workload": {"jobs": []}, "expect": [{"utilization": ">= 12.3456789012%"}]}).claims
    assert claim.bound.limit == Fraction(123456789012, 10**12)
    assert claim_row(claim) == {"utilization": ">= 12.3456789012%"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("c.txt", "the ending '.txt' names no form of policy file; end the name in .yaml, .yml, .json"),
        ("nowhere/c.yaml", "there is no folder"),
    ],
)
def test_a_file_that_cannot_be_written_is_bad_input(tmp_path, name, message):
    read = policy("[{share: QS1, preemptions: 0}]")
    with pytest.raises(InputError) as caught:
        write_replay(read, searched(RESERVED, read).counterexample, tmp_path / name)
    assert message in str(caught.value)
