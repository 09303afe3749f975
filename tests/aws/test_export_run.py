"""Exported scripts and programs, run as they are with the real AWS CLI and boto3, against the emulator."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from described_queue import described, nothing_left, plain
from running_emulator import RunningEmulator, running_emulator

from quota_verifier.aws.calls import creation, deletion
from quota_verifier.aws.export.files import write_files
from quota_verifier.aws.export.formats import exported
from quota_verifier.aws.perform import perform
from quota_verifier.template.declaration import Declaration, read_declaration

ROOT = Path(__file__).parents[2]
EVERYTHING = read_declaration(ROOT / "tests/fixtures/export/everything.yaml")
THREE_SHARES = read_declaration(ROOT / "examples/three_shares/queue.yaml")


@pytest.fixture(scope="module")
def emulator() -> Iterator[RunningEmulator]:
    with running_emulator("--stepped") as running:
        yield running


def run(emulator: RunningEmulator, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a file of the export, with the `aws` of this environment first, from another folder than its own."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    words = [str(folder / word) if (folder / word).is_file() else word for word in command]
    return subprocess.run(
        words, env={**emulator.environ, "PATH": path}, cwd="/", capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.xdist_group("export_run")
def test_the_script_of_the_aws_cli_creates_what_is_declared(emulator: RunningEmulator, tmp_path: Path):
    write_files(exported(EVERYTHING, "aws-cli"), str(tmp_path))
    done = run(emulator, tmp_path, "create.sh")
    assert (done.returncode, done.stderr) == (0, "")
    assert described(emulator.batch, "training") == plain(EVERYTHING)
    again = run(emulator, tmp_path, "create.sh")
    assert again.returncode != 0
    assert "Object already exists" in again.stderr
    perform(emulator.batch, deletion(EVERYTHING), delay_s=0)
    assert nothing_left(emulator.batch)


@pytest.mark.xdist_group("export_run")
def test_the_script_of_the_aws_cli_deletes_it_all(emulator: RunningEmulator, tmp_path: Path):
    # One share: each command of the AWS CLI costs half a second of CPU.
    declared = replace(THREE_SHARES, queue=replace(THREE_SHARES.queue, shares=THREE_SHARES.queue.shares[:1]))
    perform(emulator.batch, creation(declared))
    write_files(exported(declared, "aws-cli"), str(tmp_path))
    done = run(emulator, tmp_path, "delete.sh")
    assert (done.returncode, done.stderr) == (0, "")
    assert nothing_left(emulator.batch)
    again = run(emulator, tmp_path, "delete.sh")
    assert (again.returncode, again.stderr) == (1, "the service environment is not there\n")


@pytest.mark.xdist_group("export_run")
@pytest.mark.parametrize("declared", [EVERYTHING, THREE_SHARES], ids=["everything", "three shares"])
def test_the_programs_with_boto3_create_and_delete_what_is_declared(
    emulator: RunningEmulator, tmp_path: Path, declared: Declaration
):
    write_files(exported(declared, "boto3"), str(tmp_path))
    done = run(emulator, tmp_path, sys.executable, "create.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert described(emulator.batch, declared.queue.name) == plain(declared)
    done = run(emulator, tmp_path, sys.executable, "delete.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert nothing_left(emulator.batch)
    again = run(emulator, tmp_path, sys.executable, "delete.py")
    assert (again.returncode, again.stderr) == (1, "the service environment is not there\n")
