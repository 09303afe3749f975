"""The SageMaker Python SDK in its own environment, led to the emulator and to moto, for tests.

    with sdk_session("--stepped") as session:
        told = session.run("three_shares.py")      # a script of tests/sagemaker/sdk, in .venv-sagemaker

A script prints one JSON document. The SDK's files are as PyPI has them; tools/loopback_only.py refuses every
connection and look-up that leaves this computer, and `told["outside"]` has what was refused.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import urllib3
from moto.server import ThreadedMotoServer
from running_emulator import RunningEmulator, running_emulator, small_queue
from tools.loopback_only import REFUSED

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(__file__).parent / "sdk"
GUARD = ROOT / "tools" / "loopback_only.py"
SETTINGS = ROOT / "examples" / "sagemaker.yaml"
ENVIRONMENT = ROOT / ".venv-sagemaker"
PYTHON = ENVIRONMENT / "bin" / "python"
LEFT_OUT = "QUOTA_SHARES_WITHOUT_SAGEMAKER"


def need_sdk() -> None:
    """Skip where the SDK is left out on purpose; fail where it is just not there."""
    if os.environ.get(LEFT_OUT):
        pytest.skip(f"{LEFT_OUT} is set: the tests with the SageMaker Python SDK are left out")
    if not (ENVIRONMENT / ".ready").exists():
        pytest.fail(f"no {ENVIRONMENT.name}: run `make sagemaker` (2 GB), or set {LEFT_OUT}=1", pytrace=False)


@dataclass(frozen=True)
class SdkSession:
    """Where the scripts find their services."""

    emulator: RunningEmulator
    environ: dict[str, str]

    def run(self, script: str) -> dict[str, Any]:
        """What a script of tests/sagemaker/sdk prints, and what it could not reach."""
        command = [PYTHON, GUARD, SCRIPTS / script]
        done = subprocess.run(command, env=self.environ, capture_output=True, text=True, timeout=180, check=False)
        assert done.returncode == 0, done.stderr[-4000:]
        return {**json.loads(done.stdout), "outside": refused(done.stderr)}


def refused(stderr: str) -> list[str]:
    """The hosts that the guard kept a program from."""
    return [line.removeprefix(REFUSED) for line in stderr.splitlines() if line.startswith(REFUSED)]


@contextmanager
def sdk_session(*arguments: str) -> Iterator[SdkSession]:
    """An emulator with AWS's three shares in a queue called q, moto for the other services, and the way to both."""
    need_sdk()
    moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    moto.start()
    try:
        host, port = moto.get_host_and_port()
        urllib3.request("POST", f"http://{host}:{port}/moto-api/reset")  # its state outlives its servers
        with running_emulator(*arguments) as emulator:
            small_queue(emulator.batch)
            others = {
                "AWS_ENDPOINT_URL": f"http://{host}:{port}",
                "SAGEMAKER_VALIDATE_ROLE": "false",  # moto has no SimulatePrincipalPolicy
                "SAGEMAKER_USER_CONFIG_OVERRIDE": str(SETTINGS),  # no telemetry
                "EMULATOR": emulator.url,
            }
            yield SdkSession(emulator, {**emulator.environ, **others})
    finally:
        moto.stop()
