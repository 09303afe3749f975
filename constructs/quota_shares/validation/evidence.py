"""The runs in which claims fail, each made once for all claims that fail in it."""

from __future__ import annotations

from quota_verifier.figures import job_columns
from quota_verifier.policy.verdicts import Evidence
from quota_verifier.policy.view import RunView
from quota_verifier.scheduler.assumptions import Assumptions


class EvidenceRuns:
    """Views of the runs of one policy; a run that was not kept is simulated again."""

    def __init__(self) -> None:
        self._views: dict[Assumptions, RunView] = {}

    def of(self, evidence: Evidence) -> RunView:
        """The run in which a claim of the policy fails."""
        view = self._views.get(evidence.assumptions)
        if view is None:
            run = evidence.run
            view = self._views[evidence.assumptions] = RunView(run, job_columns(run.queue, run.jobs))
        return view
