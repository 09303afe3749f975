"""diff(): the rules over a change, run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from quota_verifier.diff.changes import Comparison, compare
from quota_verifier.diff.rule import ChangeRule
from quota_verifier.diff.rules import CHANGE_RULES
from quota_verifier.diff.sides import read_side
from quota_verifier.lint.results import Finding, NotChecked, Severity, Violation
from quota_verifier.lint.waivers import is_waived

_NONE: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class ChangeReport:
    """What a change does: the comparison, findings by resource, what NEW waives, what could not be told."""

    comparison: Comparison
    findings: tuple[Finding, ...]
    waived: tuple[Finding, ...]
    not_checked: tuple[NotChecked, ...]

    @property
    def failed(self) -> bool:
        """Whether there is a finding of error severity."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)


def diff(
    old: str | Path,
    new: str | Path,
    *,
    old_parameters: Mapping[str, str] = _NONE,
    new_parameters: Mapping[str, str] = _NONE,
) -> ChangeReport:
    """What deploying NEW over OLD does to running work: two templates, two assembly directories or two queue files.

    Parameters are values by name for either side. Raises InputError for what cannot be read or compared.
    """
    return check(compare(read_side(old, old_parameters), read_side(new, new_parameters)))


def check(comparison: Comparison) -> ChangeReport:
    """Run every rule over a comparison."""
    found: list[Finding] = []
    notes: list[NotChecked] = []
    for rule in CHANGE_RULES:
        for result in rule.check(comparison):
            if isinstance(result, Violation):
                found.append(_finding(rule, result))
            else:
                place = (rule.id, result.resource.logical_id, result.resource.construct_path, result.path)
                notes.append(NotChecked(*place, result.reason, result.remedy))
    ordered = sorted(dict.fromkeys(found), key=lambda one: (one.logical_id, one.file))
    waived = [one for one in ordered if _is_waived(comparison, one)]
    kept = tuple(one for one in ordered if one not in waived)
    return ChangeReport(comparison, kept, tuple(waived), tuple(dict.fromkeys(notes)))


def _finding(rule: ChangeRule, violation: Violation) -> Finding:
    resource = violation.resource
    place = (*resource.path, *(("Properties", *violation.path) if violation.path else ()))
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        logical_id=resource.logical_id,
        construct_path=resource.construct_path,
        path=violation.path,
        message=violation.message,
        fix=violation.fix,
        file=resource.document.source,
        line=resource.document.line_of(place),
        column=resource.document.column_of(place),
    )


def _is_waived(comparison: Comparison, finding: Finding) -> bool:
    """NEW waives, also for a resource that is gone; OLD is deployed and has no say."""
    templates = [pair.new.template for pair in comparison.stacks if pair.new]
    of_file = [template for template in templates if template.source == finding.file] or templates
    return any(is_waived(template, finding.rule, finding.logical_id) for template in of_file)
