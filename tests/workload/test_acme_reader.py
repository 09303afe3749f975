from __future__ import annotations

from pathlib import Path

from workload_helpers import QUEUE, message, read, write

KALOS = (
    "job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,type,state,submit_time,start_time,"
    "end_time,fail_time,stop_time,duration,queue,gpu_time\n"
)
SEREN = "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time\n"
CHOICES = {"shares": {"Pretrain": "QS1", "*": "QS2"}, "gpus_per_instance": 8, "group_by": "type"}
T = "2023-05-17 11:{:02d}:00+00:00".format


def test_dates_name_their_zone_and_the_type_is_group_and_rank(tmp_path: Path) -> None:
    text = KALOS + (
        f"a,u1,8,64,960,1000,100.0,Pretrain,FAILED,{T(0)},{T(1)},{T(3)},{T(3)},,180,60.0,11520.0\n"
        f"b,u2,1,9,960,1000,100.0,Debug,CANCELLED,2023-05-17 13:30:00+02:00,{T(31)},{T(32)},,{T(32)},60,60.0,540.0\n"
        f"c,u2,1,0,960,1000,100.0,Debug,COMPLETED,{T(0)},{T(0)},{T(1)},,,60,0,0\n"
        f"d,u2,1,8,960,1000,100.0,Debug,COMPLETED,{T(0)},{T(0)},,,,,,\n"
        f"e,u2,1,8,960,1000,100.0,Debug,CANCELLED,{T(0)},,,,,,,\n"
    )
    workload = read(write(tmp_path, "k.csv", text), "acme", queue=QUEUE, **CHOICES, priorities={"Pretrain": 9})
    assert [(j.id, j.share, j.submit_ms, j.work_ms, j.instances, j.priority) for j in workload.jobs] == [
        ("a", "QS1", 0, 120_000, 8, 9),
        ("b", "QS2", 1_800_000, 60_000, 2, 0),
    ]
    assert workload.jobs[0].labels == {"group": "Pretrain", "user": "u1", "class": "Pretrain"}
    assert (workload.skipped_by_reason, workload.censored) == ({"never started": 1, "no GPU": 1}, 1)
    assert workload.queue_delays == {"a": 60_000, "b": 60_000}
    assert workload.warnings == ("rows whose duration is not end_time minus start_time; the difference is used: 1",)
    assert workload.rules["start"] == "2023-05-17T11:00:00Z"


def test_the_other_cluster_has_fewer_columns_and_groups_may_be_users(tmp_path: Path) -> None:
    row = (
        "5778432,u5907,1,8,128,Other,FAILED,2023-03-01 00:18:22+08:00,2023-03-01 00:18:54+08:00,"
        "2023-03-01 00:20:51+08:00,117,32,936.0\n"
    )
    choices = {"shares": {"u5907": "QS3"}, "gpus_per_instance": 8, "group_by": "user"}
    workload = read(write(tmp_path, "s.csv", SEREN + row), "acme", queue=QUEUE, **choices)
    assert [(job.id, job.share, job.work_ms) for job in workload.jobs] == [("5778432", "QS3", 117_000)]
    assert workload.rules["start"] == "2023-02-28T16:18:22Z"


def test_a_date_without_a_zone_needs_one_to_be_named(tmp_path: Path) -> None:
    row = "a,u,1,8,128,Other,FAILED,2023-03-01 00:00:00,2023-03-01 00:00:00,2023-03-01 00:01:00,60,0,480.0\n"
    path = write(tmp_path, "s.csv", SEREN + row)
    assert message(path, "acme", queue=QUEUE, **CHOICES) == (
        "s.csv: the trace holds no job to use; of its rows, submit_time is no date: 1 "
        "(dates name no zone: name the time zone)"
    )
    assert len(read(path, "acme", queue=QUEUE, **CHOICES, timezone="+08:00").jobs) == 1


def test_what_a_group_is_must_be_said(tmp_path: Path) -> None:
    path = write(tmp_path, "s.csv", SEREN)
    choices = {**CHOICES, "group_by": "queue"}
    assert message(path, "acme", queue=QUEUE, **choices) == (
        "s.csv: group_by: the format acme has no field queue; say one of type, user"
    )
