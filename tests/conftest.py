"""What holds for every test run.

Property tests draw the same examples in every run; `make test-long` draws far more. And Ctrl-C works: a shell
starts background jobs with SIGINT ignored, which the commands that tests interrupt would inherit.
"""

from __future__ import annotations

import signal

import pytest
from _pytest.nodeid import coerce_node_id
from hypothesis import settings

settings.register_profile("the-same-every-time", derandomize=True, deadline=None)
settings.load_profile("the-same-every-time")

signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the groups of `--dist loadgroup` together: pytest-xdist 3.8 writes them where pytest 9.2 no longer reads."""
    for item in items:
        written = getattr(item, "_nodeid", None)
        if written is not None and written != item.nodeid:
            item._id = coerce_node_id(written)
