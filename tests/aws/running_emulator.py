"""`quota-shares emulate` as a real process on a free loopback port, for tests.

    from running_emulator import running_emulator

    @pytest.fixture(scope="module")
    def emulator():
        with running_emulator("--stepped") as running:
            yield running

    def test_it(emulator):
        emulator.batch.list_service_jobs(jobQueue="q")       # a boto3 client of Batch, with dummy credentials
        emulator.client("batch", region_name="eu-west-1")    # any other client or settings
        emulator.advance(60)                                 # --stepped: a minute passes, and its end is decided on
        emulator.advance(0)                                  # --stepped: jobs submitted since are looked at, now
        emulator.now()                                       # the emulator's time, ms since 1970
        subprocess.run(["aws", "batch", ...], env=emulator.environ)   # clients that read the environment

Every argument goes to the command line: `running_emulator("template.json", "--speed", "60", "--state", path)`.
Clock modes: none (real time), `--speed N`, `--stepped`: time stands still, and a new job is SUBMITTED, until `advance`.
A job works 10 minutes unless `--work 30s` or its tag `quota-shares:work` (such as "90s") says otherwise; a preempted or
terminated job keeps its capacity for 20 s unless `--stop 0s`. `small_queue(batch)` makes AWS's three shares.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import boto3
import urllib3
from botocore.config import Config

UNIT = "ml.g5.xlarge"
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "emulated", "AWS_SECRET_ACCESS_KEY": "emulated", "AWS_DEFAULT_REGION": "us-east-1"}


@dataclass
class RunningEmulator:
    """A running emulator: its URL, its process, and clients of it."""

    url: str
    process: subprocess.Popen[str]

    @cached_property
    def batch(self) -> Any:
        return self.client("batch")

    def client(self, service: str, **options: Any) -> Any:
        settings = {
            "endpoint_url": self.url,
            "region_name": "us-east-1",
            "aws_access_key_id": "emulated",
            "aws_secret_access_key": "emulated",
            "config": Config(retries={"total_max_attempts": 1}),
        }
        return boto3.session.Session().client(service, **{**settings, **options})

    @property
    def environ(self) -> dict[str, str]:
        """Environment variables that lead any AWS client of Batch here."""
        return {**os.environ, **CREDENTIALS, "AWS_ENDPOINT_URL_BATCH": self.url, "AWS_EC2_METADATA_DISABLED": "true"}

    def advance(self, seconds: float, *, settle: bool = True) -> int:
        """Let stepped time go on; returns the new time (ms since 1970)."""
        return self.control("POST", "advance", {"seconds": seconds, "settle": settle})["now"]

    def now(self) -> int:
        return self.control("GET", "time")["now"]

    def control(self, method: str, name: str, body: Mapping[str, object] | None = None) -> dict[str, Any]:
        """A request to the emulator itself rather than to AWS Batch."""
        answer = urllib3.request(method, f"{self.url}/_emulator/{name}", json=body, timeout=120, retries=False)
        assert answer.status == 200, answer.data
        return answer.json()

    def kill(self) -> None:
        """SIGKILL, as `kill -9`; the process is gone afterwards."""
        self.process.kill()
        self.process.wait(30)


@contextmanager
def running_emulator(*arguments: str, **popen: Any) -> Generator[RunningEmulator]:
    """Start `quota-shares emulate ARGUMENTS`, wait until it serves, and stop it at the end."""
    command = [sys.executable, "-m", "quota_verifier.cli.main", "emulate", "--port", "0", "--json", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **popen)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"the emulator ended with exit code {process.wait(30)}; see its standard error")
        yield RunningEmulator(json.loads(line)["url"], process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(30)
        if process.stdout is not None:
            process.stdout.close()


def payload(instances: int = 1, unit: str = UNIT, **more: object) -> str:
    """A CreateTrainingJob request as SubmitServiceJob takes it."""
    resources = {"InstanceType": unit, "InstanceCount": instances, "VolumeSizeInGB": 30}
    return json.dumps({"TrainingJobName": "train", "ResourceConfig": resources, **more})


def submit(batch: Any, queue: str, share: str, name: str, work: str = "10m", instances: int = 1, **more: Any) -> str:
    """Submit a job that works that long; returns its ARN. `more` are members of SubmitServiceJob."""
    tags = {"quota-shares:work": work, **more.pop("tags", {})}
    return batch.submit_service_job(
        jobName=name, jobQueue=queue, serviceJobType="SAGEMAKER_TRAINING", quotaShareName=share,
        serviceRequestPayload=payload(instances), tags=tags, **more,
    )["jobArn"]  # fmt: skip


def small_queue(batch: Any, name: str = "q", limits: int = 1) -> dict[str, str]:
    """AWS's example: QS1 lends and borrows 200 % and preempts in the share, QS2 lends, QS3 reserves. Share ARNs."""
    policy = batch.create_scheduling_policy(
        name=f"{name}-policy", quotaSharePolicy={"idleResourceAssignmentStrategy": "FIFO"}
    )
    batch.create_service_environment(
        serviceEnvironmentName=f"{name}-env", serviceEnvironmentType="SAGEMAKER_TRAINING",
        capacityLimits=[{"maxCapacity": 3 * limits, "capacityUnit": UNIT}],
    )  # fmt: skip
    batch.create_job_queue(
        jobQueueName=name, jobQueueType="SAGEMAKER_TRAINING", priority=1, schedulingPolicyArn=policy["arn"],
        serviceEnvironmentOrder=[{"order": 1, "serviceEnvironment": f"{name}-env"}],
    )  # fmt: skip
    shares = {
        "QS1": ({"strategy": "LEND_AND_BORROW", "borrowLimit": 200}, "ENABLED"),
        "QS2": ({"strategy": "LEND"}, "DISABLED"),
        "QS3": ({"strategy": "RESERVE"}, "DISABLED"),
    }
    return {
        share: batch.create_quota_share(
            quotaShareName=share, jobQueue=name, resourceSharingConfiguration=sharing,
            capacityLimits=[{"maxCapacity": limits, "capacityUnit": UNIT}],
            preemptionConfiguration={"inSharePreemption": preemption},
        )["quotaShareArn"]
        for share, (sharing, preemption) in shares.items()
    }  # fmt: skip
