"""The files that an import writes: the queue as template and queue file, its history, a workload, a policy file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from quota_verifier.aws.live.job_list import ServiceJob
from quota_verifier.aws.live.measured import MeasuredTiming, measured_timing
from quota_verifier.aws.live.past_jobs import History, history_of
from quota_verifier.aws.live.replay import with_failures
from quota_verifier.aws.live.skeleton import policy_text, promises
from quota_verifier.documents import as_map, dump_yaml
from quota_verifier.errors import InputError
from quota_verifier.lint.queue_template import ENVIRONMENT, QUEUE, queue_resources
from quota_verifier.model import Queue
from quota_verifier.template import queue_document
from quota_verifier.workload import TraceOptions, Workload, workload_from_service_jobs, write_workload
from quota_verifier.workload.readers.service_job_details import usage_of

QUEUE_FILE, TEMPLATE_FILE, HISTORY_FILE = "queue.yaml", "template.json", "history.json"
WORKLOAD_FILE, POLICY_FILE = "workload.json", "policy.yaml"
_NOT_IN_AN_ID = re.compile(r"[^A-Za-z0-9]")


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import found and wrote. Without an ended job there is neither workload nor policy file.

    `kept` are files that were there and are left as they are: the policy file, once people have made it theirs.
    """

    queue: Queue
    directory: Path
    files: tuple[str, ...]
    kept: tuple[str, ...]
    history: History | None
    workload: Workload | None
    measured: MeasuredTiming | None


def write_import(
    queue: Queue, jobs: Sequence[ServiceJob], directory: Path, progress: Callable[[int], None] | None = None
) -> Imported:
    """Write what is known of a deployed queue and of its jobs. Raises InputError where a file cannot be written."""
    texts = {
        QUEUE_FILE: dump_yaml(queue_document(queue)),
        TEMPLATE_FILE: json.dumps(template_of(queue), indent=2) + "\n",
        HISTORY_FILE: json.dumps(_by_creation(jobs), indent=1, sort_keys=True) + "\n",
    }
    for name, text in texts.items():
        _write(directory / name, text)
    if not any(job.get("stoppedAt") and job.get("startedAt") for job in jobs):
        return Imported(queue, directory, tuple(texts), (), None, None, None)
    history = history_of(jobs, str(directory / HISTORY_FILE))
    workload = _workload(queue, jobs, history)
    write_workload(workload, directory / WORKLOAD_FILE)
    measured = measured_timing(history)
    kept = (POLICY_FILE,) if (directory / POLICY_FILE).exists() else ()
    if not kept:
        found = promises(queue, workload, measured.timing, progress)
        _write(directory / POLICY_FILE, policy_text(history, queue, measured.timing, found, WORKLOAD_FILE))
    files = (*texts, WORKLOAD_FILE, *(() if kept else (POLICY_FILE,)))
    return Imported(queue, directory, files, kept, history, workload, measured)


def template_of(queue: Queue) -> dict[str, object]:
    """A CloudFormation template that declares `queue` under its own names."""
    resources = cast("dict[str, dict[str, dict[str, object]]]", queue_resources(queue))
    resources[ENVIRONMENT]["Properties"]["ServiceEnvironmentName"] = queue.environment.name
    resources[QUEUE]["Properties"]["JobQueueName"] = queue.name
    named: dict[str, object] = {}
    for logical_id, resource in resources.items():
        name = (as_map(resource["Properties"]) or {}).get("QuotaShareName")
        named[logical_id if name is None else _logical_id(str(name), named)] = resource
    return {"AWSTemplateFormatVersion": "2010-09-09", "Resources": named}


def _logical_id(name: str, taken: Mapping[str, object]) -> str:
    """`Share` and the letters and digits of the name; a number behind it where that is taken."""
    plain = f"Share{_NOT_IN_AN_ID.sub('', name)}"
    number, found = 1, plain
    while found in taken:
        number += 1
        found = f"{plain}x{number}"
    return found


def _workload(queue: Queue, jobs: Sequence[ServiceJob], history: History) -> Workload:
    """The ended jobs, as every other job list is read; the account tells what became of the others."""
    read = workload_from_service_jobs(jobs, source=history.source, options=TraceOptions(), queue=queue)
    return with_failures(read, history)


def _by_creation(jobs: Sequence[ServiceJob]) -> list[dict[str, object]]:
    ordered = sorted(jobs, key=lambda job: (str(job.get("createdAt")), str(job.get("jobId"))))
    return [_without_secrets(job) for job in ordered]


def _without_secrets(job: ServiceJob) -> dict[str, object]:
    """The job without its training request, which may hold secrets; with the capacity that it asks for."""
    demand = usage_of(job)
    kept = {key: value for key, value in job.items() if key != "serviceRequestPayload"}
    if demand is not None and not job.get("capacityUsage"):
        kept["capacityUsage"] = [{"capacityUnit": unit, "quantity": count} for unit, count in demand.items()]
    return kept


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", source=str(path)) from None
