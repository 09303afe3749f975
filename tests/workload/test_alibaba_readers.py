"""Alibaba's traces: GPU pods of 2023, and jobs on spot GPUs of 2026."""

from __future__ import annotations

from pathlib import Path

import pytest
from workload_helpers import G5, P5, QUEUE, TWO_UNITS, message, read, shared, write

PODS = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"
SPOT = "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_type\n"
CHOICES = {"shares": {"*": "QS1"}, "gpus_per_instance": 1}


def pod(name: str, gpus: object = 1, milli: object = 1000, spec: str = "", times: str = "0,9,5", **of: str) -> str:
    return f"{name},4000,1024,{gpus},{milli},{spec},{of.get('qos', 'LS')},{of.get('phase', 'Succeeded')},{times}\n"


def test_a_part_of_a_gpu_is_an_instance_of_its_own(tmp_path: Path) -> None:
    text = PODS + pod("a", 1, 460) + pod("b", 8, 1000) + pod("c", 9, 1000)
    workload = read(write(tmp_path, "p.csv", text), "alibaba-pods", queue=QUEUE, **{**CHOICES, "gpus_per_instance": 8})
    assert [(job.id, job.instances, job.submit_ms, job.work_ms) for job in workload.jobs] == [
        ("a", 1, 0, 4_000),
        ("b", 1, 0, 4_000),
        ("c", 2, 0, 4_000),
    ]
    assert workload.queue_delays == {"a": 5_000, "b": 5_000, "c": 5_000}
    assert (workload.rules["size"], workload.rules["instances"]) == (
        "num_gpu times gpu_milli",
        "GPUs divided by 8, rounded up",
    )


def test_of_several_models_the_first_with_a_unit_counts(tmp_path: Path) -> None:
    text = PODS + pod("a", 8, spec="V100M16|A100") + pod("b", 8, spec="T4|V100M16") + pod("c", 8) + pod("d", spec="G2")
    path = write(tmp_path, "p.csv", text)
    units = {"V100M16": G5, "A100": P5, "": G5}
    choices = {**CHOICES, "gpus_per_instance": {G5: 4, P5: 8}}
    workload = read(path, "alibaba-pods", queue=TWO_UNITS, **choices, units={"A100": P5, "T4": G5})
    assert {job.id: job.demand for job in workload.jobs} == {"a": {P5: 1}, "b": {G5: 2}}
    assert workload.skipped_by_reason == {"GPU model '' has no unit": 1, "GPU model 'G2' has no unit": 1}
    assert workload.rules["units"] == f"A100 to {P5}, T4 to {G5}"
    assert workload.rules["instances"] == f"GPUs divided by 4 for {G5}, 8 for {P5}, rounded up"
    del units[""]
    others = read(path, "alibaba-pods", queue=TWO_UNITS, **choices, units={**units, "*": P5})
    assert {job.id: job.demand for job in others.jobs} == {"a": {G5: 2}, "b": {G5: 2}, "c": {P5: 1}, "d": {P5: 1}}
    assert others.jobs[0].labels == {"group": "LS", "class": "LS", "gpu": "V100M16|A100"}
    assert message(
        path, "alibaba-pods", queue=TWO_UNITS, **{**choices, "gpus_per_instance": {G5: 4}}, units={"*": P5}
    ) == (f"p.csv: gpus_per_instance: says nothing about {P5}; name each unit in use")


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (pod("x", 0), "no GPU"),
        (pod("x", "two"), "num_gpu is no whole number"),
        (pod("x", 1, 0), "gpu_milli is not 1 to 1000"),
        (pod("x", 2, 500), "several GPUs, each in part"),
        (pod("x", times=",9,5"), "no creation_time"),
        (pod("x", times="0,9,"), "no scheduled_time"),
        (pod("x", times="0,4,5"), "ends before it starts"),
        (pod("x", times="6,9,5"), "starts before it was created"),
        (pod("x", times="0,soon,5"), "deletion_time is no number"),
        (pod("x", qos=""), "no name or qos"),
    ],
)
def test_a_pod_that_is_no_job_is_skipped_with_a_reason(tmp_path: Path, bad: str, reason: str) -> None:
    workload = read(write(tmp_path, "p.csv", PODS + pod("a") + bad), "alibaba-pods", queue=QUEUE, **CHOICES)
    assert [job.id for job in workload.jobs] == ["a"]
    assert [(skip.where, skip.reason) for skip in workload.skipped] == [("line 3", reason)]


def test_pods_that_wait_or_have_no_end_are_censored(tmp_path: Path) -> None:
    text = PODS + pod("a") + pod("b", times="0,9,", phase="Pending") + pod("c", times="0,,5", phase="Running")
    workload = read(write(tmp_path, "p.csv", text), "alibaba-pods", queue=QUEUE, **CHOICES)
    assert ([job.id for job in workload.jobs], workload.censored, workload.skipped) == (["a"], 2, ())


def test_every_pod_of_the_real_list_is_accounted_for() -> None:
    path = shared("traces/openb_pod_list_default.csv")
    workload = read(path, "alibaba-pods", queue=QUEUE, **CHOICES, priorities={"LS": 10, "BE": 0})
    rows = [line.split(",") for line in path.read_text("utf-8").splitlines()[1:]]
    ran = [row for row in rows if row[3] != "0" and row[10]]
    assert len(workload.jobs) == len(ran)
    assert workload.skipped_by_reason == {"no GPU": sum(row[3] == "0" for row in rows)}
    assert workload.censored == sum(row[3] != "0" and row[7] == "Pending" for row in rows)
    assert len(workload.jobs) + len(workload.skipped) + workload.censored == 8_152
    assert sum(job.work_ms for job in workload.jobs) == sum(int(row[9]) - int(row[10]) for row in ran) * 1_000
    assert {job.priority for job in workload.jobs if job.labels["group"] == "LS"} == {10}
    assert workload.warnings[0].startswith("running pods deleted at the last instant of the trace")


JOBS = (
    "239255,13,A10,20,1,1,0,60,HP\n"
    "437260,57,A100-SXM4-80GB,15,8,2,100,41060,Spot\n"
    "437261,57,A100-SXM4-80GB,15,1,0,100,5,Spot\n"
    "437262,57,A100-SXM4-80GB,15,0,4,100,5,Spot\n"
    "437263,57,A100-SXM4-80GB,15,1,1,100,5,Other\n"
    "437264,57,A100-SXM4-80GB,15,1,1,,5,HP\n"
    "437265,57,A100-SXM4-80GB,15,1,1,100,-5,HP\n"
)


def test_high_priority_and_spot_jobs_get_the_priorities_that_were_chosen(tmp_path: Path) -> None:
    path = write(tmp_path, "s.csv", SPOT + JOBS)
    units = {"A10": G5, "*": P5}
    choices = {"units": units, "gpus_per_instance": {G5: 1, P5: 8}, "priorities": {"HP": 100, "Spot": 1}}
    workload = read(
        path, "alibaba-spot", queue=TWO_UNITS, **choices, shares={"13": "QS1", "57": "QS2"}, group_by="organization"
    )
    assert [(job.id, job.share, job.demand, job.priority, job.work_ms) for job in workload.jobs] == [
        ("239255", "QS1", {G5: 1}, 100, 60_000),
        ("437260", "QS2", {P5: 2}, 1, 41_060_000),
    ]
    assert workload.rules["priorities"] == "HP to 100, Spot to 1"
    assert workload.skipped_by_reason == {
        "job_type is neither HP nor Spot": 1,
        "negative duration": 1,
        "no GPU": 1,
        "no submit_time": 1,
        "no worker": 1,
    }


def test_high_priority_and_spot_jobs_may_be_shares(tmp_path: Path) -> None:
    path = write(tmp_path, "s.csv", SPOT + JOBS)
    choices = {"gpus_per_instance": 1, "shares": {"HP": "QS1", "Spot": "QS2"}, "group_by": "job_type"}
    workload = read(path, "alibaba-spot", queue=QUEUE, **choices, priorities={"Sport": 5})
    assert [(job.share, job.instances, job.priority) for job in workload.jobs] == [("QS1", 1, 0), ("QS2", 16, 0)]
    assert workload.warnings == ("priorities names 'Sport', which the trace does not mention",)
    assert message(path, "alibaba-spot", queue=QUEUE, gpus_per_instance=1, shares={"HP": "QS1"}) == (
        "s.csv: the format alibaba-spot needs group_by: shares tells groups apart; "
        "say it, such as group_by: user (organization, job_type)"
    )
