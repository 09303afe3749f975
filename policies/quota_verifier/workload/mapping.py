"""What a trace leaves open, by chosen mappings: groups to shares, models to units, ranks to priorities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from quota_verifier.errors import InputError
from quota_verifier.model import Queue
from quota_verifier.workload.check import unknown_name
from quota_verifier.workload.demand import unit_in_play
from quota_verifier.workload.options import EVERY_GROUP, TraceOptions
from quota_verifier.workload.readers.late import pl
from quota_verifier.workload.readers.records import Account

if TYPE_CHECKING:
    from collections.abc import Callable

ALTERNATIVE = "|"
"""Stands between the GPU models that a job may use."""


def check_shares(options: TraceOptions, queue: Queue | None, source: str) -> None:
    """Raise InputError for a share that the queue does not have."""
    if queue is None or options.shares is None:
        return
    known = [share.name for share in queue.shares]
    for share in options.shares.values():
        if share not in known:
            problem, remedy = unknown_name("share", share, known)
            raise InputError(problem, source=source, where="shares", remedy=remedy)


def with_shares(jobs: pl.DataFrame, account: Account, options: TraceOptions) -> pl.DataFrame:
    """The jobs with their `share`, without those of a group that has none; a format without groups names shares."""
    if options.shares is None:
        return jobs.with_columns(share="group")
    shares = options.shares
    mapped = _mapped(jobs, "group", "share", lambda group: shares.get(group, shares.get(EVERY_GROUP)))
    return _without(mapped, "share", pl.format("group {} has no share", quoted("group")), account)


def with_units(
    jobs: pl.DataFrame, account: Account, options: TraceOptions, queue: Queue | None, source: str
) -> pl.DataFrame:
    """The jobs with their `unit`, without those whose GPU models have none.

    A service job names exactly one instance type, so of several models the first that `units` knows counts.
    Raises InputError where no mapping was chosen and more than one unit is in play.
    """
    if options.units is None:
        return jobs.with_columns(unit=pl.lit(_only_unit(queue, options, source)))
    units = options.units

    def unit_of(model: str) -> str | None:
        known = (units[name] for name in model.split(ALTERNATIVE) if name in units)
        return next(known, units.get(EVERY_GROUP))

    mapped = _mapped(jobs, "model", "unit", unit_of)
    return _without(mapped, "unit", pl.format("GPU model {} has no unit", quoted("model")), account)


def with_instances(jobs: pl.DataFrame, per_instance: int | Mapping[str, int], parts: int, source: str) -> pl.DataFrame:
    """The jobs with their number of `instances`: size divided by what one instance has, rounded up.

    `parts` is how many of the units that sizes are counted in make one GPU or processor. Raises InputError for a
    unit that `per_instance` does not name.
    """
    if isinstance(per_instance, int):
        per: pl.Expr = pl.lit(per_instance * parts)
    else:
        unnamed = sorted(set(jobs["unit"].unique()) - per_instance.keys())
        if unnamed:
            problem = f"says nothing about {unnamed[0]}"
            raise InputError(problem, source=source, where="gpus_per_instance", remedy="name each unit in use")
        per = pl.col("unit").replace_strict(dict(per_instance), return_dtype=pl.Int64) * parts
    return jobs.with_columns(instances=(pl.col("size") + per - 1) // per)


def with_priorities(jobs: pl.DataFrame, account: Account, options: TraceOptions) -> pl.DataFrame:
    """The jobs with their `priority`: what `priorities` says of their rank, 0 where it says nothing."""
    if options.priorities is None:
        return jobs.with_columns(priority=pl.lit(0, pl.Int64))
    priorities = options.priorities
    unknown = sorted(priorities.keys() - {EVERY_GROUP, *jobs["rank"].unique()})
    account.remarks += [f"priorities names {name!r}, which the trace does not mention" for name in unknown]
    return _mapped(
        jobs, "rank", "priority", lambda rank: priorities.get(rank, priorities.get(EVERY_GROUP, 0)), pl.Int64
    )


def quoted(name: str) -> pl.Expr:
    """The text of a column as messages show it."""
    return pl.col(name).map_elements(repr, return_dtype=pl.String)


def _only_unit(queue: Queue | None, options: TraceOptions, source: str) -> str:
    try:
        return unit_in_play(queue, (), options.unit)
    except InputError as error:
        remedy = "name it, such as unit: ml.g5.xlarge"
        raise InputError(error.problem, source=source, where="unit", remedy=remedy) from None


def _mapped(
    jobs: pl.DataFrame,
    name: str,
    new: str,
    function: Callable[[str], str | int | None],
    dtype: type[pl.DataType] | None = None,
) -> pl.DataFrame:
    """`jobs` with a column `new`: the function of each distinct value of the column `name`."""
    values = jobs[name].unique().sort().to_list()
    found = [function(value) for value in values]
    return jobs.with_columns(jobs[name].replace_strict(values, found, return_dtype=dtype or pl.String).alias(new))


def _without(jobs: pl.DataFrame, name: str, reason: pl.Expr, account: Account) -> pl.DataFrame:
    """The jobs that have something in the column `name`; the others are skipped with a reason."""
    has = jobs[name].is_not_null()
    if not has.all():
        account.skip_rows(jobs.filter(~has).select("where", reason=reason))
    return jobs.filter(has)
