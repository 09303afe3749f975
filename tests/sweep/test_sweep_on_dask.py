"""The same sweep on a real Dask scheduler with two worker processes, and with one that dies under way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from sweep_helpers import GENERATED, LIMITS, document, planned, ran

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

from quota_verifier.cli.main import main
from quota_verifier.errors import InputError
from quota_verifier.sweep.dask_cluster import cluster
from quota_verifier.sweep.sweep import run_sweep

pytestmark = pytest.mark.xdist_group("dask")  # one scheduler, and its workers die in this order

START_S = 30
PLAN = planned(LIMITS, seeds=6)
EXPECTED = document(ran(PLAN))


def started(module: str, *argv: str, log: Path, env: dict[str, str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", f"distributed.cli.{module}", "--host", "127.0.0.1", "--no-dashboard", *argv]
    with log.open("wb") as out:
        return subprocess.Popen(command, stdout=out, stderr=out, env={**os.environ, **env})


@pytest.fixture(scope="module", name="scheduler")
def _scheduler(tmp_path_factory):
    """A scheduler on the loopback interface: its address, and a function that starts a worker."""
    folder = tmp_path_factory.mktemp("dask")
    file = folder / "scheduler.json"
    with ExitStack() as running:

        def start(module: str, *argv: str, **env: str):
            process = started(module, *argv, log=folder / f"{module}.{time.monotonic_ns()}.log", env=env)
            running.callback(process.wait)
            running.callback(process.kill)
            return process

        start("dask_scheduler", "--port", "0", "--scheduler-file", str(file))
        deadline = time.monotonic() + START_S
        while not file.exists():
            assert time.monotonic() < deadline, "the scheduler does not start"
            time.sleep(0.05)
        address = json.loads(file.read_text())["address"]
        yield (
            address,
            lambda **env: start(
                "dask_worker", address, "--nthreads", "1", "--no-nanny", "--local-directory", str(folder), **env
            ),
        )


@pytest.fixture(scope="module", name="workers")
def _workers(scheduler):
    _, start = scheduler
    return [start(), start()]


def wait_for(workers, count: int) -> None:
    deadline = time.monotonic() + START_S
    from distributed import Client

    with Client(workers, set_as_default=False) as client:
        client.wait_for_workers(count, timeout=deadline - time.monotonic())


def start_and_wait(address: str, start, **env: str) -> None:
    """Start a worker and wait until the scheduler knows it, however many others live or have just died."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        known = set(client.nthreads())
        start(**env)
        deadline = time.monotonic() + START_S
        while not set(client.nthreads()) - known:
            assert time.monotonic() < deadline, "the worker does not start"
            time.sleep(0.05)


def test_a_scheduler_without_workers_is_told_apart(scheduler, monkeypatch):
    monkeypatch.setattr("quota_verifier.sweep.dask_cluster.PATIENCE_S", 1)
    with pytest.raises(InputError) as caught, cluster(scheduler[0]):
        pass
    assert str(caught.value) == (
        f"--dask: the scheduler at {scheduler[0]} has no workers; start some: dask worker {scheduler[0]}"
    )


def test_a_cluster_gives_what_one_process_gives(scheduler, workers):
    wait_for(scheduler[0], 2)
    with cluster(scheduler[0]) as found:
        assert found.parallel == 2
        assert document(run_sweep(PLAN, found.executor, in_flight=found.in_flight, died=found.died)) == EXPECTED


def test_the_command_runs_on_a_cluster(scheduler, workers, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("policy.yaml").write_text(GENERATED)
    Path("queue.yaml").write_text(QUEUE_FILE)
    argv = ["sweep", "queue.yaml", "--policy", "policy.yaml", "--set", "shares.A.borrow_limit=0,100", "--json"]
    assert main([*argv, "--seeds", "2", "--workers", "1"]) == 0
    here = capsys.readouterr()
    assert main([*argv, "--seeds", "2", "--dask", scheduler[0]]) == 0
    assert capsys.readouterr() == here


QUEUE_FILE = """
environment: {ml.g5.xlarge: 4}
shares:
  - {name: A, limits: {ml.g5.xlarge: 2}, strategy: LEND_AND_BORROW, borrow_limit: 100}
  - {name: B, limits: {ml.g5.xlarge: 2}, strategy: LEND}
"""


def test_a_worker_that_dies_under_way_loses_nothing_and_nothing_counts_twice(scheduler, workers):
    long = planned(LIMITS, policies=[GENERATED.replace("duration: 8h", "duration: 4d")], seeds=6)
    wait_for(scheduler[0], 2)
    told = []

    def done(count: int, total: int) -> None:
        told.append((count, total))
        if count == 2:
            os.kill(workers[0].pid, signal.SIGKILL)

    with cluster(scheduler[0]) as found:
        outcome = run_sweep(long, found.executor, in_flight=found.in_flight, died=found.died, progress=done)
        assert workers[0].wait(START_S) == -signal.SIGKILL
        assert found.parallel == 2
    assert told == [(count, 12) for count in range(1, 13)]
    assert document(outcome) == document(ran(long))


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("nonsense", "missing port number in address 'nonsense'"),
        ("ftp://127.0.0.1:1", "unknown address scheme 'ftp'"),
        ("tcp://127.0.0.1:9", "Timed out trying to connect"),
    ],
)
def test_an_address_where_nobody_answers_is_one_line(address, why, monkeypatch):
    monkeypatch.setattr("quota_verifier.sweep.dask_cluster.PATIENCE_S", 0.5)
    with pytest.raises(InputError) as caught, cluster(address):
        pass
    assert str(caught.value).startswith(f"--dask: no Dask scheduler answers at {address!r} ({why}")
    assert "\n" not in str(caught.value)


def test_a_worker_of_another_version_is_refused(scheduler, tmp_path):
    address, start = scheduler
    other = tmp_path / "quota_shares-0.0.0.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: quota-shares\nVersion: 0.0.0\n")
    start_and_wait(address, start, PYTHONPATH=str(tmp_path))
    with pytest.raises(InputError) as caught, cluster(address):
        pass
    assert " has quota-shares 0.0.0; install quota-shares " in str(caught.value)
