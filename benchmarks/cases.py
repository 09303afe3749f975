"""One benchmark in a process of its own, so that its peak of memory is its own: `python -m benchmarks.cases NAME N`."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from benchmarks.workloads import NAMES, SHAPES, UNIT, queue, read_csv, table, workload_of

from quota_verifier.figures import summarize
from quota_verifier.model import Environment, Queue, Share, Strategy
from quota_verifier.scheduler import simulate
from quota_verifier.scheduler.columns import event_columns, outcome_columns, span_columns
from quota_verifier.scheduler.engines import Engine
from quota_verifier.scheduler.run import Run
from quota_verifier.workload import Workload
from quota_verifier.workload.columns import JobColumns, job_list

_KIBIBYTE = 1024


def _peak_bytes() -> int:
    """The peak of this process's memory; on Linux rusage would count that of its parent too."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * _KIBIBYTE
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else _KIBIBYTE)


def _records_columns(run: Run) -> None:
    """Outcomes, spans and events as columns: what figures are computed from."""
    outcome_columns(run)
    span_columns(run)
    event_columns(run)


def _engine(engine: Engine, workload: Workload, of: Queue | None = None) -> Callable[[], object]:
    where = of or queue()

    def work() -> None:
        _records_columns(simulate(where, workload, engine=engine))

    return work


def kernel(count: int, _file: Path) -> Callable[[], object]:
    """simulate() of jobs in columns on the kernel, to a run with its columns."""
    return _engine("kernel", workload_of(table(count)))


def reference(count: int, _file: Path) -> Callable[[], object]:
    """simulate() of jobs in records on the reference engine."""
    return _engine("reference", Workload(tuple(workload_of(table(count)).jobs)))


def file_to_run(_count: int, file: Path) -> Callable[[], object]:
    """A CSV file read, simulated on the kernel, to a run with its columns."""
    return lambda: _records_columns(simulate(queue(), read_csv(file), engine="kernel"))


def file_to_figures(_count: int, file: Path) -> Callable[[], object]:
    """As file_to_run, and all figures of the run computed."""
    return lambda: summarize(simulate(queue(), read_csv(file), engine="kernel"))


def backlog(count: int, _file: Path) -> Callable[[], object]:
    """The same jobs at twice the capacity: half of them wait by the end of submissions."""
    return _engine("kernel", workload_of(table(count, load=2.0)))


def all_at_once(count: int, _file: Path) -> Callable[[], object]:
    """All jobs submitted in the first second: all of them wait."""
    rows = table(count)
    rows[:, 1] = 0
    return _engine("kernel", workload_of(rows))


def priorities(count: int, _file: Path) -> Callable[[], object]:
    """Twice the capacity, priorities 0 to 9 at random, in-share preemption: a heap of waiting jobs, many victims."""
    rows = table(count, load=2.0)
    random = np.random.default_rng(count)
    columns = JobColumns(
        ids=rows[:, 0].copy(),
        submit_ms=rows[:, 1] * 1000,
        work_ms=rows[:, 2] * 1000,
        shape=rows[:, 4].astype(np.int32),
        shapes=SHAPES,
        priority=random.integers(0, 10, count),
    )
    shares = tuple(
        Share(share.name, share.limits, share.strategy, share.borrow_limit, in_share_preemption=True)
        for share in queue().shares
    )
    return _engine("kernel", Workload(job_list(columns)), Queue(queue().environment, shares))


def big_environment(count: int, _file: Path) -> Callable[[], object]:
    """A hundred times the slots and 105 times the arrivals: thousands of jobs run at once, and reclaim."""
    shares = tuple(
        Share(name, {UNIT: 100 * owned}, Strategy.LEND_AND_BORROW, 100)
        for name, owned in zip(NAMES, (32, 20, 12), strict=True)
    )
    return _engine("kernel", workload_of(table(count, 105.0)), Queue(Environment({UNIT: 6400}), shares))


CASES = {
    case.__name__: case
    for case in (
        reference, kernel, file_to_run, file_to_figures, backlog, all_at_once, priorities, big_environment,
    )
}  # fmt: skip


def measure(name: str, count: int, file: Path, repetitions: int) -> dict[str, object]:
    """Seconds of each repetition, and the peak of memory over what a run of a few jobs leaves."""
    if name != "reference":
        kernel(100, file)()
    before = _peak_bytes()
    work = CASES[name](count, file)
    seconds: list[float] = []
    cpu_seconds: list[float] = []
    for _ in range(repetitions):
        start, cpu_start = time.perf_counter(), time.process_time()
        work()
        cpu_seconds.append(time.process_time() - cpu_start)
        seconds.append(time.perf_counter() - start)
    return {
        "seconds": seconds,
        "cpu_seconds": cpu_seconds,
        "peak_bytes_per_job": round((_peak_bytes() - before) / count),
    }


if __name__ == "__main__":
    name, count, file, repetitions = sys.argv[1:]
    print(json.dumps(measure(name, int(count), Path(file), int(repetitions))))
