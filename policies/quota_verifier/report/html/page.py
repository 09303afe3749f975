"""The whole page as one flat record: what the templates print, and nothing that they would have to work out."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files

from quota_verifier.report import html
from quota_verifier.report.html.encode import script_json
from quota_verifier.report.html.run_part import RunPart, run_part
from quota_verifier.report.html.verdict_part import VerdictPart, verdict_part
from quota_verifier.report.record import Report

STYLES = ("base", "layout", "summary", "tables", "bars", "verdicts", "charts", "gantt", "print")
SCRIPTS = (
    "format",
    "dom",
    "columns",
    "model",
    "theme",
    "window",
    "steps",
    "tooltip",
    "share_chart",
    "share_table",
    "filter",
    "lanes",
    "rows",
    "density",
    "bars",
    "gantt",
    "pages",
    "job_table",
    "job_details",
    "preemption_table",
    "run",
    "main",
)
"""Files of `css/` and `js/`, in the order in which they are put together."""


@dataclass(frozen=True, slots=True)
class Page:
    """What the templates read. `script_hash` lets the browser run this script and no other."""

    title: str
    source: str
    verdicts: VerdictPart | None
    runs: tuple[RunPart, ...]
    style: str
    script: str
    script_hash: str
    data: str


def page(report: Report) -> Page:
    """The page about `report`."""
    parts = [run_part(told) for told in report.runs]
    script = _joined("js", "js", SCRIPTS)
    names = dict.fromkeys(told.queue.name for told in report.runs)
    return Page(
        title=", ".join(names) or "quota shares",
        source=report.source,
        verdicts=None if report.verdicts is None else verdict_part(report, report.verdicts),
        runs=tuple(part for part, _ in parts),
        style=_joined("css", "css", STYLES),
        script=script,
        script_hash=f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}",
        data=script_json({"runs": [data for _, data in parts]}),
    )


def _joined(folder: str, ending: str, names: Iterable[str]) -> str:
    """The files of a folder, one after the other; scripts share one scope of their own."""
    texts = [files(html).joinpath(folder, f"{name}.{ending}").read_text(encoding="utf-8") for name in names]
    whole = "\n".join(texts)
    return f'(() => {{\n"use strict";\n{whole}}})();\n' if ending == "js" else whole
