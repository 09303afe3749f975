from __future__ import annotations

from pathlib import Path

import pytest
from workload_helpers import QUEUE, instance_ms, message, read, shared, write

CHOICES = {"shares": {"*": "QS1"}, "processors_per_instance": 1}


def line(job: int, submit: object, run: object, *, given: object = 1, asked: object = -1, status: int = 1) -> str:
    return f"{job} {submit} 5 {run} {given} -1 -1 {asked} -1 -1 {status} 7 8 9 2 3 -1 -1\n"


def test_unknown_values_zero_run_times_and_unsorted_lines() -> None:
    # C47: id 2 was cancelled before it started, id 5 has no size; ids 1, 3 and 4 used the machine.
    workload = read(shared("cases/C47.swf"), queue=QUEUE, **CHOICES)
    assert [job.id for job in workload.jobs] == ["1", "3", "4"]
    assert [(skip.where, skip.reason) for skip in workload.skipped] == [
        ("line 6", "cancelled before it started"),
        ("line 9", "no size"),
    ]
    assert instance_ms(workload) == 490_500
    assert workload.rules["start"] == "2023-11-14T22:13:20Z"
    assert workload.warnings == ("jobs of run time 0 (less than half a second): 1",)


def test_size_is_what_was_asked_for_else_what_was_given(tmp_path: Path) -> None:
    text = line(1, 0, 10, given=4, asked=8) + line(2, 1, 10, given=4) + line(3, 2, 10, given=9, asked=0)
    workload = read(write(tmp_path, "t.swf", text), queue=QUEUE, **{**CHOICES, "processors_per_instance": 4})
    assert [job.instances for job in workload.jobs] == [2, 1, 3]
    assert workload.rules["instances"] == "processors divided by 4, rounded up"


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (line(9, -1, 10), "no submit time"),
        (line(9, 0, -1), "no run time"),
        (line(9, 0, -1, status=5), "cancelled before it started"),
        (line(9, 0, 0, given=-1, asked=4, status=5), "cancelled before it started"),
        (line(9, 0, 10, given=-1), "no size"),
        (line(9, "x", 10), "a field is no number"),
        ("9 0 5 10\n", "line of 4 fields in place of 18"),
    ],
)
def test_a_line_that_is_no_job_is_skipped_with_a_reason(tmp_path: Path, bad: str, reason: str) -> None:
    text = ";no space\n ; Version: 2.2\n\n" + line(1, 0, 10) + bad
    workload = read(write(tmp_path, "t.swf", text), queue=QUEUE, **CHOICES)
    assert [job.id for job in workload.jobs] == ["1"]
    assert [(skip.where, skip.reason) for skip in workload.skipped] == [("line 5", reason)]


def test_failed_and_killed_jobs_keep_their_time(tmp_path: Path) -> None:
    text = line(1, 0, 10, status=0) + line(2, 0, 7.25, status=5)
    workload = read(write(tmp_path, "t.swf", text), queue=QUEUE, **CHOICES)
    assert [(job.id, job.work_ms) for job in workload.jobs] == [("1", 10_000), ("2", 7_250)]
    assert workload.queue_delays == {"1": 5_000, "2": 5_000}
    assert "start" not in workload.rules


def test_parts_of_a_job_between_checkpoints_are_merged_into_it(tmp_path: Path) -> None:
    text = (
        line(1, 0, 30)
        + line(1, 0, 10, status=2)
        + line(1, 0, 20, status=3)
        + line(2, 5, 10, status=2)
        + line(2, 5, 15, status=4)
    )
    workload = read(write(tmp_path, "t.swf", text), queue=QUEUE, **CHOICES)
    assert [(job.id, job.work_ms) for job in workload.jobs] == [("1", 30_000), ("2", 25_000)]
    assert (workload.merged, workload.skipped) == (3, ())


@pytest.mark.parametrize(
    ("field", "group"), [("user", "7"), ("group", "8"), ("application", "9"), ("queue", "2"), ("partition", "3")]
)
def test_the_group_is_the_field_that_is_chosen(tmp_path: Path, field: str, group: str) -> None:
    path = write(tmp_path, "t.swf", line(1, 0, 10))
    workload = read(path, queue=QUEUE, shares={group: "QS2"}, processors_per_instance=1, group_by=field)
    assert workload.jobs[0].share == "QS2"
    assert workload.jobs[0].labels == {"group": group, "user": "7"}


def test_the_field_of_the_group_must_be_chosen_where_groups_matter(tmp_path: Path) -> None:
    path = write(tmp_path, "t.swf", line(1, 0, 10))
    assert message(path, queue=QUEUE, shares={"7": "QS2"}, processors_per_instance=1) == (
        "t.swf: the format swf needs group_by: shares tells groups apart; "
        "say it, such as group_by: user (user, group, application, queue, partition)"
    )
    assert message(path, queue=QUEUE, shares={"*": "QS2"}) == (
        "t.swf: the format swf needs processors_per_instance: it counts processors, not instances; "
        "say it, such as processors_per_instance: 1"
    )


def test_job_numbers_are_padded_so_that_their_order_holds(tmp_path: Path) -> None:
    workload = read(write(tmp_path, "t.swf", line(10, 0, 1) + line(9, 0, 1)), queue=QUEUE, **CHOICES)
    assert [job.id for job in workload.jobs] == ["09", "10"]


def test_jobs_from_before_the_recording_are_skipped(tmp_path: Path) -> None:
    path = write(tmp_path, "t.swf", line(1, 0, 1) + line(2, 5, 1))
    workload = read(path, queue=QUEUE, **CHOICES, recording_start="0")
    assert ([job.id for job in workload.jobs], workload.skipped_by_reason) == (
        ["2"],
        {"submitted before the recording started": 1},
    )


def test_a_window_by_date_needs_a_trace_that_tells_dates(tmp_path: Path) -> None:
    path = write(tmp_path, "t.swf", line(1, 0, 1))
    assert message(path, queue=QUEUE, **CHOICES, since="2020-01-01T00:00:00Z") == (
        "t.swf: since: '2020-01-01T00:00:00Z' is a date, but the trace tells no dates; "
        "write a duration after its first job"
    )


@pytest.mark.parametrize(
    ("name", "used", "skipped", "start"),
    [
        ("LCG.swf.gz", 188_041, {}, "2005-11-20T00:00:05Z"),
        ("NASA-iPSC.swf.zip", 18_239, {}, "1993-10-01T07:00:03Z"),
        ("hpc2n_alea_sample.swf", 3_145, {"no run time": 25}, "2002-07-28T07:04:05Z"),
        ("lublin_256.swf", 10_000, {}, None),
    ],
)
def test_traces_of_the_archive_are_read_whole(name: str, used: int, skipped: dict[str, int], start: str | None) -> None:
    workload = read(shared(f"traces/{name}"), queue=QUEUE, **CHOICES)
    assert (len(workload.jobs), workload.skipped_by_reason, workload.rules.get("start")) == (used, skipped, start)
