"""`--report FILE`: the form follows the ending, and nothing is half written."""

from __future__ import annotations

import json

import pytest

from quota_verifier.cli.main import main
from quota_verifier.errors import InputError
from quota_verifier.report.files import WRITERS, check_report, write_report
from quota_verifier.report.record import Report

QUEUE = """\
environment: {limits: {ml.g5.xlarge: 4}}
shares:
  - {name: own, strategy: RESERVE, limits: {ml.g5.xlarge: 4}}
"""
WORKLOAD = """\
jobs:
  - {id: a, share: own, submit: 0s, work: 1m, demand: {ml.g5.xlarge: 1}}
"""
POLICY = """\
workload: {file: workload.yaml}
expect:
  - finished: all
"""


@pytest.fixture
def files(tmp_path, monkeypatch):
    for name, text in (("queue.yaml", QUEUE), ("workload.yaml", WORKLOAD), ("policy.yaml", POLICY)):
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        ["simulate", "queue.yaml", "--workload", "workload.yaml", "--json"],
        ["verify", "queue.yaml", "--policy", "policy.yaml", "--json"],
    ],
)
def test_a_json_report_is_what_json_prints(files, capsys, command):
    assert main([*command, "--report", "report.json"]) == 0
    assert (files / "report.json").read_text() == capsys.readouterr().out


def test_several_reports_come_from_one_run(files):
    assert main(["simulate", "queue.yaml", "--workload", "workload.yaml", "--report=a.json", "--report=B.JSON"]) == 0
    assert json.loads((files / "a.json").read_text()) == json.loads((files / "B.JSON").read_text())


def test_an_unknown_ending_is_refused_before_anything_is_simulated(files, capsys):
    assert main(["simulate", "queue.yaml", "--workload", "no_such_file.yaml", "--report", "report.doc"]) == 2
    assert "report.doc: no form of report has this ending; end the name in " in capsys.readouterr().err


def test_a_missing_folder_is_refused(files):
    with pytest.raises(InputError, match=r"nowhere/report\.json: no such directory; make it first"):
        check_report("nowhere/report.json")


def test_a_report_that_fails_leaves_the_old_one(files, monkeypatch):
    def breaks(report, file):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(WRITERS, ".json", breaks)
    (files / "report.json").write_text("old")
    with pytest.raises(InputError, match=r"report\.json: cannot be written: No space left on device"):
        write_report(Report("queue.yaml", ()), "report.json")
    assert (files / "report.json").read_text() == "old"
    assert not (files / ".report.json.new").exists()
