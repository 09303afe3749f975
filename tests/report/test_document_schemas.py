"""The published JSON schemas are made from the documents' types, and the documents are what they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest
from jsonschema import Draft202012Validator
from report_queues import BORROW, G5, LEND, P5, job, queue, share, simulated, three_shares

from quota_verifier.policy import policy_from_data, verify
from quota_verifier.report.schemas import DOCUMENTS, document_schema
from quota_verifier.report.show_document import show_document
from quota_verifier.report.simulate_document import HowLabel
from quota_verifier.report.verify_document import verify_document
from quota_verifier.report.workload_document import workload_document
from quota_verifier.scheduler import Delay, Timing
from quota_verifier.scheduler.run import How
from quota_verifier.workload import Skipped, Workload
from quota_verifier.workload.load import offered_load


def closed(schema):
    """The schema without room for further keys, so that a key nobody documented fails."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: closed(part) for key, part in schema.items()}
    return {"additionalProperties": False, **parts} if "properties" in parts else parts


def check(command, document):
    Draft202012Validator(closed(document_schema(command))).validate(json.loads(json.dumps(document)))


def busy_run():
    of = queue({G5: 4, P5: 1}, share("A", {G5: 2, P5: 1}, BORROW), share("B", 2, LEND))
    jobs = (
        job("a1", "A", 0, 600, 2, labels={"team": "vision"}),
        job("a2", "A", 1, 600, 2),
        job("b", "B", 60.5, 600, 2),
        job("never", "A", 5, 60, 9),
        job("p", "A", 6, 60, {P5: 1}),
        job("late", "B", 9_000, 60),
    )
    workload = Workload(jobs, source="w.csv", skipped=(Skipped("line 3", "no size"),), censored=1, warnings=("odd",))
    return of, workload


@pytest.mark.parametrize("command", DOCUMENTS)
def test_a_schema_is_a_schema(command):
    Draft202012Validator.check_schema(document_schema(command))


def test_the_document_of_show_is_what_its_schema_says():
    check("show", show_document(three_shares()))
    check("show", show_document(queue({G5: 7, P5: 2}, share("A", 6, BORROW, 25), share("B", {G5: 4, P5: 1}))))


@pytest.mark.parametrize("until_ms", [None, 100_000])
def test_the_document_of_simulate_is_what_its_schema_says(until_ms):
    of, workload = busy_run()
    timing = Timing(stop=Delay(20_000, {P5: 60_000}))
    _, document = simulated(of, workload, until_ms=until_ms, timing=timing)
    assert document["never_schedulable"]
    assert document["skipped"]
    check("simulate", document)
    check("simulate", simulated(of, workload, around_ms=60_000)[1])
    _, empty = simulated(of, Workload(()))
    check("simulate", empty)


def test_the_document_of_workload_is_what_its_schema_says():
    of, workload = busy_run()
    check("workload", workload_document(workload, offered_load(workload, of), None))
    check("workload", workload_document(workload, (), 1_000, ("no --map",)))


def test_the_document_of_verify_is_what_its_schema_says():
    jobs = [
        {"id": "high", "share": "QS1", "work": "1h", "instances": 1, "priority": 3},
        {"id": "med", "share": "QS1", "work": "1h", "instances": 1, "priority": 2},
        {"id": "qs2j", "share": "QS2", "submit": "10s", "work": "1h", "instances": 1},
    ]
    expect = [
        {"share": "QS2", "wait": {"max": "<= 10s"}},
        {"share": "QS1", "preemptions": 0},
        {"job": "high", "preemptions": 0},
        {"job": "med", "preempted_by": ["qs2j"]},
        {"at": "20s", "running": ["high", "qs2j"]},
        {"job": "med", "ends": "never"},
        {"utilization": ">= 60%"},
    ]
    policy = policy_from_data({"workload": {"jobs": jobs}, "expect": expect}, source="p.yaml")
    document = verify_document(verify(three_shares(), policy), "queue.yaml")
    verdicts = [claim["verdict"] for claim in document["policies"][0]["claims"]]
    assert set(verdicts) == {"holds", "fails", "depends"}
    check("verify", document)


def test_a_key_that_the_schema_does_not_know_would_be_found():
    with pytest.raises(Exception, match="Additional properties"):
        check("show", {**show_document(three_shares()), "surprise": 1})


def test_the_schema_lists_every_way_in_which_a_run_ends():
    assert list(get_args(HowLabel)) == [how.label for how in How if how is not How.OPEN]


@pytest.mark.parametrize("command", DOCUMENTS)
def test_the_published_schema_is_current(command):
    published = Path(__file__).parents[2] / "docs" / "schemas" / f"{command}.schema.json"
    assert json.loads(published.read_text(encoding="utf-8")) == document_schema(command), (
        "run python tools/refresh_docs.py"
    )
