"""Rules over templates: the one implementation behind the command, cfn-lint and the CDK plugin."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from quota_verifier.errors import InputError
from quota_verifier.lint.pack import shipped_rules
from quota_verifier.lint.queue_template import queue_template
from quota_verifier.lint.results import Finding, NotChecked, Outcome, Result, Severity, Unknown, Violation
from quota_verifier.lint.rule import Rule
from quota_verifier.lint.waivers import is_waived
from quota_verifier.model import Queue
from quota_verifier.template import Template
from quota_verifier.template.reader import read_contents

_NO_PARAMETERS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class LintReport:
    """What the rules say of a file: findings, those that the template waives, what could not be checked."""

    source: str
    rules: tuple[Rule, ...]
    findings: tuple[Finding, ...]
    waived: tuple[Finding, ...]
    not_checked: tuple[NotChecked, ...]

    @property
    def failed(self) -> bool:
        """Whether there is a finding of error severity."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)


def lint(
    path: str | Path, *, parameters: Mapping[str, str] = _NO_PARAMETERS, own_rules: Sequence[Rule] = ()
) -> LintReport:
    """Run every shipped rule and `own_rules` over a template, a cloud assembly directory or a queue file.

    Raises InputError for a file that cannot be read and for a rule that did not load.
    """
    rules = (*shipped_rules(), *own_rules)
    reports = [
        lint_template(queue_template(content) if isinstance(content, Queue) else content, rules)
        for content in read_contents(path, parameters=parameters)
    ]
    return LintReport(
        source=str(path),
        rules=rules,
        findings=tuple(finding for report in reports for finding in report.findings),
        waived=tuple(finding for report in reports for finding in report.waived),
        not_checked=tuple(note for report in reports for note in report.not_checked),
    )


def lint_template(template: Template, rules: Sequence[Rule] | None = None) -> LintReport:
    """Run `rules`, the shipped ones where none are given, over one template."""
    chosen = shipped_rules() if rules is None else tuple(rules)
    findings: list[Finding] = []
    notes: list[NotChecked] = []
    for rule in chosen:
        for result in results(rule, template):
            if isinstance(result, Violation):
                findings.append(_finding(rule, result))
            else:
                resource = result.resource
                place = (rule.id, resource.logical_id, resource.construct_path, result.path)
                notes.append(NotChecked(*place, result.reason, result.remedy))
    ordered = _in_order(template, findings)
    waived = [found for found in ordered if is_waived(template, found.rule, found.logical_id)]
    return LintReport(
        source=template.source,
        rules=chosen,
        findings=tuple(found for found in ordered if found not in waived),
        waived=tuple(waived),
        not_checked=tuple(dict.fromkeys(notes)),
    )


def results(rule: Rule, template: Template) -> tuple[Result, ...]:
    """Everything that one rule says of a template, each thing once.

    A rule of the user's own that breaks is an InputError that names it; a shipped one that breaks is a bug.
    """
    try:
        found = tuple(_checked(result) for result in rule.check(template))
    except Exception as error:
        if not rule.origin:
            error.add_note(f"in rule {rule.id}, on {template.source}")
            raise
        raise _broken(rule, error) from error
    distinct: list[Result] = []
    for result in found:
        if result not in distinct:
            distinct.append(result)
    return tuple(distinct)


def _checked(result: object) -> Result:
    """What a rule yielded, which nobody's type checker may have looked at."""
    if not isinstance(result, Violation | Unknown):
        raise TypeError(f"it yields {result!r}, which is neither a Violation nor an Unknown")
    return result


def outcome(rule: Rule, template: Template) -> Outcome:
    """Whether a template fails a rule, passes it, or has nothing that the rule could judge."""
    found = results(rule, template)
    if any(isinstance(result, Violation) for result in found):
        return Outcome.FAILS
    has_subject = any(template.of_type(resource_type) for resource_type in rule.properties)
    return Outcome.NOT_APPLICABLE if found or not has_subject else Outcome.PASSES


def _finding(rule: Rule, violation: Violation) -> Finding:
    resource = violation.resource
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        logical_id=resource.logical_id,
        construct_path=resource.construct_path,
        path=violation.path,
        message=violation.message,
        fix=violation.fix,
        file=resource.document.source,
        line=resource.document.line_of(violation.place),
        column=resource.document.column_of(violation.place),
    )


def _in_order(template: Template, findings: Iterable[Finding]) -> list[Finding]:
    """By resource as written, then in the order of the rules."""
    place = {logical_id: index for index, logical_id in enumerate(template.resources)}
    return sorted(findings, key=lambda finding: place[finding.logical_id])


def _broken(rule: Rule, error: Exception) -> InputError:
    file = str(Path(rule.origin).absolute())
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    where = f"{rule.origin}:{frames[-1].lineno}" if frames else rule.origin
    return InputError(f"rule {rule.id} broke: {type(error).__name__}: {error}", source=where, remedy="correct the rule")
