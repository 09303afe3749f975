"""Exports that other stacks hold on to, names in text that lead nowhere, and the order of deletion (cases C26, C27)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from quota_verifier.diff.changes import Change, Comparison
from quota_verifier.diff.exports import Export, imports
from quota_verifier.diff.links import noun_of
from quota_verifier.diff.order import unordered
from quota_verifier.diff.rule import ChangeRule, batch_page, cloudformation_page
from quota_verifier.lint.links import links
from quota_verifier.lint.results import Result, Violation
from quota_verifier.template import Outside, Resource, target

_LOCK = cloudformation_page("using-cfn-stack-exports")


@dataclass(frozen=True, slots=True)
class _Lock:
    """An export that this change changes or removes: of which resource, and who imports it before and after."""

    export: Export
    change: Change
    goes: bool
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def text(self) -> str:
        """What happens to the export."""
        name, resource = self.export.name, self.change.pair.resource.logical_id
        noun = noun_of(self.change.type)
        return f"export {name} is removed" if self.goes else f"export {name} changes, for the {noun} {resource} does"


def _locks(comparison: Comparison) -> Iterator[_Lock]:
    before = imports(pair.old for pair in comparison.stacks if pair.old)
    after = imports(pair.new for pair in comparison.stacks if pair.new)
    kept = {pair.new.name for pair in comparison.stacks if pair.new}
    for name, export in sorted(comparison.old_exports.items()):
        resource = export.resource
        change = None if resource is None else comparison.of_old(export.stack.name, resource.logical_id)
        if change is None or export.stack.name not in kept:
            continue
        goes = name not in comparison.new_exports
        if goes or not change.fate.lives_on:
            users = ([stack.name for stack in side.get(name, ())] for side in (before, after))
            yield _Lock(export, change, goes, *map(tuple, users))


def locked_exports(comparison: Comparison) -> Iterator[Result]:
    """E9407."""
    for lock in _locks(comparison):
        still = [name for name in lock.before if name in lock.after]
        if still:
            yield Violation(
                lock.change.pair.resource,
                (),
                f"export lock: {lock.text}, and {', '.join(still)} imports it: the deployment is refused",
                "first deploy the importing stack without the import, with the old export kept (export_value)",
            )


def exports_to_watch(comparison: Comparison) -> Iterator[Result]:
    """W9413."""
    for lock in _locks(comparison):
        if any(name in lock.after for name in lock.before):
            continue
        first = ", ".join(lock.before)
        text = (
            f"{first} imports it until it is deployed"
            if first
            else "a stack that imports it would make the deployment fail"
        )
        yield Violation(
            lock.change.pair.resource,
            (),
            f"export lock: {lock.text}; {text}",
            f"deploy {first} first"
            if first
            else "make sure that no stack imports it (aws cloudformation list-imports)",
        )


def names_that_lead_nowhere(comparison: Comparison) -> Iterator[Result]:
    """E9408."""
    for pair in comparison.stacks:
        if pair.old is None or pair.new is None:
            continue
        for link in links(pair.new.template):
            if not isinstance(link.value, str) or not isinstance(link.target, Outside):
                continue
            named = target(pair.old.template, link.value, link.wanted)
            change = comparison.of_old(pair.old.name, named.logical_id) if isinstance(named, Resource) else None
            user = comparison.of_new(pair.new.name, link.resource.logical_id)
            if change is not None and not change.fate.lives_on and user is not None and user.fate.lives_on:
                gone = f"{noun_of(link.wanted)} {change.pair.subject.resource.logical_id}"
                yield Violation(
                    link.resource,
                    link.path,
                    f"names {link.value!r} in text, the {gone} that this change deletes",
                    "refer to it with Ref or Fn::GetAtt, so that CloudFormation knows",
                )


def deletions_without_order(comparison: Comparison) -> Iterator[Result]:
    """W9414."""
    for waiting, awaited in unordered(comparison):
        yield Violation(
            waiting.pair.resource,
            (),
            f"deleted along with the {noun_of(awaited.type)} {awaited.pair.subject.resource.logical_id}, and no "
            f"reference in OLD makes CloudFormation delete the {noun_of(waiting.type)} first",
            "deploy OLD once more with Ref, Fn::GetAtt or DependsOn, or delete in two deployments",
        )


RULES = (
    ChangeRule(
        "E9407",
        "An export that is imported changes or goes",
        "CloudFormation refuses to change an export while a stack imports it.",
        _LOCK,
        locked_exports,
    ),
    ChangeRule(
        "E9408",
        "A name in text leads to a resource that is deleted",
        "CloudFormation does not follow names in text, so what is left behind names nothing.",
        cloudformation_page("gettingstarted.templatebasics"),
        names_that_lead_nowhere,
    ),
    ChangeRule(
        "W9413",
        "An export changes that a stack may import",
        "The deployment fails while any stack imports it.",
        _LOCK,
        exports_to_watch,
    ),
    ChangeRule(
        "W9414",
        "Nothing orders a deletion",
        "Shares go before their queue, a queue before its policy and environment; in parallel the deletion fails.",
        batch_page("create-quota-management-resources"),
        deletions_without_order,
    ),
)
