"""kill -9 in the middle of a load loses nothing that was acknowledged."""

from __future__ import annotations

import threading
from http.client import HTTPException
from pathlib import Path

import pytest
import urllib3
from running_emulator import RunningEmulator, payload, running_emulator, small_queue

ENOUGH = 150
"""Acknowledged submissions after which the process is killed."""


@pytest.mark.parametrize("clock", [("--stepped",), ("--speed", "60")], ids=["stepped", "accelerated"])
def test_a_restart_loses_nothing_acknowledged(clock: tuple[str, ...], tmp_path: Path) -> None:
    arguments = (*clock, "--state", str(tmp_path / "state.db"))
    acknowledged: list[tuple[str, str]] = []
    enough = threading.Event()
    with running_emulator(*arguments) as emulator:
        shares = small_queue(emulator.batch)
        clients = [threading.Thread(target=load, args=(emulator, n, acknowledged, enough)) for n in range(3)]
        for client in clients:
            client.start()
        assert enough.wait(60)
        emulator.kill()
        for client in clients:
            client.join(60)
    assert len(acknowledged) >= ENOUGH
    with running_emulator(*arguments) as again:
        for name, arn in acknowledged:
            assert again.batch.describe_service_job(jobId=arn)["jobName"] == name
        assert {s["quotaShareArn"] for s in again.batch.list_quota_shares(jobQueue="q")["quotaShares"]} == set(
            shares.values()
        )
        with pytest.raises(again.batch.exceptions.ClientException, match="was used by an earlier request"):
            again.batch.submit_service_job(**job(0, 0))


def load(emulator: RunningEmulator, client: int, acknowledged: list[tuple[str, str]], enough: threading.Event) -> None:
    """Submit jobs, one after the other, until the emulator is gone."""
    pool = urllib3.PoolManager(retries=False)
    for number in range(100_000):
        request = job(client, number)
        try:
            answer = pool.request("POST", f"{emulator.url}/v1/submitservicejob", json=request)
        except (urllib3.exceptions.HTTPError, HTTPException, OSError):
            return
        assert answer.status == 200, answer.data
        acknowledged.append((request["jobName"], answer.json()["jobArn"]))
        if len(acknowledged) >= ENOUGH:
            enough.set()


def job(client: int, number: int) -> dict[str, str]:
    return {
        "jobName": f"job-{client}-{number}",
        "jobQueue": "q",
        "serviceJobType": "SAGEMAKER_TRAINING",
        "quotaShareName": f"QS{number % 3 + 1}",
        "serviceRequestPayload": payload(),
        "clientToken": f"{client}-{number}",
    }
