"""A claim that is not proven fails synth, and says what, where, by how much, and what would help."""

from __future__ import annotations

import re
from pathlib import Path

import aws_cdk as cdk
import pytest
from aws_cdk import aws_sns as sns
from aws_cdk.assertions import Template
from validated_apps import G5, about, only, plugin_report, policy, queue, validate

from quota_shares import QuotaManagedQueue, QuotaShareValidation


def test_a_policy_that_holds_passes_without_a_word(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack).verify(policy(BOUND="1h"))

    assert validate(app) == []


def test_a_queue_without_policies_passes(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack)

    assert validate(app) == []


def test_an_app_without_quota_shares_passes(app: cdk.App, stack: cdk.Stack) -> None:
    sns.Topic(stack, "Topic")

    assert validate(app) == []


def test_a_violated_claim_is_an_error_on_its_share_with_the_figures(app: cdk.App, stack: cdk.Stack) -> None:
    made = queue(stack)
    made.verify(policy())

    found = only(validate(app))
    assert found["ruleName"] == "urgent.QS3.wait-max"
    assert found["severity"] == "error"
    assert about(found) == "Demo/Training/Shares/QS3/Resource"
    lines = found["description"].splitlines()
    assert lines[0] == "share QS3: wait max <= 1m: fails, measured 1h"
    assert "second (share QS3, 1 ml.g5.xlarge, priority 0):" in found["description"]
    assert "At 0s the shares hold: QS1 0 of its 1, QS2 0 of its 1, QS3 1 of its 1 ml.g5.xlarge." in found["description"]


def test_a_finding_names_the_lines_of_the_claim_and_of_the_share(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack).verify(policy())

    metadata = only(validate(app))["ruleMetadata"]
    assert metadata["policy"] == "urgent.yaml:7"
    assert re.fullmatch(r".*validated_apps\.py:\d+", metadata["declared"])
    assert metadata["claim"] == "share QS3: wait max <= 1m"
    assert metadata["verdict"] == "fails"
    assert metadata["measured"] == "1h"


def test_the_fix_is_derived_from_the_figures_and_leads_to_the_whole_report(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack).verify(policy())

    fix = only(validate(app))["suggestedFix"].splitlines()
    assert fix[0] == (
        "QS3's own limit is 1 ml.g5.xlarge and it borrows nothing of the 2 that others lend;"
        " its demand peaks at 2 (0s, if no job waits)."
        " Raise its own limit towards 2 (the environment, which has 3, would need 4)."
    )
    assert re.fullmatch(
        r"See the whole report: quota-shares verify \S*Demo\.template\.json --policy urgent\.yaml", fix[-1]
    )


def test_a_claim_on_the_whole_queue_is_about_the_job_queue(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack).verify(policy(text=policy().read_text().replace("share: QS3\n    wait", "wait")))

    found = only(validate(app))
    assert found["ruleName"] == "urgent.queue.wait-max"
    assert about(found) == "Demo/Training/JobQueue/Resource"


def test_a_claim_on_one_job_is_about_the_share_of_the_job(app: cdk.App, stack: cdk.Stack) -> None:
    text = policy().read_text().replace("share: QS3\n    wait: {max", "job: second\n    wait: {max")
    queue(stack).verify(policy(text=text))

    found = only(validate(app))
    assert found["ruleName"] == "urgent.job-second.wait-max"
    assert about(found) == "Demo/Training/Shares/QS3/Resource"


DEPENDS = """\
workload:
  jobs:
    - {id: big, share: QS1, submit: 0s, work: 1h, demand: {ml.g5.xlarge: 3}}
    - {id: small, share: QS1, submit: 1s, work: 1h, instances: 1}
expect:
  - {job: small, starts: 1s}
assume: {A1: skip}
"""


def test_a_claim_that_depends_on_an_assumption_is_an_error_that_names_it(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack).verify(policy(text=DEPENDS))

    found = only(validate(app))
    assert found["severity"] == "error"
    assert found["description"].splitlines()[0] == (
        "job small: starts == 1s: depends on what AWS leaves open, measured 1s"
    )
    assert "but fails under A1=strict" in found["description"]
    assert "small (share QS1, 1 ml.g5.xlarge, priority 0), under A1=strict:" in found["description"]
    assert "turned_by" in found["ruleMetadata"]
    assert "write `under: default` in urgent.yaml" in found["suggestedFix"]


def test_a_policy_may_accept_the_answers_it_starts_from(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack).verify(policy(text=DEPENDS + "under: default\n"))

    assert validate(app) == []


def test_every_claim_of_every_file_that_fails_is_reported(app: cdk.App, stack: cdk.Stack) -> None:
    made = queue(stack)
    made.verify(policy("a.yaml"))
    made.verify(policy("b.yaml", policy().read_text() + "  - {share: QS3, turnaround: '<= 1h'}\n  - {finished: all}\n"))

    assert [found["ruleName"] for found in validate(app)] == [
        "a.QS3.wait-max",
        "b.QS3.wait-max",
        "b.QS3.turnaround",
    ]


def test_a_workload_that_overloads_the_queue_is_a_warning_and_passes(app: cdk.App, stack: cdk.Stack) -> None:
    text = "workload:\n  jobs:\n" + "".join(
        f"    - {{id: j{n}, share: QS3, submit: {n}h, work: 9h, instances: 1}}\n" for n in range(20)
    )
    queue(stack).verify(policy("load.yaml", text + "expect:\n  - {finished: all}\n"))

    found = only(validate(app))
    assert (found["ruleName"], found["severity"]) == ("load.workload", "warning")
    assert found["description"].startswith("load.yaml: ")


def test_from_stack_raises_with_the_report_in_the_text(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack).verify(policy())
    cdk.Validations.of(app).add_plugins(QuotaShareValidation())

    with pytest.raises(RuntimeError) as raised:
        Template.from_stack(stack)
    text = str(raised.value)
    assert "ERROR share QS3: wait max <= 1m: fails, measured 1h\n" in text
    assert "Acknowledge with 'quota-shares::urgent.QS3.wait-max'" in text


@pytest.mark.parametrize("where", ["Demo/Training/Shares/QS3", "Demo/Training", "Demo", ""])
def test_a_finding_can_be_acknowledged_on_its_construct_and_around_it(
    app: cdk.App, stack: cdk.Stack, where: str
) -> None:
    queue(stack).verify(policy())
    (scope,) = (node for node in app.node.find_all() if node.node.path == where)
    acknowledgement = cdk.Acknowledgment(id="quota-shares::urgent.QS3.wait-max", reason="new machines in May")
    cdk.Validations.of(scope).acknowledge(acknowledgement)

    assert validate(app) == []
    assert [entry["reason"] for entry in plugin_report(app)["suppressedViolations"]] == ["new machines in May"]


def test_an_acknowledgement_on_another_share_accepts_nothing(app: cdk.App, stack: cdk.Stack) -> None:
    made = queue(stack)
    made.verify(policy())
    acknowledgement = cdk.Acknowledgment(id="quota-shares::urgent.QS3.wait-max", reason="no")
    cdk.Validations.of(made.shares["QS1"]).acknowledge(acknowledgement)

    assert only(validate(app))["ruleName"] == "urgent.QS3.wait-max"


def test_an_acknowledgement_survives_a_new_bound(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack).verify(policy(BOUND="2m"))

    assert only(validate(app))["ruleName"] == "urgent.QS3.wait-max"


def test_the_synthesised_values_count_and_not_those_of_the_constructs(app: cdk.App, stack: cdk.Stack) -> None:
    made = queue(stack)
    made.verify(policy())
    for construct, capacity in ((made.shares["QS3"], 4), (made.service_environment, 6)):
        resource = construct.node.default_child
        assert isinstance(resource, cdk.CfnResource)
        resource.add_property_override("CapacityLimits.0.MaxCapacity", capacity)

    assert made.shares["QS3"].capacity_limits == {G5: 1}
    assert validate(app) == []


def test_queues_of_nested_stacks_and_stages_are_checked(app: cdk.App) -> None:
    stage = cdk.Stage(app, "Prod")
    nested = cdk.NestedStack(cdk.Stack(stage, "Outer"), "Inner")
    queue(cdk.Stack(stage, "Plain")).verify(policy())
    queue(nested).verify(policy())

    assert sorted(about(found) for found in validate(app)) == [
        "Prod/Outer/Inner/Training/Shares/QS3/Resource",
        "Prod/Plain/Training/Shares/QS3/Resource",
    ]


def test_a_plugin_of_one_stage_leaves_the_others_alone(app: cdk.App) -> None:
    for name in ("Beta", "Prod"):
        queue(cdk.Stack(cdk.Stage(app, name), "Stack")).verify(policy())
    beta = app.node.find_child("Beta")
    cdk.Validations.of(beta).add_plugins(QuotaShareValidation())

    with pytest.raises(RuntimeError, match="Beta/Stack/Training/Shares/QS3") as raised:
        app.synth()
    assert "Prod/Stack" not in str(raised.value)


def test_the_same_app_gives_the_same_report_twice(tmp_path: Path) -> None:
    reports: list[object] = []
    for _ in range(2):
        app = cdk.App(outdir=str(tmp_path / "cdk.out"))
        queue(cdk.Stack(app, "Demo")).verify(policy(text=DEPENDS))
        reports.append(validate(app))

    assert reports[0] == reports[1]


def test_a_policy_sees_the_shares_that_were_added_after_it(app: cdk.App, stack: cdk.Stack) -> None:
    made = QuotaManagedQueue(stack, "Training", capacity_limits={G5: 3})
    made.verify(policy(BOUND="1h"))
    made.add_share("QS3", capacity_limits={G5: 1})

    assert validate(app) == []


def test_a_policy_whose_optional_trace_is_absent_is_a_note_and_passes(app: cdk.App, stack: cdk.Stack) -> None:
    text = "workload:\n  trace: {file: week.csv, optional: true}\nexpect:\n  - {finished: all}\n"
    made = queue(stack)
    made.verify(policy("week.yaml", text))
    made.verify(policy(BOUND="1h"))

    found = only(validate(app))
    assert (found["ruleName"], found["severity"]) == ("week.skipped", "info")
    assert found["description"] == "week.yaml was not checked: there is no week.csv"
