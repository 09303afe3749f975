"""Queues to draw from, and the template that declares one: for tests of reading."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hypothesis import strategies as st

from quota_verifier.model import Environment, Queue, Share, Strategy, TimeLimitAction, TimeLimitReason

FIXTURES = Path(__file__).parent.parent / "fixtures" / "templates"

names = st.text("abcXYZ019_-", min_size=1, max_size=8)
units = st.sampled_from(["ml.g5.xlarge", "ml.g6.xlarge", "ml.p5.48xlarge", "limits", "1e3"])
switches = st.booleans()


@st.composite
def shares(draw, name):
    strategy = draw(st.sampled_from(Strategy))
    return Share(
        name=name,
        limits=draw(st.dictionaries(units, st.integers(1, 10**9), min_size=1, max_size=3)),
        strategy=strategy,
        borrow_limit=draw(st.none() | st.integers(-1, 500)) if strategy.borrows else None,
        in_share_preemption=draw(switches),
        enabled=draw(switches),
    )


@st.composite
def queues(draw):
    time_limits = st.builds(
        TimeLimitAction, st.sampled_from(TimeLimitReason), st.integers(600, 86_400).map(lambda s: s * 1_000)
    )
    return Queue(
        environment=Environment(
            limits=draw(st.dictionaries(units, st.integers(0, 10**9), min_size=1, max_size=3)),
            name=draw(names | st.just("environment")),
            enabled=draw(switches),
        ),
        shares=tuple(draw(shares(name)) for name in draw(st.lists(names, max_size=4, unique=True))),
        name=draw(names | st.just("queue")),
        enabled=draw(switches),
        time_limits=tuple(draw(st.lists(time_limits, max_size=3))),
    )


def without_sources(queue):
    return replace(
        queue,
        source="",
        environment=replace(queue.environment, source=""),
        shares=tuple(replace(share, source="") for share in queue.shares),
    )


def template_of(queue):
    """A CloudFormation template that declares `queue`, in its long form."""
    resources = {
        "Policy": _resource("SchedulingPolicy", QuotaSharePolicy={"IdleResourceAssignmentStrategy": "FIFO"}),
        "Environment": _resource(
            "ServiceEnvironment",
            ServiceEnvironmentName=queue.environment.name,
            ServiceEnvironmentType="SAGEMAKER_TRAINING",
            State=_switch(queue.environment.enabled),
            CapacityLimits=_limits(queue.environment.limits),
        ),
        "Queue": _resource(
            "JobQueue",
            JobQueueName=queue.name,
            JobQueueType="SAGEMAKER_TRAINING",
            Priority=1,
            State=_switch(queue.enabled),
            SchedulingPolicyArn={"Fn::GetAtt": ["Policy", "Arn"]},
            ServiceEnvironmentOrder=[{"Order": 1, "ServiceEnvironment": {"Ref": "Environment"}}],
            JobStateTimeLimitActions=[_time_limit(action) for action in queue.time_limits],
        ),
    }
    for index, share in enumerate(queue.shares):
        resources[f"Share{index}"] = _share(share)
    return {"Resources": resources}


def _resource(kind, **properties):
    return {"Type": f"AWS::Batch::{kind}", "Properties": properties}


def _share(share):
    sharing = {"Strategy": share.strategy.value}
    if share.borrow_limit is not None:
        sharing["BorrowLimit"] = share.borrow_limit
    return _resource(
        "QuotaShare",
        QuotaShareName=share.name,
        JobQueue={"Ref": "Queue"},
        State=_switch(share.enabled),
        CapacityLimits=_limits(share.limits),
        ResourceSharingConfiguration=sharing,
        PreemptionConfiguration={"InSharePreemption": _switch(share.in_share_preemption)},
    )


def _limits(limits):
    return [{"CapacityUnit": unit, "MaxCapacity": capacity} for unit, capacity in limits.items()]


def _switch(on):
    return "ENABLED" if on else "DISABLED"


def _time_limit(action):
    return {
        "Action": "TERMINATE",
        "MaxTimeSeconds": action.max_time_ms // 1_000,
        "Reason": action.reason.value,
        "State": "RUNNABLE",
    }
