"""EventBridge rules for the four service-job events of AWS Batch (user guide, AWS Batch event stream)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aws_cdk import aws_events as events
from constructs import Construct

STATE_CHANGE = "Batch Service Job State Change"
QUEUE_BLOCKED = "Batch Service Job Queue Blocked"
PREEMPTION_STARTED = "Batch Service Job Preemption Started"
PREEMPTION_COMPLETED = "Batch Service Job Preemption Completed"


@dataclass(frozen=True, slots=True)
class EventSource:
    """Where rules go in the construct tree, and which values of the event detail are ours."""

    scope: Construct
    detail: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class RuleOptions:
    """The options that every onXxx method of the CDK takes."""

    target: events.IRuleTarget | None
    description: str | None
    event_pattern: events.EventPattern | None
    rule_name: str | None
    cross_stack_scope: Construct | None


def service_job_rule(
    scope: Construct,
    id: str,
    detail_types: Sequence[str],
    detail: Mapping[str, Sequence[str]],
    options: RuleOptions,
) -> events.Rule:
    """A rule on events of AWS Batch with one of the detail types and, where given, these detail values."""
    rule = events.Rule(
        scope,
        id,
        description=options.description,
        event_pattern=options.event_pattern,
        rule_name=options.rule_name,
        cross_stack_scope=options.cross_stack_scope,
    )
    rule.add_event_pattern(
        source=["aws.batch"],
        detail_type=list(detail_types),
        detail={key: list(values) for key, values in detail.items()} or None,
    )
    rule.add_target(options.target)
    return rule


class ServiceJobEvents:
    """The events whose detail names the job queue, so that rules match this queue or share alone.

    Every method takes the CDK's options of an onXxx method:

    - `target`: where the events go. Default: no target; add one with `rule.add_target`.
    - `description`: of the rule. Default: none.
    - `event_pattern`: further restrictions, such as `detail={"status": ["FAILED"]}`. Default: none.
    - `rule_name`: Default: CloudFormation makes one.
    - `cross_stack_scope`: where the rule goes if its target is in another stack. Default: this construct.
    """

    def _event_source(self) -> EventSource:
        raise NotImplementedError

    def on_state_change(
        self,
        id: str,
        *,
        target: events.IRuleTarget | None = None,
        description: str | None = None,
        event_pattern: events.EventPattern | None = None,
        rule_name: str | None = None,
        cross_stack_scope: Construct | None = None,
    ) -> events.Rule:
        """A rule on every change of a service job's status; its submission is none."""
        options = RuleOptions(target, description, event_pattern, rule_name, cross_stack_scope)
        source = self._event_source()
        return service_job_rule(source.scope, id, [STATE_CHANGE], source.detail, options)

    def on_queue_blocked(
        self,
        id: str,
        *,
        target: events.IRuleTarget | None = None,
        description: str | None = None,
        event_pattern: events.EventPattern | None = None,
        rule_name: str | None = None,
        cross_stack_scope: Construct | None = None,
    ) -> events.Rule:
        """A rule on jobs that block: `detail.statusReason` says why the job cannot start."""
        options = RuleOptions(target, description, event_pattern, rule_name, cross_stack_scope)
        source = self._event_source()
        return service_job_rule(source.scope, id, [QUEUE_BLOCKED], source.detail, options)


class PreemptionEvents(ServiceJobEvents):
    """The two preemption events. Their detail names neither queue nor share, only `preemptedJobArn`.

    So these rules match every preemption in the account and Region: a target that cares looks the job up
    with DescribeServiceJob. `event_pattern` can narrow what the detail has, such as `status`.
    """

    def on_preemption_started(
        self,
        id: str,
        *,
        target: events.IRuleTarget | None = None,
        description: str | None = None,
        event_pattern: events.EventPattern | None = None,
        rule_name: str | None = None,
        cross_stack_scope: Construct | None = None,
    ) -> events.Rule:
        """A rule on the start of preemptions, in ALL queues of the account and Region (see the class)."""
        options = RuleOptions(target, description, event_pattern, rule_name, cross_stack_scope)
        return service_job_rule(self._event_source().scope, id, [PREEMPTION_STARTED], {}, options)

    def on_preemption_completed(
        self,
        id: str,
        *,
        target: events.IRuleTarget | None = None,
        description: str | None = None,
        event_pattern: events.EventPattern | None = None,
        rule_name: str | None = None,
        cross_stack_scope: Construct | None = None,
    ) -> events.Rule:
        """A rule on the end of preemptions, in ALL queues of the account and Region (see the class)."""
        options = RuleOptions(target, description, event_pattern, rule_name, cross_stack_scope)
        return service_job_rule(self._event_source().scope, id, [PREEMPTION_COMPLETED], {}, options)

    def on_preemption(
        self,
        id: str,
        *,
        target: events.IRuleTarget | None = None,
        description: str | None = None,
        event_pattern: events.EventPattern | None = None,
        rule_name: str | None = None,
        cross_stack_scope: Construct | None = None,
    ) -> events.Rule:
        """A rule on start and end of preemptions, in ALL queues of the account and Region (see the class)."""
        options = RuleOptions(target, description, event_pattern, rule_name, cross_stack_scope)
        both = [PREEMPTION_STARTED, PREEMPTION_COMPLETED]
        return service_job_rule(self._event_source().scope, id, both, {}, options)
