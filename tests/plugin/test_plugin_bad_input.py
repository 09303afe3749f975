"""A policy that cannot be used fails synth with one readable finding that nobody can acknowledge."""

from __future__ import annotations

import re
from pathlib import Path

import aws_cdk as cdk
import pytest
from validated_apps import WAITS, about, only, plugin_report, policy, queue, validate

from quota_shares import QuotaShareValidation
from quota_verifier.errors import InputError

TRACE = "workload:\n  trace: {file: week.csv}\nexpect:\n  - {finished: all}\n"
FILE = "workload: {file: jobs.yaml}\nexpect:\n  - {finished: all}\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (WAITS.replace("wait:", "wiat:"), "urgent.yaml:8: expect[0].wiat: unknown key 'wiat'"),
        (WAITS.replace("max:", "p96:"), "p96"),
        (WAITS.replace("share: QS3\n", "share: QS4\n"), "the queue has no share 'QS4'"),
        (WAITS.replace("share: QS3, submit", "share: QS9, submit"), "QS9"),
        (WAITS.replace("share: QS3\n    wait", "share: QS2\n    wait"), "a claim about nothing"),
        (WAITS.replace("work: 1h", "work: soon"), "'soon' is not a duration"),
        ("expect: [", "urgent.yaml:2:1: malformed YAML"),
        ("", "the file is empty"),
        (TRACE, "week.csv: no such file"),
        (FILE, "jobs.yaml: no such file"),
    ],
)
def test_a_bad_policy_is_one_finding_that_says_where_and_why(
    app: cdk.App, stack: cdk.Stack, text: str, says: str
) -> None:
    queue(stack).verify(policy(text=text))

    found = only(validate(app))
    assert (found["ruleName"], found["severity"]) == ("urgent.bad-input", "fatal")
    assert says in found["description"]
    assert "\n" not in found["description"]
    assert found["description"].endswith("; urgent.yaml was not checked")
    assert about(found) == "Demo/Training/JobQueue/Resource"


def test_the_remedy_is_the_suggested_fix(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack).verify(policy(text=WAITS.replace("share: QS3\n", "share: QS33\n")))

    assert only(validate(app))["suggestedFix"] == "did you mean 'QS3'? Known are QS1, QS2, QS3"


def test_bad_input_cannot_be_acknowledged(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack).verify(policy(text=""))
    acknowledgement = cdk.Acknowledgment(id="quota-shares::urgent.bad-input", reason="I do not care")
    cdk.Validations.of(app).acknowledge(acknowledgement)

    assert only(validate(app))["severity"] == "fatal"


def test_the_other_policies_are_checked_all_the_same(app: cdk.App, stack: cdk.Stack) -> None:
    made = queue(stack)
    for name, text in (("a.yaml", ""), ("b.yaml", TRACE), ("c.yaml", WAITS), ("d.yaml", FILE)):
        made.verify(policy(name, text))

    assert [found["ruleName"] for found in validate(app)] == [
        "a.bad-input",
        "b.bad-input",
        "c.QS3.wait-max",
        "d.bad-input",
    ]


def test_a_file_that_went_away_after_it_was_registered_is_bad_input(app: cdk.App, stack: cdk.Stack) -> None:
    file = policy()
    queue(stack).verify(file)
    file.unlink()

    assert only(validate(app))["description"] == "urgent.yaml: no such file; urgent.yaml was not checked"


def test_a_policy_for_another_queue_is_not_judged_on_this_one(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack).verify(policy(text=f"queue: nightly\n{WAITS}"))

    found = only(validate(app))
    assert found["severity"] == "fatal"
    assert (
        "the policy is for the job queue 'nightly', and was registered with Demo/Training/JobQueue"
        in (found["description"])
    )


def test_two_files_of_one_name_cannot_be_told_apart_by_acknowledgements(app: cdk.App, stack: cdk.Stack) -> None:
    made = queue(stack)
    made.verify(policy("a/urgent.yaml", BOUND="1h"))
    made.verify(policy("b/urgent.yaml"))

    found = only(validate(app))
    assert found["severity"] == "fatal"
    assert found["description"].startswith("b/urgent.yaml: a/urgent.yaml has the same name")


def test_one_file_registered_twice_is_checked_once(app: cdk.App, stack: cdk.Stack) -> None:
    made = queue(stack)
    made.verify(policy())
    made.verify("./urgent.yaml")

    assert only(validate(app, "urgent.yaml"))["ruleName"] == "urgent.QS3.wait-max"


def test_the_plugins_own_policy_is_judged_on_the_only_queue(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack)
    policy()

    assert about(only(validate(app, "urgent.yaml"))) == "Demo/Training/Shares/QS3/Resource"


def test_the_plugins_own_policies_may_be_a_glob(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack)
    for name in ("p/b.yaml", "p/deep/a.yaml", "p/c.txt"):
        policy(name)

    assert [found["ruleName"] for found in validate(app, "p/**/*.yaml")] == ["b.QS3.wait-max", "a.QS3.wait-max"]


@pytest.mark.parametrize("name", ["nightly", "Other/Training/JobQueue"])
def test_the_plugins_own_policy_names_its_queue_where_there_are_several(
    app: cdk.App, stack: cdk.Stack, name: str
) -> None:
    queue(stack)
    queue(cdk.Stack(app, "Other"), job_queue_name="nightly")
    policy(text=f"queue: {name}\n{WAITS}")

    assert about(only(validate(app, "urgent.yaml"))) == "Other/Training/Shares/QS3/Resource"


def test_a_policy_that_names_several_queues_is_judged_on_each(app: cdk.App) -> None:
    for name in ("Beta", "Prod"):
        queue(cdk.Stack(app, name), job_queue_name="nightly")
    policy(text=f"queue: nightly\n{WAITS}")

    assert sorted(about(found) for found in validate(app, "urgent.yaml")) == [
        "Beta/Training/Shares/QS3/Resource",
        "Prod/Training/Shares/QS3/Resource",
    ]


@pytest.mark.parametrize(
    ("text", "says", "fix"),
    [
        (WAITS, "the app has 2 quota-managed job queues, and the policy names none", "write `queue:` with one of "),
        (f"queue: weekly\n{WAITS}", "no quota-managed job queue is called 'weekly'", "known are Demo/Training/JobQ"),
    ],
)
def test_a_policy_of_the_plugin_that_fits_no_queue_is_bad_input(
    app: cdk.App, stack: cdk.Stack, text: str, says: str, fix: str
) -> None:
    queue(stack)
    queue(stack, "Nightly")
    policy(text=text)

    found = only(validate(app, "urgent.yaml"))
    assert (found["severity"], about(found)) == ("fatal", "")
    assert says in found["description"]
    assert found["suggestedFix"].startswith(fix)


def test_a_policy_without_any_queue_to_judge_is_bad_input(app: cdk.App, stack: cdk.Stack) -> None:
    policy()

    found = only(validate(app, "urgent.yaml"))
    assert "there is no quota-managed job queue in the app to check" in found["description"]


@pytest.mark.parametrize("given", ["none.yaml", "none/*.yaml"])
def test_a_policy_file_that_is_not_there_is_an_error_where_the_plugin_is_made(given: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"there is no policy file '{given}'")) as raised:
        QuotaShareValidation(policies=[given])
    assert Path(raised.value.source.partition(":")[0]).name == Path(__file__).name


def test_a_single_text_is_not_a_list_of_policies() -> None:
    with pytest.raises(InputError, match=r"policies must be a list of files, got 'urgent\.yaml'"):
        QuotaShareValidation(policies="urgent.yaml")


def test_nothing_of_it_is_left_in_the_report_of_a_good_app(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack).verify(policy(BOUND="1h"))

    assert validate(app) == []
    assert plugin_report(app) == {"violations": []}
