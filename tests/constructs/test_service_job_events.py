"""EventBridge rules for the service-job events, with the shapes of the events that AWS publishes."""

from __future__ import annotations

from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_sns as sns
from aws_cdk.assertions import Template
from batch_builders import G5, job_queue, managed_queue

from quota_shares import QuotaShare, ServiceJobQueue


def patterns(stack: cdk.Stack) -> list[dict[str, Any]]:
    rules = Template.from_stack(stack).find_resources("AWS::Events::Rule")
    return [rule["Properties"]["EventPattern"] for rule in rules.values()]


def test_state_changes_of_a_queue_are_filtered_by_its_arn(stack: cdk.Stack) -> None:
    queue = job_queue(stack)
    queue.on_state_change("Changed")

    assert patterns(stack) == [
        {
            "source": ["aws.batch"],
            "detail-type": ["Batch Service Job State Change"],
            "detail": {"jobQueue": [stack.resolve(queue.job_queue_arn)]},
        }
    ]


def test_events_of_a_share_are_filtered_by_queue_and_share(stack: cdk.Stack) -> None:
    queue = managed_queue(stack)
    queue.add_share("QS1", capacity_limits={G5: 1}).on_queue_blocked("Blocked")

    assert patterns(stack) == [
        {
            "source": ["aws.batch"],
            "detail-type": ["Batch Service Job Queue Blocked"],
            "detail": {
                "jobQueue": [stack.resolve(queue.job_queue.job_queue_arn)],
                "quotaShareName": ["QS1"],
            },
        }
    ]


def test_preemption_rules_have_no_filter_because_the_events_name_no_queue(stack: cdk.Stack) -> None:
    # A filter on detail.jobQueue would never match: the published detail has statusReason, preemptedJobArn,
    # preemptionSummary and status only.
    queue = managed_queue(stack)
    queue.on_preemption_started("Started")
    queue.on_preemption_completed("Completed")
    queue.on_preemption("Both")

    started, completed = "Batch Service Job Preemption Started", "Batch Service Job Preemption Completed"
    assert patterns(stack) == [
        {"source": ["aws.batch"], "detail-type": [started]},
        {"source": ["aws.batch"], "detail-type": [completed]},
        {"source": ["aws.batch"], "detail-type": [started, completed]},
    ]


def test_a_rule_takes_target_description_name_and_further_restrictions(stack: cdk.Stack) -> None:
    topic = sns.Topic(stack, "Topic")
    rule = managed_queue(stack).on_state_change(
        "Failed",
        target=targets.SnsTopic(topic),
        description="Failed training jobs",
        rule_name="failed-jobs",
        event_pattern=events.EventPattern(detail={"status": ["FAILED"]}),
    )

    assert isinstance(rule, events.Rule)
    (rendered,) = Template.from_stack(stack).find_resources("AWS::Events::Rule").values()
    assert rendered["Properties"]["Name"] == "failed-jobs"
    assert rendered["Properties"]["Description"] == "Failed training jobs"
    assert rendered["Properties"]["EventPattern"]["detail"]["status"] == ["FAILED"]
    assert "jobQueue" in rendered["Properties"]["EventPattern"]["detail"]
    assert len(rendered["Properties"]["Targets"]) == 1


def test_a_managed_queue_and_an_imported_one_have_the_same_events(stack: cdk.Stack) -> None:
    managed_queue(stack).on_queue_blocked("Blocked")
    imported = ServiceJobQueue.from_job_queue_arn(
        stack, "Imported", "arn:aws:batch:eu-west-1:111122223333:job-queue/train"
    )
    imported.on_queue_blocked("Blocked")
    share = QuotaShare.from_quota_share_name(stack, "Share", job_queue=imported, quota_share_name="nlp")
    share.on_state_change("Changed")

    details = [pattern["detail"] for pattern in patterns(stack)]
    assert len(details) == 3
    arn = "arn:aws:batch:eu-west-1:111122223333:job-queue/train"
    assert {"jobQueue": [arn]} in details
    assert {"jobQueue": [arn], "quotaShareName": ["nlp"]} in details


def test_a_rule_can_live_in_the_stack_of_its_target(app: cdk.App, stack: cdk.Stack) -> None:
    other = cdk.Stack(app, "Other")
    rule_scope = cdk.Stack(app, "RuleScope")
    queue = managed_queue(stack)
    queue.on_preemption("Preempted", target=targets.SnsTopic(sns.Topic(other, "Topic")), cross_stack_scope=rule_scope)

    assert len(Template.from_stack(rule_scope).find_resources("AWS::Events::Rule")) == 1
