"""C53: where more work is offered than a unit can do, waits are said to mean nothing, wherever they stand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quota_verifier.cli.main import main

G5, P5 = "ml.g5.xlarge", "ml.p5.48xlarge"
C53 = Path(__file__).parents[3] / "shared" / "cases" / "C53_load.csv"
QUEUE = f"""\
environment: {{{G5}: 10, {P5}: 1}}
shares:
  - {{name: A, limits: {{{G5}: 10, {P5}: 1}}, strategy: LEND}}
"""
CLAIMS = [
    {"wait": {"max": "<= 1h"}},
    {"turnaround": {"p95": "<= 1h"}},
    {"slowdown": {"mean": "<= 9"}},
    {"starvation": "<= 1h"},
    {"unit": P5, "wait": "<= 0s"},
    {"preemptions": 0},
    {"finished": "all"},
    {"utilization": ">= 10%"},
]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A unit that is offered 133 % of its capacity for 2000 s, as in C53, and one that is offered little."""
    jobs = [{"id": f"j{n}", "share": "A", "submit": n * 100, "work": 266, "demand": {G5: 5}} for n in range(20)]
    jobs += [{"id": f"p{n}", "share": "A", "submit": n * 900, "work": 10, "demand": {P5: 1}} for n in range(2)]
    (tmp_path / "queue.yaml").write_text(QUEUE, encoding="utf-8")
    (tmp_path / "jobs.json").write_text(json.dumps({"jobs": jobs}), encoding="utf-8")
    policy = {"workload": {"file": "jobs.json"}, "expect": CLAIMS, "under": "default"}
    (tmp_path / "policy.yaml").write_text(json.dumps(policy), encoding="utf-8")
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(list(argv)) in (0, 1)
    return capsys.readouterr().out


def test_simulate_marks_every_table_of_waits(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ("simulate", str(files / "queue.yaml"), "--workload", str(files / "jobs.json"))
    text = printed(capsys, *argv)
    assert "Shares (lost work in instance-hours; waits are not meaningful)" in text
    assert "Waits by size (not meaningful)" in text
    (wait,) = (line for line in text.splitlines() if line.startswith("  wait "))
    assert wait.endswith("(not meaningful)")
    assert f"Waits are not meaningful: {G5} is offered 1" in text
    load = json.loads(printed(capsys, *argv, "--json"))["offered_load"]
    assert load["waits_meaningful"] is False
    assert load["by_unit"][G5] > 1 > load["by_unit"][P5]


def test_verify_marks_claims_on_how_long_jobs_of_the_unit_take(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ("verify", str(files / "queue.yaml"), "--policy", str(files / "policy.yaml"))
    (policy,) = json.loads(printed(capsys, *argv, "--json"))["policies"]
    assert [claim["meaningful"] for claim in policy["claims"]] == [False] * 4 + [True] * 4
    assert any(warning.startswith(f"{G5} is offered 1") for warning in policy["warnings"])
    lines = [line.strip() for line in printed(capsys, *argv).splitlines()]
    note = f"not meaningful: more work is offered to {G5} than it can do"
    assert lines.count(note) == 4
    assert "wait max <= 1h" in lines[lines.index(note) - 1]


def test_a_load_below_1_marks_nothing(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    queue = files / "queue.yaml"
    queue.write_text(QUEUE.replace(f"{G5}: 10", f"{G5}: 20"), encoding="utf-8")
    text = printed(capsys, "simulate", str(queue), "--workload", str(files / "jobs.json"))
    assert "not meaningful" not in text
    argv = ("verify", str(queue), "--policy", str(files / "policy.yaml"))
    (policy,) = json.loads(printed(capsys, *argv, "--json"))["policies"]
    assert all(claim["meaningful"] for claim in policy["claims"])
    assert "not meaningful" not in printed(capsys, *argv)


@pytest.mark.skipif(not C53.exists(), reason="needs ../shared/cases, which is not part of the repository")
def test_the_file_of_c53_is_flagged_and_its_waits_marked(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    columns = ("--columns", "id=job", "submit=submit", "work=runtime", "instances=n", "--shares", "*=A", "--unit", G5)
    argv = ("simulate", str(files / "queue.yaml"), "--workload", str(C53), *columns)
    load = json.loads(printed(capsys, *argv, "--json"))["offered_load"]
    assert (load["by_unit"][G5], load["waits_meaningful"]) == (1.33, False)
    assert f"{G5} is offered 133 % of its capacity" in printed(capsys, *argv)
