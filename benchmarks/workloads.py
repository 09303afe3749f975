"""The jobs that the benchmarks simulate: 64 slots, three shares, single-slot jobs, offered load 0.9 unless said."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from quota_verifier.model import Environment, Queue, Share, Strategy
from quota_verifier.workload import Workload
from quota_verifier.workload.columns import JobColumns, Shape, job_list

UNIT = "ml.g5.xlarge"
SLOTS = 64
OWNED = (32, 20, 12)
PARTS = (0.5, 0.3, 0.2)
MEAN_WORK_S = 600
LOAD = 0.9
SEED = 20260101
NAMES = ("A", "B", "C")
SHAPES = tuple(Shape(name, {UNIT: 1}) for name in NAMES)


def queue() -> Queue:
    """Three shares of 32, 20 and 12 slots that lend, borrow up to 100 % of their own, and reclaim."""
    shares = (
        Share(name, {UNIT: owned}, Strategy.LEND_AND_BORROW, 100) for name, owned in zip(NAMES, OWNED, strict=True)
    )
    return Queue(Environment({UNIT: SLOTS}), tuple(shares))


def table(count: int, load: float = LOAD) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Rows of id, submit, duration, slots and queue, in whole seconds; the same for each count."""
    random = np.random.default_rng(SEED)
    rows = np.ones((count, 5), np.int64)
    rows[:, 0] = np.arange(1, count + 1)
    rows[:, 1] = np.cumsum(random.exponential(MEAN_WORK_S / (SLOTS * load), count))
    rows[:, 2] = np.maximum(1, random.exponential(MEAN_WORK_S, count))
    rows[:, 4] = np.searchsorted(np.cumsum(PARTS)[:-1], random.random(count), side="right")
    return rows


def write_csv(path: Path, count: int) -> None:
    """The table as the yardsticks read it."""
    rows = table(count).tolist()
    with path.open("w", encoding="ascii") as file:
        file.write("id,submit,duration,slots,queue\n")
        file.writelines(f"{a},{b},{c},{d},{e}\n" for a, b, c, d, e in rows)


def read_csv(path: Path) -> Workload:
    """The jobs of such a file."""
    return workload_of(np.loadtxt(path, np.int64, delimiter=",", skiprows=1))


def workload_of(rows: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> Workload:
    """Jobs in columns; a slot is an instance, a queue a share."""
    columns = JobColumns(
        ids=rows[:, 0].copy(),
        submit_ms=rows[:, 1] * 1000,
        work_ms=rows[:, 2] * 1000,
        shape=rows[:, 4].astype(np.int32),
        shapes=SHAPES,
    )
    return Workload(job_list(columns))
