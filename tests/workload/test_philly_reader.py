from __future__ import annotations

from pathlib import Path

import pytest
from workload_helpers import QUEUE, instance_ms, message, read, shared, write

HEADER = "timestamp,duration,num_gpus,gpu_time,cluster\n"
CHOICES = {"timezone": "America/Los_Angeles", "shares": {"*": "QS1"}, "gpus_per_instance": 1}


def test_every_row_is_a_job_or_skipped_with_a_reason(tmp_path: Path) -> None:
    text = HEADER + (
        "2017-10-09 07:01:55,66.0,1,66.0,a\n"
        "2017-10-09 07:01:55,0.0,1,0.0,a\n"
        "2017-10-09 07:01:55,0.5,2,1.1,a\n"
        "2017-10-09 07:01:55,-5.0,1,-5.0,a\n"
        "2017-10-09 07:01:55,5.0,0,0.0,a\n"
        "2017-10-09 07:01:55,5.0,1.5,7.5,a\n"
        "2017-10-09 07:01:55,,1,,a\n"
        "2017-10-09 07:01:55,inf,1,,a\n"
        "yesterday,5.0,1,5.0,a\n"
        "2017-10-09 07:01:55,5.0,1,5.0,\n"
        "2017-10-09 07:01:55,5.0,1\n"
        "\n"
        ",,,,\n"
    )
    workload = read(write(tmp_path, "t.csv", text), "philly", queue=QUEUE, **CHOICES)
    assert [(job.id, job.work_ms, job.instances) for job in workload.jobs] == [
        ("1", 0, 1),
        ("2", 500, 2),
        ("3", 66_000, 1),
    ]
    assert [(skip.where, skip.reason) for skip in workload.skipped] == [
        ("line 13", "blank row"),
        ("line 14", "blank row"),
        ("line 8", "duration is no number"),
        ("line 9", "duration is no number"),
        ("line 5", "negative duration"),
        ("line 6", "no GPU"),
        ("line 11", "no cluster"),
        ("line 7", "num_gpus is no whole number"),
        ("line 12", "row of 3 cells in place of 5"),
        ("line 10", "timestamp is no date"),
    ]
    assert workload.warnings == ("rows whose gpu_time is not duration times num_gpus; duration is used: 1",)


def test_a_column_that_is_missing_is_named(tmp_path: Path) -> None:
    assert message(write(tmp_path, "t.csv", "timestamp,duration\n"), "philly", **CHOICES) == (
        "t.csv:1: there is no column 'num_gpus'; "
        "the columns of this format are timestamp, duration, num_gpus, gpu_time, cluster"
    )


def test_the_end_of_daylight_saving_time_is_counted(tmp_path: Path) -> None:
    text = HEADER + "2017-11-05 00:30:00,1,1,1,a\n2017-11-05 01:30:00,1,1,1,a\n2017-11-05 02:30:00,1,1,1,a\n"
    workload = read(write(tmp_path, "t.csv", text), "philly", queue=QUEUE, **CHOICES)
    assert [job.submit_ms // 3_600_000 for job in workload.jobs] == [0, 1, 3]
    assert workload.warnings == ("dates in an hour that the time zone repeats or skips, taken at its first turn: 1",)


def test_permuted_rows_give_the_same_jobs(tmp_path: Path) -> None:
    # I9; the file names no jobs, so ids come from the order of the rows' values.
    rows = [f"2017-10-09 07:0{n % 3}:00,{n % 5},1,{n % 5},{'ab'[n % 2]}\n" for n in range(40)]
    first = read(write(tmp_path, "a.csv", HEADER + "".join(rows)), "philly", queue=QUEUE, **CHOICES)
    mixed = rows[1::2] + rows[-2::-2]
    second = read(write(tmp_path, "b.csv", HEADER + "".join(mixed)), "philly", queue=QUEUE, **CHOICES)
    assert first.jobs == second.jobs
    assert [job.id for job in first.jobs] == [f"{n:02d}" for n in range(1, 41)]


def test_ids_do_not_depend_on_the_groups_that_are_used(tmp_path: Path) -> None:
    text = HEADER + "2017-10-09 07:00:00,1,1,1,a\n2017-10-09 08:00:00,1,1,1,b\n"
    path = write(tmp_path, "t.csv", text)
    only_b = read(path, "philly", queue=QUEUE, **{**CHOICES, "shares": {"b": "QS1"}})
    assert [job.id for job in only_b.jobs] == ["2"]


@pytest.fixture(scope="module")
def philly() -> Path:
    return shared("traces/philly_sia.csv")


def test_the_whole_trace_is_read_with_one_blank_row(philly: Path) -> None:
    workload = read(philly, "philly", queue=QUEUE, **{**CHOICES, "gpus_per_instance": 8})
    assert len(workload.jobs) == 82_247
    assert workload.skipped_by_reason == {"blank row": 1}
    assert len({job.labels["group"] for job in workload.jobs}) == 15
    assert workload.jobs[0].id == "00001"
    assert workload.rules["start"] == "2017-09-04T17:30:41Z"
    rows = [line.split(",") for line in philly.read_text("utf-8").splitlines()[1:] if line]
    assert instance_ms(workload) == sum(int(float(row[1])) * -(-int(row[2]) // 8) for row in rows) * 1_000


def test_unmapped_clusters_of_the_trace_are_counted_each(philly: Path) -> None:
    workload = read(philly, "philly", queue=QUEUE, **{**CHOICES, "shares": {"6214e9": "QS1", "11cb48": "QS2"}})
    assert len(workload.jobs) == 41_226 + 16_091
    assert instance_ms(workload) == _gpu_ms(philly, "6214e9", "11cb48")
    assert workload.skipped_by_reason["group '6c71a0' has no share"] == 9_953
    assert len(workload.jobs) + len(workload.skipped) == 82_248


def _gpu_ms(path: Path, *clusters: str) -> int:
    rows = (line.split(",") for line in path.read_text("utf-8").splitlines()[1:])
    return sum(int(float(row[3])) * 1_000 for row in rows if row[-1] in clusters)
