from __future__ import annotations

from pathlib import Path

import pytest
from workload_helpers import QUEUE, instance_ms, message, read, shared, write

HEADER = "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n"
CHOICES = {"timezone": "Asia/Shanghai", "shares": {"*": "QS1"}, "gpus_per_instance": 1}


def row(job: int, gpus: object, submit: str, start: str, end: str, duration: int = 60, vc: str = "vcA") -> str:
    times = ",".join(f"2020-09-01 {time}" if ":" in time else time for time in (submit, start, end))
    return f"{job},u,{vc},{gpus},4,1,COMPLETED,{times},{duration},0\n"


def test_cpu_jobs_are_dropped_and_cancelled_ones_kept() -> None:
    # C51: job 1 uses no GPU, job 3 says 50 s for 60, job 4 is above its virtual cluster's 0 GPUs.
    path = shared("cases/C51_helios.csv")
    workload = read(path, "helios", queue=QUEUE, **CHOICES, capacity_file="C51_vc_gpus.csv")
    assert [(job.id, job.work_ms // 1_000, job.instances) for job in workload.jobs] == [
        ("2", 100, 4),
        ("3", 60, 1),
        ("4", 10, 8),
        ("5", 30, 2),
    ]
    assert instance_ms(workload) == 600_000
    assert [(skip.where, skip.reason) for skip in workload.skipped] == [("line 2", "no GPU")]
    assert workload.warnings == (
        "rows whose duration is not end_time minus start_time; the difference is used: 1",
        "jobs that ask for more GPUs than their virtual cluster has on the day of submission: 1",
    )
    assert workload.queue_delays == {"2": 10_000, "3": 0, "4": 0, "5": 0}


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (row(2, 0, "10:00:00", "10:00:00", "10:01:00"), "no GPU"),
        (row(2, "x", "10:00:00", "10:00:00", "10:01:00"), "gpu_num is no whole number"),
        (row(2, 1, "None", "10:00:00", "10:01:00"), "submit_time is no date"),
        (row(2, 1, "10:00:00", "None", "None"), "never started"),
        (row(2, 1, "10:00:00", "", "10:01:00"), "never started"),
        (row(2, 1, "10:00:00", "soon", "10:01:00"), "start_time is no date"),
        (row(2, 1, "10:00:00", "10:00:00", "late"), "end_time is no date"),
        (row(2, 1, "10:00:00", "10:01:00", "10:00:00"), "ends before it starts"),
        (row(2, 1, "10:00:00", "10:00:00", "10:01:00", vc=""), "no job_id or vc"),
        ("\n", "blank row"),
    ],
)
def test_a_row_that_is_no_gpu_job_is_skipped_with_a_reason(tmp_path: Path, bad: str, reason: str) -> None:
    text = HEADER + row(1, 2, "10:00:00", "10:00:10", "10:01:10") + bad
    workload = read(write(tmp_path, "t.csv", text), "helios", queue=QUEUE, **CHOICES)
    assert [(job.id, job.work_ms, job.labels) for job in workload.jobs] == [
        ("1", 60_000, {"group": "vcA", "user": "u"})
    ]
    assert [(skip.where, skip.reason) for skip in workload.skipped] == [("line 3", reason)]


def test_a_job_that_still_runs_is_censored(tmp_path: Path) -> None:
    text = HEADER + row(1, 2, "10:00:00", "10:00:10", "10:01:10") + row(2, 2, "10:00:00", "10:00:10", "None")
    workload = read(write(tmp_path, "t.csv", text), "helios", queue=QUEUE, **CHOICES)
    assert (len(workload.jobs), workload.censored, workload.skipped) == (1, 1, ())


def test_capacity_counts_from_midnight_in_the_zone_and_may_change(tmp_path: Path) -> None:
    jobs = [
        "1,u,vcA,4,4,1,COMPLETED,2020-08-31 23:59:59,2020-09-01 10:00:00,2020-09-01 10:01:00,60,0\n",
        "2,u,vcA,4,4,1,COMPLETED,2020-09-01 00:00:00,2020-09-01 10:00:00,2020-09-01 10:01:00,60,0\n",
        "3,u,vcA,4,4,1,COMPLETED,2020-09-02 00:00:00,2020-09-02 10:00:00,2020-09-02 10:01:00,60,0\n",
        "4,u,vcX,4,4,1,COMPLETED,2020-09-02 00:00:00,2020-09-02 10:00:00,2020-09-02 10:01:00,60,0\n",
    ]
    write(tmp_path, "c.csv", "date,vcA,total\n2020-09-02,4,4\n2020-09-01,3,3\n")
    path = write(tmp_path, "t.csv", HEADER + "".join(jobs))
    assert read(path, "helios", queue=QUEUE, **CHOICES, capacity_file="c.csv").warnings == (
        "jobs that ask for more GPUs than their virtual cluster has on the day of submission: 1",
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("day,vcA\n", "c.csv:1: there is no column 'date'; write date,vcA,vcB,total"),
        (
            "date,vcA\n2020-09-01,x\n",
            "c.csv:2: the row is not a date and one whole number for each cluster; write it as 2020-09-01,8,0,8",
        ),
    ],
)
def test_a_capacity_file_that_is_none_is_refused(tmp_path: Path, text: str, said: str) -> None:
    write(tmp_path, "c.csv", text)
    path = write(tmp_path, "t.csv", HEADER + row(1, 2, "10:00:00", "10:00:10", "10:01:10"))
    assert message(path, "helios", queue=QUEUE, **CHOICES, capacity_file="c.csv") == said
