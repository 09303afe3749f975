"""Fixtures of the plugin tests."""

from __future__ import annotations

import pytest
from cdk_fixtures import app, cdk

__all__ = ["app"]


@pytest.fixture
def stack(app: cdk.App) -> cdk.Stack:
    """An environment-agnostic stack."""
    return cdk.Stack(app, "Demo")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch) -> None:
    """Policy files are written to the working directory and named relative to it."""
    monkeypatch.chdir(tmp_path)
