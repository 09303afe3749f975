"""Which jobs a figure is about: by share, label and size class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from quota_verifier.figures.columns import Ints, Mask
from quota_verifier.model import Job

MOST_LABEL_VALUES = 64
"""A label with more values than this (a user, a job name) gets no figures by itself."""


def size_classes(instances: Ints) -> Iterator[tuple[str, Mask]]:
    """Jobs by instances asked for, in powers of two: 1, 2, 3-4, 5-8, ..., those that occur, ascending."""
    upper = 1
    largest = int(instances.max()) if len(instances) else 0
    while True:
        lower = upper // 2 + 1
        members = (instances >= lower) & (instances <= upper)
        if members.any():
            yield size_class(upper), members
        if upper >= largest:
            return
        upper *= 2


def size_class(instances: int) -> str:
    """The name of the size class of a job with so many instances."""
    upper = 1 << max(0, instances - 1).bit_length()
    lower = upper // 2 + 1
    return str(upper) if lower >= upper else f"{lower}-{upper}"


def with_labels(jobs: Sequence[Job], wanted: Sequence[tuple[str, str]]) -> Mask:
    """Jobs that carry every one of the labels."""
    return np.array([all(job.labels.get(key) == value for key, value in wanted) for job in jobs], np.bool_)


def label_groups(jobs: Sequence[Job]) -> tuple[list[tuple[str, Mask]], tuple[str, ...]]:
    """Jobs by label, as (`key=value`, members) in alphabetical order, and the keys with too many values."""
    rows: dict[str, dict[str, list[int]]] = {}
    for row, job in enumerate(jobs):
        for key, value in job.labels.items():
            rows.setdefault(key, {}).setdefault(value, []).append(row)
    groups: list[tuple[str, Mask]] = []
    for key, by_value in sorted(rows.items()):
        if len(by_value) <= MOST_LABEL_VALUES:
            for value, members in sorted(by_value.items()):
                mask = np.zeros(len(jobs), np.bool_)
                mask[members] = True
                groups.append((f"{key}={value}", mask))
    crowded = tuple(key for key, by_value in sorted(rows.items()) if len(by_value) > MOST_LABEL_VALUES)
    return groups, crowded
