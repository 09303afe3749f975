from __future__ import annotations

import json
from pathlib import Path

import pytest
from workload_helpers import QUEUE, instance_ms, message, read, shared, write

CHOICES = {"timezone": "UTC", "shares": {"*": "QS1"}, "gpus_per_instance": 1}


def test_attempts_are_summed_and_unfinished_jobs_set_apart() -> None:
    # C49: J1 never started, J2 still runs, J3 has a half-logged attempt, J4's attempts differ in GPUs.
    workload = read(shared("cases/C49_philly.json"), "philly-json", queue=QUEUE, **CHOICES)
    assert [(job.id, job.instances, job.work_ms) for job in workload.jobs] == [
        ("J3", 8, 3_600_000),
        ("J4", 8, 2_400_000),
    ]
    assert instance_ms(workload) == (28_800 + 19_200) * 1_000
    assert [(skip.where, skip.reason) for skip in workload.skipped] == [("job J1", "never started")]
    assert workload.censored == 1
    assert workload.queue_delays == {"J4": 60_000}
    assert workload.warnings == (
        "attempts left out of their job: start or end unknown, end before start, or no GPU: 1",
        "jobs whose attempts differ in GPUs; they get the largest number and keep their GPU time: 1",
    )
    assert workload.rules["work"] == "GPU time of all attempts, divided by the most GPUs of one"


def attempt(start: str | None, end: str | None, gpus: int = 1) -> dict[str, object]:
    return {"start_time": start, "end_time": end, "detail": [{"ip": "m1", "gpus": ["gpu"] * gpus}]}


T = "2017-10-02 00:{:02d}:00".format


@pytest.mark.parametrize(
    ("attempts", "reason"),
    [
        ([], "never started"),
        (None, "never started"),
        ([attempt("None", "None")], "no attempt with start, end and GPUs"),
        ([attempt(None, T(5))], "no attempt with start, end and GPUs"),
        ([attempt(T(5), T(4))], "no attempt with start, end and GPUs"),
        ([attempt(T(5), T(6), gpus=0)], "no attempt with start, end and GPUs"),
        ([attempt(T(5), "later")], "no attempt with start, end and GPUs"),
    ],
)
def test_a_job_without_a_usable_attempt_is_skipped(tmp_path: Path, attempts: object, reason: str) -> None:
    good = {"jobid": "G", "vc": "a", "submitted_time": T(0), "user": "u", "attempts": [attempt(T(1), T(3), 2)]}
    bad = {"jobid": "B", "vc": "a", "submitted_time": T(0), "user": "u", "attempts": attempts}
    workload = read(write(tmp_path, "t.json", json.dumps([good, bad])), "philly-json", queue=QUEUE, **CHOICES)
    assert [(job.id, job.work_ms, job.instances) for job in workload.jobs] == [("G", 120_000, 2)]
    assert workload.jobs[0].labels == {"group": "a", "user": "u"}
    assert [(skip.where, skip.reason) for skip in workload.skipped] == [("job B", reason)]


@pytest.mark.parametrize("field", ["jobid", "vc", "submitted_time"])
def test_a_job_that_lacks_what_identifies_it_is_skipped(tmp_path: Path, field: str) -> None:
    job = {"jobid": "G", "vc": "a", "submitted_time": T(0), "attempts": [attempt(T(1), T(3))]}
    text = json.dumps([job, {**job, "jobid": "B", field: None}, 5])
    workload = read(write(tmp_path, "t.json", text), "philly-json", queue=QUEUE, **CHOICES)
    assert workload.skipped_by_reason == {"no jobid, vc or submitted_time": 1, "not a job": 1}


@pytest.mark.parametrize("end", [None, "None", ""])
def test_a_job_whose_last_attempt_has_no_end_is_censored(tmp_path: Path, end: str | None) -> None:
    job = {"jobid": "G", "vc": "a", "submitted_time": T(0), "attempts": [attempt(T(1), T(3))]}
    still = {**job, "jobid": "S", "attempts": [attempt(T(1), T(2)), attempt(T(3), end)]}
    workload = read(write(tmp_path, "t.json", json.dumps([job, still])), "philly-json", queue=QUEUE, **CHOICES)
    assert ([j.id for j in workload.jobs], workload.censored, workload.skipped) == (["G"], 1, ())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "t.json: the job log is not a list; write a list of jobs"),
        ("", "t.json: the file is empty"),
        ("[1,", "t.json:1:4: malformed JSON: expecting value"),
        ("[] []", "t.json: the file holds 2 JSON documents; keep one"),
        ("[]", "t.json: the trace holds no job to use; give another"),
    ],
)
def test_a_log_that_is_none_is_refused(tmp_path: Path, text: str, said: str) -> None:
    assert message(write(tmp_path, "t.json", text), "philly-json", queue=QUEUE, **CHOICES) == said
