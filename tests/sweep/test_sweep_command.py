"""`quota-shares sweep` as users run it."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sweep_helpers import FIXED, G5, GENERATED

from quota_verifier.cli.main import main
from quota_verifier.errors import InputError

INSTALLED = str(Path(sys.executable).with_name("quota-shares"))
QUEUE_FILE = """
environment: {ml.g5.xlarge: 4}
shares:
  - {name: A, limits: {ml.g5.xlarge: 2}, strategy: LEND_AND_BORROW, borrow_limit: 100}
  - {name: B, limits: {ml.g5.xlarge: 2}, strategy: LEND}
"""
SWEEP_FILE = """
description: How far may A borrow
grid: {shares.A.borrow_limit: [0, 50]}
variants: [{name: all apart, set: {shares.A.strategy: RESERVE, shares.B.strategy: RESERVE}}]
seeds: 3
objectives: [margin, wait_p95.A]
"""
BASE = ("sweep", "queue.yaml", "--policy", "policy.yaml")
SET = ("--set", "shares.A.borrow_limit=0,100")
HERE = ("--workers", "1")


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("queue.yaml", QUEUE_FILE),
        ("policy.yaml", GENERATED),
        ("fixed.yaml", FIXED),
        ("strict.yaml", GENERATED.replace("<= 90m", "<= 1s")),
        ("sweep.yaml", SWEEP_FILE),
        ("long.yaml", GENERATED.replace("duration: 8h", "duration: 30d")),
        ("hopeless.yaml", GENERATED.replace("{share: A, wait: {p95: <= 90m}}", "{utilization: '> 100%'}")),
    ):
        Path(name).write_text(text)


def called(capsys, *argv: str):
    code = main(argv)
    return code, *capsys.readouterr()


def test_a_variant_that_meets_the_policies_exits_0(capsys):
    code, out, err = called(capsys, *BASE, *SET, *HERE)
    assert (code, err) == (0, "")
    assert out.startswith("queue.yaml\n  policies     policy.yaml: generated with 10 seeds, 1 to 10\n")


def test_where_none_meets_them_the_exit_code_is_1(capsys):
    code, out, _ = called(capsys, "sweep", "queue.yaml", "--policy", "strict.yaml", *SET, *HERE, "--seeds", "2")
    assert code == 1
    assert "0 of 3 variants meet the policies; Pareto front among all: " in out


def test_a_sweep_file_says_what_to_try_and_the_command_line_adds_to_it(capsys):
    code, out, _ = called(capsys, *BASE, "--sweep", "sweep.yaml", *HERE, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["description"] == "How far may A borrow"
    assert [variant["name"] for variant in found["variants"]] == [
        "baseline",
        "A.borrow_limit=0",
        "A.borrow_limit=50",
        "all apart",
    ]
    assert found["policies"] == [{"file": "policy.yaml", "description": "", "seeds": [1, 2, 3]}]
    assert [what["name"] for what in found["objectives"]] == ["margin", "wait_p95.A"]
    added = ("--set", f"environment.{G5}=4,6", "--seeds", "7,5", "--objective", "capacity")
    _, out, _ = called(capsys, *BASE, "--sweep", "sweep.yaml", *HERE, "--json", *added)
    found = json.loads(out)
    assert [variant["name"] for variant in found["variants"]][1:3] == [
        f"A.borrow_limit=0, {G5}=4",
        f"A.borrow_limit=0, {G5}=6",
    ]
    assert (found["policies"][0]["seeds"], found["objectives"][0]["name"]) == ([7, 5], "capacity")


def test_values_on_the_command_line_read_as_in_a_file(capsys):
    values = ("--set", "shares.A.borrow_limit=null,-1,5", "--set", "shares.A.in_share_preemption=true")
    _, out, _ = called(capsys, *BASE, *values, *HERE, "--json", "--seeds", "1")
    assert [list(variant["settings"].values()) for variant in json.loads(out)["variants"]] == [
        [],
        [None, True],
        [-1, True],
        [5, True],
    ]


def test_jobs_that_are_what_they_are_have_one_run(capsys):
    _, out, _ = called(capsys, "sweep", "queue.yaml", "--policy", "fixed.yaml", "policy.yaml", *SET, *HERE, "--json")
    found = json.loads(out)
    assert [policy["seeds"] for policy in found["policies"]] == [[], list(range(1, 11))]
    assert found["variants"][0]["total"] == 11


def test_the_smallest_capacity_comes_with_its_shares(capsys):
    code, out, err = called(capsys, *BASE, "--smallest", *HERE, "--seeds", "2", "--json")
    (found,) = json.loads(out)["smallest"]
    assert (code, err) == (0, "")
    assert found["certain"]
    assert sum(limits[G5] for limits in found["limits"].values()) == found["capacity"]
    assert [row["why"] is None for row in found["tried"]] == [False] * (len(found["tried"]) - 1) + [True]


def test_where_no_capacity_is_enough_the_exit_code_is_1(capsys):
    argv = ("sweep", "queue.yaml", "--policy", "strict.yaml", "--smallest", *HERE, "--seeds", "1", "--at-most", "3")
    code, out, _ = called(capsys, *argv)
    assert code == 1
    assert "baseline: 2 to 3 fail; 3 fails by share A: wait p95 <= 1s: " in " ".join(out.split())


def test_a_file_that_was_written_saves_the_runs_that_it_holds(capsys):
    _, whole, _ = called(capsys, *BASE, *SET, *HERE, "--json", "--seeds", "4")
    called(capsys, *BASE, *SET, *HERE, "--seeds", "2", "--out", "some.json")
    before = json.loads(Path("some.json").read_text())["results"]
    _, again, _ = called(capsys, *BASE, *SET, *HERE, "--seeds", "4", "--resume", "some.json", "--json")
    assert again == whole
    assert {row["key"] for row in before} < {row["key"] for row in json.loads(whole)["results"]}


def test_files_are_written_beside_the_report(capsys):
    pytest.importorskip("matplotlib", reason="the extra `report` is not installed")
    files = ("--out", "s.json", "--csv", "s.csv", "--plot", "s.svg")
    _, out, _ = called(capsys, *BASE, *SET, *HERE, "--seeds", "2", *files, "--json")
    assert Path("s.json").read_text() == out
    assert Path("s.csv").read_text().startswith("variant,shares.A.borrow_limit,done,total,meets,on_front,capacity,")
    assert Path("s.svg").read_text().startswith("<?xml")
    assert sorted(path.name for path in Path().iterdir() if path.name.startswith((".", "s."))) == [
        "s.csv",
        "s.json",
        "s.svg",
    ]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ((), "quota-shares sweep: no variant to try; add --sweep FILE, --set KEY=VALUES or --smallest"),
        (("--set", "x"), "quota-shares sweep: --set: 'x' is not KEY=VALUES; write shares.QS1.borrow_limit=0,100,200"),
        (("--set", "a=1,,2"), "quota-shares sweep: --set: 'a=1,,2' is not KEY=VALUES; write shares.QS1.borrow_limit"),
        (("--set", "shares.A.borow_limit=1"), "--set: a share has no property 'borow_limit'; did you mean"),
        ((*SET, *SET), "--set: 'shares.A.borrow_limit' is given twice; give all its values at once"),
        ((*SET, "--seeds", "x"), "quota-shares sweep: --seeds: 'x' is neither a number of seeds nor a list; "),
        ((*SET, "--seeds", "0"), "quota-shares sweep: --seeds: 0 is below 1; write 1 or more"),
        ((*SET, "--objective", "wait"), "--objective: there is no objective 'wait'; did you mean"),
        ((*SET, "--vary", "x"), "--vary: goes with --smallest; add --smallest"),
        ((*SET, "--bisect"), "--bisect: goes with --smallest; add --smallest"),
        ((*SET, "--at-most", "4"), "--at-most: goes with --smallest; add --smallest"),
        (("--smallest", "--at-most", "1"), "--at-most: 1 is below 2, the least that is legal; write 2 or more"),
        (
            ("--smallest", "--vary", f"environment.{G5}", "--set", f"environment.{G5}=3"),
            f"--vary: variant '{G5}=3' sets environment.{G5}, which --smallest is to find; ",
        ),
        ((*SET, "--out", "nowhere/s.json"), "--out: nowhere/s.json: no such directory; make it first"),
        ((*SET, "--csv", "."), "--csv: . is a directory; name a file in it"),
        ((*SET, "--plot", "s.gif"), "--plot: s.gif is no picture; end it in .svg, .png, .pdf"),
        ((*SET, "--resume", "queue.yaml"), "queue.yaml: this is no document of a sweep; "),
        ((*SET, "--workers", "0"), "quota-shares sweep: --workers: '0' is not a whole number of 1 or more; "),
        ((*SET, "--workers", "2", "--dask", "tcp://127.0.0.1:1"), "--workers: the cluster has its own workers; "),
        ((*SET, "--sweep", "policy.yaml"), "policy.yaml:2: workload: unknown key 'workload'; "),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(capsys, argv, message):
    code, out, err = called(capsys, *BASE, *argv)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1


def test_policies_of_different_queues_need_a_choice(capsys):
    for name in ("one", "two"):
        Path(f"{name}.yaml").write_text(f"queue: {name}\n{FIXED}")
    code, _, err = called(capsys, "sweep", "queue.yaml", "--policy", "one.yaml", "two.yaml", *SET)
    assert (code, err) == (
        2,
        "error: quota-shares sweep: the policies are about different queues: one, two; "
        "sweep one queue at a time, or choose one with --queue\n",
    )


def test_the_objectives_of_a_file_are_named_with_it(capsys):
    Path("sweep.yaml").write_text(SWEEP_FILE.replace("wait_p95.A", "wait_p95.C"))
    _, _, err = called(capsys, *BASE, "--sweep", "sweep.yaml")
    assert err == "error: sweep.yaml: objectives: 'wait_p95.C': the queue has no share 'C'; known are A, B\n"


def interrupted(*argv: str) -> tuple[int, str, str]:
    """The outcome of a command that gets Ctrl-C, as a terminal sends it, once its progress bar shows."""
    master, slave = pty.openpty()
    command = subprocess.Popen(
        [INSTALLED, *argv], stdout=subprocess.PIPE, stderr=slave, text=True, start_new_session=True
    )
    os.close(slave)
    told = ""
    while "simulating" not in told:
        told += os.read(master, 1_000).decode()
    os.killpg(command.pid, signal.SIGINT)
    out, _ = command.communicate(timeout=20)
    try:
        while more := os.read(master, 1_000).decode():
            told += more
    except OSError:  # how Linux says that nobody can write to it any more
        os.close(master)
    return command.returncode, out, told


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_reports_and_keeps_what_is_finished(capsys, workers):
    argv = ("sweep", "queue.yaml", "--policy", "long.yaml", *SET, "--seeds", "20")
    code, out, err = interrupted(*argv, "--workers", workers, "--out", "part.json")
    assert code == 130
    assert "Traceback" not in err
    assert "INTERRUPTED: " in out
    part = json.loads(Path("part.json").read_text())
    assert part["complete"] is False
    assert 0 < len(part["results"]) < 40
    first = (*argv[:-1], "1", *HERE, "--json")
    documents = [json.loads(called(capsys, *first, *rest)[1]) for rest in ((), ("--resume", "part.json"))]
    assert documents[0]["variants"] == documents[1]["variants"]
    assert any(row in part["results"] for row in documents[0]["results"])


def test_ctrl_c_during_a_search_says_what_is_excluded():
    endless = ("--smallest", "--at-most", "5000", *HERE, "--json")
    code, out, err = interrupted("sweep", "queue.yaml", "--policy", "hopeless.yaml", *endless)
    found = json.loads(out)
    assert (code, "Traceback" in err, found["complete"]) == (130, False, False)
    assert [variant["name"] for variant in found["variants"]] == ["baseline"]
    assert found["smallest"][0]["finished"] is False
    assert found["smallest"][0]["tried"][0]["capacity"] == 2


def test_what_was_finished_is_written_whatever_goes_wrong(capsys, monkeypatch):
    def lost(self, units, results, progress=None):
        raise InputError("the worker died twice", source="variant 'a'")

    monkeypatch.setattr("quota_verifier.sweep.executors.Workers.run", lost)
    code, out, err = called(capsys, *BASE, *SET, *HERE, "--out", "part.json")
    assert (code, out, err) == (2, "", "error: variant 'a': the worker died twice\n")
    assert json.loads(Path("part.json").read_text())["complete"] is False
