"""A folder of small files for commands to work on, and how to run a command in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from quota_verifier.cli.main import main

INSTALLED = str(Path(sys.executable).with_name("quota-shares"))

QUEUE = """\
environment: {ml.g5.xlarge: 3}
shares:
  - {name: QS1, limits: {ml.g5.xlarge: 1}, strategy: LEND_AND_BORROW, borrow_limit: 200, in_share_preemption: true}
  - {name: QS2, limits: {ml.g5.xlarge: 1}, strategy: LEND}
  - {name: QS3, limits: {ml.g5.xlarge: 1}, strategy: RESERVE}
"""
WORKLOAD = """\
jobs:
  - {id: high, share: QS1, work: 1h, instances: 1, priority: 3}
  - {id: med, share: QS1, work: 1h, instances: 1, priority: 2}
  - {id: qs2j, share: QS2, submit: 10s, work: 1h, instances: 1}
"""
POLICY = """\
description: What QS2 may expect
workload: {file: workload.yaml}
expect:
  - {share: QS2, wait: {max: "<= 10s"}}
"""
STRICT = POLICY.replace("QS2", "QS1").replace('wait: {max: "<= 10s"}', "preemptions: 0")


class Outcome(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def document(self):
        return json.loads(self.out)


def fill(folder: Path) -> Path:
    """The files above in `folder`, and some that nobody can read."""
    for name, text in (
        ("queue.yaml", QUEUE),
        ("workload.yaml", WORKLOAD),
        ("policy.yaml", POLICY),
        ("strict.yaml", STRICT),
        ("empty.yaml", ""),
    ):
        (folder / name).write_text(text)
    (folder / "binary.yaml").write_bytes(bytes(range(256)))
    (folder / "folder").mkdir()
    return folder


def called(capsys, *argv: str) -> Outcome:
    """The outcome of a command line in this process."""
    code = main(argv)
    return Outcome(code, *capsys.readouterr())


def executed(folder: Path, *argv: str, **env: str) -> Outcome:
    """The outcome of a command line as users run it."""
    done = subprocess.run(
        [INSTALLED, *argv],
        cwd=folder,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)
