"""What the arguments of `sweep` mean."""

from __future__ import annotations

import re
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from quota_verifier.cli.arguments import parameters_of
from quota_verifier.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from quota_verifier.model import Queue
    from quota_verifier.policy.policy import Policy
    from quota_verifier.sweep.executors import Workers
    from quota_verifier.sweep.plan import Plan
    from quota_verifier.sweep.smallest import Search
    from quota_verifier.sweep.sweep_file import Seeds, SweepFile
    from quota_verifier.sweep.variants import Axis, Variant

_WHOLE = re.compile(r"[+-]?\d+")
_WORDS: dict[str, bool | None] = {"null": None, "true": True, "false": False}


def axis(text: str) -> Axis:
    """KEY=V,V,V as a key and its values, which read as in YAML. Raises InputError."""
    from quota_verifier.sweep.variants import Axis

    key, equals, values = text.partition("=")
    parts = [part.strip() for part in values.split(",")]
    if not key or not equals or not all(parts):
        raise InputError(f"{text!r} is not KEY=VALUES", remedy="write shares.QS1.borrow_limit=0,100,200")
    return Axis(key.strip(), tuple(map(_value, parts)), "--set")


def _value(text: str) -> int | str | bool | None:
    return int(text) if _WHOLE.fullmatch(text) else _WORDS.get(text, text)


def seeds(text: str) -> Seeds:
    """A number of seeds, or seeds with commas between them. Raises InputError."""
    from quota_verifier.sweep.sweep_file import SweepFile
    from quota_verifier.validation import validate_file

    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise InputError(f"{text!r} is neither a number of seeds nor a list", remedy="write 10, or 3,5,8")
    numbers = [int(part) for part in parts]
    return validate_file(SweepFile, {"seeds": numbers[0] if len(numbers) == 1 else tuple(numbers)}, "").seeds


def whole(text: str) -> int:
    """A whole number from 1 on. Raises InputError."""
    if not (text.isascii() and text.isdigit()) or int(text) < 1:
        raise InputError(f"{text!r} is not a whole number of 1 or more", remedy="write a number such as 8")
    return int(text)


def plan_of(args: Namespace) -> tuple[Plan, str]:
    """The plan that the arguments ask for, and the sweep's description. Raises InputError for the first mistake."""
    from quota_verifier.policy.policy import read_policy
    from quota_verifier.sweep.plan import plan_sweep
    from quota_verifier.sweep.sweep_file import SweepFile
    from quota_verifier.sweep.variants import grid, read_sweep_file

    file, axes, listed = read_sweep_file(args.sweep) if args.sweep else (SweepFile(), (), ())
    policies = [read_policy(path) for path in args.policy]
    queue = _queue(args, policies)
    asked = (*grid((*axes, *args.set), queue), *listed)
    if not asked and not args.smallest:
        raise InputError(
            "no variant to try", source="quota-shares sweep", remedy="add --sweep FILE, --set KEY=VALUES or --smallest"
        )
    plan = plan_sweep(
        queue,
        policies,
        asked,
        seeds=file.seeds if args.seeds is None else args.seeds,
        objectives=_objectives(args, file, queue),
        under=args.under or "default",
        assumptions=args.assume,
    )
    return plan, file.description


def _objectives(args: Namespace, file: SweepFile, queue: Queue) -> Sequence[str] | None:
    """The names of the objectives, of which each exists; None where none are chosen. Raises InputError."""
    from quota_verifier.sweep.measures import objective

    names = args.objective or file.objectives
    for name in names or ():
        try:
            objective(name, queue)
        except InputError as error:
            raise error.within("--objective" if args.objective else f"{args.sweep}: objectives") from None
    return names


def _queue(args: Namespace, policies: Sequence[Policy]) -> Queue:
    """The queue of `--queue`, else the one that the policies name, else the only one. Raises InputError."""
    from quota_verifier.template.reader import read_queue

    named = list(dict.fromkeys(policy.queue for policy in policies if policy.queue is not None))
    if args.queue is None and len(named) > 1:
        raise InputError(
            f"the policies are about different queues: {', '.join(named)}",
            source="quota-shares sweep",
            remedy="sweep one queue at a time, or choose one with --queue",
        )
    chosen = args.queue or (named[0] if named else None)
    return read_queue(args.template, parameters=parameters_of(args), queue=chosen)


def dial_of(args: Namespace, plan: Plan, variant: Variant) -> Search:
    """The search that `--smallest` and its options ask for. Raises InputError."""
    from quota_verifier.sweep.scaling import read_dial
    from quota_verifier.sweep.smallest import Search

    dial = read_dial(args.vary, variant.queue)
    if dial.key is not None and dial.key.text in variant.settings:
        raise InputError(
            f"variant {variant.name!r} sets {dial.key.text}, which --smallest is to find",
            source="--vary",
            remedy="leave it out of the sweep, or vary something else",
        )
    high = args.at_most or 2 * max(1, dial.reading(variant.queue))
    low = dial.least(variant.queue)
    if high < low:
        raise InputError(
            f"{high} is below {low}, the least that is legal", source="--at-most", remedy=f"write {low} or more"
        )
    return Search(plan, variant, dial, high, "bisect" if args.bisect else "scan")


def workers_of(args: Namespace, plan: Plan) -> AbstractContextManager[Workers]:
    """Where the units run. Raises InputError for a cluster that does not answer."""
    from quota_verifier.sweep.executors import cores, here, processes

    if args.dask is not None:
        from quota_verifier.sweep.dask_cluster import cluster

        if args.workers is not None:
            raise InputError(
                "the cluster has its own workers", source="--workers", remedy="leave out --workers or --dask"
            )
        return cluster(args.dask)
    units = sum(1 for _ in plan.units())
    count = min(args.workers or cores(), units) if not args.smallest else args.workers or cores()
    return here() if count == 1 else processes(count)


def check_outputs(args: Namespace) -> None:
    """Refuse, before hours of work, files that cannot be written afterwards, and options that go with others only."""
    for option in ("vary", "at_most", "bisect"):
        if getattr(args, option) and not args.smallest:
            raise InputError("goes with --smallest", source=f"--{option.replace('_', '-')}", remedy="add --smallest")
    for option in ("out", "csv", "plot"):
        path: str | None = getattr(args, option)
        if path is None:
            continue
        if Path(path).is_dir():
            raise InputError(f"{path} is a directory", source=f"--{option}", remedy="name a file in it")
        if not Path(path).absolute().parent.is_dir():
            raise InputError(f"{path}: no such directory", source=f"--{option}", remedy="make it first")
    if args.plot is not None:
        from quota_verifier.report.sweep_plot import check_plot

        check_plot(args.plot)


def write(path: str, text: str) -> None:
    """Write a file as a whole: whatever happens, it holds what it held before, or the text."""
    target = Path(path)
    new = target.with_name(f".{target.name}.new")
    new.write_text(text, encoding="utf-8")
    new.replace(target)
