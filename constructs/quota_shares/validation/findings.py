"""What the plugin has to say, and its form for the CDK."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import aws_cdk as cdk

from quota_verifier.words import dotted_name

Severity = Literal["fatal", "error", "warning", "info"]
"""`fatal` and `error` fail synth; the CDK lets people acknowledge all but `fatal`."""

FAILING: tuple[Severity, ...] = ("fatal", "error")

rule_name = dotted_name
"""The name that a finding is acknowledged by."""


@dataclass(frozen=True, slots=True)
class Blamed:
    """What a finding is about: a resource of a template or, without a logical id, a construct such as a stack.

    The CDK's command line shows and counts only findings on the stacks that it was asked for; one that blames no
    construct (an empty path) always counts.
    """

    construct_path: str
    logical_id: str = ""
    template_path: str = ""
    source: str | None = None
    """`file:line` of the user's code that declares it, where one of our constructs made it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `rule` is the name it is acknowledged by; `metadata` goes into the JSON report."""

    rule: str
    severity: Severity
    description: str
    blamed: Blamed
    fix: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])


def report(findings: Sequence[Finding], version: str) -> cdk.PolicyValidationPluginReport:
    """The findings for the CDK; `success` is False only where one of them fails synth."""
    return cdk.PolicyValidationPluginReport(
        success=not any(finding.severity in FAILING for finding in findings),
        violations=[_violation(finding) for finding in findings],
        plugin_version=version,
    )


def _violation(finding: Finding) -> cdk.PolicyViolation:
    metadata = dict(finding.metadata)
    if finding.blamed.source is not None:
        metadata["declared"] = finding.blamed.source
    return cdk.PolicyViolation(
        rule_name=finding.rule,
        description=finding.description,
        severity=finding.severity,
        fix=finding.fix or None,
        rule_metadata=metadata or None,
        violating_resources=[_resource(finding.blamed)],
    )


def _resource(blamed: Blamed) -> cdk.PolicyViolatingResource:
    if not blamed.logical_id:
        return cdk.PolicyViolatingResource(locations=[], construct_path=blamed.construct_path)
    return cdk.PolicyViolatingResource(
        locations=[], resource_logical_id=blamed.logical_id, template_path=blamed.template_path
    )
