"""For tests: Hypothesis strategies for queues, workloads and whole worlds; simulations with assertions; snapshots.

The strategies need Hypothesis (extra `testing`) and are left out without it. Their numbers are small on purpose:
few instances, few instants, so that jobs compete and things happen at the same time. The snapshots need syrupy
(extra `pytest`). What is no strategy loads on first use.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING or find_spec("hypothesis") is not None:
    # Now, not on first use: names such as `queues` are those of the modules, too.
    from quota_verifier.testing.profiles import property_settings
    from quota_verifier.testing.queues import UNITS, queues, rivals, time_limits
    from quota_verifier.testing.settings import assumptions, timings
    from quota_verifier.testing.workloads import jobs, updates, workloads
    from quota_verifier.testing.worlds import World, permuted, worlds
if TYPE_CHECKING:
    from quota_verifier.testing.bare_snapshots import bare_snapshot_assertions
    from quota_verifier.testing.simulation import Simulation, assert_holds, run_workload
    from quota_verifier.testing.snapshots import FiguresSnapshotExtension

__all__ = [
    "UNITS",
    "FiguresSnapshotExtension",
    "Simulation",
    "World",
    "assert_holds",
    "assumptions",
    "bare_snapshot_assertions",
    "jobs",
    "permuted",
    "property_settings",
    "queues",
    "rivals",
    "run_workload",
    "time_limits",
    "timings",
    "updates",
    "workloads",
    "worlds",
]

_HOMES = {
    "FiguresSnapshotExtension": "snapshots",
    "Simulation": "simulation",
    "assert_holds": "simulation",
    "bare_snapshot_assertions": "bare_snapshots",
    "run_workload": "simulation",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
