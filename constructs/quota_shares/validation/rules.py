"""The static rules, as findings of the plugin."""

from __future__ import annotations

from quota_shares.service_job_queue import ServiceJobQueue
from quota_shares.validation.assembly import Assembly
from quota_shares.validation.findings import Finding
from quota_shares.validation.policies import LoadedStack
from quota_verifier.lint import Severity, lint_template
from quota_verifier.template import QUOTA_SHARE, Resource, environments_of

SAID_BY_CONSTRUCTS = ("W9501", "W9505", "W9506")
"""Rules that our constructs apply themselves: an unknown instance type is refused unless it is named in
`additional_instance_types`, and a borrow limit that is not whole is a warning of the share."""

OVERCOMMITTED = "E9516"
"""The rule that `allow_overcommit=True` accepts."""


def rule_findings(loaded: LoadedStack, assembly: Assembly, *, informational: bool) -> list[Finding]:
    """What the rules say of a template with a quota-managed queue or a quota share, but not what constructs said."""
    if not loaded.queues and not loaded.template.of_type(QUOTA_SHARE):
        return []
    stack, accepted = loaded.stack, _accepted_overcommitment(loaded, assembly)
    findings: list[Finding] = []
    for found in lint_template(loaded.template).findings:
        blamed = assembly.blamed(stack, found.logical_id)
        said = blamed.source is not None and found.rule in SAID_BY_CONSTRUCTS
        overcommitted = found.rule == OVERCOMMITTED and found.logical_id in accepted
        if said or overcommitted or (found.severity is Severity.INFO and not informational):
            continue
        findings.append(
            Finding(
                rule=found.rule,
                severity=found.severity.value,
                description=f"{found.where}: {found.message}" if found.where else found.message,
                blamed=blamed,
                fix=found.fix,
                metadata={"template": f"{found.file}:{found.line}"},
            )
        )
    return findings


def _accepted_overcommitment(loaded: LoadedStack, assembly: Assembly) -> set[str]:
    """The logical ids of environments whose queue was made with `allow_overcommit=True`."""
    accepted: set[str] = set()
    for queue in loaded.queues:
        construct = assembly.construct_around(loaded.stack, queue.logical_id)
        if isinstance(construct, ServiceJobQueue) and construct.ledger.allow_overcommit:
            environments = environments_of(loaded.template, queue)
            accepted.update(found.logical_id for found in environments if isinstance(found, Resource))
    return accepted
