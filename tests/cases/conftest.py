"""Every public case about the scheduler is played on both engines."""

from __future__ import annotations

from functools import partial

import pytest
import world as worlds


@pytest.fixture(params=["reference", pytest.param("kernel", marks=pytest.mark.xdist_group("kernel"))])
def world(request: pytest.FixtureRequest):
    """`world.world` on one engine, then on the other."""
    return partial(worlds.world, engine=request.param)
