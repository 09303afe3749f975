"""`quota-shares sweep`."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from quota_verifier.cli.arguments import add_assumptions, add_json, add_queue, add_under
from quota_verifier.cli.output import print_json, print_report, warn
from quota_verifier.cli.parser import Parser, checked
from quota_verifier.cli.sweep_arguments import axis, check_outputs, dial_of, plan_of, seeds, whole, workers_of, write

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from quota_verifier.report.sweep_document import SweepDocument
    from quota_verifier.sweep.executors import Workers
    from quota_verifier.sweep.outcome import Sweep
    from quota_verifier.sweep.plan import Plan
    from quota_verifier.sweep.smallest import Search, Smallest
    from quota_verifier.sweep.unit import Unit, UnitResult

USAGE = "TEMPLATE --policy FILE... [--sweep FILE] [--set KEY=VALUES] [OPTIONS]"
_INTERRUPTED = 130


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    add_queue(parser)
    parser.add_argument(
        "--policy", metavar="FILE", nargs="+", action="extend", required=True, help="Policy files; may be repeated."
    )
    _add_changes(parser)
    add_under(parser, "By default the default answers alone, whatever the policy files say.")
    add_assumptions(parser)
    _add_search(parser)
    _add_outputs(parser)
    _add_workers(parser)


def _add_changes(parser: Parser) -> None:
    parser.add_argument("--sweep", metavar="FILE", help="Sweep file: a grid and a list of changes to try.")
    parser.add_argument(
        "--set",
        metavar="KEY=VALUES",
        action="append",
        default=[],
        type=checked(axis),
        help="Values for the grid, such as shares.QS1.borrow_limit=0,100,null; may be repeated.",
    )
    parser.add_argument(
        "--seeds",
        metavar="SEEDS",
        type=checked(seeds),
        help="How many workloads to generate, counting up from the policy's own seed, or the seeds: 10, or 3,5,8. "
        "Default 10.",
    )
    parser.add_argument(
        "--objective",
        metavar="NAME",
        nargs="+",
        action="extend",
        help="What variants are compared by, such as capacity wait_p95.QS3; by default capacity, margin, wait_p95, "
        "preemptions and lost_work.",
    )


def _add_search(parser: Parser) -> None:
    group = parser.add_argument_group("the least capacity")
    group.add_argument(
        "--smallest", action="store_true", help="For each variant, find the least capacity that meets the policies."
    )
    group.add_argument(
        "--vary",
        metavar="WHAT",
        help="What --smallest varies: UNIT (the environment, and the shares in proportion), environment.UNIT, or "
        "shares.NAME.limits.UNIT. By default the only unit.",
    )
    group.add_argument(
        "--at-most", metavar="N", type=checked(whole), help="Search up to here; by default twice the present capacity."
    )
    group.add_argument(
        "--bisect",
        action="store_true",
        help="Halve the range instead of trying every capacity: quicker, but lower ones that were not tried may do.",
    )


def _add_outputs(parser: Parser) -> None:
    add_json(parser)
    parser.add_argument("--out", metavar="FILE", help="Write the JSON document there, also when interrupted.")
    parser.add_argument("--resume", metavar="FILE", help="Use what such a document holds instead of running it again.")
    parser.add_argument("--csv", metavar="FILE", help="Write the variants and their objectives as a table.")
    parser.add_argument(
        "--plot", metavar="FILE", help="Draw the objectives and the Pareto front; .svg, .png or .pdf. Needs matplotlib."
    )


def _add_workers(parser: Parser) -> None:
    parser.add_argument(
        "--workers", metavar="N", type=checked(whole), help="Processes to run on; by default one for each core."
    )
    parser.add_argument("--dask", metavar="ADDRESS", help="Run on the Dask cluster of this scheduler instead.")


@dataclass(slots=True)
class _Progress:
    """How far a sweep is, so that an interrupted one can be reported."""

    plan: Plan
    results: dict[str, UnitResult]
    searches: Sequence[Search] = ()
    searched: int = 0

    @property
    def smallest(self) -> list[Smallest]:
        """The searches, of which the first `searched` are finished."""
        return [search.result(finished=place < self.searched) for place, search in enumerate(self.searches)]

    def only_found(self) -> None:
        """From here on the plan is the baseline, and what the finished searches found."""
        found = [search.found for search in self.smallest if search.finished and search.found is not None]
        self.plan = replace(self.plan, variants=(self.plan.variants[0], *found))


def run(args: Namespace) -> int:
    """Try the variants; 0 where one meets the policies, 1 where none does, 130 where interrupted."""
    from quota_verifier.sweep.saved import read_results

    check_outputs(args)
    plan, description = plan_of(args)
    warn(f"{scenario.policies[0].source}: {text}" for scenario in plan.scenarios for text in scenario.account.warnings)
    searches = [dial_of(args, plan, variant) for variant in plan.variants] if args.smallest else ()
    state = _Progress(plan, read_results(args.resume) if args.resume else {}, searches)
    try:
        _simulate(args, state)
    except KeyboardInterrupt:
        if state.searched < len(state.searches):
            state.only_found()
        _give_out(args, state, description)
        return _INTERRUPTED
    except BaseException:
        if args.out:
            _write_out(args, _document(args, state, description))
        raise
    return 0 if _give_out(args, state, description)["ok"] else 1


def _simulate(args: Namespace, state: _Progress) -> None:
    from quota_verifier.cli.progress import progress
    from quota_verifier.sweep.sweep import judged

    with workers_of(args, state.plan) as workers, progress("simulating") as done:
        if state.searches:
            _search(state, workers, done)
        workers.run(state.plan.units(), state.results, None if state.searches else done)
    judged(state.plan, state.results)


def _search(state: _Progress, workers: Workers, done: Callable[[int, int], None] | None) -> None:
    """Search for every variant in turn."""
    for search in state.searches:

        def judge(units: Sequence[Unit], search: Search = search) -> Mapping[str, UnitResult]:
            workers.run(units, state.results)
            if done is not None:
                done(len(search.tried), search.high - search.low + 1)
            return state.results

        search.run(judge, workers.parallel)
        state.searched += 1
    state.only_found()


def _give_out(args: Namespace, state: _Progress, description: str) -> SweepDocument:
    """Print and write what there is, all of it or what was finished."""
    found, document = _outcome(state), _document(args, state, description)
    if args.out:
        _write_out(args, document)
    if args.csv:
        from quota_verifier.report.sweep_csv import sweep_csv

        write(args.csv, sweep_csv(document))
    if args.plot:
        from quota_verifier.report.sweep_plot import write_plot

        write_plot(found, args.plot)
    if args.json:
        print_json(document)
    else:
        from quota_verifier.report.sweep_text import sweep_report

        print_report(sweep_report(found, args.template, description, state.smallest))
    return document


def _outcome(state: _Progress) -> Sweep:
    from quota_verifier.sweep.outcome import outcome_of

    return outcome_of(state.plan, state.results)


def _document(args: Namespace, state: _Progress, description: str) -> SweepDocument:
    from quota_verifier.report.sweep_document import sweep_document

    return sweep_document(_outcome(state), args.template, description, state.smallest)


def _write_out(args: Namespace, document: SweepDocument) -> None:
    from quota_verifier.report.json_text import json_text

    write(args.out, json_text(document))
