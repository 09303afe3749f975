"""Rescaled workloads: what stays, what is copied, and that every job is accounted for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from workload_helpers import G5, QUEUE, instance_ms, write

from quota_verifier.cli.main import main
from quota_verifier.errors import InputError
from quota_verifier.model import EnvironmentUpdate, Failure, Job, JobUpdate
from quota_verifier.policy.policy import policy_from_data
from quota_verifier.validation import validate_file
from quota_verifier.workload import Workload, generate_workload, offered_load
from quota_verifier.workload.columns import JobColumns, Shape, job_list
from quota_verifier.workload.generate_spec import GenerateSpec
from quota_verifier.workload.rescale import LATEST_COPY_MS, rescale
from quota_verifier.workload.scale_spec import ScaleSpec

WORK = {"distribution": "lognormal", "median": "20m", "p95": "4h"}
CLASS = {"rate": 10, "work": WORK, "instances": {"1": 3, "4": 1}}
SPEC = validate_file(
    GenerateSpec,
    {
        "duration": "4d",
        "classes": [{**CLASS, "name": name, "share": share} for name, share in (("a", "QS1"), ("b", "QS2"))],
    },
    "",
)
TRACE = generate_workload(SPEC, QUEUE)


def scale(workload: Workload = TRACE, **factors: float) -> Workload:
    return rescale(workload, validate_file(ScaleSpec, factors, "scale"))


def of_share(workload: Workload, share: str) -> Workload:
    return Workload(tuple(job for job in workload.jobs if job.share == share))


@pytest.mark.parametrize("factor", [0.1, 0.5, 0.8, 1, 1.2, 2, 2.7])
def test_a_load_factor_is_hit_in_every_share_to_within_half_a_job(factor: float) -> None:
    found = scale(load=factor)
    for share in ("QS1", "QS2"):
        before, after = of_share(TRACE, share), of_share(found, share)
        largest = max(job.work_ms * job.instances for job in before.jobs)
        assert abs(instance_ms(after) - factor * instance_ms(before)) <= largest / 2
    assert len(found.jobs) - found.copied + len(found.skipped) == len(TRACE.jobs)
    assert bool(found.copied) == (factor > 1)
    assert bool(found.skipped) == (factor < 1)
    loads = [float(offered_load(each, QUEUE)[0].ratio or 0) for each in (TRACE, found)]
    assert loads[1] / loads[0] == pytest.approx(factor, rel=0.03)


def test_copies_follow_their_original_within_an_hour_and_the_time_of_the_trace() -> None:
    found = {job.id: job for job in scale(load=2.5).jobs}
    copies = [job for name, job in found.items() if "-copy" in name]
    assert {name[-6:] for name in found if "-copy" in name} == {"-copy1", "-copy2"}
    for job in copies:
        original = found[job.id.rpartition("-copy")[0]]
        assert abs(job.submit_ms - original.submit_ms) <= LATEST_COPY_MS
        assert (job.share, job.work_ms, job.demand, job.labels) == (
            original.share, original.work_ms, original.demand, original.labels,
        )  # fmt: skip
    assert len({job.submit_ms for job in copies}) > len(copies) * 0.99
    times = [job.submit_ms for job in TRACE.jobs]
    assert times[0] <= min(job.submit_ms for job in copies)
    assert max(job.submit_ms for job in copies) <= times[-1]


def test_thinning_keeps_the_same_ids_whatever_else_is_there() -> None:
    kept = {job.id for job in scale(thin=0.5).jobs}
    assert len(kept) / len(TRACE.jobs) == pytest.approx(0.5, abs=0.04)
    half = Workload(tuple(reversed(TRACE.jobs[::2])))
    assert {job.id for job in scale(half, thin=0.5).jobs} == kept & {job.id for job in half.jobs}
    assert {job.id for job in scale(thin=0.25).jobs} < kept
    assert {job.id for job in scale(thin=0.5, seed=1).jobs} != kept
    assert scale(thin=1).jobs == TRACE.jobs


def test_the_order_of_rows_does_not_matter() -> None:
    for factors in ({"load": 1.7}, {"load": 0.3}, {"time": 3.0}, {"thin": 0.5}):
        assert scale(Workload(tuple(reversed(TRACE.jobs))), **factors).jobs == scale(**factors).jobs


def test_jobs_in_columns_fare_as_jobs_in_a_list() -> None:
    count = 500
    jobs = tuple(
        Job(str(n), "QS1", n * 1_000, 1_000 + n, {G5: 1 + n % 2}, failures=(Failure(5, "bug"),) if n == 7 else ())
        for n in range(count)
    )
    columns = JobColumns(
        ids=np.arange(count),
        submit_ms=np.arange(count) * 1_000,
        work_ms=1_000 + np.arange(count),
        shape=np.arange(count) % 2,
        shapes=(Shape("QS1", {G5: 1}), Shape("QS1", {G5: 2})),
        failures={7: (Failure(5, "bug"),)},
    )
    for factors in (
        {"load": 1.7},
        {"load": 0.5},
        {"thin": 0.5},
        {"time": 3.0},
        {"load": 2.0, "thin": 0.9, "time": 2.0},
    ):
        assert scale(Workload(job_list(columns)), **factors).jobs == scale(Workload(jobs), **factors).jobs


def test_faster_arrivals_divide_times_and_leave_work() -> None:
    updates = (JobUpdate(900_000, "a-000001", priority=5), EnvironmentUpdate(1_000_001, limits={G5: 2}))
    found = scale(Workload(TRACE.jobs, updates), time=2)
    assert {job.id: job.submit_ms for job in found.jobs} == {job.id: job.submit_ms // 2 for job in TRACE.jobs}
    assert instance_ms(found) == instance_ms(TRACE)
    assert [update.at_ms for update in found.updates] == [450_000, 500_000]
    assert found.rules == {"scale time": "submissions and updates at 1/2 of their times"}


def test_updates_go_with_their_jobs_and_that_is_said() -> None:
    updates = tuple(JobUpdate(job.submit_ms, job.id, priority=1) for job in TRACE.jobs)
    found = scale(Workload(TRACE.jobs, updates, queue_delays={job.id: 1 for job in TRACE.jobs}), thin=0.5)
    ids = {job.id for job in found.jobs}
    assert {update.job for update in found.updates if isinstance(update, JobUpdate)} == ids == set(found.queue_delays)
    assert found.rules["scale updates"] == f"{len(updates) - len(ids)} dropped with their jobs"
    assert found.skipped_by_reason == {"thinned to 0.5": len(TRACE.jobs) - len(ids)}
    assert found.skipped[0].where in {f"job {job.id}" for job in TRACE.jobs} - {f"job {name}" for name in ids}


@pytest.mark.parametrize(
    ("factors", "said"),
    [
        ({}, "scale: no factor is given; give load: 1.2, time: 2 or thin: 0.5"),
        ({"load": 0.0}, "scale: load: 0.0 is not above 0.0; write more than 0.0"),
        ({"thin": 1.5}, "scale: thin: 1.5 is above 1.0; write 1.0 or less"),
        ({"thin": 1e-9}, "scale: scaling leaves no job; give a greater factor"),
    ],
)
def test_a_factor_that_makes_no_sense_is_refused(factors: dict[str, float], said: str) -> None:
    with pytest.raises(InputError) as caught:
        scale(**factors)
    assert str(caught.value) == said


def test_a_copy_cannot_take_the_name_of_a_job() -> None:
    jobs = (Job("x", "QS1", 0, 5, {G5: 1}), Job("x-copy1", "QS1", 9, 5, {G5: 1}))
    with pytest.raises(InputError, match="a job is called 'x-copy1', as a copy would be"):
        scale(Workload(jobs), load=2)


def test_two_updates_on_one_instant_are_refused_after_scaling_too() -> None:
    updates = (EnvironmentUpdate(4, limits={G5: 2}), EnvironmentUpdate(5, limits={G5: 3}))
    with pytest.raises(InputError, match="the environment is updated twice at 0s"):
        scale(Workload(TRACE.jobs, updates), time=10)


CSV = "id,share,submit,work,instances\n" + "".join(f"j{n},QS1,{n}m,30s,1\n" for n in range(100))


def test_the_command_scales_and_accounts_for_every_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, "jobs.csv", CSV)
    assert main(["workload", str(path), "--capacity", f"{G5}=1", "--scale", "load=1.5", "time=2"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "jobs 150" in out
    assert "100 rows in the source, 0 of them no job here 50 jobs are copies, to scale the load" in out
    assert "load 1.5 times the instance-time of each share: 50 copies, each up to 1h from its original" in out
    assert main(["workload", str(path), "--scale", "load=fast"]) == 2
    assert "'fast' is not a number; write a factor such as load=1.2" in capsys.readouterr().err
    assert main(["workload", str(path), "--scale", "lod=2"]) == 2
    assert "unknown key 'lod'; did you mean 'load'?" in capsys.readouterr().err


def test_a_policy_scales_its_trace(tmp_path: Path) -> None:
    write(tmp_path, "jobs.csv", CSV)
    trace = {"file": "jobs.csv", "scale": {"thin": 0.5}}
    policy = policy_from_data({"workload": {"trace": trace}, "expect": [{"preemptions": 0}]}, base=tmp_path)
    assert not isinstance(policy.workload, Workload)
    found = policy.workload.load(QUEUE)
    assert 35 < len(found.jobs) < 65
    assert found.rules["scale thin"].endswith(f"{len(found.jobs)} of 100 stay")
