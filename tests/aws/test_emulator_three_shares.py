"""AWS's published example of three shares, step by step in stepped time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from running_emulator import RunningEmulator, running_emulator, small_queue, submit


@pytest.fixture
def emulator() -> Iterator[RunningEmulator]:
    with running_emulator("--stepped") as running:
        small_queue(running.batch)
        yield running


def test_lending_reclaim_and_in_share_preemption_go_as_aws_tells(emulator: RunningEmulator) -> None:
    batch = emulator.batch

    def statuses(*jobs: str) -> list[str]:
        return [batch.describe_service_job(jobId=job)["status"] for job in jobs]

    high, medium, low = (
        submit(batch, "q", "QS1", name, schedulingPriority=priority)
        for name, priority in (("high", 3), ("med", 2), ("low", 1))
    )
    assert statuses(high, medium, low) == ["SUBMITTED"] * 3
    emulator.advance(0)
    assert statuses(high, medium, low) == ["RUNNING", "RUNNING", "RUNNABLE"]
    emulator.advance(60)
    owner = submit(batch, "q", "QS2", "qs2_job_1", schedulingPriority=1)
    emulator.advance(0)
    assert statuses(medium, owner) == ["RUNNING", "RUNNABLE"]  # being stopped
    emulator.advance(20)
    assert statuses(high, medium, low, owner) == ["RUNNING", "RUNNABLE", "RUNNABLE", "RUNNING"]
    batch.update_service_job(jobId=low, schedulingPriority=4)
    emulator.advance(20)
    assert statuses(high, medium, low, owner) == ["RUNNABLE", "RUNNABLE", "RUNNING", "RUNNING"]
    summary = batch.describe_service_job(jobId=medium)["preemptionSummary"]
    assert summary["preemptedAttemptCount"] == 1
    assert (
        summary["recentPreemptedAttempts"][0]["statusReason"]
        == "Cross-share preemption triggered to reclaim borrowed capacity"
    )
