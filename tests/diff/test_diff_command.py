"""`quota-shares diff` as users run it: exit codes, forms of output, and one line for every mistake."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from quota_verifier.cli.main import main

ROOT = Path(__file__).parents[2]
PAIRS = ROOT / "tests" / "fixtures" / "diff"
INSTALLED = str(Path(sys.executable).with_name("quota-shares"))

WORKLOAD = """\
jobs:
  - {id: r1, share: vision, work: 1h, instances: 2}
  - {id: r2, share: vision, work: 1h, instances: 2}
  - {id: s1, share: speech, submit: 20m, work: 30m, instances: 2}
"""
POLICY = """\
workload: {file: workload.yaml}
timing: {stop: 20s}
until: 90m
expect: [{share: vision, preemptions: 0}]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    for path in PAIRS.glob("*.yaml"):
        (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "workload.yaml").write_text(WORKLOAD)
    (tmp_path / "policy.yaml").write_text(POLICY)
    (tmp_path / "absent.yaml").write_text(
        "workload: {trace: {file: gone.csv, format: csv, optional: true}}\nexpect: [{preemptions: 0}]\n"
    )
    (tmp_path / "queue.yaml").write_text(
        "environment: {ml.g5.xlarge: 4}\nshares: [{name: vision, limits: {ml.g5.xlarge: 4}, strategy: RESERVE}]\n"
    )
    (tmp_path / "lowered.yaml").write_text(
        "environment: {ml.g5.xlarge: 4}\nshares: [{name: vision, limits: {ml.g5.xlarge: 2}, strategy: RESERVE}]\n"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def called(capsys, *argv):
    code = main(["diff", *argv])
    return code, *capsys.readouterr()


TRIED = ("base.yaml", "limit_lowered.yaml", "--workload", "workload.yaml")


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("base.yaml", "tags.yaml"), 0),
        (("base.yaml", "queue_type.yaml"), 0),
        (("named.yaml", "named_queue_type.yaml"), 1),
        (("base.yaml", "share_id_renamed.yaml", "--workload", "workload.yaml"), 1),
        (TRIED, 0),
        ((*TRIED, "--at", "10m"), 0),
        (("queue.yaml", "lowered.yaml"), 0),
    ],
)
def test_an_error_exits_1_and_anything_else_0(capsys, argv, code):
    done = subprocess.run([INSTALLED, "diff", *argv], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, "")
    assert done.stdout
    for form in ("--json", "--markdown"):
        assert called(capsys, *argv, form)[::2] == (code, "")


def test_a_queue_file_has_a_change_too(capsys):
    """C17: what-if questions without any template."""
    _, out, _ = called(capsys, "queue.yaml", "lowered.yaml", "--json")
    (first, second) = json.loads(out)["findings"]
    assert (first["rule"], first["logical_id"], first["line"]) == ("W9404", "vision", 2)
    assert "2 instances of running work become preemptible" in first["message"]
    assert second["rule"] == "W9405"


def test_the_end_of_the_text_counts_the_findings(capsys):
    _, out, _ = called(capsys, "base.yaml", "limit_lowered.yaml")
    assert out.endswith("\n2 warnings\n")
    _, out, _ = called(capsys, "base.yaml", "tags.yaml")
    assert out.endswith("\nnothing found\n")


def test_a_policy_brings_its_workload_timing_and_horizon(capsys):
    code, out, _ = called(capsys, "base.yaml", "limit_lowered.yaml", "--policy", "policy.yaml", "--at", "10m", "--json")
    tried = json.loads(out)["experiment"]
    assert (code, tried["timing"]["stop"], tried["until"], tried["old"]["end"]) == (0, 20.0, 5400.0, 5400.0)
    assert [one["at"] for one in tried["changed"]["preemptions"]] == []
    assert tried["changed"]["at"] == 600.0


def test_assumptions_add_to_those_of_the_policy(capsys):
    argv = ("base.yaml", "limit_lowered.yaml", "--policy", "policy.yaml", "--assume", "A1=skip", "--json")
    assert json.loads(called(capsys, *argv)[1])["experiment"]["assumptions"]["A1"] == "skip"


def test_a_trace_is_read_as_for_simulate(capsys):
    Path("jobs.csv").write_text("id,share,submit,work,instances\na,v,0,3600,2\n")
    argv = ("base.yaml", "limit_lowered.yaml", "--workload", "jobs.csv", "--format", "csv")
    code, out, err = called(capsys, *argv, "--map", "v=vision", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["experiment"]["old"]["shares"]["vision"]["jobs"] == 1


def test_a_parameter_is_for_the_sides_that_declare_it(capsys):
    code, out, _ = called(capsys, "base.yaml", "parameter.yaml", "--param", "Most=4", "--json")
    assert (code, json.loads(out)["findings"], json.loads(out)["not_checked"]) == (0, [], [])
    argv = ("parameter.yaml", "parameter.yaml", "--old-param", "Most=4", "--new-param", "Most=2", "--json")
    assert [one["rule"] for one in json.loads(called(capsys, *argv)[1])["findings"]] == ["W9404", "W9405"]
    argv = ("parameter.yaml", "parameter.yaml", "--param", "Most=4", "--new-param", "Most=2", "--json")
    assert [one["rule"] for one in json.loads(called(capsys, *argv)[1])["findings"]] == ["W9404", "W9405"]


MISTAKES = [
    (("base.yaml",), "quota-shares diff: the following arguments are required: NEW; usage: quota-shares diff OLD NEW"),
    (("base.yaml", "gone.yaml"), "gone.yaml: no such file"),
    (("gone.yaml", "base.yaml"), "gone.yaml: no such file"),
    (("base.yaml", "queue.yaml"), "diff: base.yaml is a template and queue.yaml a queue file; compare two queue files"),
    (("base.yaml", "tags.yaml", "--json", "--markdown"), "--markdown: --json and --markdown; give one of the two"),
    ((*TRIED, "--policy", "policy.yaml"), "--policy: --workload and --policy; give one of the two"),
    (("base.yaml", "tags.yaml", "--at", "1h"), "--at: there is nothing to run; give --workload or --policy"),
    (("base.yaml", "tags.yaml", "--queue", "Q"), "--queue: there is nothing to run; give --workload or --policy"),
    ((*TRIED, "--at", "soon"), "quota-shares diff: --at: 'soon' is not a duration"),
    ((*TRIED, "--at", "2h", "--until", "1h"), "--at: is after the end of the run; change an instant before --until"),
    (
        ("base.yaml", "tags.yaml", "--policy", "policy.yaml", "--at", "2h"),
        "--at: is after the end of the run; change an instant before",
    ),
    (
        ("base.yaml", "tags.yaml", "--policy", "policy.yaml", "--stop", "1m"),
        "--stop: the policy file says it; change the policy file",
    ),
    (
        ("base.yaml", "tags.yaml", "--policy", "policy.yaml", "--unit", "ml.g5.xlarge"),
        "policy.yaml: the policy file says how its workload is read; change it there",
    ),
    (("base.yaml", "tags.yaml", "--policy", "absent.yaml"), "absent.yaml: there is no gone.csv; fetch the trace"),
    ((*TRIED, "--queue", "Quee"), "base.yaml: no quota-managed job queue is called 'Quee'; did you mean 'Queue'?"),
    (
        ("base.yaml", "tags.yaml", "--workload", "policy.yaml"),
        "policy.yaml",
    ),
    (
        ("base.yaml", "parameter.yaml", "--param", "Moost=4"),
        "parameter.yaml: --param Moost: neither side has such a parameter; did you mean 'Most'?",
    ),
    (("base.yaml", "parameter.yaml", "--old-param", "Most=4"), "base.yaml: --param Most: the template has no such"),
    (
        ("base.yaml", "parameter.yaml", "--workload", "workload.yaml"),
        "parameter.yaml:47: Vision (share 'vision'), CapacityLimits[0].MaxCapacity: depends on parameter Most",
    ),
]


@pytest.mark.parametrize(
    ("argv", "text"), MISTAKES, ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)
def test_a_mistake_gives_one_line_and_exit_code_2(capsys, argv, text):
    code, out, err = called(capsys, *argv)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {text}")
    assert err.count("\n") == 1


def test_a_job_of_an_unknown_share_is_a_mistake_of_the_workload(capsys):
    Path("workload.yaml").write_text("jobs:\n  - {id: a, share: visin, work: 1h, instances: 1}\n")
    code, _, err = called(capsys, *TRIED)
    assert code == 2
    assert "the queue has no share 'visin'; known are research, speech, vision" in err


@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_output_does_not_depend_on_the_hash_seed(seed):
    command = [INSTALLED, "diff", *TRIED, "--at", "10m", "--markdown"]
    outputs = {
        subprocess.run(command, capture_output=True, env={"PYTHONHASHSEED": one}, check=True).stdout
        for one in (seed, "12345")
    }
    assert len(outputs) == 1


ODD = sorted((ROOT / "tests" / "fixtures" / "templates").glob("*/*.*"))


@pytest.mark.parametrize("path", ODD, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_whatever_can_be_parsed_is_compared_and_never_ends_in_a_traceback(capsys, path):
    for sides in ((str(path), "base.yaml"), ("base.yaml", str(path))):
        code, out, err = called(capsys, *sides, "--markdown")
        assert code in (0, 1) if not err else code == 2, err
        assert err.count("\n") <= 1
        assert bool(out) is (code != 2)
