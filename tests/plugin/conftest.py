"""Fixtures of the plugin tests."""

from __future__ import annotations

import os

import pytest

# The CDK's built-in validation costs seconds per process; Node reads the variable when aws_cdk starts it.
# Plugins that an app adds run all the same.
_before = os.environ.get("CDK_VALIDATION")
os.environ["CDK_VALIDATION"] = "false"
import quota_shares  # noqa: E402, F401

if _before is None:
    del os.environ["CDK_VALIDATION"]
else:
    os.environ["CDK_VALIDATION"] = _before

import aws_cdk as cdk  # noqa: E402


@pytest.fixture
def app() -> cdk.App:
    """An app of its own for every test."""
    return cdk.App()


@pytest.fixture
def stack(app: cdk.App) -> cdk.Stack:
    """An environment-agnostic stack."""
    return cdk.Stack(app, "Demo")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch) -> None:
    """Policy files are written to the working directory and named relative to it."""
    monkeypatch.chdir(tmp_path)
