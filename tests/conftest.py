"""Property tests draw the same examples in every run; `make test-long` draws far more."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("the-same-every-time", derandomize=True, deadline=None)
settings.load_profile("the-same-every-time")
