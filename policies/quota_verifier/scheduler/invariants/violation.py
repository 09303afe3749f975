"""What a broken invariant is reported as."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from quota_verifier.durations import format_duration

Findings = Iterator[str]
"""Sentences about what is wrong; none where the invariant holds."""


@dataclass(frozen=True, slots=True)
class Violation:
    """An invariant (or rule) that broke, when, at which event of the log (-1: at no single one), and how."""

    invariant: str
    at_ms: int
    event: int
    text: str

    def __str__(self) -> str:
        return f"{self.invariant} at {format_duration(self.at_ms)}: {self.text}"
