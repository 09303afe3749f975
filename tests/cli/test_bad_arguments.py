"""Every mistake gives one line on standard error, nothing on standard output, and exit code 2."""

from __future__ import annotations

import pytest
from command_files import called, fill

from quota_verifier.cli.commands import COMMANDS


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(fill(tmp_path))


SIMULATE = ("simulate", "queue.yaml", "--workload", "workload.yaml")
VERIFY_USAGE = "usage: quota-shares verify TEMPLATE --policy FILE... [OPTIONS]"

MISTAKES = [
    ((), "quota-shares: no command given; see quota-shares --help"),
    (("verfy",), "quota-shares: unknown command 'verfy'; did you mean 'verify'?"),
    (("--jsn",), f"quota-shares: unknown option '--jsn'; known are {', '.join(command.name for command in COMMANDS)}"),
    (
        ("show",),
        "quota-shares show: the following arguments are required: TEMPLATE; "
        "usage: quota-shares show TEMPLATE [OPTIONS]",
    ),
    (
        ("show", "queue.yaml", "more.yaml"),
        "quota-shares show: unexpected argument 'more.yaml'; see quota-shares show --help",
    ),
    (("show", "queue.yaml", "--jsn"), "quota-shares show: unknown option --jsn; did you mean '--json'?"),
    (("show", "--js", "queue.yaml"), "quota-shares show: unknown option --js; did you mean '--json'?"),
    (
        ("show", "queue.yaml", "--queue"),
        "quota-shares show: --queue: expected one argument; see quota-shares show --help",
    ),
    (("show", "nowhere.yaml"), "nowhere.yaml: no such file"),
    (("show", "empty.yaml"), "empty.yaml: the file is empty"),
    (("show", "binary.yaml"), "binary.yaml: byte 129 is not UTF-8 text; save it as UTF-8"),
    (
        ("show", "folder"),
        "folder: no *.template.json in this directory; "
        "name a template, or the directory that cdk synth writes (cdk.out)",
    ),
    (
        ("show", "queue.yaml", "--queue", "other"),
        "queue.yaml: no quota-managed job queue is called 'other'; known are queue",
    ),
    (
        ("show", "queue.yaml", "--param", "Size"),
        "quota-shares show: --param: 'Size' is not NAME=VALUE; write the name, an equals sign, and the value",
    ),
    (("show", "queue.yaml", "--param", "A=1", "--param", "A=2"), "--param: 'A' is given twice; give it once"),
    (
        ("show", "queue.yaml", "--assume", "A11=skip"),
        "--assume: unknown assumption 'A11'; one of A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, as in A1=skip",
    ),
    (
        ("show", "queue.yaml", "--assume", "A4=up"),
        "--assume: A4 (a fraction of an instance in a borrow cap) cannot be 'up'; one of floor, ceil",
    ),
    (("verify", "queue.yaml"), f"quota-shares verify: the following arguments are required: --policy; {VERIFY_USAGE}"),
    (
        ("verify", "--policy", "policy.yaml", "queue.yaml"),
        f"quota-shares verify: the following arguments are required: TEMPLATE; {VERIFY_USAGE}",
    ),
    (
        ("verify", "queue.yaml", "--policy"),
        "quota-shares verify: --policy: expected at least one argument; see quota-shares verify --help",
    ),
    (("verify", "queue.yaml", "--policy", "nowhere.yaml"), "nowhere.yaml: no such file"),
    (("verify", "queue.yaml", "--policy", "folder"), "folder: this is a directory; name a file in it"),
    (("verify", "queue.yaml", "--policy", "binary.yaml"), "binary.yaml: byte 129 is not UTF-8 text; save it as UTF-8"),
    (
        ("verify", "queue.yaml", "--policy", "policy.yaml", "--under", "some"),
        "quota-shares verify: --under: 'some' is not known; write one of default, one-at-a-time, all",
    ),
    (
        ("simulate", "queue.yaml"),
        "quota-shares simulate: the following arguments are required: --workload; "
        "usage: quota-shares simulate TEMPLATE --workload FILE [OPTIONS]",
    ),
    (
        ("simulate", "queue.yaml", "--workload", "folder"),
        "folder: the name has no ending; "
        "name the format: json, yaml, csv, philly, philly-json, swf, helios, "
        "acme, alibaba-pods, alibaba-spot, slurm, service-jobs",
    ),
    (
        ("simulate", "queue.yaml", "--workload", "folder", "--format", "yaml"),
        "folder: this is a directory; name a file in it",
    ),
    (
        (*SIMULATE, "--startup", "soon"),
        "quota-shares simulate: --startup: 'soon' is not a duration; "
        "write a duration such as 90s, 5m, 1h30m, 2d or 250ms; a plain number is seconds",
    ),
    (
        (*SIMULATE, "--stop", "=5m"),
        "quota-shares simulate: --stop: '=5m' names no unit; write 90s, or ml.p5.48xlarge=10m",
    ),
    ((*SIMULATE, "--stop", "1m", "--stop", "2m"), "--stop: the time for all units is given twice; give it once"),
    (
        (*SIMULATE, "--timeline", "5x"),
        "quota-shares simulate: --timeline: '5x' is not a duration; "
        "write a duration such as 90s, 5m, 1h30m, 2d or 250ms; a plain number is seconds",
    ),
    ((*SIMULATE, "--until", "-1"), "quota-shares simulate: --until: '-1' is a negative duration; write 0 or more"),
    (
        (*SIMULATE, "--gpus-per-instance", "0"),
        "quota-shares simulate: --gpus-per-instance: '0' is not a whole number of 1 or more; write a number such as 8",
    ),
    (
        (*SIMULATE, "--format", "philly"),
        "workload.yaml: the format philly needs timezone: its dates are local and name no zone; "
        "name it, such as timezone: America/Los_Angeles",
    ),
    (
        ("workload",),
        "quota-shares workload: the following arguments are required: FILE; "
        "usage: quota-shares workload FILE [--format F] [OPTIONS]",
    ),
    (("workload", "nowhere.swf"), "nowhere.swf: no such file"),
    (
        ("workload", "workload.yaml", "--capacity", "8"),
        "quota-shares workload: --capacity: '8' is not UNIT=N; write ml.g5.xlarge=10",
    ),
    (
        ("workload", "workload.yaml", "--capacity", "g5=1", "--capacity", "g5=2"),
        "--capacity: a unit is given twice; give each once",
    ),
    (
        ("workload", "workload.yaml", "--template", "queue.yaml", "--map", "a=QS1"),
        "workload.yaml: the format yaml has no use for shares; leave it out; known are timezone, unit, checkpoint",
    ),
    (
        ("workload", "workload.yaml", "--out", "out.csv"),
        "workload.yaml:2: jobs[0].instances: instances of which unit? none is known; "
        "write demand: {ml.g5.xlarge: 1}, or name the unit",
    ),
    (
        ("workload", "workload.yaml", "--template", "queue.yaml", "--out", "out.txt"),
        "out.txt: the ending '.txt' names no form of workload file; end the name in .json, .yaml, .yml, .csv",
    ),
    (
        ("workload", "workload.yaml", "--template", "queue.yaml", "--out", "nowhere/out.csv"),
        "nowhere/out.csv: cannot be written: No such file or directory",
    ),
    (("version", "more"), "quota-shares version: unexpected argument 'more'; see quota-shares version --help"),
]


@pytest.mark.parametrize(("argv", "message"), MISTAKES, ids=[" ".join(argv) or "nothing" for argv, _ in MISTAKES])
def test_a_mistake_is_told_in_one_line(capsys, argv, message):
    assert called(capsys, *argv) == (2, "", f"error: {message}\n")
