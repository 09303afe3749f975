"""The emulator decides as `simulate` does, and a journal brings back all it knew."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from running_emulator import UNIT, payload

from quota_verifier.aws.emulator.account import Settings
from quota_verifier.aws.emulator.clock import STEPPED_START_MS
from quota_verifier.aws.emulator.emulator import Emulator
from quota_verifier.aws.emulator.identity import Identity
from quota_verifier.aws.emulator.job_view import description
from quota_verifier.aws.emulator.start import STEPPED, Start, start
from quota_verifier.errors import InputError
from quota_verifier.model import Environment, Job, JobUpdate, Queue, Share, Strategy
from quota_verifier.scheduler import Assumptions, Delay, Timing
from quota_verifier.scheduler.events import Kind
from quota_verifier.scheduler.reference.engine import run_reference

TIMING = Timing(startup=Delay(2_000), stop=Delay(3_000))
SETTINGS = Settings(Assumptions(), TIMING, 600_000, Identity())
SHARES = (
    Share("A", {UNIT: 2}, Strategy.LEND_AND_BORROW, in_share_preemption=True),
    Share("B", {UNIT: 2}, Strategy.LEND),
    Share("C", {UNIT: 2}, Strategy.RESERVE),
)
QUEUE = Queue(Environment({UNIT: 6}), SHARES)


def with_queue(emulator: Emulator) -> Emulator:
    policy = emulator.call(
        "CreateSchedulingPolicy", {"name": "p", "quotaSharePolicy": {"idleResourceAssignmentStrategy": "FIFO"}}
    )
    limits = [{"maxCapacity": 6, "capacityUnit": UNIT}]
    kind = "SAGEMAKER_TRAINING"
    emulator.call(
        "CreateServiceEnvironment",
        {"serviceEnvironmentName": "e", "serviceEnvironmentType": kind, "capacityLimits": limits},
    )
    order = [{"order": 1, "serviceEnvironment": "e"}]
    queue = {"jobQueueName": "q", "priority": 1, "schedulingPolicyArn": policy["arn"], "serviceEnvironmentOrder": order}
    emulator.call("CreateJobQueue", queue)
    for share in SHARES:
        preemption = "ENABLED" if share.in_share_preemption else "DISABLED"
        emulator.call(
            "CreateQuotaShare",
            {
                "quotaShareName": share.name, "jobQueue": "q",
                "capacityLimits": [{"maxCapacity": 2, "capacityUnit": UNIT}],
                "resourceSharingConfiguration": {"strategy": str(share.strategy)},
                "preemptionConfiguration": {"inSharePreemption": preemption},
            },
        )  # fmt: skip
    return emulator


def submit(emulator: Emulator, job: Job) -> str:
    answer = emulator.call(
        "SubmitServiceJob",
        {
            "jobName": job.id, "jobQueue": "q", "serviceJobType": "SAGEMAKER_TRAINING", "quotaShareName": job.share,
            "serviceRequestPayload": payload(job.demand[UNIT]), "schedulingPriority": job.priority,
            "tags": {"quota-shares:work": f"{job.work_ms}ms"},
        },
    )  # fmt: skip
    return str(answer["jobId"])


def drive(emulator: Emulator, jobs: list[Job], updates: list[JobUpdate]) -> None:
    """The same workload through the API: at each instant updates, then submissions, decided on together."""
    ids: dict[str, str] = {}
    for at in sorted({job.submit_ms for job in jobs} | {update.at_ms for update in updates}):
        emulator.advance(STEPPED_START_MS + at - emulator.account.now, settle=False)
        due = [update for update in updates if update.at_ms == at]
        early = [update for update in due if update.job in ids]
        for update in early:
            change(emulator, ids, update)
        for job in jobs:
            if job.submit_ms == at:
                ids[job.id] = submit(emulator, job)
        for update in due:
            if update not in early:
                change(emulator, ids, update)
    emulator.advance(1_000_000)


def change(emulator: Emulator, ids: dict[str, str], update: JobUpdate) -> None:
    job = emulator.account.jobs[ids[update.job]]
    if job.status in ("SUCCEEDED", "FAILED") or is_over(emulator, ids[update.job]):
        return
    emulator.call("UpdateServiceJob", {"jobId": job.id, "schedulingPriority": update.priority})
    if update.terminate:
        emulator.call("TerminateServiceJob", {"jobId": job.id, "reason": "enough"})


def is_over(emulator: Emulator, job: str) -> bool:
    """Whether the job ends at this very instant, which AWS's client cannot know."""
    queue = emulator.account.queues["q"].scheduler
    queue.open()
    return emulator.account.jobs[job].status in ("SUCCEEDED", "FAILED")


@st.composite
def worlds(draw: st.DrawFn) -> tuple[list[Job], list[JobUpdate]]:
    count = draw(st.integers(1, 10))
    submits = sorted(draw(st.lists(st.integers(0, 25), min_size=count, max_size=count)))
    jobs = [
        Job(
            f"j{index:02}", draw(st.sampled_from("ABC")), at * 1000, draw(st.integers(1, 12)) * 1000,
            {UNIT: draw(st.integers(1, 3))}, draw(st.integers(0, 2)), timeout_ms=86_400_000,
        )
        for index, at in enumerate(submits)
    ]  # fmt: skip
    chosen = draw(st.lists(st.sampled_from(jobs), max_size=4, unique_by=lambda job: job.id))
    updates = [
        JobUpdate(
            job.submit_ms + draw(st.integers(0, 9)) * 1000,
            job.id,
            draw(st.integers(0, 3)),
            terminate=draw(st.booleans()),
        )
        for job in chosen
    ]
    return jobs, sorted(updates, key=lambda update: update.at_ms)


_LABELS = {
    Kind.DISPATCHED: "SCHEDULED",
    Kind.PREEMPTED: "Batch Service Job Preemption Started",
    Kind.SUCCEEDED: "SUCCEEDED",
    Kind.FAILED: "FAILED",
}


def told(event: dict[str, Any]) -> tuple[int, str, str] | None:
    """Second, label and job of an event, where a simulation records the same."""
    kind, detail = event["detail-type"], event["detail"]
    label = detail["status"] if kind == "Batch Service Job State Change" else kind
    if label not in _LABELS.values():
        return None
    at = datetime.fromisoformat(event["time"]).timestamp() - STEPPED_START_MS // 1000
    return int(at), label, detail["jobName"]


@given(worlds())
@settings(max_examples=100, deadline=None)
def test_the_emulator_decides_as_a_simulation_of_the_same_workload(world: tuple[list[Job], list[JobUpdate]]) -> None:
    jobs, updates = world
    events: list[dict[str, Any]] = []
    drive(with_queue(start(Start(SETTINGS, STEPPED), events.append)), jobs, updates)
    simulated = run_reference(QUEUE, jobs, updates, Assumptions(), TIMING)
    expected = [
        (event.at // 1000, _LABELS[event.kind], jobs[event.job].id)
        for event in simulated.events
        if event.kind in _LABELS
    ]
    assert [found for event in events if (found := told(event))] == expected


@given(worlds())
@settings(max_examples=25, deadline=None)
def test_the_journal_brings_back_all_that_the_emulator_knew(world: tuple[list[Job], list[JobUpdate]]) -> None:
    with TemporaryDirectory() as folder:
        how = Start(SETTINGS, STEPPED, str(Path(folder) / "state.db"))
        first = with_queue(start(how))
        drive(first, *world)
        known = [description(job) for job in first.account.jobs.values()]
        first.close()
        second = start(how)
        assert [description(job) for job in second.account.jobs.values()] == known
        assert second.account.now == first.account.now
        assert second.account.new_id() == first.account.new_id()
        second.close()


def test_a_state_file_is_not_taken_up_under_other_assumptions(tmp_path: Path) -> None:
    path = str(tmp_path / "state.db")
    start(Start(SETTINGS, STEPPED, path)).close()
    other = Settings(Assumptions(victim_order="latest"), TIMING, 600_000, Identity())
    with pytest.raises(InputError, match="the state was made with assumptions"):
        start(Start(other, STEPPED, path))


def test_a_state_file_serves_one_emulator_at_a_time(tmp_path: Path) -> None:
    how = Start(SETTINGS, STEPPED, str(tmp_path / "state.db"))
    first = start(how)
    with pytest.raises(InputError, match="stop the emulator that uses it"):
        start(how)
    first.close()


def test_a_text_file_is_no_state_file(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database " * 100)
    with pytest.raises(InputError, match=r"notes\.txt: is not a state file"):
        start(Start(SETTINGS, STEPPED, str(path)))


def test_running_time_goes_on_while_no_emulator_runs(tmp_path: Path) -> None:
    path = str(tmp_path / "state.db")
    first = start(Start(SETTINGS, 3_600_000, path))  # an hour each millisecond
    began = first.account.now
    first.close()
    second = start(Start(SETTINGS, STEPPED, path))
    assert second.account.now > began
    again = second.account.now
    second.close()
    assert start(Start(SETTINGS, STEPPED, path)).account.now == again
