"""Every rule over a change, on pairs of small templates: what it finds, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from quota_verifier.diff import CHANGE_RULES, diff

PAIRS = Path(__file__).parents[1] / "fixtures" / "diff"
LARGEST = "the largest ml.g5.xlarge job that can ever start falls from"


def compared(old, new, **parameters):
    return diff(PAIRS / old, PAIRS / new, **parameters)


def found(old, new):
    """(rule, logical id, property) of each finding."""
    return [(one.rule, one.logical_id, one.where) for one in compared(old, new).findings]


def message(old, new, rule):
    texts = [one.message for one in compared(old, new).findings if one.rule == rule]
    assert len(texts) == 1, texts
    return texts[0]


NOTHING = [
    ("base.yaml", "base.yaml"),
    ("base.yaml", "tags.yaml"),
    ("named.yaml", "named_tags.yaml"),
    ("base.yaml", "permuted.yaml"),
    ("base.yaml", "queue_by_ref.yaml"),
    ("named.yaml", "named_by_arn.yaml"),
    ("base.yaml", "environment_raised.yaml"),
    ("base.yaml", "borrow_limit_raised.yaml"),
    ("base.yaml", "share_added_first.yaml"),
    ("base.yaml", "exports.yaml"),
    ("base.yaml", "share_retained.yaml"),
    ("states_disabled.yaml", "base.yaml"),
    ("stacks", "stacks"),
    ("stacks_one_left", "stacks"),
]


@pytest.mark.parametrize(("old", "new"), NOTHING)
def test_a_change_that_running_work_does_not_notice_has_no_findings(old, new):
    """C25 (tags alone), C28 (a share added first, resources in another order), C27 (Ref and GetAtt are alike)."""
    report = compared(old, new)
    assert (report.findings, report.not_checked) == ((), ())


FINDINGS = [
    # C25
    ("named.yaml", "named_queue_type.yaml", [("E9401", "Queue", "JobQueueName")]),
    ("base.yaml", "queue_type.yaml", [("W9401", "Queue", "JobQueueType")]),
    ("base.yaml", "share_renamed.yaml", [("W9401", "Speech", "QuotaShareName")]),
    (
        "named.yaml",
        "named_otherwise.yaml",
        [("E9404", "Queue", "ServiceEnvironmentOrder"), ("W9401", "Queue", "JobQueueName")],
    ),
    # C27
    ("named_literal.yaml", "named.yaml", [("E9401", "Research", "QuotaShareName")]),
    (
        "named_literal.yaml",
        "named_literal_otherwise.yaml",
        [
            ("E9404", "Queue", "ServiceEnvironmentOrder"),
            ("W9401", "Queue", "JobQueueName"),
            ("E9408", "Research", "JobQueue"),
        ],
    ),
    ("exports.yaml", "exports_queue_type.yaml", [("W9401", "Queue", "JobQueueType"), ("W9413", "Queue", "")]),
    ("exports.yaml", "base.yaml", [("W9413", "Queue", "")]),
    (
        "stacks",
        "stacks_queue_replaced",
        [
            ("E9404", "Queue", "ServiceEnvironmentOrder"),
            ("E9407", "Queue", ""),
            ("W9401", "Queue", "JobQueueName"),
        ],
    ),
    ("stacks", "stacks_import_gone", [("W9413", "Queue", ""), ("W9401", "Vision", "JobQueue")]),
    # C28
    ("base.yaml", "share_id_renamed.yaml", [("E9402", "SpeechTeam", "QuotaShareName")]),
    ("base.yaml", "all_renamed.yaml", [("W9402", "TrainingQueue", "")]),
    (
        "base.yaml",
        "queue_renamed.yaml",
        [("E9404", "TrainingQueue", "ServiceEnvironmentOrder"), ("W9402", "TrainingQueue", "")],
    ),
    (
        "named.yaml",
        "named_queue_renamed.yaml",
        [("E9402", "TrainingQueue", "JobQueueName"), ("E9404", "TrainingQueue", "ServiceEnvironmentOrder")],
    ),
    ("stacks", "stacks_share_moved", [("E9402", "Vision", "QuotaShareName")]),
    (
        "base.yaml",
        "names_swapped.yaml",
        [("E9401", "Speech", "QuotaShareName"), ("E9401", "Vision", "QuotaShareName")],
    ),
    (
        "base.yaml",
        "name_reused.yaml",
        [("E9401", "Second", "QuotaShareName"), ("W9401", "Speech", "QuotaShareName")],
    ),
    # what goes
    (
        "queue_kept.yaml",
        "queue_kept_type.yaml",
        [
            ("I9407", "Queue", ""),
            ("W9401", "Research", "JobQueue"),
            ("W9401", "Speech", "JobQueue"),
            ("W9401", "Vision", "JobQueue"),
        ],
    ),
    (
        "queue_kept.yaml",
        "queue_removed.yaml",
        [("I9407", "Queue", ""), ("W9403", "Research", ""), ("W9403", "Speech", ""), ("W9403", "Vision", "")],
    ),
    (
        "base.yaml",
        "share_removed.yaml",
        [("W9405", "Research", "CapacityLimits[0].MaxCapacity"), ("W9403", "Speech", "")],
    ),
    ("base.yaml", "queue_removed.yaml", [("W9403", "Queue", "")]),
    (
        "share_retained.yaml",
        "share_removed.yaml",
        [("W9405", "Research", "CapacityLimits[0].MaxCapacity"), ("I9407", "Speech", "")],
    ),
    ("stacks", "stacks_one_left", [("I9404", "Vision", "")]),
    (
        "base.yaml",
        "retyped.yaml",
        [("E9403", "Queue", ""), ("W9403", "Research", ""), ("W9403", "Speech", ""), ("W9403", "Vision", "")],
    ),
    # C26
    (
        "literal_only.yaml",
        "queue_removed.yaml",
        [("W9403", "Queue", ""), ("W9414", "Research", ""), ("W9414", "Speech", ""), ("W9414", "Vision", "")],
    ),
    # policies
    ("base.yaml", "fair_share.yaml", [("E9405", "Policy", "FairsharePolicy")]),
    ("fair_share.yaml", "base.yaml", [("E9405", "Policy", "QuotaSharePolicy")]),
    ("base.yaml", "no_policy.yaml", [("E9406", "Queue", "")]),
    ("no_policy.yaml", "base.yaml", [("E9406", "Queue", "SchedulingPolicyArn")]),
    ("base.yaml", "other_policy_fair_share.yaml", [("W9412", "Queue", "SchedulingPolicyArn")]),
    ("base.yaml", "policy_named.yaml", [("I9403", "Queue", "SchedulingPolicyArn")]),
    # C17
    (
        "base.yaml",
        "limit_lowered.yaml",
        [
            ("W9404", "Vision", "CapacityLimits[0].MaxCapacity"),
            ("W9405", "Vision", "CapacityLimits[0].MaxCapacity"),
        ],
    ),
    ("base.yaml", "unit_moved.yaml", [("W9404", "Vision", "CapacityLimits"), ("W9405", "Vision", "CapacityLimits")]),
    # environments
    ("base.yaml", "environment_lowered.yaml", [("W9409", "Environment", "CapacityLimits[0].MaxCapacity")]),
    ("environment_raised.yaml", "base.yaml", [("I9401", "Environment", "CapacityLimits[0].MaxCapacity")]),
    (
        "unit_moved.yaml",
        "base.yaml",
        [
            ("W9410", "Environment", "CapacityLimits"),
            ("W9404", "Vision", "CapacityLimits"),
            ("W9405", "Vision", "CapacityLimits"),
        ],
    ),
    (
        "base.yaml",
        "environment_counts_instances.yaml",
        [
            ("W9410", "Environment", "CapacityLimits"),
            ("W9405", "Research", "CapacityLimits[0].MaxCapacity"),
            ("W9405", "Speech", "CapacityLimits[0].MaxCapacity"),
            ("W9405", "Vision", "CapacityLimits[0].MaxCapacity"),
        ],
    ),
    ("base.yaml", "environment_named.yaml", [("W9411", "Queue", "ServiceEnvironmentOrder")]),
    ("environment_named.yaml", "environment_named_differently.yaml", [("W9411", "Queue", "ServiceEnvironmentOrder")]),
    ("base.yaml", "other_environment.yaml", [("W9411", "Queue", "ServiceEnvironmentOrder")]),
    (
        "base.yaml",
        "states_disabled.yaml",
        [("W9408", "Environment", "State"), ("W9408", "Queue", "State"), ("W9408", "Speech", "State")],
    ),
    # how shares lend, borrow and preempt
    ("base.yaml", "in_share_on.yaml", [("W9406", "Research", "PreemptionConfiguration.InSharePreemption")]),
    ("base.yaml", "borrow_limit_dropped.yaml", [("W9407", "Research", "ResourceSharingConfiguration")]),
    (
        "base.yaml",
        "borrow_limit_lowered.yaml",
        [
            ("W9405", "Research", "CapacityLimits[0].MaxCapacity"),
            ("I9405", "Research", "ResourceSharingConfiguration.BorrowLimit"),
        ],
    ),
    (
        "base.yaml",
        "strategy_reserve.yaml",
        [
            ("W9405", "Research", "CapacityLimits[0].MaxCapacity"),
            ("I9402", "Speech", "ResourceSharingConfiguration.Strategy"),
        ],
    ),
    ("base.yaml", "strategy_lend.yaml", [("I9402", "Vision", "ResourceSharingConfiguration.Strategy")]),
    ("base.yaml", "time_limit.yaml", [("I9406", "Queue", "JobStateTimeLimitActions")]),
    ("time_limit.yaml", "time_limit_shorter.yaml", [("I9406", "Queue", "JobStateTimeLimitActions")]),
]


@pytest.mark.parametrize(
    ("old", "new", "expected"), FINDINGS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_change_has_exactly_these_findings(old, new, expected):
    assert found(old, new) == expected


def test_every_rule_over_changes_is_found_somewhere_here():
    assert {rule for *_, expected in FINDINGS for rule, *_ in expected} == {rule.id for rule in CHANGE_RULES}


def test_every_pair_of_fixtures_is_used():
    used = {name for old, new, *_ in [*NOTHING, *FINDINGS] for name in (old, new)}
    open_values = {"parameter.yaml", "parameter_in_a_name.yaml", "waived.yaml", "limit_below_environment.yaml"}
    open_values |= {"stacks_limit_lowered"}
    assert used | open_values == {path.name for path in PAIRS.iterdir()}


MESSAGES = [
    (
        "named.yaml",
        "named_queue_type.yaml",
        "E9401",
        "JobQueueType SAGEMAKER_TRAINING -> ECS replaces it, and the replacement needs the name 'gpu-q' while what it "
        "replaces still has it",
    ),
    (
        "base.yaml",
        "share_id_renamed.yaml",
        "E9402",
        "another logical id, Speech -> SpeechTeam (paired by name): it is created anew and needs the name 'speech' "
        "while the old one still has it",
    ),
    ("base.yaml", "name_reused.yaml", "E9401", "it is new, and needs the name 'speech' while Speech still has it"),
    (
        "stacks",
        "stacks_share_moved",
        "E9402",
        "moved here from Team.template.json, where it was Vision: it is created anew and needs the name 'vision' while "
        "the old one still has it",
    ),
    (
        "base.yaml",
        "queue_type.yaml",
        "W9401",
        "JobQueueType SAGEMAKER_TRAINING -> ECS: the replacement deletes a queue with jobs, with its 3 shares "
        "(research, speech, vision); all its jobs are eventually terminated",
    ),
    (
        "base.yaml",
        "all_renamed.yaml",
        "W9402",
        "another logical id, Queue -> TrainingQueue (paired by role): CloudFormation creates a new one and deletes a "
        "queue with jobs, with its 3 shares (research, speech, vision); all its jobs are eventually terminated",
    ),
    (
        "base.yaml",
        "limit_lowered.yaml",
        "W9404",
        "vision (RESERVE): limit on ml.g5.xlarge 4 -> 2: up to 2 instances of running work become preemptible; waiting "
        "jobs of research, speech may take that back",
    ),
    (
        "unit_moved.yaml",
        "base.yaml",
        "W9404",
        "vision (RESERVE): limit on ml.g6.xlarge 4 -> 0: up to 4 instances of running work become preemptible; no "
        "other share owns any, so nothing takes that back yet",
    ),
    (
        "stacks",
        "stacks_queue_replaced",
        "W9401",
        "JobQueueName none -> gpu-q: the replacement deletes a queue with jobs, with its share (vision); all its jobs "
        "are eventually terminated",
    ),
    (
        "stacks",
        "stacks_queue_replaced",
        "E9407",
        "export lock: export Core:Queue changes, for the queue Queue does, and Team.template.json imports it: the "
        "deployment is refused",
    ),
    (
        "base.yaml",
        "environment_named.yaml",
        "W9411",
        "the queue gets another environment, Environment is replaced (ServiceEnvironmentName none -> gpus): AWS "
        "documents no such change of a quota-managed queue, nor what becomes of jobs that hold capacity of the old one",
    ),
    (
        "base.yaml",
        "borrow_limit_lowered.yaml",
        "W9405",
        f"research: {LARGEST} 4 to 3: one that asks for more than 3 blocks the share while it waits, and once "
        "preempted never starts again",
    ),
]


@pytest.mark.parametrize(("old", "new", "rule", "text"), MESSAGES, ids=lambda value: value if "yaml" in value else "")
def test_a_message_says_what_changes_and_what_that_leads_to(old, new, rule, text):
    assert message(old, new, rule) == text


def test_at_most_what_the_environment_has_becomes_preemptible():
    """C17: a share of 4 in an environment of 3 holds at most 3, so 1 above a limit of 2."""
    report = diff(PAIRS / "limit_below_environment.yaml", PAIRS / "limit_lowered.yaml")
    texts = [one.message for one in report.findings if one.rule == "W9404"]
    assert len(texts) == 1
    assert "up to 1 instance of running work becomes preemptible" in texts[0]


def test_a_value_that_the_deployment_decides_is_listed_and_not_guessed():
    report = compared("base.yaml", "parameter.yaml")
    assert report.findings == ()
    assert [(note.rule, note.logical_id, note.where, note.remedy) for note in report.not_checked] == [
        ("W9404", "Vision", "CapacityLimits[0].MaxCapacity", "give --param Most=VALUE"),
        ("W9405", "Queue", "", "give --param Most=VALUE"),
    ]
    given = compared("base.yaml", "parameter.yaml", new_parameters={"Most": "3"})
    assert [one.rule for one in given.findings] == ["W9404", "W9405"]
    assert given.not_checked == ()


def test_a_share_in_another_stack_is_compared_as_far_as_its_own_template_tells():
    report = compared("stacks", "stacks_limit_lowered")
    assert [(one.rule, one.logical_id) for one in report.findings] == [("W9404", "Vision")]
    assert [(note.rule, note.reason) for note in report.not_checked] == [
        ("W9405", "is in another stack than its queue, so the largest job that it can start is not known")
    ]


def test_whether_a_name_from_a_parameter_replaces_is_not_known():
    report = compared("named.yaml", "parameter_in_a_name.yaml")
    assert report.findings == ()
    assert report.not_checked[0].reason == (
        "depends on parameter Name, which has no default, so whether the queue is replaced is not known"
    )
    same = compared("named.yaml", "parameter_in_a_name.yaml", new_parameters={"Name": "gpu-q"})
    assert (same.findings, same.not_checked) == ((), ())


def test_one_template_with_two_values_of_a_parameter_is_a_change():
    path = PAIRS / "parameter.yaml"
    report = diff(path, path, old_parameters={"Most": "4"}, new_parameters={"Most": "2"})
    assert [one.rule for one in report.findings] == ["W9404", "W9405"]


def test_new_waives_a_finding_as_cfn_lint_does():
    report = compared("base.yaml", "waived.yaml")
    assert (report.findings, [one.rule for one in report.waived]) == ((), ["W9404", "W9405"])
    assert [one.rule for one in compared("waived.yaml", "limit_lowered.yaml").waived] == []


def test_an_error_fails_and_a_warning_does_not():
    assert compared("named.yaml", "named_queue_type.yaml").failed
    assert not compared("base.yaml", "queue_type.yaml").failed
