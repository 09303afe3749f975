"""The real `aws batch` commands of a working day, against the emulator."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from running_emulator import UNIT, RunningEmulator, payload, running_emulator, small_queue

AWS = Path(sys.executable).with_name("aws")


@pytest.fixture(scope="module")
def emulator() -> Iterator[RunningEmulator]:
    with running_emulator("--stepped") as running:
        small_queue(running.batch)
        yield running


def aws(emulator: RunningEmulator, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [AWS, "batch", *words], env=emulator.environ, capture_output=True, text=True, timeout=60, check=False
    )


def answer(emulator: RunningEmulator, *words: str) -> Any:
    done = aws(emulator, *words)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout) if done.stdout else None


@pytest.mark.xdist_group("aws_cli")
def test_a_job_is_submitted_watched_moved_up_and_terminated(emulator: RunningEmulator):
    job = answer(
        emulator, "submit-service-job", "--job-name", "train", "--job-queue", "q", "--quota-share-name", "QS1",
        "--service-job-type", "SAGEMAKER_TRAINING", "--service-request-payload", payload(),
        "--scheduling-priority", "0", "--tags", "quota-shares:work=1h",
    )["jobArn"]  # fmt: skip
    emulator.advance(0)
    (listed,) = answer(emulator, "list-service-jobs", "--job-queue", "q")["jobSummaryList"]
    assert (listed["jobArn"], listed["quotaShareName"]) == (job, "QS1")
    assert answer(emulator, "update-service-job", "--job-id", job, "--scheduling-priority", "5")["jobArn"] == job
    told = answer(emulator, "describe-service-job", "--job-id", job)
    assert (told["status"], told["schedulingPriority"]) == ("RUNNING", 5)
    answer(emulator, "terminate-service-job", "--job-id", job, "--reason", "enough")
    emulator.advance(20)
    assert answer(emulator, "describe-service-job", "--job-id", job)["statusReason"] == "enough"


@pytest.mark.xdist_group("aws_cli")
def test_awss_own_commands_for_a_share_work_as_its_guide_writes_them(emulator: RunningEmulator):
    made = answer(
        emulator, "create-quota-share", "--quota-share-name", "by_cli", "--job-queue", "q",
        "--capacity-limits", f"maxCapacity=1,capacityUnit={UNIT}",
        "--resource-sharing-configuration", "strategy=LEND_AND_BORROW,borrowLimit=0",
        "--preemption-configuration", "inSharePreemption=ENABLED",
    )  # fmt: skip
    told = answer(emulator, "describe-quota-share", "--quota-share-arn", made["quotaShareArn"])
    assert told["resourceSharingConfiguration"] == {"strategy": "LEND_AND_BORROW", "borrowLimit": 0}
    names = answer(emulator, "list-quota-shares", "--job-queue", "q", "--page-size", "2",
                   "--query", "quotaShares[].quotaShareName")  # fmt: skip
    assert names == ["QS1", "QS2", "QS3", "by_cli"]


@pytest.mark.xdist_group("aws_cli")
def test_a_refusal_reaches_the_terminal_in_awss_words(emulator: RunningEmulator):
    done = aws(emulator, "describe-quota-share", "--quota-share-arn",
               "arn:aws:batch:us-east-1:123456789012:job-queue/q/quota-share/gone")  # fmt: skip
    assert done.returncode not in (0, 1)
    assert "(ClientException)" in done.stderr
    assert "does not exist" in done.stderr
