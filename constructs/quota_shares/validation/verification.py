"""Policies judged on the queues of a template, with every reason why one cannot be."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

from quota_shares.validation.assembly import Assembly, shown
from quota_shares.validation.claims import Judged, claim_findings, shares_by_name
from quota_shares.validation.findings import Finding, rule_name
from quota_shares.validation.policies import LoadedStack, QueueUnderPolicy, bad_input
from quota_verifier.documents import as_list, as_map
from quota_verifier.errors import InputError
from quota_verifier.model import Queue
from quota_verifier.policy.policy import Policy
from quota_verifier.policy.verifier import verify
from quota_verifier.template import (
    JOB_QUEUE,
    QUOTA_SHARE,
    Outside,
    Resource,
    Unresolved,
    environments_of,
    shares_of,
    target,
)
from quota_verifier.template.queues import build_queue

UNVERIFIABLE = "unverifiable-queue"
"""The rule of a queue that has policies, and of which the template does not tell enough."""

PATIENCE_S = 5.0
"""Verification that is over sooner says nothing of itself."""


def verified(queue: QueueUnderPolicy, stacks: Sequence[LoadedStack], assembly: Assembly) -> list[Finding]:
    """Every finding on a queue's policies; none where it has none."""
    if not queue.policies:
        return []
    elsewhere = shares_elsewhere(queue, stacks, assembly)
    if elsewhere is not None:
        return [elsewhere]
    model = model_of(queue)
    if isinstance(model, Finding):
        return [model]
    shares = shares_by_name(queue, assembly)
    findings: list[Finding] = []
    for found in judged(queue, model):
        findings.extend([found] if isinstance(found, Finding) else claim_findings(found, shares))
    return findings


def unverifiable(queue: QueueUnderPolicy, problem: str, fix: str) -> Finding:
    """The finding on a queue that cannot be verified, though policies want it."""
    files = ", ".join(shown(file) for file in queue.policies)
    return Finding(
        rule=UNVERIFIABLE,
        severity="error",
        description=f"{problem}\n   so this queue cannot be checked against {files}",
        blamed=queue.blamed,
        fix=fix,
        metadata={"policy": files},
    )


def model_of(queue: QueueUnderPolicy) -> Queue | Finding:
    """The queue as the simulator takes it, or what the template lacks for that."""
    template = queue.loaded.template
    try:
        return build_queue(template, queue.resource)
    except InputError as error:
        problem = str(InputError(error.problem, source=error.source, where=error.where))
        parameters = _open_parameters(queue)
        return unverifiable(queue, problem, _how_to_tell(queue, parameters) if parameters else error.remedy)


def shares_elsewhere(queue: QueueUnderPolicy, stacks: Sequence[LoadedStack], assembly: Assembly) -> Finding | None:
    """The finding on a queue whose shares are not all in its own template, which would be judged without them."""
    own = (queue.loaded.stack.stack_path, queue.resource.logical_id)
    for loaded in stacks:
        for share in loaded.template.of_type(QUOTA_SHARE):
            found = target(loaded.template, share.properties.get("JobQueue"), JOB_QUEUE)
            if isinstance(found, Resource):
                continue
            owner = assembly.queue_of_share(loaded.stack, share.logical_id)
            here = loaded is queue.loaded
            by_name = isinstance(found, Outside) and found.name == queue.resource.name
            unknown = owner is None and here and isinstance(found, Unresolved)
            if owner == own or by_name or unknown:
                label = assembly.blamed(loaded.stack, share.logical_id).construct_path or share.label
                place = "whose queue only the deployment tells" if here else f"of the stack {loaded.stack.stack_path}"
                return unverifiable(
                    queue,
                    f"the quota share {label}, {place}, is not declared with its queue in one template,",
                    f"declare the share in the stack {queue.loaded.stack.stack_path} and refer to the construct",
                )
    return None


def judged(queue: QueueUnderPolicy, model: Queue) -> list[Judged | Finding]:
    """The verdicts on every policy of a queue; a finding for one that cannot be used."""
    with _patience(queue):
        try:
            # Together they share simulations; bad input stops them all before the first.
            return _judged(queue, model, queue.policies)
        except InputError:
            return [found for file in queue.policies for found in _judged_alone(queue, model, file)]


def _judged_alone(queue: QueueUnderPolicy, model: Queue, file: Path) -> list[Judged | Finding]:
    try:
        return _judged(queue, model, {file: queue.policies[file]})
    except InputError as error:
        return [bad_input(file, error, queue.blamed)]


def _judged(queue: QueueUnderPolicy, model: Queue, policies: Mapping[Path, Policy]) -> list[Judged | Finding]:
    verdicts = verify(model, list(policies.values()))
    files = {id(policy): file for file, policy in policies.items()}
    judged: list[Judged | Finding] = [Judged(queue, files[id(found.policy)], found) for found in verdicts.policies]
    skipped = [_skipped(queue, files[id(skip.policy)], skip.reason) for skip in verdicts.skipped]
    return judged + skipped


def _skipped(queue: QueueUnderPolicy, file: Path, reason: str) -> Finding:
    """A policy that says itself that it may be left out, where its trace is not there."""
    return Finding(
        rule=rule_name(file.stem, "skipped"),
        severity="info",
        description=f"{shown(file)} was not checked: {reason}",
        blamed=queue.blamed,
        metadata={"policy": shown(file)},
    )


def _open_parameters(queue: QueueUnderPolicy) -> list[str]:
    """The template parameters that decide about the queue's capacity, and have no value."""
    template = queue.loaded.template
    environments = [found for found in environments_of(template, queue.resource) if isinstance(found, Resource)]
    resources = (queue.resource, *environments, *shares_of(template, queue.resource))
    values = ((resource.condition, resource.properties) for resource in resources)
    found = (open_value for pair in values for value in pair for open_value in _unresolved(value))
    return list(dict.fromkeys(value.parameter for value in found if value.parameter and "::" not in value.parameter))


def _unresolved(value: object) -> Iterator[Unresolved]:
    if isinstance(value, Unresolved):
        yield value
        return
    for item in (*(as_map(value) or {}).values(), *(as_list(value) or ())):
        yield from _unresolved(item)


def _how_to_tell(queue: QueueUnderPolicy, parameters: Sequence[str]) -> str:
    named = ", ".join(parameters)
    values = " ".join(f"--param {name}=VALUE" for name in parameters)
    return (
        f"give {named} a default, or take the value from context (node.try_get_context), known at synth; or check it"
        f" by hand: quota-shares verify {shown(queue.loaded.stack.file)} {values} --policy ..."
    )


@contextmanager
def _patience(queue: QueueUnderPolicy) -> Generator[None]:
    """After a while, say on standard error what takes so long."""
    count = len(queue.policies)
    text = f"quota-shares: checking {queue.label} against {count} {'policy' if count == 1 else 'policies'} ..."
    timer = Timer(PATIENCE_S, print, (text,), {"file": sys.stderr, "flush": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
