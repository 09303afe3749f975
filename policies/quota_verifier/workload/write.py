"""Writing a workload file, in the form that the ending names; what is written reads back the same."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import cast

from quota_verifier.durations import format_duration
from quota_verifier.errors import InputError
from quota_verifier.model import EnvironmentUpdate, Failure, Job, JobUpdate, ShareUpdate, Update
from quota_verifier.validation import validate_file
from quota_verifier.workload.schema import WorkloadFile
from quota_verifier.workload.table import JOB_COLUMNS, UPDATE_COLUMNS
from quota_verifier.workload.workload import Workload
from quota_verifier.workload.write_yaml import yaml_text

_Row = dict[str, object]
_PLAIN = re.compile(r"[\w.:/@-]+")


def write_workload(workload: Workload, path: str | Path) -> None:
    """Write jobs and updates to `path` as `.json`, `.yaml`, `.yml` or `.csv`. Raises InputError.

    Times become durations from the start. Rules, warnings and skipped rows belong to the source and are left out.
    """
    form = _FORMS.get(Path(path).suffix.lower())
    if form is None:
        raise InputError(
            f"the ending {Path(path).suffix!r} names no form of workload file",
            source=str(path),
            remedy=f"end the name in {', '.join(_FORMS)}",
        )
    jobs = [job_row(job) for job in workload.jobs]
    updates = [_update_row(update) for update in workload.updates]
    validate_file(WorkloadFile, {"jobs": jobs, "updates": updates}, str(path))
    try:
        Path(path).write_text(form(jobs, updates), encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", source=str(path)) from None


def job_row(job: Job) -> dict[str, object]:
    """A job as files write it: durations in words, and without what is left at its default."""
    row: _Row = {
        "id": job.id,
        "share": job.share,
        "submit": format_duration(job.submit_ms),
        "work": format_duration(job.work_ms),
        "demand": dict(job.demand),
        "priority": job.priority or None,
        "attempts": None if job.attempts == 1 else job.attempts,
        "preemption_retries": job.preemption_retries,
        "timeout": None if job.timeout_ms is None else format_duration(job.timeout_ms),
        "checkpoint": None if job.checkpoint_ms is None else format_duration(job.checkpoint_ms),
        "fails": [_failure_row(failure) for failure in job.failures] or None,
        "retry_rules": [{"action": rule.action, "on_status_reason": rule.on_status_reason} for rule in job.retry_rules]
        or None,
        "labels": dict(job.labels) or None,
    }
    return _given(row)


def _failure_row(failure: Failure) -> _Row:
    return {"after": format_duration(failure.after_ms), "reason": failure.reason}


def _update_row(update: Update) -> _Row:
    at = format_duration(update.at_ms)
    match update:
        case JobUpdate():
            return _given(
                {"at": at, "job": update.job, "priority": update.priority, "terminate": update.terminate or None}
            )
        case ShareUpdate():
            return _given(
                {
                    "at": at,
                    "share": update.share,
                    "limits": None if update.limits is None else dict(update.limits),
                    "strategy": None if update.strategy is None else str(update.strategy),
                    "borrow_limit": update.borrow_limit,
                    "in_share_preemption": update.in_share_preemption,
                    "state": _state(update.enabled),
                }
            )
        case EnvironmentUpdate():
            limits = None if update.limits is None else dict(update.limits)
            return {"at": at, "environment": limits, **_given({"state": _state(update.enabled)})}


def _state(enabled: bool | None) -> str | None:
    return None if enabled is None else "ENABLED" if enabled else "DISABLED"


def _given(row: _Row) -> _Row:
    return {key: value for key, value in row.items() if value is not None}


def _json_text(jobs: Sequence[_Row], updates: Sequence[_Row]) -> str:
    """JSON with one job and one update a line, so that two files compare line by line."""
    parts = [f' "jobs": [\n{_lines(jobs)}\n ]']
    if updates:
        parts.append(f' "updates": [\n{_lines(updates)}\n ]')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(rows: Sequence[_Row]) -> str:
    return ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)


def _csv_text(jobs: Sequence[_Row], updates: Sequence[_Row]) -> str:
    rows = [*jobs, *updates]
    columns = [name for name in dict.fromkeys((*JOB_COLUMNS, *UPDATE_COLUMNS)) if any(name in row for row in rows)]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(row[name]) if name in row else "" for name in columns] for row in rows)
    return text.getvalue()


def _cell(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case dict():
            return _map_cell(cast("Mapping[str, object]", value))
        case list():
            return json.dumps(value, ensure_ascii=False)
        case _:
            return str(value)


def _map_cell(value: Mapping[str, object]) -> str:
    """`ml.g5.xlarge=1;ml.p5.48xlarge=2` where names and values are plain, else JSON."""
    texts = {key: str(item) for key, item in value.items()}
    if texts and all(_PLAIN.fullmatch(part) for pair in texts.items() for part in pair):
        return ";".join(f"{key}={item}" for key, item in texts.items())
    return json.dumps(value, ensure_ascii=False)


_FORMS: Mapping[str, Callable[[Sequence[_Row], Sequence[_Row]], str]] = {
    ".json": _json_text,
    ".yaml": yaml_text,
    ".yml": yaml_text,
    ".csv": _csv_text,
}
