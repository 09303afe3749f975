"""The report and the document of bounds, and the command that prints them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest
from jsonschema import Draft202012Validator

from quota_verifier.bounds import BoundName, bounds_of
from quota_verifier.cli.main import main
from quota_verifier.report.bounds_document import bounds_document
from quota_verifier.report.bounds_text import WORDS, bounds_report
from quota_verifier.report.schemas import document_schema
from quota_verifier.report.text import rendered
from quota_verifier.scheduler import Delay, Timing, assume
from quota_verifier.template.reader import read_queue

ROOT = Path(__file__).parents[2]
THREE = str(ROOT / "examples" / "three_shares" / "queue.yaml")
PROMISES = str(ROOT / "examples" / "bounds" / "queue.yaml")
PAGE = (ROOT / "docs" / "bounds.md").read_text(encoding="utf-8")


def called(capsys, *argv):
    code = main(["bounds", *argv])
    return code, *capsys.readouterr()


def row(text: str, share: str) -> list[str]:
    return next(line for line in text.splitlines() if line.strip().startswith(share + " ")).split()


def test_a_share_reads_in_one_row(capsys):
    code, out, err = called(capsys, THREE, "--stop", "20s")
    assert (code, err) == (0, "")
    assert "ml.g5.xlarge: 3 in the environment, 3 promised to shares" in out
    assert row(out, "QS1") == ["QS1", "1", "1", "2", "0", "0s", "0s"]
    assert row(out, "QS2") == ["QS2", "1", "0", "1", "1", "20s", "20s"]


def test_no_bound_reads_none_and_is_null_in_json(capsys):
    argv = (THREE, "--stop", "20s", "--assume", "A1=skip")
    _, out, _ = called(capsys, *argv)
    assert row(out, "QS2")[-2:] == ["none", "none"]
    _, out, _ = called(capsys, *argv, "--json")
    (bound,) = [each for each in bounds_in(out, "QS2") if each["name"] == "reclaimed-within"]
    assert bound["value"] is None
    assert {"assume": "A1=strict", "value": 20.0} in bound["elsewhere"]
    assert [each["id"] for each in bound["conditions"] if each["holds"] is False] == ["one-head"]


def bounds_in(out: str, share: str, unit: int = 0):
    (found,) = [each for each in json.loads(out)["shares"] if each["name"] == share]
    return found["units"][unit]["bounds"]


def test_times_in_json_are_seconds_and_instances_are_whole(capsys):
    _, out, _ = called(capsys, THREE, "--stop", "1500ms", "--json")
    values = {each["name"]: (each["measure"], each["value"]) for each in bounds_in(out, "QS2")}
    assert values["reclaimed-within"] == ("seconds", 1.5)
    assert values["guaranteed"] == ("instances", 1)
    assert isinstance(values["guaranteed"][1], int)


def test_what_falls_short_is_told_below_the_tables(capsys):
    _, out, _ = called(capsys, PROMISES)
    told = " ".join(out.split())
    assert "5 of 6 guaranteed: the shares were promised 12 of 11." in told
    assert "jobs of up to 4 are larger than the 3 guaranteed" in told
    _, out, _ = called(capsys, THREE, "--largest-job", "*=1")
    assert "falls short" not in out


def test_answers_that_turn_a_value_are_told(capsys):
    _, out, _ = called(capsys, THREE, "--stop", "20s")
    assert "  A1=skip  QS2, ml.g5.xlarge: back within none, not 20s\n" in out


def test_why_tells_the_reckoning_its_conditions_and_its_derivation(capsys):
    _, out, _ = called(capsys, THREE, "--stop", "20s", "--why")
    told = " ".join(out.split())
    assert "guaranteed 1: its whole limit: all shares were promised 3 of 3" in told
    assert "holds: a share has one head at a time on these units (A1)" in told
    assert "docs/bounds.md#reclaimed-within" in told


def test_sizes_come_from_a_workload_or_a_policy_with_its_timing(capsys, tmp_path):
    jobs = "jobs: [{id: a, share: QS1, work: 1h, instances: 1}, {id: b, share: QS2, work: 1h, instances: 1}]"
    (tmp_path / "workload.yaml").write_text(jobs)
    (tmp_path / "policy.yaml").write_text(
        "workload: {file: workload.yaml}\ntiming: {stop: 7s}\nassume: {A5: hold}\nexpect: [{finished: all}]\n"
    )
    _, out, _ = called(capsys, THREE, "--workload", str(tmp_path / "workload.yaml"))
    assert row(out, "QS1")[4] == "1"
    assert "like those of" in " ".join(out.split())
    _, out, _ = called(capsys, THREE, "--policy", str(tmp_path / "policy.yaml"), "--json")
    document = json.loads(out)
    assert document["timing"]["stop"] == 7
    assert document["assumptions"]["A5"] == "hold"
    _, out, _ = called(
        capsys, THREE, "--policy", str(tmp_path / "policy.yaml"), "--stop", "9s", "--assume", "A5=lend", "--json"
    )
    assert json.loads(out)["timing"]["stop"] == 9
    assert json.loads(out)["assumptions"]["A5"] == "lend"


def test_a_workload_that_changes_the_configuration_is_warned_of(capsys, tmp_path):
    file = tmp_path / "workload.yaml"
    file.write_text(
        "jobs: [{id: a, share: QS1, work: 1h, instances: 1}]\n"
        "updates: [{at: 1h, share: QS1, limits: {ml.g5.xlarge: 2}}]\n"
    )
    code, _, err = called(capsys, THREE, "--workload", str(file))
    assert code == 0
    assert err == f"warning: {file} changes the configuration; the bounds are those of the queue as it is declared\n"


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("--largest-job", "QS=1"), "error: --largest-job: unknown share 'QS'; did you mean 'QS3'?\n"),
        (("--largest-job", "QS1=0"), "'0' is not a whole number of 1 or more; write a number such as 8"),
        (("--largest-job", "QS1"), "'QS1' is not NAME=VALUE"),
        (("--largest-job", "QS1=1", "--largest-job", "QS1=2"), "'QS1' is given twice"),
        (
            ("--workload", "w.yaml", "--policy", "p.yaml"),
            "--workload and --policy both tell the jobs; give one of them",
        ),
        (("--assume", "A1=maybe"), "A1"),
    ],
)
def test_bad_arguments_exit_2_with_one_line(capsys, argv, message):
    code, out, err = called(capsys, THREE, *argv)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def closed(schema):
    """The schema without room for keys that nobody documented."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: closed(part) for key, part in schema.items()}
    return {"additionalProperties": False, **parts} if "properties" in parts else parts


@pytest.mark.parametrize("answers", [(), ("A1=skip", "A5=hold", "A6=borrowable", "A10=withheld")])
@pytest.mark.parametrize("file", [THREE, PROMISES])
def test_the_document_is_what_its_schema_says(file, answers):
    bounds = bounds_of(read_queue(file), assumptions=assume(answers), timing=Timing(stop=Delay(9_000)))
    document = json.loads(json.dumps(bounds_document(bounds)))
    Draft202012Validator(closed(document_schema("bounds"))).validate(document)
    names = [each["name"] for each in document["shares"][0]["units"][0]["bounds"]]
    assert names == list(get_args(BoundName))


def test_the_report_has_no_line_over_80_columns():
    bounds = bounds_of(read_queue(PROMISES), timing=Timing(stop=Delay(9_000)))
    assert max(map(len, rendered(bounds_report(bounds, why=True)).splitlines())) <= 80


@pytest.mark.parametrize("name", get_args(BoundName))
def test_every_bound_is_derived_on_the_page_and_named_in_its_table(name):
    assert f"\n## {name}\n" in PAGE
    assert f"| [{name}](#{name}) | {WORDS[name]} |" in PAGE


def test_the_page_links_to_what_is_there():
    headings = {heading.lower().replace(" ", "-") for heading in re.findall(r"^## (.+)$", PAGE, re.MULTILINE)}
    assert set(re.findall(r"\(#([a-z-]+)\)", PAGE)) <= headings
    for page in re.findall(r"\(([a-z]+\.md)\)", PAGE):
        assert (ROOT / "docs" / page).is_file()
