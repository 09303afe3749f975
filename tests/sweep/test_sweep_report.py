"""The report, the document, the table and the picture of a sweep."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator
from sweep_helpers import FIXED, G5, GENERATED, LIMITS, QUEUE, document, named, planned, policy, ran, swept

from quota_verifier.errors import InputError
from quota_verifier.report.schemas import document_schema
from quota_verifier.report.sweep_csv import sweep_csv
from quota_verifier.report.sweep_document import sweep_document
from quota_verifier.report.sweep_plot import check_plot, legend, write_plot
from quota_verifier.report.sweep_text import sweep_report
from quota_verifier.report.text import rendered
from quota_verifier.sweep.executors import Here
from quota_verifier.sweep.outcome import outcome_of
from quota_verifier.sweep.run import run_units
from quota_verifier.sweep.saved import read_results
from quota_verifier.sweep.scaling import read_dial
from quota_verifier.sweep.smallest import Search
from quota_verifier.sweep.unit import simulated
from quota_verifier.sweep.variants import Axis

ENVIRONMENT = Axis(f"environment.{G5}", (3, 5))
PLAN = planned(LIMITS, ENVIRONMENT, seeds=4)
FOUND = ran(PLAN)


def report(found=FOUND, width=80, **rest) -> str:
    return rendered(sweep_report(found, "queue.yaml", "A grid", **rest), width)


def closed(schema):
    """The schema without room for further keys, so that a key nobody documented fails."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: closed(part) for key, part in schema.items()}
    return {"additionalProperties": False, **parts} if "properties" in parts else parts


def searches(plan=PLAN, method="scan", high=8):
    results = {}

    def judge(units):
        run_units(units, Here(), results, in_flight=1)
        return results

    found = []
    for variant in plan.variants[:2]:
        search = Search(plan, variant, read_dial(None, QUEUE), high, method)
        search.run(judge, 1)
        found.append(search.result())
    return found


def partial():
    """The first variant and a part of the second."""
    units = list(PLAN.units())
    return outcome_of(PLAN, {unit.key: simulated(unit) for unit in units[:6]})


def test_a_report_goes_from_the_variants_to_their_differences(snapshot):
    assert report() == snapshot


def test_a_report_of_one_run_each_has_no_intervals(snapshot):
    text = report(swept(LIMITS, policies=[FIXED]))
    assert "+-" not in text
    assert "3 jobs as they are, one run of each variant, no interval" in " ".join(text.split())
    assert text == snapshot


def test_an_interrupted_report_says_what_is_finished(snapshot):
    text = report(partial())
    assert "INTERRUPTED: 1 of 5 variants are finished" in text
    assert "2 of 4 runs finished" in text
    assert text == snapshot


@pytest.mark.parametrize("method", ["scan", "bisect"])
def test_a_report_says_what_is_known_of_the_smallest_capacity(snapshot, method):
    found = searches(method=method)
    plan = replace(PLAN, variants=(PLAN.variants[0], *(search.found for search in found if search.found)))
    assert report(ran(plan), smallest=found) == snapshot


def test_a_search_that_found_nothing_or_was_interrupted_says_so():
    (none, _) = searches(high=3)
    text = report(smallest=[none, replace(none, finished=False), replace(none, finished=False, tried={})])
    assert "baseline    4         none  -  -\n" in text
    assert "baseline    4  interrupted  -  -\n" in text
    assert "baseline: 2 to 3 fail; 3 fails by share A" in text
    assert "baseline: interrupted after 2 to 3; 3 fails by share A" in text
    assert "baseline: interrupted\n" in text


@pytest.mark.parametrize("width", [80, 120])
def test_a_report_is_ascii_and_keeps_to_its_width(width):
    for text in (report(width=width), report(partial(), width), report(smallest=searches(), width=width)):
        assert text.isascii()
        assert max(map(len, text.splitlines())) <= width
        assert not [line for line in text.splitlines() if line.endswith(" ")]


def test_the_document_is_what_its_schema_says():
    validator = Draft202012Validator(closed(document_schema("sweep")))
    documents = [
        document(FOUND),
        document(partial()),
        document(swept(policies=[FIXED])),
        sweep_document(FOUND, "queue.yaml", smallest=searches()),
        sweep_document(FOUND, "queue.yaml", smallest=searches(high=3)),
        document(swept(Axis(f"environment.{G5}", (1,)), policies=[FIXED], objectives=["wait_max"])),
    ]
    for found in documents:
        validator.validate(json.loads(json.dumps(found)))
    assert [found["complete"] for found in documents] == [True, False, True, True, True, True]
    assert documents[4]["ok"] is False
    assert documents[5]["variants"][1]["objectives"]["wait_max"]["mean"] is None


def test_a_policy_that_was_not_judged_is_in_the_report_and_the_document():
    absent = policy("workload: {trace: {file: nowhere.csv, optional: true}}\nexpect: [{finished: all}]", "absent.yaml")
    found = swept(policies=[FIXED, absent])
    assert "absent.yaml: not judged: there is no nowhere.csv" in report(found)
    assert document(found)["skipped"] == [{"file": "absent.yaml", "reason": "there is no nowhere.csv"}]


def test_the_document_has_the_numbers_of_the_report():
    row = document(FOUND)["variants"][1]
    wait, difference = row["objectives"]["wait_p95"], row["differences"]["wait_p95"]
    exact = named(FOUND, row["name"]).estimates[2]
    assert wait["mean"] == round(float(exact.mean) / 1000, 3)
    assert wait["low"] == pytest.approx(wait["mean"] - wait["half"], abs=0.002)
    assert wait["high"] == pytest.approx(wait["mean"] + wait["half"], abs=0.002)
    assert difference["mean"] == pytest.approx(
        wait["mean"] - document(FOUND)["variants"][0]["objectives"]["wait_p95"]["mean"], abs=0.002
    )


def test_results_come_back_from_a_document_exactly_as_they_were(tmp_path):
    path = tmp_path / "sweep.json"
    path.write_text(json.dumps(document(FOUND)))
    again = read_results(str(path))
    assert again == FOUND.results
    assert document(outcome_of(PLAN, again)) == document(FOUND)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", ": this is no document of a sweep; name the file that --out or --json wrote"),
        ('{"results": [1]}', ":1: 1 is not a map; write key: value pairs"),
        ('{"results": [{"key": "k", "claims": [], "figures": {}, "overloaded": []}]}', ":1: a result lacks figures; "),
        (
            '{"results": [{"key": "k", "claims": [], "figures": {"margin": "1/0"}, "overloaded": []}]}',
            ":1: figures.margin: '1/0' is no exact number; write a number such as '7/3'",
        ),
        ("[1", ":1:"),
    ],
)
def test_a_file_that_holds_no_results_is_refused(tmp_path, text, message):
    path = tmp_path / "sweep.json"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_results(str(path))
    assert str(caught.value).startswith(f"{path}{message}")


def test_the_table_has_a_row_for_each_variant_and_its_settings():
    rows = list(csv.DictReader(io.StringIO(sweep_csv(document(FOUND)))))
    assert [row["variant"] for row in rows] == [variant.name for variant in PLAN.variants]
    assert [row[f"environment.{G5}"] for row in rows] == ["", "3", "5", "3", "5"]
    assert float(rows[1]["wait_p95_s"]) == document(FOUND)["variants"][1]["objectives"]["wait_p95"]["mean"]
    assert {row["on_front"] for row in rows} == {"True", "False"}
    unfinished = list(csv.DictReader(io.StringIO(sweep_csv(document(partial())))))
    assert (unfinished[1]["done"], unfinished[1]["wait_p95_s"]) == ("2", "")


class TestPlot:
    @pytest.fixture(autouse=True)
    def _matplotlib(self):
        pytest.importorskip("matplotlib", reason="the extra `report` is not installed")

    def test_a_picture_stands_alone_and_is_the_same_each_time(self, tmp_path):
        files = [tmp_path / "one.svg", tmp_path / "two.svg"]
        for file in files:
            write_plot(FOUND, str(file))
        text = files[0].read_text()
        assert text == files[1].read_text()
        assert not re.findall(r'(?:href|src)="(?!#)[^"]*"', text)
        assert not re.findall(r"@import|url\((?!#)", text)

    def test_of_many_variants_those_on_the_front_are_named(self):
        found = swept(Axis("shares.A.borrow_limit", tuple(range(0, 300, 6))), policies=[FIXED])
        first, *named_lines, last = legend(found)
        assert first.startswith("red: on the Pareto front")
        assert named_lines[0].startswith("0  baseline")
        assert len(named_lines) <= 40
        assert last == f"and {51 - len(named_lines)} others, numbered as in the report"

    def test_a_picture_is_of_the_kind_that_its_name_says(self, tmp_path):
        write_plot(FOUND, str(tmp_path / "plot.png"))
        write_plot(FOUND, str(tmp_path / "plot.PDF"))
        assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
        assert (tmp_path / "plot.PDF").read_bytes().startswith(b"%PDF")

    @pytest.mark.parametrize(
        "found",
        [
            partial(),
            swept(policies=[FIXED]),
            swept(Axis(f"environment.{G5}", (1,)), policies=[FIXED], objectives=["wait_max", "capacity"]),
            swept(policies=[FIXED], objectives=["margin"]),
            swept(LIMITS, policies=[GENERATED], seeds=2, objectives=["preemptions", "utilization"]),
        ],
        ids=["partial", "one run", "unbounded", "one objective", "ratios"],
    )
    def test_whatever_was_found_can_be_drawn(self, tmp_path, found):
        write_plot(found, str(tmp_path / "plot.svg"))
        assert (tmp_path / "plot.svg").stat().st_size > 5_000

    def test_a_file_that_is_no_picture_is_refused(self):
        with pytest.raises(InputError) as caught:
            check_plot("plot.gif")
        assert str(caught.value) == "--plot: plot.gif is no picture; end it in .svg, .png, .pdf"
