"""How many examples a property test tries: few by default, very many on request."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

PROFILE_VARIABLE = "QUOTA_SHARES_PROFILE"
"""Set this environment variable to `long` for a run of LONG_EXAMPLES examples a test."""

LONG_EXAMPLES = 100_000


def property_settings(quick: int) -> settings:
    """Settings for a property test of whole runs: `quick` examples, or LONG_EXAMPLES in the long profile."""
    long = os.environ.get(PROFILE_VARIABLE) == "long"
    return settings(
        max_examples=LONG_EXAMPLES if long else quick,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
