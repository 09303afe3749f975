"""The pytest plugin: policy files are tests, and tests may simulate a queue.

It loads with pytest wherever quota-shares is installed, so it imports the verifier only once there is
something to judge.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from quota_verifier.pytest_plugin.settings import add_options, check_options, is_wanted

if TYPE_CHECKING:
    from quota_verifier.model import Queue
    from quota_verifier.testing.simulation import Simulation


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options and ini settings."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Refuse options that do not go together, before anything is collected."""
    check_options(config)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A policy file as a collector of its claims; nothing for any other file."""
    if not is_wanted(file_path, parent.config):
        return None
    from quota_verifier.pytest_plugin.collection import policy_file

    return policy_file(parent, file_path)


@pytest.fixture
def quota_queue(request: pytest.FixtureRequest) -> Queue:
    """The queue of the configured template or app; override this fixture to test another one."""
    from quota_verifier.errors import InputError
    from quota_verifier.pytest_plugin.queues import queues_of

    try:
        return queues_of(request.config).find(None)
    except InputError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture
def simulate(request: pytest.FixtureRequest) -> Callable[..., Simulation]:
    """Runs a workload through `quota_queue`, or through the `queue` that it is given.

    Takes what `quota_verifier.testing.run_workload` takes after the queue: a workload file, a policy file, rows or
    data of a policy's `workload`; then `timing`, `assume` and `until`. Returns a `Simulation`.
    """
    from quota_verifier.testing.simulation import run_workload

    def run(workload: object, *, queue: object = None, **settings: object) -> Simulation:
        chosen = request.getfixturevalue("quota_queue") if queue is None else queue
        return run_workload(chosen, workload, **settings)  # type: ignore[arg-type]

    return run
