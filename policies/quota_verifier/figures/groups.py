"""Which jobs a figure is about: by share, label and size class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from quota_verifier.figures.columns import Ints, Mask
from quota_verifier.model import Job
from quota_verifier.workload.job_list import JobList

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
    sets, code = _label_sets(jobs)
    return np.array([all(labels.get(key) == value for key, value in wanted) for labels in sets], np.bool_)[code]


def _label_sets(jobs: Sequence[Job]) -> tuple[Sequence[Mapping[str, str]], Ints]:
    """Sets of labels that occur, and for each job the position of its own."""
    if isinstance(jobs, JobList):
        code = np.zeros(len(jobs), np.int64) + jobs.columns.labels
        used = np.bincount(code, minlength=len(jobs.columns.label_sets)) > 0
        sets = [labels for labels, occurs in zip(jobs.columns.label_sets, used, strict=True) if occurs]
        return sets, (np.cumsum(used) - 1)[code]
    return [job.labels for job in jobs], np.arange(len(jobs))


def label_groups(jobs: Sequence[Job]) -> tuple[list[tuple[str, Mask]], tuple[str, ...]]:
    """Jobs by label, as (`key=value`, members) in alphabetical order, and the keys with too many values."""
    sets, code = _label_sets(jobs)
    rows: dict[str, dict[str, list[int]]] = {}
    for row, labels in enumerate(sets):
        for key, value in labels.items():
            rows.setdefault(key, {}).setdefault(value, []).append(row)
    groups: list[tuple[str, Mask]] = []
    for key, by_value in sorted(rows.items()):
        if len(by_value) <= MOST_LABEL_VALUES:
            for value, members in sorted(by_value.items()):
                carries = np.zeros(len(sets), np.bool_)
                carries[members] = True
                groups.append((f"{key}={value}", carries[code]))
    crowded = tuple(key for key, by_value in sorted(rows.items()) if len(by_value) > MOST_LABEL_VALUES)
    return groups, crowded
