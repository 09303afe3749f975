"""From what a policy file says to the envelope of a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quota_verifier.errors import InputError
from quota_verifier.model import Queue
from quota_verifier.policy.policy import Policy, WorkloadPlan
from quota_verifier.search.derive import envelope_from_generate
from quota_verifier.search.envelope import Envelope, Kind, Window
from quota_verifier.workload.check import Place, unknown_name
from quota_verifier.workload.demand import unit_in_play
from quota_verifier.workload.envelope_spec import EnvelopeClass, EnvelopeSpec
from quota_verifier.workload.generate_spec import GenerateSpec, JobClass
from quota_verifier.workload.ranges import CountRange, PriorityRange, WorkRange

HOW_TO = (
    "write an `envelope` section beside `workload`, such as envelope: {classes: [{name: any, share: NAME, "
    "work: {min: 5m, max: 4h}, instances: [1, 2], at_most: {jobs: 3, per: 1h}}]} (docs/search.md)"
)


def envelope_of(policy: Policy, queue: Queue) -> Envelope:
    """The envelope that `policy` writes, else the one that its `generate` section implies.

    Raises InputError where it has neither, and for a share or unit that the queue does not have.
    """
    plan = policy.workload if isinstance(policy.workload, WorkloadPlan) else None
    place = plan.place if plan is not None else _nowhere
    if policy.envelope is not None:
        _check_names(policy.envelope.classes, queue, place, ("envelope",))
        return _written(policy.envelope, queue, place)
    if plan is None or plan.section.generate is None:
        raise InputError(
            "the policy does not say which workloads may come: it has neither `envelope` nor `generate`",
            source=policy.source,
            remedy=HOW_TO,
        )
    generate: GenerateSpec = plan.section.generate
    _check_names(generate.classes, queue, place, ("workload", "generate"))
    units = [
        {} if kind.demand else {_unit(kind, queue, place, ("workload", "generate", "classes", index)): 1}
        for index, kind in enumerate(generate.classes)
    ]
    return envelope_from_generate(generate, units)


def _nowhere(path: Sequence[str | int]) -> tuple[str, str]:
    return "", ".".join(map(str, path))


def _check_names(
    classes: Sequence[EnvelopeClass | JobClass], queue: Queue, place: Place, path: tuple[str, ...]
) -> None:
    shares = [share.name for share in queue.shares]
    for index, kind in enumerate(classes):
        strange = [unit for unit in kind.demand or (kind.unit,) if unit is not None and unit not in queue.units]
        if kind.share not in shares:
            field, (problem, remedy) = "share", unknown_name("share", kind.share, shares)
        elif strange:
            field, (problem, remedy) = (
                "demand" if kind.demand else "unit",
                unknown_name("unit", strange[0], queue.units),
            )
        else:
            continue
        source, where = place((*path, "classes", index, field))
        raise InputError(problem, source=source, where=where, remedy=remedy)


def _unit(kind: EnvelopeClass | JobClass, queue: Queue, place: Place, path: tuple[str | int, ...]) -> str:
    try:
        return unit_in_play(queue, (), kind.unit)
    except InputError as error:
        source, where = place(path)
        raise InputError(error.problem, source=source, where=where, remedy="give the class a unit") from None


def _written(spec: EnvelopeSpec, queue: Queue, place: Place) -> Envelope:
    kinds = tuple(_kind(row, spec, queue, place, index) for index, row in enumerate(spec.classes))
    return Envelope(kinds, spec.horizon, spec.jobs, "envelope")


def _kind(row: EnvelopeClass, spec: EnvelopeSpec, queue: Queue, place: Place, index: int) -> Kind:
    each: Mapping[str, int] = row.demand or {_unit(row, queue, place, ("envelope", "classes", index)): 1}
    low, high = (row.work.min, row.work.max) if isinstance(row.work, WorkRange) else (row.work, row.work)
    return Kind(
        name=row.name,
        share=row.share,
        each=each,
        sizes=_ascending(1 if row.instances is None else row.instances),
        priorities=_ascending(row.priority),
        work_low=low,
        work_high=high,
        start_ms=row.start,
        end_ms=spec.horizon if row.end is None else min(row.end, spec.horizon),
        windows=tuple(Window(window.jobs, window.per) for window in row.at_most),
        most=row.jobs,
        checkpoint_ms=row.checkpoint,
        timeout_ms=row.timeout,
        attempts=row.attempts,
        preemption_retries=row.preemption_retries,
        labels=row.labels,
    )


def _ascending(value: int | tuple[int, ...] | CountRange | PriorityRange) -> Sequence[int]:
    if isinstance(value, int):
        return (value,)
    if isinstance(value, tuple):
        return tuple(sorted(set(value)))
    return range(value.min, value.max + 1)
