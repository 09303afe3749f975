"""Every construct of ours knows the line of the user's program that made it."""

from __future__ import annotations

import inspect
import os
from pathlib import Path

import aws_cdk as cdk
import pytest
from aws_cdk import aws_batch as batch
from aws_cdk.assertions import Template

from quota_shares import QuotaManagedQueue, QuotaShareSchedulingPolicy, ServiceJobQueue, source_of

G5 = "ml.g5.xlarge"
HERE = Path(__file__)


def line() -> int:
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno


def here(number: int) -> str:
    shown = HERE.relative_to(Path.cwd()) if HERE.is_relative_to(Path.cwd()) else HERE
    return f"{shown.as_posix()}:{number}"


def test_the_line_of_the_call_is_kept_and_its_l1_resource_leads_to_it(stack: cdk.Stack) -> None:
    queue, made = QuotaManagedQueue(stack, "Q", capacity_limits={G5: 3}), line()
    share, added = queue.add_share("A", capacity_limits={G5: 1}), line()

    assert source_of(queue) == here(made)
    assert source_of(queue.job_queue) == here(made)
    assert source_of(share) == here(added)
    resource = share.node.default_child
    assert isinstance(resource, batch.CfnQuotaShare)
    assert source_of(resource) == here(added)


def test_imports_and_policies_know_their_line_too(stack: cdk.Stack) -> None:
    policy, made = QuotaShareSchedulingPolicy(stack, "P"), line()
    queue, imported = ServiceJobQueue.from_job_queue_name(stack, "Q", "q"), line()

    assert source_of(policy) == here(made)
    assert source_of(queue) == here(imported)


def test_a_construct_of_somebody_else_has_no_source(stack: cdk.Stack) -> None:
    assert source_of(stack) is None
    assert source_of(batch.CfnSchedulingPolicy(stack, "P")) is None


def test_a_walk_of_the_tree_finds_the_sources_of_shares_that_nobody_holds(app: cdk.App, stack: cdk.Stack) -> None:
    QuotaManagedQueue(stack, "Q", capacity_limits={G5: 3}).add_share("A", capacity_limits={G5: 1})
    made = line() - 1

    found = {node.node.path: source_of(node) for node in app.node.find_all()}
    assert found["Stack/Q/Shares/A/Resource"] == here(made)


def test_a_source_outside_the_working_directory_is_absolute(
    stack: cdk.Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    policy, made = QuotaShareSchedulingPolicy(stack, "P"), line()

    assert source_of(policy) == f"{HERE.as_posix()}:{made}"


def test_the_template_holds_no_source(stack: cdk.Stack) -> None:
    QuotaManagedQueue(stack, "Q", capacity_limits={G5: 3})

    assert HERE.name not in str(Template.from_stack(stack).to_json())


def test_policy_files_are_kept_absolute_in_the_order_given(
    stack: cdk.Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("b.yaml", "a.yaml"):
        (tmp_path / name).write_text("expect: []\n")
    monkeypatch.chdir(tmp_path)
    queue = QuotaManagedQueue(stack, "Q", capacity_limits={G5: 3})
    queue.verify("b.yaml")
    queue.verify(tmp_path / "a.yaml")
    os.chdir("/")

    assert queue.policy_files == (tmp_path / "b.yaml", tmp_path / "a.yaml")
