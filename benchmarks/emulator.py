"""`python -m benchmarks.emulator`: the emulator under many jobs, beside a bare Starlette endpoint in the same run.

One JSON object a line. The same client and the same request bodies go to both, so the ratio is what the emulator
adds to HTTP. Time stands still in the emulator: jobs wait, none ends.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, cast

import urllib3
from benchmarks.yardsticks import ROOT, say

YARDSTICK = "starlette"
SAMPLES = 2_000
_ECHO = """\
import json, sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

async def echo(request):
    return JSONResponse(json.loads(await request.body()))

app = Starlette(routes=[Route("/{path:path}", echo, methods=["POST"])])
uvicorn.run(app, port=int(sys.argv[1]), log_level="warning", access_log=False)
"""
_UNIT = "ml.g5.xlarge"
_QUEUE = """\
import sys, boto3
from quota_verifier.aws.calls import creation
from quota_verifier.aws.perform import perform
from quota_verifier.template.declaration import read_declaration
perform(boto3.client("batch"), creation(read_declaration("examples/three_shares/queue.yaml")))
"""

Send = Callable[[str, dict[str, object]], dict[str, Any]]


@contextmanager
def _served(command: list[str], port: int) -> Generator[str]:
    """A server on `port`, from when it takes connections; stopped at the end."""
    server = subprocess.Popen([sys.executable, *command], cwd=ROOT, stdout=subprocess.DEVNULL, env=_environ(port))
    try:
        for _ in range(600):
            if server.poll() is not None:
                raise SystemExit(f"the server ended with exit code {server.returncode}")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(60)


def _environ(port: int) -> dict[str, str]:
    aws = {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "us-east-1"}
    path = os.pathsep.join((str(ROOT / "policies"), str(ROOT)))
    return {**os.environ, **aws, "PYTHONPATH": path, "AWS_ENDPOINT_URL_BATCH": f"http://127.0.0.1:{port}"}


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


def _sender(url: str) -> Send:
    pool = urllib3.PoolManager(retries=False)

    def send(path: str, body: dict[str, object]) -> dict[str, Any]:
        answer = pool.request("POST", f"{url}{path}", json=body)
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status} {answer.data!r}")
        return cast("dict[str, Any]", answer.json())

    return send


def _job(number: int) -> dict[str, object]:
    resources = {"InstanceType": _UNIT, "InstanceCount": 1, "VolumeSizeInGB": 30}
    return {
        "jobName": f"job-{number}",
        "jobQueue": "three-shares",
        "serviceJobType": "SAGEMAKER_TRAINING",
        "quotaShareName": f"QS{number % 3 + 1}",
        "schedulingPriority": number % 10,
        "serviceRequestPayload": json.dumps({"TrainingJobName": "train", "ResourceConfig": resources}),
    }


def _latencies_ms(send: Send, path: str, bodies: list[dict[str, object]]) -> list[float]:
    found: list[float] = []
    for body in bodies:
        began = time.perf_counter()
        send(path, body)
        found.append((time.perf_counter() - began) * 1000)
    return sorted(found)


def _print(name: str, latencies: list[float], against: list[float], **more: object) -> None:
    cuts = statistics.quantiles(latencies, n=100, method="inclusive")
    told = {f"p{percent}_ms": round(cuts[percent - 1], 3) for percent in (50, 95, 99)}
    ratio = statistics.median(latencies) / statistics.median(against)
    result = {"name": name, **more, **told, "max_ms": round(latencies[-1], 3), "yardstick": YARDSTICK}
    print(json.dumps({**result, "ratio": round(ratio, 2)}), flush=True)


def main() -> None:
    """Fill a queue, and time requests to it when it is full."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=100_000)
    jobs = parser.parse_args().jobs
    ports = _free_port(), _free_port()
    emulator = ["-m", "quota_verifier.cli.main", "emulate", "--stepped", "--port", str(ports[0])]
    with _served(emulator, ports[0]) as url, _served(["-c", _ECHO, str(ports[1])], ports[1]) as echo_url:
        subprocess.run([sys.executable, "-c", _QUEUE], cwd=ROOT, env=_environ(ports[0]), check=True)
        send, echo = _sender(url), _sender(echo_url)
        say(f"submitting {jobs} jobs, one client")
        began = time.perf_counter()
        arns = [send("/v1/submitservicejob", _job(number))["jobArn"] for number in range(jobs)]
        per_s = jobs / (time.perf_counter() - began)
        echoed = _latencies_ms(echo, "/", [_job(number) for number in range(SAMPLES)])
        full = [_job(jobs + number) for number in range(SAMPLES)]
        submitted = _latencies_ms(send, "/v1/submitservicejob", full)
        _print("submit", submitted, echoed, jobs=jobs, submissions_per_s=round(per_s))
        settled = _latencies_ms(send, "/_emulator/advance", [{"seconds": 0}])
        in_queue = jobs + SAMPLES
        print(json.dumps({"name": "schedule", "jobs": in_queue, "ms": round(settled[0], 1)}), flush=True)
        draw = random.Random(1)  # noqa: S311 (which jobs are asked about is no secret)
        asked: list[dict[str, object]] = [{"jobId": draw.choice(arns)} for _ in range(SAMPLES)]
        echoed = _latencies_ms(echo, "/", asked)
        _print("describe", _latencies_ms(send, "/v1/describeservicejob", asked), echoed, jobs=in_queue)


if __name__ == "__main__":
    main()
