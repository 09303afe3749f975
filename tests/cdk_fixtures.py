"""aws_cdk without its built-in validation, which costs seconds per process; plugins that an app adds run anyway."""

from __future__ import annotations

import os

import pytest

# Node reads the variable when aws_cdk starts it; afterwards it goes, so that tests which run a command are not touched.
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
