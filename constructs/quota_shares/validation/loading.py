"""The templates with resources of AWS Batch, read."""

from __future__ import annotations

from pathlib import Path

from quota_shares.validation.assembly import Assembly, StackTemplate, shown
from quota_shares.validation.findings import Blamed, Finding
from quota_shares.validation.policies import LoadedStack
from quota_verifier.errors import InputError
from quota_verifier.template import load_template, quota_managed_queues

UNREADABLE = "unreadable-template"


def load_stacks(assembly: Assembly) -> tuple[list[LoadedStack], list[Finding]]:
    """The stacks with resources of AWS Batch; a finding for a template that cannot be read."""
    stacks: list[LoadedStack] = []
    findings: list[Finding] = []
    for stack in assembly.stacks:
        if "AWS::Batch::" not in Path(stack.file).read_text(encoding="utf-8"):
            continue
        try:
            template = load_template(shown(stack.file))
        except InputError as error:
            findings.append(_unreadable(stack, error, wanted=assembly.has_policies(stack)))
            continue
        stacks.append(LoadedStack(stack, template, quota_managed_queues(template)))
    return stacks, findings


def _unreadable(stack: StackTemplate, error: InputError, *, wanted: bool) -> Finding:
    """An error only where policies are to be judged on a queue of the template."""
    problem = InputError(error.problem, source=error.source, where=error.where)
    return Finding(
        rule=UNREADABLE,
        severity="error" if wanted else "warning",
        description=f"{problem}; the quota shares of this stack were not checked",
        blamed=Blamed(stack.stack_path),
        fix=error.remedy,
    )
