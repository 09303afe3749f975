"""What a spec describes -> functions that draw it, one draw a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from quota_verifier.durations import LONGEST_MS
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
from quota_verifier.workload.draws import Choice, Steps, exponential, lognormal, pareto, uniform, weibull
from quota_verifier.workload.ranges import CountRange, PriorityRange

Draw = Callable[[], int]
LengthSpec = int | Constant | Uniform | Exponential | LogNormal | Weibull | Pareto | Table | Quantiles


def number_draw(value: int | Mapping[int, float] | CountRange | PriorityRange, source: Callable[[], Random]) -> Draw:
    """Draws of a number: always the same, by weights, or from a range. `source` opens the stream, if one is needed."""
    if isinstance(value, int):
        return lambda: value
    drawn = source()
    if isinstance(value, Mapping):
        choice = Choice(value)
        return lambda: choice.draw(drawn)
    low, high = value.min, value.max
    return lambda: uniform(drawn, low, high)


def length_draw(spec: LengthSpec, source: Random) -> Draw:
    """Draws of a duration in ms, at least 1."""
    match spec:
        case int(ms) | Constant(value=ms):
            return lambda: ms
        case Uniform(min=low, max=high):
            return lambda: uniform(source, low, high)
        case Table(values=weights):
            table = Choice(weights)
            return lambda: table.draw(source)
        case Quantiles(values=quantiles):
            steps = Steps(quantiles)
            return lambda: steps.draw(source)
        case _:
            low, high = spec.min or 1, spec.max or LONGEST_MS
            draw = _unbounded(spec, source)
            return lambda: max(low, min(int(min(draw(), LONGEST_MS) + 0.5), high))


def _unbounded(spec: Exponential | LogNormal | Weibull | Pareto, source: Random) -> Callable[[], float]:
    match spec:
        case Exponential(mean=mean):
            return lambda: exponential(source, mean)
        case LogNormal(median=median, p95=p95):
            return lambda: lognormal(source, median, p95)
        case Weibull(scale=scale, shape=shape):
            return lambda: weibull(source, scale, shape)
        case Pareto(scale=scale, shape=shape):
            return lambda: pareto(source, scale, shape)
