"""What a report file is made from: the runs of a command, with their figures and verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quota_verifier.cost import Costs
from quota_verifier.figures import Figures, summarize
from quota_verifier.model import Queue
from quota_verifier.policy.verdicts import PolicyVerdicts, Verdicts
from quota_verifier.scheduler import Run
from quota_verifier.workload import Workload
from quota_verifier.workload.load import UnitLoad, offered_load


@dataclass(frozen=True, slots=True)
class ReportedRun:
    """A run, what it was made of, and the policies that were judged on it (none for `simulate`).

    `until_ms` is the horizon, None where none was set; `costs` None where no prices were given.
    """

    run: Run
    figures: Figures
    workload: Workload
    loads: tuple[UnitLoad, ...]
    until_ms: int | None
    policies: tuple[PolicyVerdicts, ...] = ()
    costs: Costs | None = None

    @property
    def queue(self) -> Queue:
        """The queue as it was at the start of the run."""
        return self.run.queue


@dataclass(frozen=True, slots=True)
class Report:
    """The report of a command on the queue file `source`; `verdicts` is None for `simulate`."""

    source: str
    runs: tuple[ReportedRun, ...]
    verdicts: Verdicts | None = None


def verdicts_report(source: str, verdicts: Verdicts) -> Report:
    """The report about `verdicts`; policies that share a run stand at that run, in the order of the first."""
    groups: list[list[PolicyVerdicts]] = []
    for found in verdicts.policies:
        group = next((group for group in groups if group[0].run is found.run), None)
        if group is None:
            groups.append([found])
        else:
            group.append(found)
    return Report(source, tuple(_judged(group) for group in groups), verdicts)


def _judged(group: Sequence[PolicyVerdicts]) -> ReportedRun:
    run, case = group[0].run, group[0].case
    loads = offered_load(case.workload, case.queue)
    return ReportedRun(run, summarize(run), case.workload, loads, case.until_ms, tuple(group))
