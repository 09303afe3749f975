"""The published JSON schema of policy files."""

from __future__ import annotations

import json

import pytest
import yaml
from jsonschema import Draft202012Validator
from policy_helpers import ROOT

from quota_verifier.policy.schema import policy_file_schema, schema_text

PUBLISHED = ROOT / "docs" / "schemas" / "policy-file.schema.json"
VALIDATOR = Draft202012Validator(policy_file_schema())
REWRITE = "python tools/refresh_docs.py"


def wrong(claim: str = "{preemptions: 0}", rest: str = "") -> list[str]:
    text = f"workload: {{jobs: []}}\nexpect: [{claim}]\n{rest}"
    return [error.message for error in VALIDATOR.iter_errors(yaml.safe_load(text))]


def test_the_published_schema_is_current():
    assert PUBLISHED.read_text(encoding="utf-8") == schema_text(), f"rewrite it: {REWRITE}"


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(json.loads(schema_text()))


@pytest.mark.parametrize("file", sorted((ROOT / "policies").glob("*.yaml")), ids=lambda file: file.name)
def test_the_policies_of_the_demo_keep_to_the_schema(file):
    data = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert not [error.message for error in VALIDATOR.iter_errors(data)]


@pytest.mark.parametrize(
    ("claim", "rest"),
    [
        ("{share: QS3, wait: {p95: <= 5m}, preemptions: 0}", "timing: {startup: 3m, stop: {default: 20s}}"),
        ("{class: urgent, wait: <= 5m}", "assume: {A1: skip}"),
        ("{class: {team: x}, lost_work: {total: <= 1h, max: <= 2h}}", "under: all"),
        ("{share: QS2, reclaimed_within: 1m}", "until: 2d"),
        ("{job: med, preempted_by: qs2j}", "description: one job"),
        ("{at: 10s, running: [high], waiting: []}", "queue: training"),
        ("{finished: all}", ""),
        ("{finished: 12}", ""),
    ],
)
def test_the_schema_takes_what_the_reader_takes(claim, rest):
    assert not wrong(claim, rest)


@pytest.mark.parametrize(
    ("claim", "rest"),
    [
        ("{shar: QS3, preemptions: 0}", ""),
        ("{share: QS3, wait: {p96: <= 5m}}", ""),
        ("{job: a, state: RUNING}", ""),
        ("{preemptions: 0}", "under: some"),
        ("{preemptions: 0}", "assume: {A1: skipp}"),
        ("{preemptions: 0}", "timing: {stop: soon}"),
    ],
)
def test_an_editor_sees_mistakes_by_the_schema(claim, rest):
    assert wrong(claim, rest)


@pytest.mark.parametrize("workload", [{}, {"file": "x", "trace": {"file": "y"}}])
def test_the_schema_knows_that_a_policy_has_one_workload(workload):
    assert not VALIDATOR.is_valid({"workload": workload, "expect": [{"preemptions": 0}]})
