"""The rules as cfn-lint has them: one class each, so that `cfn-lint --append-rules` runs the same code.

`--append-rules quota_verifier.rules` imports the package. `--append-rules policies/quota_verifier/rules`
runs this file, and each `rule.py` after it, by path and without any package (cfn-lint 1.58,
`helpers.load_plugins`): this is the one module beside the folders, so that it comes first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import cast
from weakref import WeakKeyDictionary

if __name__ == "cfn_lint":  # run by path, perhaps from a clone that is not installed
    sys.path.append(str(Path(__file__).resolve().parents[2]))

from cfnlint.rules import CloudFormationLintRule, RuleMatch  # pyright: ignore[reportMissingTypeStubs]
from cfnlint.template import Template as CfnLintTemplate  # pyright: ignore[reportMissingTypeStubs]

from quota_verifier.documents import Document
from quota_verifier.errors import InputError
from quota_verifier.lint import Rule, Violation, results, shipped_rules
from quota_verifier.template import Template, parse_template
from quota_verifier.template.unresolved import in_text

Match = Callable[[CloudFormationLintRule, CfnLintTemplate], list[RuleMatch]]

UNREADABLE = "W9500"
_TAGS = ["resources", "batch", "quota-shares"]
_OUR_SUBJECT = "QuotaShare"


@cache
def rule_classes() -> dict[str, type[CloudFormationLintRule]]:
    """A class for each shipped rule, and W9500. Raises ImportError where a rule did not load (case C36)."""
    try:
        classes = classes_of(shipped_rules())
    except InputError as error:  # cfn-lint tells of an ImportError in one line and fails
        raise ImportError(str(error)) from error
    return {UNREADABLE: _class(UNREADABLE, _READABLE, _unreadable), **classes}


def classes_of(rules: Iterable[Rule]) -> dict[str, type[CloudFormationLintRule]]:
    """A class for each of `rules`, by id: for a module of rules of your own that `--append-rules` takes."""
    return {rule.id: _class(rule.id, (rule.title, rule.why, rule.source), _match(rule)) for rule in rules}


_READABLE = (
    "The quota-share rules can read the template",
    "What the template leaves to the deployment keeps all of these rules from running.",
    "https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-foreach.html",
)


def _class(rule_id: str, texts: tuple[str, str, str], match: Match) -> type[CloudFormationLintRule]:
    title, why, source = texts
    body = {"id": rule_id, "shortdesc": title, "description": why, "source_url": source, "tags": _TAGS, "match": match}
    return cast("type[CloudFormationLintRule]", type(rule_id, (CloudFormationLintRule,), body))


def _match(rule: Rule) -> Match:
    def match(_: CloudFormationLintRule, cfn: CfnLintTemplate) -> list[RuleMatch]:
        found = (result for template in _read(cfn) for result in results(rule, template))
        distinct: list[RuleMatch] = []
        for one in (_rule_match(result) for result in found if isinstance(result, Violation)):
            if one not in distinct:
                distinct.append(one)
        return distinct

    return match


def _rule_match(violation: Violation) -> RuleMatch:
    return RuleMatch([*violation.place], violation.sentence)


def _unreadable(_: CloudFormationLintRule, cfn: CfnLintTemplate) -> list[RuleMatch]:
    try:
        list(_templates(cfn))
    except InputError as error:
        about_us = _OUR_SUBJECT in str(cfn.template)
        return (
            [RuleMatch(["Resources"], f"none of the quota-share rules ran: {error.where}: {error.problem}")]
            if about_us
            else []
        )
    return []


_READ: WeakKeyDictionary[CfnLintTemplate, tuple[Template, ...]] = WeakKeyDictionary()


def _read(cfn: CfnLintTemplate) -> tuple[Template, ...]:
    """The template as the rules see it, once for each set of parameter values; none where it is unreadable."""
    if cfn not in _READ:
        try:
            _READ[cfn] = tuple(_templates(cfn))
        except InputError:  # reported by W9500
            _READ[cfn] = ()
    return _READ[cfn]


def _templates(cfn: CfnLintTemplate) -> Iterator[Template]:
    data = cast("Mapping[str, object]", cfn.template)
    sets = [cast("Mapping[str, object]", given.parameters) for given in cfn.context.parameter_sets or ()]
    for given in sets or [{}]:
        values = {name: in_text(value) for name, value in given.items()}
        for loops in _loops(cfn):  # cfn-lint unrolls what it does not know over items that it makes up
            parse_template(_document({**data, "Resources": loops}, cfn), values=values)
        yield parse_template(_document(data, cfn), values=values)


def _loops(cfn: CfnLintTemplate) -> Iterator[Mapping[str, object]]:
    """The Resources section of each Fn::ForEach among the resources, as it was before cfn-lint unrolled it."""
    for *path, body in cfn.transform_pre["Fn::ForEach"]:
        if path[0] == "Resources" and len(path) == 2:
            yield {path[1]: body}


def _document(data: Mapping[str, object], cfn: CfnLintTemplate) -> Document:
    return Document(data, cfn.filename or "", _nowhere, _nowhere)  # cfn-lint places matches itself


def _nowhere(_: object) -> int:
    return 1


if __name__ == "cfn_lint":
    globals().update(rule_classes())
