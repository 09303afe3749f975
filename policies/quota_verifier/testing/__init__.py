"""Hypothesis strategies for queues, workloads and whole worlds, and what a property test of a scheduler needs.

Needs the extra `testing`. The numbers are small on purpose: few instances, few instants, so that jobs compete
and things happen at the same time.
"""

from quota_verifier.testing.profiles import property_settings
from quota_verifier.testing.queues import UNITS, queues, rivals, time_limits
from quota_verifier.testing.settings import assumptions, timings
from quota_verifier.testing.workloads import jobs, updates, workloads
from quota_verifier.testing.worlds import World, permuted, worlds

__all__ = [
    "UNITS",
    "World",
    "assumptions",
    "jobs",
    "permuted",
    "property_settings",
    "queues",
    "rivals",
    "time_limits",
    "timings",
    "updates",
    "workloads",
    "worlds",
]
