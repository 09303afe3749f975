"""The document of `check-jobs`, and the same as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from rich.console import RenderableType
from rich.text import Text
from typing_extensions import TypedDict

from quota_verifier.job_classes import ClassFinding
from quota_verifier.report.numbers import counted
from quota_verifier.report.text import indented, title


class ClassFindingDocument(TypedDict):
    """What is wrong with some jobs of a share's class; `job_class` is empty for jobs without the label `class`."""

    check: str
    severity: Literal["error", "warning", "info"]
    share: str
    job_class: str
    jobs: int
    example: str
    message: str
    fix: str


class JobClassesDocument(TypedDict):
    """What `quota-shares check-jobs --json` prints. `jobs` is how many were looked at."""

    queue: str
    workload: str
    jobs: int
    findings: list[ClassFindingDocument]


def job_classes_document(queue: str, workload: str, jobs: int, findings: Sequence[ClassFinding]) -> JobClassesDocument:
    """The document about `findings`."""
    told: list[ClassFindingDocument] = [
        {
            "check": finding.check,
            "severity": finding.severity,
            "share": finding.share,
            "job_class": finding.job_class,
            "jobs": finding.jobs,
            "example": finding.example,
            "message": finding.message,
            "fix": finding.fix,
        }
        for finding in findings
    ]
    return {"queue": queue, "workload": workload, "jobs": jobs, "findings": told}


def job_classes_report(document: JobClassesDocument) -> Iterator[RenderableType]:
    """The report about the jobs of a workload."""
    yield title(document["queue"], document["workload"])
    yield Text()
    for finding in document["findings"]:
        label = f", class {finding['job_class']}" if finding["job_class"] else ""
        others = f" and {finding['jobs'] - 1} more" if finding["jobs"] > 1 else ""
        yield indented(f"{finding['severity']}: share {finding['share']}{label}: {finding['example']}{others}")
        yield indented(f"{finding['message']}; {finding['fix']}", 4)
    count = Counter(finding["severity"] for finding in document["findings"])
    nouns = (("error", "error"), ("warning", "warning"), ("info", "note"))
    parts = [counted(count[severity], noun) for severity, noun in nouns if count[severity]]
    yield Text(f"{counted(document['jobs'], 'job')}: {', '.join(parts) or 'nothing found'}")
