"""Workloads by chance: drawn anew within the envelope, or a near miss changed a little."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from quota_verifier.search.chance import GRAINS, chance, pick, some_of, time_between
from quota_verifier.search.envelope import Draft, Drafts, Kind, fitted
from quota_verifier.search.patterns import Setting
from quota_verifier.workload.draws import uniform

_Change = Callable[[Random, Setting, list[Draft]], None]


def drawn(source: Random, setting: Setting) -> Drafts:
    """A workload by chance: few jobs or many, close together or far apart."""
    most = setting.most_jobs
    count = uniform(source, 1, most if chance(source, 3) else min(most, 6))
    reach = _reach(source, setting)
    jobs: list[Draft] = []
    for _ in range(count):
        index = uniform(source, 0, len(setting.envelope.kinds) - 1)
        jobs.append(_job(source, setting, index, jobs, reach))
    return fitted(setting.envelope, jobs, most)


def changed(source: Random, setting: Setting, drafts: Drafts) -> Drafts:
    """`drafts` with one to three changes."""
    jobs = list(drafts)
    for _ in range(uniform(source, 1, 3)):
        pick(source, _CHANGES)(source, setting, jobs)
    return fitted(setting.envelope, jobs, setting.most_jobs)


def topped_up(source: Random, setting: Setting, drafts: Drafts, kinds: Sequence[int], count: int) -> Drafts:
    """`drafts` with further jobs of `kinds`, as far as the envelope allows, until there are `count` of them.

    Where that makes too many jobs, the last of the others go.
    """
    wanted = [draft for draft in drafts if draft.kind in kinds]
    others = [draft for draft in drafts if draft.kind not in kinds]
    reach = max(kind.end_ms for kind in setting.envelope.kinds)
    missing = max(0, count - len(wanted))
    wanted.extend(_job(source, setting, pick(source, kinds), (), reach) for _ in range(missing))
    return fitted(setting.envelope, [*wanted, *others[: max(0, setting.most_jobs - len(wanted))]], setting.most_jobs)


def _reach(source: Random, setting: Setting) -> int:
    """How far apart submissions may lie: no time, minutes, about a run, or the whole horizon."""
    longest = max(kind.work_high for kind in setting.envelope.kinds)
    return pick(source, (0, 10 * GRAINS[0], longest, 2 * longest, setting.envelope.horizon_ms))


def _job(source: Random, setting: Setting, index: int, jobs: Sequence[Draft], reach: int) -> Draft:
    kind = setting.envelope.kinds[index]
    at = _instant(source, setting, kind, jobs, kind.start_ms + reach)
    work = time_between(source, kind.work_low, kind.work_high)
    return Draft(at, index, work, some_of(source, kind.sizes), some_of(source, kind.priorities))


def _instant(source: Random, setting: Setting, kind: Kind, jobs: Sequence[Draft], reach: int) -> int:
    """A submit time: at or just after something that happens, or any."""
    last = max(kind.start_ms, min(kind.end_ms - 1, reach))
    if jobs and not chance(source, 3):
        other = pick(source, jobs)
        startup = setting.timing.startup.of(setting.envelope.kinds[other.kind].each)
        since = pick(source, (0, GRAINS[1], startup + GRAINS[1], startup + GRAINS[0], startup + other.work_ms))
        return min(last, max(kind.start_ms, other.submit_ms + since))
    return time_between(source, kind.start_ms, last)


def _add(source: Random, setting: Setting, jobs: list[Draft]) -> None:
    index = uniform(source, 0, len(setting.envelope.kinds) - 1)
    jobs.append(_job(source, setting, index, jobs, _reach(source, setting)))


def _repeat(source: Random, setting: Setting, jobs: list[Draft]) -> None:
    """One job more like one that is there, just after it."""
    if jobs:
        jobs.append(pick(source, jobs))


def _drop(source: Random, setting: Setting, jobs: list[Draft]) -> None:
    if len(jobs) > 1:
        del jobs[uniform(source, 0, len(jobs) - 1)]


def _move(source: Random, setting: Setting, jobs: list[Draft]) -> None:
    if jobs:
        place = uniform(source, 0, len(jobs) - 1)
        kind, others = setting.envelope.kinds[jobs[place].kind], jobs[:place] + jobs[place + 1 :]
        at = _instant(source, setting, kind, others, kind.start_ms + _reach(source, setting))
        jobs[place] = jobs[place]._replace(submit_ms=at)


def _resize(source: Random, setting: Setting, jobs: list[Draft]) -> None:
    if jobs:
        place = uniform(source, 0, len(jobs) - 1)
        jobs[place] = jobs[place]._replace(size=some_of(source, setting.envelope.kinds[jobs[place].kind].sizes))


def _rank(source: Random, setting: Setting, jobs: list[Draft]) -> None:
    if jobs:
        place = uniform(source, 0, len(jobs) - 1)
        kind = setting.envelope.kinds[jobs[place].kind]
        jobs[place] = jobs[place]._replace(priority=some_of(source, kind.priorities))


def _stretch(source: Random, setting: Setting, jobs: list[Draft]) -> None:
    if jobs:
        place = uniform(source, 0, len(jobs) - 1)
        kind = setting.envelope.kinds[jobs[place].kind]
        jobs[place] = jobs[place]._replace(work_ms=time_between(source, kind.work_low, kind.work_high))


_CHANGES: tuple[_Change, ...] = (_add, _add, _repeat, _drop, _move, _move, _resize, _rank, _stretch)
