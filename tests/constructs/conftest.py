"""Fixtures of the construct tests."""

from __future__ import annotations

import pytest
from cdk_fixtures import app, cdk

__all__ = ["app"]


@pytest.fixture
def stack(app: cdk.App) -> cdk.Stack:
    """An environment-agnostic stack."""
    return cdk.Stack(app, "Stack")
