"""Any file that describes queues, read into queues: templates, cloud assemblies, queue files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from quota_verifier.documents import Document, as_map, load_document
from quota_verifier.errors import InputError
from quota_verifier.model import Queue
from quota_verifier.template.parameters import refuse_undeclared
from quota_verifier.template.queues import build_queue, refuse_lost_shares
from quota_verifier.template.references import Outside, policy_of, quota_managed_queues
from quota_verifier.template.resources import (
    JOB_QUEUE,
    Resource,
    Template,
    declared_parameters,
    parse_template,
)
from quota_verifier.template.yaml_tags import CLOUDFORMATION_TAGS
from quota_verifier.words import did_you_mean

_NO_PARAMETERS: Mapping[str, str] = {}
_OTHER_FILES = {"expect": "a policy file", "jobs": "a workload file", "version": "a cloud assembly's manifest"}


def read_queues(path: str | Path, *, parameters: Mapping[str, str] = _NO_PARAMETERS) -> tuple[Queue, ...]:
    """Every quota-managed queue of a template, a cloud assembly directory or a queue file.

    `parameters` are template parameters by name. Empty where there is no such queue. Raises InputError
    for what cannot be read, is left to the deployment, or leaves nothing to reckon with.
    """
    return tuple(_queues(_contents(path, parameters)))


def read_queue(path: str | Path, *, parameters: Mapping[str, str] = _NO_PARAMETERS, queue: str | None = None) -> Queue:
    """The one queue of a file, or the one called `queue`: by name, logical id or construct path.

    Raises InputError as `read_queues` does, and where there is no such queue or more than one.
    """
    contents = _contents(path, parameters)
    if queue is not None:
        named = list(_queues(contents, only=queue))
        if len(named) == 1:
            return named[0]
        if named:
            raise _several(named, path, f"{len(named)} queues are called {queue!r}")
    queues = list(_queues(contents))
    if not queues:
        found = "; ".join(_job_queues(contents)) or "it has no AWS::Batch::JobQueue"
        raise InputError("no quota-managed job queue", source=str(path), remedy=found)
    if queue is not None:
        raise InputError(
            f"no quota-managed job queue is called {queue!r}",
            source=str(path),
            remedy=did_you_mean(queue, [known.name for known in queues]),
        )
    if len(queues) > 1:
        raise _several(queues, path, f"{len(queues)} quota-managed job queues")
    return queues[0]


def read_contents(path: str | Path, *, parameters: Mapping[str, str] = _NO_PARAMETERS) -> tuple[Template | Queue, ...]:
    """What each file of a template, a cloud assembly directory or a queue file holds, as rules look at it.

    Raises InputError for what cannot be read; whether it makes sense is not asked.
    """
    return tuple(_contents(path, parameters))


def _several(queues: Iterable[Queue], path: str | Path, problem: str) -> InputError:
    listed = [known.name if known.source == known.name else f"{known.name} ({known.source})" for known in queues]
    alike = len(set(listed)) < len(listed)
    remedy = "read one template at a time" if alike else f"name one of {', '.join(listed)}"
    return InputError(problem, source=str(path), remedy=remedy)


def _contents(path: str | Path, given: Mapping[str, str]) -> list[Template | Queue]:
    documents = [load_document(file, tags=CLOUDFORMATION_TAGS) for file in _files(Path(path))]
    templates = [document for document in documents if _is_template(document)]
    if given and not templates:
        raise InputError("a queue file takes no --param", source=str(path), remedy="write the values into the file")
    refuse_undeclared(given, (name for found in templates for name in declared_parameters(found)), str(path))
    return [
        parse_template(document, values=given) if _is_template(document) else _queue_file(document)
        for document in documents
    ]


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(
        file
        for file in path.rglob("*.template.json")
        if not any(part.startswith("asset.") for part in file.relative_to(path).parts)
    )
    if not found:
        raise InputError(
            "no *.template.json in this directory",
            source=str(path),
            remedy="name a template, or the directory that cdk synth writes (cdk.out)",
        )
    return found


def _is_template(document: Document) -> bool:
    data = as_map(document.data) or {}
    return "Resources" in data or "AWSTemplateFormatVersion" in data


def _queue_file(document: Document) -> Queue:
    data = as_map(document.data) or {}
    if "environment" not in data and "shares" not in data:
        other = next((what for key, what in _OTHER_FILES.items() if key in data), "")
        raise InputError(
            "neither a CloudFormation template nor a queue file",
            source=document.source,
            remedy=f"this looks like {other}"
            if other
            else "a template has Resources, a queue file has environment and shares",
        )
    from quota_verifier.template.queue_file import parse_queue_file

    return parse_queue_file(document)


def _queues(contents: Iterable[Template | Queue], only: str | None = None) -> Iterable[Queue]:
    for content in contents:
        if isinstance(content, Queue):
            if only is None or only == content.name:
                yield content
            continue
        refuse_lost_shares(content)
        for resource in quota_managed_queues(content):
            if only is None or only in _names(resource):
                yield build_queue(content, resource)


def _names(resource: Resource) -> tuple[object, ...]:
    return (resource.logical_id, resource.label, resource.construct_path, resource.name)


def _job_queues(contents: Iterable[Template | Queue]) -> Iterable[str]:
    """What each job queue is, where none is quota-managed."""
    for content in contents:
        if isinstance(content, Template):
            yield from (f"{queue.logical_id} {_nature(content, queue)}" for queue in content.of_type(JOB_QUEUE))


def _nature(template: Template, queue: Resource) -> str:
    policy = policy_of(template, queue)
    if "ComputeEnvironmentOrder" in queue.properties:
        return "is a compute queue"
    if isinstance(policy, Resource) and "FairsharePolicy" in policy.properties:
        return f"is a fair-share queue (policy {policy.logical_id})"
    if isinstance(policy, Outside):
        return f"has the policy {policy.name!r}, which is not in this template, and no quota shares"
    return "is a service queue without quota shares"
