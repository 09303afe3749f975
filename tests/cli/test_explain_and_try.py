"""The commands `explain` and `try` as people and scripts use them."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_files import called, fill
from jsonschema import Draft202012Validator

from quota_verifier.report.schemas import document_schema

EXPLAIN = ("explain", "queue.yaml", "--workload", "workload.yaml")
TRY = ("try", "queue.yaml", "--workload", "workload.yaml", "--at", "5s")
NEW = "{share: QS2, work: 1h, instances: 1}"


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(fill(tmp_path))


def closed(schema):
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: closed(part) for key, part in schema.items()}
    return {"additionalProperties": False, **parts} if "properties" in parts else parts


def check(command, document):
    Draft202012Validator(closed(document_schema(command))).validate(document)


def test_a_waiting_job_is_explained_in_words(capsys):
    code, out, err = called(capsys, *EXPLAIN, "--job", "med", "--at", "10s")
    assert (code, err) == (0, "")
    assert "med (QS1) at 10s\n  nothing lendable: QS1 would hold 2 ml.g5.xlarge with a limit of 1" in out
    assert "QS3 lends 1 ml.g5.xlarge (LEND instead of RESERVE): it starts at once" in out
    assert (
        "1h in this simulation, where the workload is known\n  from 1h to 1h10s over 18 profiles\n    A7=oldest: 1h10s"
        in out
    )


def test_the_explanation_is_one_json_document_that_its_schema_describes(capsys):
    for argv in (("--job", "med", "--at", "10s", "--preemptions"), ("--job", "high"), ("--preemptions",)):
        document = called(capsys, *EXPLAIN, *argv, "--json").document
        check("explain", document)
    document = called(capsys, *EXPLAIN, "--job", "med", "--at", "10s", "--preemptions", "--json").document
    explanation = document["explanation"]
    assert (explanation["at"], explanation["job"]["standing"], explanation["job"]["rule"]) == (
        10.0,
        "nothing-lendable",
        "R15",
    )
    assert explanation["starts"]["expected"]["start"] == 3600.0
    assert explanation["starts"]["profiles"] == 18
    assert [(each["job"], each["victims"]) for each in document["preemptions"]] == [("qs2j", ["med"])]


def test_without_an_instant_a_job_is_explained_when_it_is_submitted(capsys):
    document = called(capsys, *EXPLAIN, "--job", "qs2j", "--under", "default", "--json").document
    assert (document["explanation"]["at"], document["explanation"]["starts"]["profiles"]) == (10.0, 1)
    assert document["preemptions"] is None


def test_preemptions_are_told_without_a_job(capsys):
    code, out, err = called(capsys, *EXPLAIN, "--preemptions")
    assert (code, err) == (0, "")
    assert "Preemptions (1)\n  10s  qs2j (QS2, priority 0) preempts med" in out
    assert "Preemptions (0)" in called(capsys, *EXPLAIN, "--preemptions", "--at", "11s").out


def test_delays_and_assumptions_reach_the_explanation(capsys):
    argv = ("--job", "qs2j", "--stop", "20s", "--assume", "A7=oldest", "--json")
    document = called(capsys, *EXPLAIN, *argv).document
    assert (document["timing"]["stop"], document["assumptions"]["A7"]) == (20.0, "oldest")
    assert document["explanation"]["job"]["standing"] == "being-released"
    assert "1 ml.g5.xlarge of high" in document["explanation"]["job"]["sentence"]


def test_where_two_things_are_in_the_way_the_second_is_told_too(capsys):
    queue = Path("queue.yaml").read_text().replace("borrow_limit: 200", "borrow_limit: 100")
    Path("queue.yaml").write_text(queue.replace("in_share_preemption: true", "in_share_preemption: false"))
    code, out, _ = called(capsys, *TRY[:-2], "--job", "{share: QS1, work: 1h, instances: 1}")
    assert code == 0
    assert (
        "borrow limit: QS1 holds 2 of at most 2 ml.g5.xlarge (limit 1 and 100 %), 1\n  more would make 3 (R15)" in out
    )
    assert "Whatever the limits of QS1, only 0 of the 1 ml.g5.xlarge that it asks for are" in out


def test_a_job_is_tried_in_words_and_as_json(capsys):
    code, out, err = called(capsys, *TRY, "--job", NEW)
    assert (code, err) == (0, "")
    assert "tried (QS2, 1 ml.g5.xlarge, priority 0), submitted at 5s\n  It runs now, preempting med." in out
    document = called(capsys, *TRY, "--job", NEW, "--json").document
    check("try", document)
    assert (document["answer"], document["preempts"][0]["victims"]) == ("runs now", ["med"])
    assert [other["job"] for other in document["others"]] == ["qs2j"]


def test_a_job_is_tried_on_an_empty_queue_without_a_workload(capsys):
    assert "It runs now." in called(capsys, "try", "queue.yaml", "--job", NEW).out
    waits = called(capsys, *TRY, "--job", "{share: QS1, work: 1h, instances: 1}").out
    assert "It waits 1h5s, until 1h10s." in waits


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (EXPLAIN, "quota-shares explain: nothing to explain; name a job with --job, or give --preemptions"),
        ((*EXPLAIN, "--job", "hihg"), "workload.yaml: the workload has no job 'hihg'; did you mean 'high'?"),
        ((*EXPLAIN, "--job", "x"), "workload.yaml: the workload has no job 'x'; known are high, med, qs2j"),
        (("explain", "queue.yaml", "--job", "x"), None),
        (
            (*EXPLAIN, "--job", "high", "--at", "soon"),
            "quota-shares explain: --at: 'soon' is not a duration; ",
        ),
        ((*TRY, "--job", "{share: QS9, work: 1h, instances: 1}"), "--job: share: the queue has no share 'QS9'; "),
        ((*TRY, "--job", "{id: high, share: QS1, work: 1h, instances: 1}"), "workload.yaml: the workload has a job "),
        ((*TRY, "--job", "{share: ["), "--job"),
    ],
)
def test_a_mistake_is_one_line_and_exits_2(capsys, argv, message):
    code, out, err = called(capsys, *argv)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith(f"error: {message or ''}")
