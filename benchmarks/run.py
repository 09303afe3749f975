"""`make bench`: every benchmark, one JSON object a line; words for people go to standard error."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.workloads import write_csv
from benchmarks.yardsticks import BUILT, ROOT, build, jobs_per_s, say, simpy_jobs_per_s

YARDSTICK = "limit_shares"
_BYTES_A_JOB = 400


def _plan(largest: int) -> Iterator[tuple[str, int, int]]:
    """Name, jobs and repetitions of each benchmark."""
    yield "reference", min(100_000, largest), 2
    for count in (10_000, 100_000, 1_000_000, 10_000_000):
        if count <= largest:
            yield "kernel", count, 3 if count > 1_000_000 else 7
    for name in ("file_to_run", "file_to_figures", "backlog", "all_at_once", "priorities", "big_environment"):
        yield name, min(1_000_000, largest), 5


def _csv(count: int) -> Path:
    file = BUILT / f"jobs_{count}.csv"
    if not file.exists():
        BUILT.mkdir(parents=True, exist_ok=True)
        write_csv(file, count)
    return file


class Found(NamedTuple):
    """What a benchmark's process found."""

    seconds: list[float]
    cpu_seconds: list[float]
    peak_bytes_per_job: int


def _measured(name: str, count: int, repetitions: int) -> Found:
    """A benchmark in a process of its own, from the root of the repository."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "policies"), str(ROOT)))}
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.cases", name, str(count), _csv(min(count, 1_000_000)), str(repetitions)],
        cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    return Found(**json.loads(done.stdout))


def _print(name: str, jobs: int, rate: float, against: float | None, peak: object = None, **more: object) -> None:
    result = {
        "name": name,
        "jobs": jobs,
        "jobs_per_s": round(rate),
        "yardstick": YARDSTICK if against else None,
        "ratio": round(rate / against, 4) if against else None,
        "peak_bytes_per_job": peak,
        **more,
    }
    print(json.dumps(result), flush=True)


def main() -> None:
    """Measure the yardsticks, then the engines beside them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most-jobs", type=int, default=10_000_000, help="leave out larger runs")
    largest = min(parser.parse_args().most_jobs, _memory() // _BYTES_A_JOB // 2)
    say(f"{platform.platform()}, {_processor()}, {os.cpu_count()} processors, Python {platform.python_version()}")
    beside = min(1_000_000, largest)
    against, program = _yardsticks(beside), build(YARDSTICK)
    for name, count, repetitions in _plan(largest):
        found = _measured(name, count, repetitions)
        if program is not None:  # again, beside each benchmark: the machine may be busier now than before
            against = jobs_per_s(program, _csv(beside), beside)
        first, cpu = round(count / found.seconds[0]), round(count / min(found.cpu_seconds))
        rate = count / min(found.seconds)
        _print(name, count, rate, against, found.peak_bytes_per_job, first_jobs_per_s=first, jobs_per_cpu_s=cpu)


def _yardsticks(count: int) -> float | None:
    """Prints the yardsticks; the rate of the one that the engines are compared with."""
    rates: dict[str, float] = {}
    for name in ("limit_fifo", YARDSTICK):
        program = build(name)
        if program is not None:
            rates[name] = jobs_per_s(program, _csv(count), count)
    against = rates.get(YARDSTICK)
    for name, rate in rates.items():
        _print(name, count, rate, against)
    simpy = simpy_jobs_per_s(_csv(min(100_000, count)), min(100_000, count))
    if simpy is not None:
        _print("simpy", min(100_000, count), simpy, against)
    return against


def _memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


if __name__ == "__main__":
    main()
