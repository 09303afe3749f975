"""The queue that a test session judges on: read once from the template, or from the app once it is synthesised."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from quota_verifier.errors import InputError
from quota_verifier.model import Queue
from quota_verifier.pytest_plugin.app import synthesise
from quota_verifier.pytest_plugin.settings import UNCONFIGURED, Settings, settings_of
from quota_verifier.template.reader import read_queue


class Queues:
    """The queues of the configured template, each read once."""

    def __init__(self, settings: Settings, config: pytest.Config) -> None:
        self._settings = settings
        self._config = config
        self._template: Path | InputError | None = settings.template
        self._found: dict[str | None, Queue] = {}

    def find(self, name: str | None) -> Queue:
        """The queue that a policy names, else the only one; `--quota-queue` before both. Raises InputError."""
        wanted = self._settings.queue or name
        if wanted not in self._found:
            self._found[wanted] = read_queue(self.template(), parameters=self._settings.parameters, queue=wanted)
        return self._found[wanted]

    def template(self) -> Path:
        """The template, or the cloud assembly of the app, which runs once. Raises InputError where there is none."""
        if self._template is None:
            self._template = self._synthesised()
        if isinstance(self._template, InputError):
            raise self._template
        return self._template

    def _synthesised(self) -> Path | InputError:
        app = self._settings.app
        if app is None:
            return UNCONFIGURED
        folder = tempfile.TemporaryDirectory(prefix="quota-shares-")
        self._config.add_cleanup(folder.cleanup)
        try:
            return synthesise(app, Path(folder.name))
        except InputError as error:
            return error


_QUEUES: pytest.StashKey[Queues] = pytest.StashKey()


def queues_of(config: pytest.Config) -> Queues:
    """The queues of this session."""
    if _QUEUES not in config.stash:
        config.stash[_QUEUES] = Queues(settings_of(config), config)
    return config.stash[_QUEUES]
