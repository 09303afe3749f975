"""The two sides of a change: the stacks of OLD and of NEW, and which stack becomes which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from quota_verifier.errors import InputError
from quota_verifier.lint.queue_template import queue_template
from quota_verifier.model import Queue
from quota_verifier.template import Resource, Template, quota_managed_queues
from quota_verifier.template.queues import build_queue, refuse_lost_shares
from quota_verifier.template.reader import read_contents
from quota_verifier.template.resources import declared_parameters
from quota_verifier.template.scope import PSEUDO_PARAMETERS
from quota_verifier.words import did_you_mean

Parameters = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Stack:
    """One template of a side; `file` is the queue of a queue file, whose template is made up from it.

    `name` is the file's name inside the directory that was given, or its name alone.
    """

    name: str
    template: Template
    values: Parameters = field(repr=False)
    file: Queue | None = field(default=None, repr=False)

    def queues(self) -> tuple[Resource, ...]:
        """The quota-managed job queues, in the order they are written."""
        return quota_managed_queues(self.template)

    def queue(self, resource: Resource) -> Queue:
        """The queue that a job queue makes. Raises InputError for what cannot be reckoned with."""
        if self.file is not None:
            return self.file
        refuse_lost_shares(self.template)
        return build_queue(self.template, resource)


@dataclass(frozen=True, slots=True)
class Side:
    """OLD or NEW: `source` as it was given, and its stacks by name."""

    source: str
    stacks: tuple[Stack, ...]

    @property
    def made_by_hand(self) -> bool:
        """Whether this is a queue file, which no stack deploys."""
        return any(stack.file is not None for stack in self.stacks)


@dataclass(frozen=True, slots=True)
class StackPair:
    """A stack before and after; None where there was none, or is none."""

    old: Stack | None
    new: Stack | None


def read_side(path: str | Path, parameters: Parameters) -> Side:
    """The stacks of a template, a cloud assembly directory or a queue file. Raises InputError."""
    root = Path(path)
    stacks: list[Stack] = []
    for content in read_contents(path, parameters=parameters):
        template = queue_template(content) if isinstance(content, Queue) else content
        source = Path(template.source)
        name = source.relative_to(root).as_posix() if root.is_dir() else source.name
        stacks.append(Stack(name, template, parameters, content if isinstance(content, Queue) else None))
    return Side(str(path), tuple(sorted(stacks, key=lambda stack: stack.name)))


def share_parameters(old: str | Path, new: str | Path, common: Parameters) -> tuple[Parameters, Parameters]:
    """What of `common` either side declares. Raises InputError for a name that neither does.

    A parameter may come or go with a change, so each side takes those that it knows.
    """
    if not common:
        return {}, {}
    declared = [_declared(path) for path in (old, new)]
    for name in common:
        if not any(name in names for names in declared):
            known = [*dict.fromkeys((*declared[0], *declared[1]))]
            remedy = did_you_mean(name, known) if known else "write the values into the files"
            raise InputError(f"--param {name}: neither side has such a parameter", source=str(new), remedy=remedy)
    before, after = ({name: value for name, value in common.items() if name in names} for names in declared)
    return before, after


def _declared(path: str | Path) -> tuple[str, ...]:
    contents = [content for content in read_contents(path) if isinstance(content, Template)]
    names = [name for template in contents for name in declared_parameters(template.document)]
    return (*names, *PSEUDO_PARAMETERS) if contents else ()


def stack_pairs(old: Side, new: Side) -> tuple[StackPair, ...]:
    """Which stack becomes which: the only ones each other, under the name of NEW, else those of one name.

    Raises InputError where one side is a single template and the other has none of its name, and for a
    queue file beside a template: the one is deployed by nobody, so nothing can be said of a deployment.
    """
    if old.made_by_hand != new.made_by_hand:
        raise InputError(
            f"{old.source} is a {_kind(old)} and {new.source} a {_kind(new)}",
            source="diff",
            remedy="compare two queue files, or two templates",
        )
    if len(old.stacks) == 1 == len(new.stacks):
        return (StackPair(replace(old.stacks[0], name=new.stacks[0].name), new.stacks[0]),)
    before = {stack.name: stack for stack in old.stacks}
    after = {stack.name: stack for stack in new.stacks}
    for one, many in ((old, new), (new, old)):
        if Path(one.source).is_file():
            return (_single(one, many, before, after),)
    return tuple(StackPair(before.get(name), after.get(name)) for name in sorted({*before, *after}))


def _single(one: Side, many: Side, before: Mapping[str, Stack], after: Mapping[str, Stack]) -> StackPair:
    name = one.stacks[0].name
    if name not in before or name not in after:
        known = ", ".join(stack.name for stack in many.stacks)
        raise InputError(
            f"{len(many.stacks)} templates, none of them called {name}",
            source=many.source,
            remedy=f"name one of {known}",
        )
    return StackPair(before[name], after[name])


def _kind(side: Side) -> str:
    return "queue file" if side.made_by_hand else "template"
