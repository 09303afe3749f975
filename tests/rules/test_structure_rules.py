"""What belongs together: queue, policy, environment, and the references between them (cases C25 to C27, C33)."""

from __future__ import annotations

import pytest
from lint_builders import G5, clean, environment, policy, put, queue, resources, share, template, unknowns, violations

from quota_verifier.lint.links import dependencies, waits_for

ARN = "arn:aws:batch:us-east-1:123456789012"


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("SAGEMAKER_TRAINING", None),
        ("sagemaker_training", None),
        (..., "a quota-managed queue has no JobQueueType"),
        ("ECS", "a quota-managed queue has JobQueueType ECS"),
        ("eks", "a quota-managed queue has JobQueueType EKS"),
    ],
)
def test_a_quota_managed_queue_is_for_service_jobs(kind, message):
    found = violations("E9501", put(clean(), kind, "Q", "JobQueueType"))
    assert found == ([] if message is None else [("Q", ("JobQueueType",), message)])


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        ({"FairsharePolicy": {"ShareDecaySeconds": 600}}, "the policy of queue Q has FairsharePolicy"),
        ({"Name": "nothing"}, "the policy of queue Q has no QuotaSharePolicy"),
    ],
)
def test_shares_need_a_quota_share_policy(properties, message):
    of = {**clean(), "P": policy(**properties)}
    assert violations("E9502", of) == [("P", ("QuotaSharePolicy",), message)]


def test_shares_need_a_policy_at_all():
    of = put(clean(), ..., "Q", "SchedulingPolicyArn")
    assert violations("E9502", of) == [
        ("Q", ("SchedulingPolicyArn",), "a queue with quota shares has no scheduling policy")
    ]


def test_a_policy_outside_the_template_is_taken_on_trust():
    of = put(clean(), f"{ARN}:scheduling-policy/shared", "Q", "SchedulingPolicyArn")
    assert violations("E9502", of) == []
    assert unknowns("E9502", of) == [("Q", ("SchedulingPolicyArn",), "names 'shared', which is not in this template")]


def test_one_policy_may_serve_two_queues():
    of = {**clean(), "E2": environment({G5: 1}), "Q2": queue("E2"), "C": share("c", 1, queue="Q2")}
    assert [violations(rule, of) for rule in ("E9502", "E9504", "E9505")] == [[], [], []]


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([], "a quota-managed queue has no service environment"),
        (["E", "E2"], "a quota-managed queue has 2 service environments (E, E2)"),
        (["E", "E"], "a quota-managed queue has 2 service environments (E, E)"),
        (["E"], None),
    ],
)
def test_a_queue_has_exactly_one_environment(entries, message):
    order = [{"Order": n, "ServiceEnvironment": {"Ref": name}} for n, name in enumerate(entries, 1)]
    of = put({**clean(), "E2": environment({G5: 6})}, order, "Q", "ServiceEnvironmentOrder")
    found = violations("E9504", of)
    assert found == ([] if message is None else [("Q", ("ServiceEnvironmentOrder",), message)])


def test_environments_elsewhere_are_counted_too():
    order = [{"Order": n, "ServiceEnvironment": name} for n, name in enumerate(("one", "two"), 1)]
    ((_, _, message),) = violations("E9504", put(clean(), order, "Q", "ServiceEnvironmentOrder"))
    assert message == "a quota-managed queue has 2 service environments"


def test_compute_environments_are_no_service_environment():
    of = put(clean(), ..., "Q", "ServiceEnvironmentOrder")
    put(of, [{"Order": 1, "ComputeEnvironment": "spot"}], "Q", "ComputeEnvironmentOrder")
    ((_, _, message),) = violations("E9504", of)
    assert message == "a quota-managed queue has no service environment, but compute environments"


def test_an_entry_that_may_be_none_leaves_the_number_open():
    conditions = {"Two": {"Fn::Equals": [{"Ref": "N"}, "2"]}}
    entry = {"Order": 2, "ServiceEnvironment": {"Ref": "E2"}}
    order = [
        {"Order": 1, "ServiceEnvironment": {"Ref": "E"}},
        {"Fn::If": ["Two", entry, {"Ref": "AWS::NoValue"}]},
    ]
    of = put({**clean(), "E2": environment({G5: 6})}, order, "Q", "ServiceEnvironmentOrder")
    for parameters, number in (({"N": {"Type": "String", "Default": "2"}}, 1), ({"N": {"Type": "String"}}, 0)):
        sections = {"Parameters": parameters, "Conditions": conditions}
        assert len(violations("E9504", of, **sections)) == number
        assert len(unknowns("E9504", of, **sections)) == 1 - number
    one = {"Parameters": {"N": {"Type": "String", "Default": "1"}}, "Conditions": conditions}
    assert violations("E9504", of, **one) == unknowns("E9504", of, **one) == []


@pytest.mark.parametrize("other", [queue(), queue(policy="F"), queue(SchedulingPolicyArn=None)])
def test_an_environment_has_one_queue_of_whatever_kind(other):
    of = {**clean(), "F": policy(FairsharePolicy={}), "Q2": other}
    message = "environment E already belongs to queue Q"
    assert violations("E9505", of) == [("Q2", ("ServiceEnvironmentOrder", 0, "ServiceEnvironment"), message)]


def test_queues_that_exclude_each_other_may_have_the_same_environment():
    of = {**clean(), "Q2": queue()}
    of["Q"]["Condition"], of["Q2"]["Condition"] = "Prod", "Test"
    sections = {
        "Parameters": {"S": {"Type": "String"}},
        "Conditions": {"Prod": {"Fn::Equals": [{"Ref": "S"}, "p"]}, "Test": {"Fn::Not": [{"Condition": "Prod"}]}},
    }
    assert violations("E9505", of, **sections) == []
    assert len(unknowns("E9505", of, **sections)) == 1


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("", "an empty text names no job queue"),
        ({"Ref": "P"}, "P is no job queue but an AWS::Batch::SchedulingPolicy"),
        ({"Fn::GetAtt": ["E", "ServiceEnvironmentArn"]}, "E is no job queue but an AWS::Batch::ServiceEnvironment"),
        ({"Fn::Sub": "${A.QuotaShareArn}"}, "A is no job queue but an AWS::Batch::QuotaShare"),
        ({"Ref": "Q"}, None),
        ({"Fn::GetAtt": "Q.JobQueueArn"}, None),
        ({"Fn::Sub": "${Q.JobQueueArn}"}, None),
        ("a-queue-elsewhere", None),
        (f"{ARN}:job-queue/elsewhere", None),
    ],
)
def test_a_share_names_a_job_queue(value, message):
    found = violations("E9506", put(clean(), value, "B", "JobQueue"))
    assert found == ([] if message is None else [("B", ("JobQueue",), message)])


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("SchedulingPolicyArn",), {"Ref": "E"}, "E is no scheduling policy but an AWS::Batch::ServiceEnvironment"),
        (("SchedulingPolicyArn",), "", "an empty text names no scheduling policy"),
        (
            ("ServiceEnvironmentOrder", 0, "ServiceEnvironment"),
            {"Ref": "P"},
            "P is no service environment but an AWS::Batch::SchedulingPolicy",
        ),
        (
            ("ServiceEnvironmentOrder", 0, "ServiceEnvironment"),
            "",
            "an empty text names no service environment",
        ),
    ],
)
def test_a_queue_names_a_policy_and_an_environment(path, value, message):
    assert violations("E9506", put(clean(), value, "Q", *path)) == [("Q", path, message)]


def test_a_queue_that_its_condition_leaves_out_cannot_be_named():
    of = {**clean()}
    of["P"]["Condition"] = "Never"
    sections = {"Conditions": {"Never": {"Fn::Equals": ["a", "b"]}}}
    assert violations("E9506", of, **sections) == [
        ("Q", ("SchedulingPolicyArn",), "the scheduling policy P is left out by its condition")
    ]


def named(of=None, **depends):
    """A share that names its queue by a literal."""
    of = put(of or clean(), "gpu-queue", "Q", "JobQueueName")
    of["B"] = {**put(of, "gpu-queue", "B", "JobQueue")["B"], **depends}
    return of


@pytest.mark.parametrize(
    ("depends", "number"),
    [
        ({}, 1),
        ({"DependsOn": "Q"}, 0),
        ({"DependsOn": ["P", "Q"]}, 0),
        ({"DependsOn": "A"}, 0),
        ({"DependsOn": "P"}, 1),
    ],
)
def test_a_literal_name_needs_a_dependency(depends, number):
    """Case C27. A waits for the queue by its own reference, so waiting for A is enough."""
    message = "literal reference, no dependency: Q is named, but not waited for"
    assert violations("E9507", named(**depends)) == [("B", ("JobQueue",), message)] * number


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (f"{ARN}:job-queue/gpu-queue", 1),
        ({"Fn::Sub": "arn:${AWS::Partition}:batch:${AWS::Region}:${AWS::AccountId}:job-queue/gpu-queue"}, 1),
        ({"Ref": "Name"}, 1),
        ({"Fn::Sub": "${Q}"}, 0),
        ({"Ref": "Q"}, 0),
        ({"Fn::GetAtt": ["Q", "JobQueueArn"]}, 0),
        ("another-queue", 0),
    ],
)
def test_every_way_to_name_a_queue_without_waiting_for_it_is_found(value, number):
    of = put(named(), value, "B", "JobQueue")
    parameters = {"Name": {"Type": "String", "Default": "gpu-queue"}}
    assert len(violations("E9507", of, Parameters=parameters)) == number


def test_policies_and_environments_that_are_named_are_waited_for_too():
    of = put(clean(), "env", "E", "ServiceEnvironmentName")
    put(of, "env", "Q", "ServiceEnvironmentOrder", 0, "ServiceEnvironment")
    put(of, "pol", "P", "Name")
    put(of, f"{ARN}:scheduling-policy/pol", "Q", "SchedulingPolicyArn")
    assert [(path[0], message) for _, path, message in violations("E9507", of)] == [
        ("SchedulingPolicyArn", "literal reference, no dependency: P is named, but not waited for"),
        ("ServiceEnvironmentOrder", "literal reference, no dependency: E is named, but not waited for"),
    ]


def test_the_order_of_deletion_follows_from_the_references():
    """Case C26: shares before their queue, the queue before its policy and environment."""
    edges = dependencies(template(clean()))
    assert {name: sorted(waited) for name, waited in edges.items()} == {
        "P": [],
        "E": [],
        "Q": ["E", "P"],
        "A": ["Q"],
        "B": ["Q"],
    }
    assert waits_for(edges, "A", "E")
    assert not waits_for(edges, "Q", "A")


@pytest.mark.parametrize(
    ("state", "number"), [("ENABLED", 0), ("disabled", 0), ("OFF", 1), (True, 1), ("", 1), (..., 0)]
)
def test_an_environment_is_enabled_or_disabled(state, number):
    of = put({**clean(), "E": environment({G5: 6}, State="x")}, state, "E", "State")
    assert len(violations("E9508", of)) == number


@pytest.mark.parametrize(
    ("path", "name", "message"),
    [
        (("A", "QuotaShareName"), "team a/b", "the name 'team a/b' has ' ', '/'"),
        (("A", "QuotaShareName"), "équipe", "the name 'équipe' has 'é'"),
        (("A", "QuotaShareName"), "a" * 129, None),
        (("Q", "JobQueueName"), "gpu.queue", "the name 'gpu.queue' has '.'"),
        (("Q", "JobQueueName"), "gpu-queue_1", None),
        (("E", "ServiceEnvironmentName"), "e" * 128, None),
        (("E", "ServiceEnvironmentName"), "e" * 129, "the name has 129 characters"),
        (("E", "ServiceEnvironmentName"), "", "the name is empty"),
        (("P", "Name"), "p!", "the name 'p!' has '!'"),
    ],
)
def test_names_have_few_characters(path, name, message):
    """A name that is too long is left to cfn-lint where the schema knows the length."""
    found = violations("E9509", put(clean(), name, *path))
    assert found == ([] if message is None else [(path[0], path[1:], message)])


@pytest.mark.parametrize(
    ("logical_id", "name"), [("Q", "JobQueueName"), ("P", "Name"), ("E", "ServiceEnvironmentName")]
)
def test_fixed_names_stand_in_the_way_of_a_replacement(logical_id, name):
    """Case C25; a share has to have a name."""
    assert violations("I9505", clean()) == []
    ((where, path, message),) = violations("I9505", put(clean(), "fixed", logical_id, name))
    assert (where, path) == (logical_id, (name,))
    assert message == f"{name} is fixed to 'fixed', and a replacement needs the name while it is taken"


def test_an_import_locks_the_export():
    """Case C27."""
    of = {"S": share("s", 1, JobQueue={"Fn::ImportValue": {"Fn::Sub": "net-QueueArn"}})}
    assert violations("I9506", of) == [
        ("S", ("JobQueue",), "export lock: JobQueue is imported from another stack (export net-QueueArn)")
    ]
    assert violations("I9506", clean()) == []


EXPORT = {"Outputs": {"Arn": {"Value": {"Fn::GetAtt": ["Q", "JobQueueArn"]}, "Export": {"Name": "q"}}}}


def test_a_queue_without_shares_accepts_no_job():
    of = resources({G5: 1})
    assert [logical_id for logical_id, *_ in violations("W9509", of)] == ["Q"]
    assert violations("W9509", of, **EXPORT) == []
    nested = {"N": {"Type": "AWS::CloudFormation::Stack", "Properties": {"Parameters": {"Q": {"Ref": "Q"}}}}}
    assert violations("W9509", {**of, **nested}) == []
    assert violations("W9509", of, Outputs={"Arn": {"Value": {"Ref": "Q"}}}) != []


@pytest.mark.parametrize("logical_id", ["A", "E", "Q"])
def test_what_is_disabled_is_told(logical_id):
    assert violations("I9509", clean()) == []
    of = put(clean(), "DISABLED", logical_id, "State")
    assert [where for where, *_ in violations("I9509", of)] == [logical_id]
