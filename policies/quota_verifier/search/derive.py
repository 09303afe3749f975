"""The envelope that a `generate` section implies: its classes as limits, by the rules that are stated here.

A distribution without `min` and `max` has no ends, and random arrivals have no greatest rate, so limits are
chosen: what all but a few of the draws keep to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quota_verifier.durations import LONGEST_MS, format_duration
from quota_verifier.search.envelope import Envelope, Kind, Window
from quota_verifier.workload.distributions import (
    Constant,
    Exponential,
    LogNormal,
    Pareto,
    Quantiles,
    Table,
    Uniform,
    Weibull,
)
from quota_verifier.workload.draws import exp, ln
from quota_verifier.workload.envelope_spec import DAY_MS
from quota_verifier.workload.generate_spec import GenerateSpec, JobClass
from quota_verifier.workload.ranges import CountRange, PriorityRange

ARRIVALS, TWICE = 4, 2
"""A Poisson stream brings more than twice its mean in the time of 4 arrivals in 2 % of such times."""

_MIDDLE = (0.05, 0.95)

RULES = (
    "sizes and priorities: those with a weight",
    "work: from `min` to `max`, else from the 5th to the 95th percentile (exponential: mean / 20 to 3 x mean)",
    f"arrivals at random: at most {ARRIVALS * TWICE} in the mean time of {ARRIVALS}, at the busiest hour",
    "arrivals at equal intervals: at most 1 in any interval, wherever it begins; an arrival may be a burst",
    "`count`, `jobs`, `start`, `end` and `duration` as they are",
)


def envelope_from_generate(spec: GenerateSpec, units: Sequence[Mapping[str, int]]) -> Envelope:
    """The envelope of `spec`; `units` holds {unit: 1} by class, and {} for one with a `demand`."""
    horizon = spec.duration or max((kind.end or DAY_MS for kind in spec.classes), default=DAY_MS)
    kinds = tuple(_kind(kind, each, horizon) for kind, each in zip(spec.classes, units, strict=True))
    rules = (*RULES, *([] if spec.duration else [f"no `duration`: submissions up to {format_duration(horizon)}"]))
    return Envelope(tuple(kind for kind in kinds if kind.start_ms < kind.end_ms), horizon, spec.jobs, "generate", rules)


def _kind(kind: JobClass, each: Mapping[str, int], horizon: int) -> Kind:
    low, high = _work(kind)
    return Kind(
        name=kind.name,
        share=kind.share,
        each=each or kind.demand or {},
        sizes=_weighted(1 if kind.instances is None else kind.instances),
        priorities=_weighted(kind.priority),
        work_low=low,
        work_high=high,
        start_ms=kind.start,
        end_ms=horizon if kind.end is None else min(kind.end, horizon),
        windows=(_window(kind),),
        most=kind.count,
        checkpoint_ms=kind.checkpoint,
        timeout_ms=kind.timeout,
        attempts=kind.attempts,
        preemption_retries=kind.preemption_retries,
        labels=kind.labels,
    )


def _weighted(value: int | Mapping[int, float] | CountRange | PriorityRange) -> tuple[int, ...]:
    if isinstance(value, CountRange | PriorityRange):
        return tuple(range(value.min, value.max + 1))
    return (value,) if isinstance(value, int) else tuple(sorted(number for number, weight in value.items() if weight))


def _window(kind: JobClass) -> Window:
    burst = max(_weighted(kind.burst.jobs)) if kind.burst else 1
    if kind.process == "fixed":
        return Window(burst, max(1, int(kind.interval_ms)))
    peak = 1.0
    if kind.profile is not None:
        hours, days = kind.profile.hours, kind.profile.days
        peak = max(hours) * len(hours) / sum(hours) * max(days) * len(days) / sum(days)
    return Window(TWICE * ARRIVALS * burst, max(1, int(ARRIVALS * kind.interval_ms / peak)))


def _work(kind: JobClass) -> tuple[int, int]:
    work = kind.work
    match work:
        case int(ms) | Constant(value=ms):
            return ms, ms
        case Uniform():
            return work.min, work.max
        case Table():
            lengths = _weighted(work.values)
            return lengths[0], lengths[-1]
        case Quantiles():
            return work.values[0.0], work.values[100.0]
        case _:
            return _ends(*_middle(work), work.min, work.max)


def _middle(work: Exponential | LogNormal | Weibull | Pareto) -> tuple[int, int]:
    """From about the 5th to about the 95th percentile."""
    match work:
        case Exponential():
            return work.mean // 20, work.mean * 3
        case LogNormal():
            return work.median * work.median // work.p95, work.p95
        case Weibull():
            low, high = (_scaled(work.scale, ln(-ln(1 - part)) / work.shape) for part in _MIDDLE)
            return low, high
        case Pareto():
            low, high = (_scaled(work.scale, -ln(1 - part) / work.shape) for part in _MIDDLE)
            return low, high


def _scaled(scale: int, exponent: float) -> int:
    """`scale` x e ** `exponent`, at most the longest duration that files may hold."""
    return int(min(LONGEST_MS, scale * exp(min(600.0, exponent))))


def _ends(low: int, high: int, least: int | None, most: int | None) -> tuple[int, int]:
    """The percentiles, but for ends that are given; never empty."""
    bottom = max(1, low) if least is None else least
    top = high if most is None else most
    return (bottom, max(bottom, top)) if most is None else (min(bottom, top), top)
