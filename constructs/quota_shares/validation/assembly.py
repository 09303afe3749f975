"""The templates that were synthesised, and what the construct tree knows of the resources in them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

import aws_cdk as cdk
from aws_cdk import aws_batch as batch
from constructs import IConstruct

from quota_shares._source import source_of
from quota_shares.quota_managed_queue import QuotaManagedQueue
from quota_shares.validation.findings import Blamed

_RESOURCES = (batch.CfnJobQueue, batch.CfnQuotaShare, batch.CfnServiceEnvironment, batch.CfnSchedulingPolicy)


@dataclass(frozen=True, slots=True)
class StackTemplate:
    """A stack, nested or not, and the file of its template."""

    stack_path: str
    file: str


@dataclass(frozen=True, slots=True)
class Declared:
    """A resource of AWS Batch in the construct tree. `policy_files` are those of `QuotaManagedQueue.verify`."""

    stack_path: str
    logical_id: str
    construct: cdk.CfnResource
    policy_files: tuple[Path, ...] = ()


class Assembly:
    """The stacks that the plugin is asked about, and the constructs of their resources."""

    def __init__(self, context: cdk.IPolicyValidationContext) -> None:
        top = {stack.stack_construct_path: stack.template_path for stack in context.stack_templates}
        self.stacks: list[StackTemplate] = [StackTemplate(path, file) for path, file in top.items()]
        self._declared: dict[tuple[str, str], Declared] = {}
        nodes = context.app_construct.node.find_all()
        self.stacks.extend(_nested_stacks(nodes, top))
        known = {stack.stack_path for stack in self.stacks}
        for declared in _declared(nodes):
            if declared.stack_path in known:
                self._declared[declared.stack_path, declared.logical_id] = declared

    def blamed(self, stack: StackTemplate, logical_id: str) -> Blamed:
        """A resource of a stack, as findings name it."""
        declared = self._declared.get((stack.stack_path, logical_id))
        source = None if declared is None else source_of(declared.construct)
        path = "" if declared is None else declared.construct.node.path
        return Blamed(path, logical_id, stack.file, source)

    def construct_around(self, stack: StackTemplate, logical_id: str) -> IConstruct | None:
        """The construct that made a resource, where it is in the construct tree."""
        declared = self._declared.get((stack.stack_path, logical_id))
        return None if declared is None else declared.construct.node.scope

    def policy_files(self, stack: StackTemplate, logical_id: str) -> tuple[Path, ...]:
        """The policy files that were registered for a job queue."""
        declared = self._declared.get((stack.stack_path, logical_id))
        return () if declared is None else declared.policy_files

    def has_policies(self, stack: StackTemplate) -> bool:
        """Whether a queue of the stack has registered policy files."""
        mine = (found for found in self._declared.values() if found.stack_path == stack.stack_path)
        return any(found.policy_files for found in mine)

    def queue_of_share(self, stack: StackTemplate, logical_id: str) -> tuple[str, str] | None:
        """Stack path and logical id of the job queue that a share refers to, in whatever stack; None where unknown."""
        declared = self._declared.get((stack.stack_path, logical_id))
        if declared is None or not isinstance(declared.construct, batch.CfnQuotaShare):
            return None
        for token in cdk.Tokenization.reverse_string(declared.construct.job_queue).tokens:
            if isinstance(token, cdk.Reference):
                target = token.target
                found = (d for d in self._declared.values() if d.construct is target)
                return next(((d.stack_path, d.logical_id) for d in found), None)
        return None


def shown(file: str | Path) -> str:
    """A file as messages name it: relative to the working directory where it lies below it."""
    path, here = Path(file), Path.cwd()
    return os.fspath(path.relative_to(here) if path.is_relative_to(here) else path)


def _nested_stacks(nodes: list[IConstruct], top: dict[str, str]) -> Iterator[StackTemplate]:
    """The nested stacks of the stacks at the top: the CDK names only those, but deploys both."""
    for node in nodes:
        if isinstance(node, cdk.Stack) and node.nested:
            above: cdk.Stack = node
            while above.nested_stack_parent is not None:
                above = above.nested_stack_parent
            file = top.get(above.node.path)
            if file is not None:
                yield StackTemplate(node.node.path, os.fspath(Path(file).parent / node.template_file))


def _declared(nodes: list[IConstruct]) -> Iterator[Declared]:
    files: dict[str, tuple[Path, ...]] = {}
    for node in nodes:
        if isinstance(node, QuotaManagedQueue) and node.node.default_child is not None:
            files[node.node.default_child.node.path] = node.policy_files
    for node in nodes:
        if isinstance(node, _RESOURCES) or _is_generic(node):
            stack = cdk.Stack.of(node)
            logical_id = str(stack.resolve(node.logical_id))
            yield Declared(stack.node.path, logical_id, node, files.get(node.node.path, ()))


def _is_generic(node: IConstruct) -> TypeGuard[cdk.CfnResource]:
    return type(node) is cdk.CfnResource and node.cfn_resource_type.startswith("AWS::Batch::")
