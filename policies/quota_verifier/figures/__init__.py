"""Figures: numbers out of a run. The only part of the verifier that computes with numpy."""

from quota_verifier.figures.columns import Columns, JobColumns, columns, job_columns
from quota_verifier.figures.distribution import Distribution
from quota_verifier.figures.figures import Figures, GroupFigures, QueueFigures, ShareFigures
from quota_verifier.figures.ledger import Ledger, ShareLedger, UnitLedger, ledger
from quota_verifier.figures.plain import plain
from quota_verifier.figures.summary import summarize

__all__ = [
    "Columns",
    "Distribution",
    "Figures",
    "GroupFigures",
    "JobColumns",
    "Ledger",
    "QueueFigures",
    "ShareFigures",
    "ShareLedger",
    "UnitLedger",
    "columns",
    "job_columns",
    "ledger",
    "plain",
    "summarize",
]
