"""`quota-shares search` as people run it: exit codes, output, mistakes, the page and the example."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator
from search_worlds import RESERVED, THREE, policy, searched

from quota_verifier.cli.main import main
from quota_verifier.policy import policy_from_data, read_policy, verify
from quota_verifier.policy.schema import policy_file_schema
from quota_verifier.report.schemas import document_schema
from quota_verifier.report.search_document import search_document
from quota_verifier.search import Limits, search
from quota_verifier.search.derive import RULES
from quota_verifier.search.read_envelope import envelope_of
from quota_verifier.search.shrink_steps import STEPS
from quota_verifier.workload.envelope_spec import EnvelopeClass, EnvelopeSpec

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "search"
PAGE = (ROOT / "docs" / "search.md").read_text(encoding="utf-8")
POLICY = """\
description: What QS2 may expect
workload: {{jobs: [{{id: own, share: QS1, work: 1h, instances: 1}}]}}
envelope: {{classes: [{{name: a, share: QS1, work: 1h}}, {{name: b, share: QS2, work: 1h}}]}}
expect: [{claim}]
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "queue.yaml").write_text((EXAMPLE / "queue.yaml").read_text())
    (tmp_path / "broken.yaml").write_text(POLICY.format(claim="{share: QS1, preemptions: 0}"))
    (tmp_path / "kept.yaml").write_text(POLICY.format(claim="{share: QS2, preemptions: 0}"))
    (tmp_path / "jobs.yaml").write_text("workload: {jobs: []}\nexpect: [{preemptions: 0}]\n")


def ran(capsys, *argv: str) -> tuple[int, str, str]:
    code = main(("search", "queue.yaml", *argv))
    return (code, *capsys.readouterr())


def test_a_counterexample_exits_1_and_is_shown_as_jobs_and_timeline(capsys):
    code, out, err = ran(capsys, "--policy", "broken.yaml", "--out", "found.yaml")
    assert (code, err) == (1, "")
    assert "  BROKEN  " in out
    assert re.search(r"^  b-1 +QS2 +1m +1h +1 +0$", out, re.M)
    assert "preempted to make room for b-1 (QS2)" in out
    assert "judge it again: quota-shares verify queue.yaml --policy found.yaml" in out
    assert main(("verify", "queue.yaml", "--policy", "found.yaml")) == 1


def test_none_found_exits_0_says_that_it_is_no_proof_and_writes_no_file(capsys):
    code, out, err = ran(capsys, "--policy", "kept.yaml", "--tries", "30", "--out", "found.yaml")
    assert (code, err) == (0, "")
    last = r"none found in 30 workloads under 18 assumption profiles \(\d+ simulations\); this is no proof$"
    assert re.search(last, " ".join(out.split()))
    assert "Not searched\n  - " in out
    assert not Path("found.yaml").exists()


@pytest.mark.parametrize("name", ["broken", "kept"])
def test_json_is_one_document_as_its_schema_says(capsys, name):
    code, out, err = ran(capsys, "--policy", f"{name}.yaml", "--tries", "60", "--json")
    assert (code, err) == (int(name == "broken"), "")
    document = json.loads(out)
    Draft202012Validator(closed(document_schema("search"))).validate(document)
    assert (document["source"], document["policy"], document["seconds"]) == ("queue.yaml", f"{name}.yaml", None)
    assert (document["counterexample"] is None) is (name == "kept")


def closed(schema):
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: closed(part) for key, part in schema.items()}
    return {"additionalProperties": False, **parts} if "properties" in parts else parts


def test_every_kind_of_document_is_as_its_schema_says():
    validator = Draft202012Validator(closed(document_schema("search")))
    several = "[{share: QS3, preemptions: 0}, {share: QS3, wait: <= 99h}, {job: own, starts: 0s}, {lost_work: 0}]"
    for result in (
        searched(RESERVED, policy(several, jobs=9)),
        searched(RESERVED, policy("[{share: QS2, wait: <= 1s}]"), tries=40),
        search(EXAMPLE / "queue.yaml", EXAMPLE / "urgent.yaml", limits=Limits(tries=5)),
    ):
        validator.validate(json.loads(json.dumps(search_document(result, "q.yaml", "c.yaml"))))


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ((), "the following arguments are required: --policy"),
        (("--policy", "nowhere.yaml"), "nowhere.yaml: no such file"),
        (("--policy", "jobs.yaml"), "it has neither `envelope` nor `generate`; write an `envelope` section"),
        (("--policy", "kept.yaml", "--tries", "0"), "--tries: '0' is not a whole number of 1 or more"),
        (("--policy", "kept.yaml", "--jobs", "few"), "--jobs: 'few' is not a whole number of 1 or more"),
        (("--policy", "kept.yaml", "--seconds", "0"), "--seconds: '0' is not a number of seconds above 0"),
        (("--policy", "kept.yaml", "--seconds", "nan"), "--seconds: 'nan' is not a number of seconds above 0"),
        (("--policy", "kept.yaml", "--seed", "-1"), "'-1' is not a whole number"),
        (("--policy", "kept.yaml", "--claim", "QS9"), "--claim: no claim is called 'QS9'"),
        (("--policy", "kept.yaml", "--assume", "A1=maybe"), "cannot be 'maybe'"),
        (("--policy", "kept.yaml", "--out", "found.csv"), "the ending '.csv' names no form of policy file"),
        (("--policy", "kept.yaml", "--out", "no/found.yaml"), "there is no folder 'no'"),
    ],
)
def test_a_mistake_is_one_line_and_exits_2(capsys, argv, message):
    code, out, err = ran(capsys, *argv)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_the_command_that_replays_names_the_queue_and_its_parameters(capsys):
    template = ROOT / "tests" / "fixtures" / "templates" / "good" / "demo_parameters.yaml"
    Path("a b.yaml").write_text(template.read_text())
    chosen = ("--queue", "Queue", "--param", "Total=4")
    assert main(("search", "a b.yaml", *chosen, "--policy", "broken.yaml", "--out", "my file.yaml")) == 1
    said = "quota-shares verify 'a b.yaml' --queue Queue --param Total=4 --policy 'my file.yaml'"
    assert f"judge it again: {said}\n" in capsys.readouterr().out
    assert main(("verify", "a b.yaml", *chosen, "--policy", "my file.yaml")) == 1


def test_a_command_without_tries_is_bounded_by_30_seconds(capsys):
    _, out, _ = ran(capsys, "--policy", "broken.yaml", "--json")
    assert [json.loads(out)[key] for key in ("tries", "seconds")] == [1200, 30.0]


def test_the_example_s_counterexample_is_what_the_command_writes(capsys, tmp_path):
    argv = (str(EXAMPLE / "queue.yaml"), "--policy", str(EXAMPLE / "policy.yaml"), "--out", "found.yaml")
    assert main(("search", *argv)) == 1
    capsys.readouterr()
    assert (tmp_path / "found.yaml").read_text() == (EXAMPLE / "counterexample.yaml").read_text()


def test_the_policies_of_the_example_hold_of_their_own_workloads():
    assert verify(EXAMPLE / "queue.yaml", [EXAMPLE / "policy.yaml", EXAMPLE / "urgent.yaml"]).ok


@pytest.mark.parametrize("example", re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
def test_an_example_of_the_page_is_an_envelope_whose_policy_holds(example):
    data = yaml.safe_load(example)
    assert not list(Draft202012Validator(policy_file_schema()).iter_errors(data))
    read = policy_from_data(data)
    assert len(envelope_of(read, RESERVED).kinds) == 3
    assert verify(RESERVED, read).ok
    assert searched(RESERVED, read, tries=20).counterexample is None


@pytest.mark.parametrize("name", [*EnvelopeSpec.model_fields, *EnvelopeClass.model_fields])
def test_the_page_names_every_key_of_an_envelope(name):
    assert f"`{name}`" in PAGE


def test_the_page_has_every_step_of_shrinking():
    page = " ".join(PAGE.split())
    assert [step for step in STEPS if f"- {step}" not in page] == []


def test_the_numbers_of_the_page_are_those_of_the_rules():
    assert "at most 8 in the mean time of 4" in RULES[2]
    assert "at most 8 in the mean time of 4" in PAGE


def test_the_schema_of_policy_files_sees_mistakes_in_an_envelope():
    validator = Draft202012Validator(policy_file_schema())
    rest = {"workload": {"jobs": []}, "expect": [{"preemptions": 0}]}
    good = {"classes": yaml.safe_load(THREE)}
    assert validator.is_valid({**rest, "envelope": good})
    for change in (
        {"work": "soon"},
        {"instances": 0},
        {"at_most": {"jobs": 1}},
        {"priority": {"min": 0}},
        {"share": None},
    ):
        bad = {"classes": [{"name": "a", "share": "QS1", "work": "1h", **change}]}
        assert not validator.is_valid({**rest, "envelope": bad})
    assert read_policy(EXAMPLE / "policy.yaml").envelope is not None
