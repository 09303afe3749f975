"""Findings of any kind in the one form that code scanning and annotations are made from."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Level = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class AlertRule:
    """What findings of one kind have in common. `page` is an https address, `help` says more where it is none."""

    id: str
    title: str
    help: str
    page: str = ""


@dataclass(frozen=True, slots=True)
class Alert:
    """One finding at a place of a file; line and column are 1-based.

    `key` tells it from others of its rule wherever it moves in the file. `waived` is the reason of one
    that is accepted.
    """

    rule: AlertRule
    level: Level
    message: str
    file: str
    line: int
    column: int
    key: str
    waived: str = ""


@dataclass(frozen=True, slots=True)
class Alerts:
    """Everything that a check found, with its summary in one line."""

    alerts: tuple[Alert, ...]
    summary: str

    @property
    def rules(self) -> tuple[AlertRule, ...]:
        """The rules of the findings, each once, in their order."""
        return tuple({alert.rule.id: alert.rule for alert in self.alerts}.values())


def relative(file: str) -> str:
    """A file as a repository names it: relative to the working directory where it lies below it, with slashes."""
    path = Path(os.path.normpath(file))
    here = Path.cwd()
    inside = path.is_absolute() and path.is_relative_to(here)
    return (path.relative_to(here) if inside else path).as_posix()


def paragraph(lines: Iterable[str]) -> str:
    """The lines that say something, one below the other."""
    return "\n".join(line for line in lines if line)
