"""A finished workload with more or fewer jobs, or with faster arrivals.

Which job goes or is copied rests on a hash of the seed and the job's id alone, so the order of rows does not
matter, and the same ids fare alike in every trace that holds them.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quota_verifier.durations import LONGEST_MS, UNITS
from quota_verifier.errors import InputError
from quota_verifier.model import JobUpdate
from quota_verifier.workload.check import check_workload
from quota_verifier.workload.columns import JobColumns, job_list, taken, workload_columns
from quota_verifier.workload.scale_spec import ScaleSpec, exact
from quota_verifier.workload.workload import Skipped, Workload

Rows = NDArray[np.int64]

LATEST_COPY_MS = UNITS["h"]
"""A copy is submitted at most so long after its original: no twins at one instant, and the hour of the day stays."""

_HASHES = 1 << 64


class _Plan(NamedTuple):
    """The rows that a step keeps, and those that it copies, a row once for each copy."""

    kept: Rows
    copied: Rows


def rescale(workload: Workload, scale: ScaleSpec) -> Workload:
    """`workload` with the factors of `scale` applied; every job that goes is among `skipped`, copies are counted.

    Updates of jobs that go are dropped and counted in the rules; a copy has no updates. Raises InputError
    where no job is left, a time gets too long, or two updates of one thing fall on one instant.
    """
    columns, said, skipped, copies = workload_columns(workload), dict[str, str](), list(workload.skipped), 0
    if scale.thin is not None:
        count = len(columns.submit_ms)
        kept = _thinned(_hashes(columns, "thin", scale.seed), exact(scale.thin))
        skipped += _left_out(columns, kept, f"thinned to {scale.thin:g}")
        columns = taken(columns, kept)
        said["thin"] = f"{scale.thin:g} of the jobs, by a hash of their ids: {len(kept)} of {count} stay"
    if scale.load is not None:
        plan = _loaded(columns, _hashes(columns, "load", scale.seed), exact(scale.load))
        skipped += _left_out(columns, plan.kept, f"load scaled by {scale.load:g}")
        said["load"] = _load_words(scale.load, len(columns.submit_ms), plan)
        columns, copies = _with_copies(columns, plan, scale.seed), len(plan.copied)
    source = workload.source
    if not len(columns.submit_ms):
        raise InputError("scaling leaves no job", source=source, where="scale", remedy="give a greater factor")
    updates = _kept_updates(workload, columns, said)
    if scale.time is not None:
        factor = exact(scale.time)
        columns = replace(columns, submit_ms=_divided(columns.submit_ms, factor, source))
        updates = tuple(replace(update, at_ms=int(update.at_ms / factor)) for update in updates)
        said["time"] = f"submissions and updates at 1/{scale.time:g} of their times"
    seed = {"seed of scale": str(scale.seed)} if scale.load is not None or scale.thin is not None else {}
    delays = workload.queue_delays
    scaled = replace(
        workload,
        jobs=job_list(columns, source),
        updates=updates,
        skipped=tuple(skipped),
        copied=workload.copied + copies,
        rules={**workload.rules, **{f"scale {name}": words for name, words in said.items()}, **seed},
        queue_delays={name: delays[name] for name in columns.rows_of(delays)},
    )
    return check_workload(scaled) if updates else scaled  # two updates may now fall on one instant


def _hashes(columns: JobColumns, purpose: str, seed: int) -> NDArray[np.uint64]:
    """A number for each job, evenly spread over 64 bits."""
    prefix = hashlib.blake2b(f"{purpose}/{seed}/".encode(), digest_size=8)

    def digest(name: str) -> bytes:
        own = prefix.copy()
        own.update(name.encode())
        return own.digest()

    digests = b"".join(digest(str(name)) for name in columns.ids)
    return np.frombuffer(digests, ">u8").astype(np.uint64)


def _thinned(hashes: NDArray[np.uint64], part: Fraction) -> Rows:
    if part == 1:
        return np.arange(len(hashes))
    return np.flatnonzero(hashes < np.uint64(int(part * _HASHES)))


def _loaded(columns: JobColumns, hashes: NDArray[np.uint64], factor: Fraction) -> _Plan:
    """Whole copies of every job, and of each share so many more in the order of hashes that its load is hit.

    Below 1 no copy is made: the part of the jobs that would be copied is the one that stays.
    """
    whole, part = divmod(factor, 1)
    some = _part_of_load(columns, hashes, part) if part else np.zeros(0, np.int64)
    if not whole:
        return _Plan(some, np.zeros(0, np.int64))
    every = np.arange(len(columns.submit_ms))
    return _Plan(every, np.concatenate([*([every] * (int(whole) - 1)), some]))


def _part_of_load(columns: JobColumns, hashes: NDArray[np.uint64], part: Fraction) -> Rows:
    """Rows whose instance-time is `part` of that of each share, to within half of a job."""
    instances = np.array([sum(shape.demand.values()) for shape in columns.shapes], object)
    names = sorted({shape.share for shape in columns.shapes})
    share = np.array([names.index(shape.share) for shape in columns.shapes], np.int64)[columns.shape]
    chosen: list[Rows] = []
    for index in range(len(names)):
        rows = np.flatnonzero(share == index)
        rows = rows[np.lexsort((rows, hashes[rows]))]
        work = columns.work_ms[rows].astype(object) * instances[columns.shape[rows]]
        upto = np.cumsum(work)
        # A job stays where the middle of its own time is not yet beyond the part.
        inside = (2 * upto - work) * part.denominator <= 2 * part.numerator * (upto[-1] if len(upto) else 0)
        chosen.append(rows[inside.astype(np.bool_)])
    return np.sort(np.concatenate(chosen))


def _with_copies(columns: JobColumns, plan: _Plan, seed: int) -> JobColumns:
    """The rows that stay, and after them the copies with ids and times of their own."""
    if not len(plan.copied):
        return taken(columns, plan.kept)
    both = taken(columns, np.concatenate((plan.kept, plan.copied)))
    first, last = int(columns.submit_ms.min()), int(columns.submit_ms.max())
    latest = min(LATEST_COPY_MS, (last - first) // 2)
    originals = {str(name) for name in columns.ids}
    ids = [str(name) for name in both.ids]
    made: dict[str, int] = {}
    for row in range(len(plan.kept), len(ids)):
        name = ids[row]
        made[name] = number = made.get(name, 0) + 1
        ids[row] = f"{name}-copy{number}"
        if ids[row] in originals:
            raise InputError(f"a job is called {ids[row]!r}, as a copy would be", remedy="give it another id")
    copies = replace(both, ids=ids)
    shift = (_hashes(copies, "copy", seed) % np.uint64(latest + 1)).astype(np.int64)
    shift[: len(plan.kept)] = 0
    times = both.submit_ms + shift
    # Within the time of the originals: load is what comes in a time, which must not get longer.
    return replace(copies, submit_ms=np.where(times > last, both.submit_ms - shift, times))


def _left_out(columns: JobColumns, kept: Rows, reason: str) -> list[Skipped]:
    gone = np.ones(len(columns.submit_ms), np.bool_)
    gone[kept] = False
    return [Skipped(f"job {columns.id(row)}", reason) for row in np.flatnonzero(gone).tolist()]


def _load_words(factor: float, count: int, plan: _Plan) -> str:
    what = f"{factor:g} times the instance-time of each share"
    if len(plan.copied):
        return f"{what}: {len(plan.copied)} copies, each up to 1h from its original"
    return f"{what}: {len(plan.kept)} of {count} jobs stay"


def _kept_updates(workload: Workload, columns: JobColumns, said: dict[str, str]) -> tuple[Any, ...]:
    about = {update.job for update in workload.updates if isinstance(update, JobUpdate)}
    there = columns.rows_of(about)
    kept = tuple(update for update in workload.updates if not isinstance(update, JobUpdate) or update.job in there)
    if len(kept) < len(workload.updates):
        said["updates"] = f"{len(workload.updates) - len(kept)} dropped with their jobs"
    return kept


def _divided(times: NDArray[Any], factor: Fraction, source: str) -> NDArray[np.int64]:
    """`times` / `factor`, rounded down to whole milliseconds."""
    scaled = times.astype(object) * factor.denominator // factor.numerator
    if len(scaled) and int(scaled.max()) > LONGEST_MS:
        raise InputError(
            "the last submission would be later than any schedule", source=source, where="scale", remedy="lower time"
        )
    return scaled.astype(np.int64)
