"""Apps in folders of their own, run by the real CDK command line or by Python alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
APPS = Path(__file__).parent / "apps"
CDK = ROOT / "node_modules" / ".bin" / "cdk"

needs_cdk = pytest.mark.skipif(not CDK.exists(), reason="the CDK command line is not installed: run `make setup`")

TWO_JOBS = """\
workload:
  jobs:
    - {id: first, share: QS3, submit: 0s, work: 1h, instances: 1}
    - {id: second, share: QS3, submit: 0s, work: 30m, instances: 1}
expect:
  - {share: QS3, wait: "<= 1m"}
"""


def environment(*, builtin_validation: bool) -> dict[str, str]:
    """That of a user's shell: the project's tools on PATH, nothing of pytest, and no AWS account."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "AWS_", "CDK_", "JSII"))
    }
    # The CDK's own validation costs seconds; it is on in one test.
    quicker = {} if builtin_validation else {"CDK_VALIDATION": "false"}
    return {
        **kept,
        **quicker,
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
        "CDK_DISABLE_CLI_TELEMETRY": "true",
        "AWS_EC2_METADATA_DISABLED": "true",
    }


def cdk(folder: Path, *words: str, app: str = "python3 app.py", builtin_validation: bool = False) -> tuple[int, str]:
    """Run the CDK command line in a folder; the exit code and what it says on standard error."""
    done = subprocess.run(
        [str(CDK), *words, "--app", app, "--no-notices", "--no-color"],
        cwd=folder,
        env=environment(builtin_validation=builtin_validation),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


def python(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=environment(builtin_validation=False),
        capture_output=True,
        text=True,
        check=False,
    )


def small_app(folder: Path, name: str, policy: str = TWO_JOBS) -> Path:
    """One of the apps here with a policy beside it."""
    shutil.copy(APPS / f"{name}.py", folder / "app.py")
    (folder / "policy.yaml").write_text(policy)
    return folder


def demo_app(folder: Path) -> Path:
    """The app of the repository, and its policies but for those on traces that the repository does not hold."""
    shutil.copy(ROOT / "app.py", folder)
    shutil.copy(ROOT / "cdk.json", folder)
    (folder / "policies").mkdir()
    for file in sorted((ROOT / "policies").glob("*.yaml")):
        if "optional: true" not in file.read_text():
            shutil.copy(file, folder / "policies")
    return folder
