"""What commands do with good input, in this process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_files import POLICY, called, fill

from quota_verifier.cli.commands import COMMANDS

SIMULATE = ("simulate", "queue.yaml", "--workload", "workload.yaml")


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(fill(tmp_path))


def verify(capsys, *argv):
    return called(capsys, "verify", "queue.yaml", *argv)


def test_claims_that_hold_exit_0(capsys):
    code, out, err = verify(capsys, "--policy", "policy.yaml")
    assert (code, err) == (0, "")
    assert out.startswith("policy.yaml  What QS2 may expect\n")
    assert out.endswith("\n1 policy, 1 claim: 1 holds\n")


def test_a_claim_that_fails_exits_1(capsys):
    outcome = verify(capsys, "--policy", "strict.yaml")
    assert outcome.code == 1
    assert "  FAILS    share QS1: preemptions == 0  1\n" in outcome.out
    assert outcome.out.endswith("\n1 policy, 1 claim: 1 fails\n")


def test_a_claim_that_depends_on_an_assumption_exits_1_and_names_it(capsys):
    Path("depends.yaml").write_text(POLICY.replace('share: QS2, wait: {max: "<= 10s"}', "job: high, preemptions: 0"))
    code, out, _ = verify(capsys, "--policy", "depends.yaml")
    assert code == 1
    assert "  depends  job high: preemptions == 0  0\n" in out
    assert "fails under A7=oldest" in out
    assert verify(capsys, "--policy", "depends.yaml", "--under", "default").code == 0
    assert verify(capsys, "--policy", "depends.yaml", "--under", "default", "--assume", "A7=oldest").code == 1


@pytest.mark.parametrize(
    "argv",
    [
        ("--policy", "policy.yaml", "strict.yaml", "policy.yaml"),
        ("--policy", "policy.yaml", "--policy", "strict.yaml", "--policy", "policy.yaml"),
        ("--policy", "policy.yaml", "strict.yaml", "--json", "--policy", "policy.yaml"),
    ],
)
def test_policies_may_be_many_in_every_spelling(capsys, argv):
    outcome = verify(capsys, *argv, *(() if "--json" in argv else ("--json",)))
    assert [entry["file"] for entry in outcome.document["policies"]] == ["policy.yaml", "strict.yaml", "policy.yaml"]
    assert outcome.code == 1


def test_the_verdicts_as_json_have_the_keys_that_scripts_rely_on(capsys):
    code, out, err = verify(capsys, "--policy", "policy.yaml", "strict.yaml", "--json")
    assert (code, err) == (1, "")
    claims = [claim for policy in json.loads(out)["policies"] for claim in policy["claims"]]
    assert [(claim["claim"], claim["verdict"], claim["measured"], claim["turned_by"]) for claim in claims] == [
        ("share QS2: wait max <= 10s", "holds", 0.0, []),
        ("share QS1: preemptions == 0", "fails", 1, []),
    ]


def test_the_queue_that_the_option_names_goes_before_the_one_that_a_policy_names(capsys):
    Path("queue.yaml").write_text("name: gpu\n" + Path("queue.yaml").read_text())
    Path("named.yaml").write_text("queue: other\n" + POLICY)
    assert verify(capsys, "--policy", "named.yaml").err == (
        "error: queue.yaml: no quota-managed job queue is called 'other'; known are gpu\n"
    )
    assert verify(capsys, "--policy", "named.yaml", "--queue", "gpu").code == 0


def test_a_simulation_is_told_in_words_and_as_one_json_document(capsys):
    told, document = called(capsys, *SIMULATE), called(capsys, *SIMULATE, "--json").document
    assert (told.code, told.err) == (0, "")
    assert "preemptions  1 cross-share, 0 in-share" in told.out
    assert {"provenance", "timing", "assumptions", "jobs", "shares", "queue", "never_schedulable", "skipped"} <= set(
        document
    )
    assert [(job["id"], job["first_start"], job["preemptions"]) for job in document["jobs"]] == [
        ("high", 0.0, 0),
        ("med", 0.0, 1),
        ("qs2j", 10.0, 0),
    ]


def test_delays_assumptions_and_horizon_reach_the_simulation(capsys):
    argv = ("--startup", "3m", "--stop", "20s", "--stop", "ml.g5.xlarge=30s", "--assume", "a7=oldest", "--until", "1h")
    document = called(capsys, *SIMULATE, *argv, "--json").document
    assert document["timing"] == {
        "startup": 180.0,
        "stop": 20.0,
        "restore": 0.0,
        "by_unit": {"ml.g5.xlarge": {"stop": 30.0}},
    }
    assert document["assumptions"]["A7"] == "oldest"
    assert (document["end"], document["provenance"]["until"]) == (3600.0, 3600.0)
    assert {job["id"]: job["preemptions"] for job in document["jobs"]} == {"high": 1, "med": 1, "qs2j": 0}


def test_warnings_of_a_workload_go_to_standard_error_and_into_the_document(capsys):
    Path("trace.csv").write_text(
        "job,arrival,n,runtime\n" + "".join(f"j{n},{n * 100},1,266\n" for n in range(20)), encoding="utf-8"
    )
    argv = ("--columns", "id=job", "submit=arrival", "instances=n", "work=runtime", "--map", "*=QS1")
    code, out, err = called(
        capsys, "workload", "trace.csv", *argv, "--unit", "g5", "--capacity", "g5=2", "--span", "2000s", "--json"
    )
    document = json.loads(out)
    assert code == 0
    assert document["offered_load"] == {"g5": 1.33}
    assert err == "".join(f"warning: {text}\n" for text in document["warnings"])
    assert "g5 is offered 133 % of its capacity" in err


def test_a_workload_that_was_written_out_is_simulated_alike(capsys):
    code, out, _ = called(
        capsys, "workload", "workload.yaml", "--template", "queue.yaml", "--out", "copy.csv", "--json"
    )
    assert (code, json.loads(out)["jobs"]) == (0, 3)
    runs = [called(capsys, *SIMULATE[:3], name, "--json").document for name in ("workload.yaml", "copy.csv")]
    assert runs[0]["jobs"] == runs[1]["jobs"]


def test_an_account_of_a_trace_needs_no_choices_but_states_those_it_makes(capsys):
    lines = ("1 0 5 100 4 -1 -1 4 200 -1 1 1 1 -1 1 -1 -1 -1", "2 10 -1 -1 -1 -1 -1 8 300 -1 5 1 1 -1 1 -1 -1 -1")
    Path("trace.swf").write_text("\n".join(lines), encoding="utf-8")
    code, out, err = called(capsys, "workload", "trace.swf", "--json")
    document = json.loads(out)
    assert (code, document["jobs"], document["instance_seconds"]) == (0, 1, 400.0)
    assert document["skipped"] == {"cancelled before it started": 1}
    assert document["offered_load"] == {"processor": None}
    assert err == (
        "warning: no --map: all jobs count as those of one share\n"
        "warning: no --processors-per-instance: processors are counted, not instances\n"
    )
    told = called(capsys, "workload", "trace.swf")
    assert "1 skipped: cancelled before it started" in told.out
    written = called(capsys, "workload", "trace.swf", "--out", "out.yaml")
    assert (written.code, Path("out.yaml").exists()) == (2, False)
    assert written.err.startswith("error: trace.swf: the format swf needs shares")


def test_show_takes_the_answer_to_a4(capsys):
    Path("queue.yaml").write_text(Path("queue.yaml").read_text().replace("200", "50"))
    down = called(capsys, "show", "queue.yaml", "--json").document
    up = called(capsys, "show", "queue.yaml", "--assume", "A4=ceil", "--json").document
    assert [document["shares"][0]["units"][0]["may_borrow"] for document in (down, up)] == [0, 1]


def test_the_version_is_that_of_the_distribution(capsys):
    from importlib.metadata import version

    assert (
        called(capsys, "version").out == called(capsys, "--version").out == f"quota-shares {version('quota-shares')}\n"
    )
    assert called(capsys, "version", "--json").document["version"] == version("quota-shares")


@pytest.mark.parametrize("argv", [("--help",), ("-h",), ("help",)])
def test_the_overview_names_every_command(capsys, argv):
    code, out, err = called(capsys, *argv)
    assert (code, err) == (0, "")
    for command in COMMANDS:
        assert f"  {command.name}" in out
        assert command.summary in out


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_has_help(capsys, command):
    code, out, err = called(capsys, command.name, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"usage: quota-shares {command.name} ")
    assert "--json" in out


def test_a_bug_shows_its_traceback_and_is_not_mistaken_for_a_violated_policy(capsys, monkeypatch):
    def broken(_: object) -> object:
        raise ZeroDivisionError("nobody foresaw this")

    monkeypatch.setattr("quota_verifier.cli.show.queue_of", broken)
    code, out, err = called(capsys, "show", "queue.yaml")
    assert (code, out) == (70, "")
    assert "ZeroDivisionError: nobody foresaw this" in err
    assert (
        err.splitlines()[-1] == "error: this is a bug in quota-shares, not in its input; please report the lines above"
    )


def test_an_interrupt_is_quiet(capsys, monkeypatch):
    def interrupted(_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr("quota_verifier.cli.show.queue_of", interrupted)
    assert called(capsys, "show", "queue.yaml") == (130, "", "")


def test_a_message_is_one_line_whatever_it_quotes(capsys):
    code, out, err = called(capsys, "show", "two\nlines.yaml")
    assert (code, out, err) == (2, "", "error: two lines.yaml: no such file\n")
