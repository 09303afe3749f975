from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from template_examples import FIXTURES, template_of, without_sources

import quota_verifier
from quota_verifier.errors import InputError
from quota_verifier.model import Environment, Queue, Share, Strategy, TimeLimitAction, TimeLimitReason
from quota_verifier.template import read_queue, read_queues

GOOD = FIXTURES / "good"
BAD = FIXTURES / "bad"
G5 = "ml.g5.xlarge"

DEMO = Queue(
    environment=Environment({G5: 3}),
    shares=(
        Share("QS1", {G5: 1}, Strategy.LEND_AND_BORROW, borrow_limit=200, in_share_preemption=True),
        Share("QS2", {G5: 1}, Strategy.LEND),
        Share("QS3", {G5: 1}, Strategy.RESERVE),
    ),
)


def _with(file, tmp_path, *replacements):
    text = file.read_text()
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    changed = tmp_path / file.name
    changed.write_text(text)
    return changed


@pytest.mark.parametrize("name", sorted(file.name for file in GOOD.glob("demo*")))
def test_every_way_to_write_the_demo_reads_alike(name):
    found = without_sources(read_queue(GOOD / name))
    assert found.environment.limits == DEMO.environment.limits
    assert found.shares == DEMO.shares
    assert found.enabled
    assert found.environment.enabled


def test_names_are_the_physical_ones_else_the_logical_ids():
    named, unnamed = read_queue(GOOD / "demo_by_name.yaml"), read_queue(GOOD / "demo.json")
    assert (named.name, named.environment.name) == ("train", "gpus")
    assert (unnamed.name, unnamed.environment.name) == ("Queue", "Environment")


def test_sources_are_logical_ids_in_a_template_and_fields_in_a_queue_file():
    template, file = read_queue(GOOD / "demo.json"), read_queue(GOOD / "demo.queue.yaml")
    assert [template.source, template.environment.source] == ["Queue", "Environment"]
    assert [share.source for share in template.shares] == ["QS1", "QS2", "QS3"]
    assert file.environment.source == "environment"
    assert [share.source for share in file.shares] == ["shares[0]", "shares[1]", "shares[2]"]


@pytest.mark.parametrize(
    ("sharing", "limit"),
    [
        ("{Strategy: LEND_AND_BORROW}", None),
        ("{Strategy: LEND_AND_BORROW, BorrowLimit: !Ref AWS::NoValue}", None),
        ("{Strategy: LEND_AND_BORROW, BorrowLimit: -1}", -1),
        ('{Strategy: LEND_AND_BORROW, BorrowLimit: "-1"}', -1),
        ("{Strategy: LEND_AND_BORROW, BorrowLimit: 0}", 0),
        ('{Strategy: LEND_AND_BORROW, BorrowLimit: "0"}', 0),
        ("{Strategy: LEND_AND_BORROW, BorrowLimit: 200.0}", 200),
    ],
)
def test_an_absent_borrow_limit_minus_one_and_zero_stay_three_values(tmp_path, sharing, limit):
    """C03, C30: a truth test would drop 0, and a default would hide -1."""
    demo = GOOD / "demo_short_tags.yaml"
    file = _with(demo, tmp_path, ("{Strategy: LEND_AND_BORROW, BorrowLimit: 200}", sharing))
    assert read_queue(file).shares[0].borrow_limit == limit


@pytest.mark.parametrize(
    ("entry", "limit"),
    [("", None), (", borrow_limit: null", None), (", borrow_limit: -1", -1), (", borrow_limit: 0", 0)],
)
def test_a_queue_file_keeps_the_three_borrow_limits_apart(tmp_path, entry, limit):
    file = _with(GOOD / "demo.queue.yaml", tmp_path, (", borrow_limit: 200", entry))
    assert read_queue(file).shares[0].borrow_limit == limit


def test_disabled_states_are_read(tmp_path):
    file = tmp_path / "disabled.json"
    template = template_of(DEMO)
    resources = template["Resources"]
    for logical_id in ("Environment", "Queue", "Share0"):
        resources[logical_id]["Properties"]["State"] = "disabled"
    del resources["Share1"]["Properties"]["State"]
    file.write_text(json.dumps(template))
    queue = read_queue(file)
    assert not queue.enabled
    assert not queue.environment.enabled
    assert [share.enabled for share in queue.shares] == [False, True, True]


def test_time_limit_actions_are_read(tmp_path):
    """R8, C54: TERMINATE, 600 to 86400 s, three reasons."""
    order = "      ServiceEnvironmentOrder:\n"
    actions = (
        "      JobStateTimeLimitActions:\n"
        "        - {Action: TERMINATE, State: RUNNABLE, MaxTimeSeconds: 600,"
        " Reason: 'CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY'}\n"
        "        - {Action: terminate, State: RUNNABLE, MaxTimeSeconds: '86400',"
        " Reason: 'MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED'}\n"
    )
    file = _with(GOOD / "demo_short_tags.yaml", tmp_path, (order, actions + order))
    assert read_queue(file).time_limits == (
        TimeLimitAction(TimeLimitReason.INSUFFICIENT_INSTANCE_CAPACITY, 600_000),
        TimeLimitAction(TimeLimitReason.QUOTA_MANAGEMENT_LIMIT_EXCEEDED, 86_400_000),
    )


def test_a_queue_under_a_quota_share_policy_without_shares_is_a_queue(tmp_path):
    file = tmp_path / "empty.json"
    template = template_of(DEMO)
    for index in range(3):
        del template["Resources"][f"Share{index}"]
    file.write_text(json.dumps(template))
    assert read_queue(file).shares == ()


def test_an_environment_of_no_capacity_is_an_environment(tmp_path):
    file = _with(GOOD / "demo_short_tags.yaml", tmp_path, ("MaxCapacity: 3", "MaxCapacity: 0"))
    assert read_queue(file).environment.limits == {G5: 0}


def _two_queues(tmp_path):
    text = (BAD / "two_queues.yaml").read_text()
    second = """\
  QS2:
    Type: AWS::Batch::QuotaShare
    Properties:
      QuotaShareName: team-a
      JobQueue: second
      CapacityLimits: [{CapacityUnit: ml.g5.xlarge, MaxCapacity: 1}]
      ResourceSharingConfiguration: {Strategy: RESERVE}
      PreemptionConfiguration: {InSharePreemption: DISABLED}
"""
    file = tmp_path / "two.yaml"
    file.write_text(text + second)
    return file


def test_reading_a_template_loads_nothing_slow():
    script = (
        "import sys; from quota_verifier.template import read_queue; read_queue(sys.argv[1]);"
        " print([name for name in ('pydantic', 'numpy', 'rich', 'cfnlint', 'aws_cdk') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, GOOD / "demo_short_tags.yaml"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path(quota_verifier.__file__).parents[1])},
    )
    assert done.stdout == "[]\n"


def test_every_queue_of_a_template_has_its_own_shares(tmp_path):
    first, second = read_queues(_two_queues(tmp_path))
    assert [(q.name, [(s.name, s.source) for s in q.shares]) for q in (first, second)] == [
        ("Q", [("team-a", "QS1")]),
        ("second", [("team-a", "QS2")]),
    ]


@pytest.mark.parametrize("name", ["second", "Q2", "Demo/Second", "Demo/Second/Resource"])
def test_one_queue_of_several_is_named_by_name_logical_id_or_construct_path(tmp_path, name):
    found = read_queue(_two_queues(tmp_path), queue=name)
    assert (found.name, found.source) == ("second", "Demo/Second")


def test_a_queue_that_is_not_there_is_bad_input(tmp_path):
    file = _two_queues(tmp_path)
    with pytest.raises(InputError) as raised:
        read_queue(file, queue="secnd")
    assert str(raised.value) == f"{file}: no quota-managed job queue is called 'secnd'; did you mean 'second'?"


def test_one_name_for_two_queues_is_bad_input(tmp_path):
    for stack in ("a", "b"):
        (tmp_path / f"{stack}.template.json").write_text((GOOD / "demo.json").read_text())
    with pytest.raises(InputError) as raised:
        read_queue(tmp_path, queue="Queue")
    assert str(raised.value) == f"{tmp_path}: 2 queues are called 'Queue'; read one template at a time"


def test_a_template_without_quota_shares_has_no_queues():
    assert read_queues(BAD / "other_queues.yaml") == ()


def test_parameters_replace_defaults():
    given = {"Total": "9", "Each": "2", "Unit": "ml.g6.xlarge", "Names": "a,b2,c", "Stage": "prod"}
    queue = read_queue(GOOD / "demo_parameters.yaml", parameters=given)
    assert queue.environment.limits == {"ml.g6.xlarge": 9}
    assert [(share.name, dict(share.limits)) for share in queue.shares] == [
        ("a", {"ml.g6.xlarge": 2}),
        ("b2", {G5: 2}),
        ("c", {"ml.g6.xlarge": 2}),
    ]


@pytest.mark.parametrize(
    ("fixture", "parameters", "check"),
    [
        ("parameter_without_default", {"MaxTeamA": "3"}, lambda q: q.shares[0].limits == {G5: 3}),
        ("parameter_from_ssm", {"MaxTeamA": "3"}, lambda q: q.shares[0].limits == {G5: 3}),
        ("parameter_in_a_name", {"Team": "red"}, lambda q: q.shares[0].name == "red-share"),
        ("parameter_in_environment", {"Total": "12"}, lambda q: q.environment.limits == {G5: 12}),
        ("parameter_in_borrow_limit", {"Percent": "0"}, lambda q: q.shares[0].borrow_limit == 0),
        ("parameter_decides_a_condition", {"Stage": "prod"}, lambda q: q.shares[0].limits == {G5: 2}),
        ("parameter_decides_a_condition", {"Stage": "test"}, lambda q: q.shares[0].limits == {G5: 1}),
        ("parameter_decides_a_share", {"Stage": "prod"}, lambda q: len(q.shares) == 1),
        ("parameter_decides_a_share", {"Stage": "test"}, lambda q: q.shares == ()),
        ("region_decides", {"AWS::Region": "us-east-1"}, lambda q: q.shares[0].limits == {G5: 2}),
    ],
)
def test_what_a_template_leaves_open_is_read_once_it_is_given(fixture, parameters, check):
    """C35: the verifier names the parameter; with it the template reads."""
    file = BAD / f"{fixture}.yaml"
    with pytest.raises(InputError, match=f"give --param {next(iter(parameters))}=VALUE$"):
        read_queue(file)
    assert check(read_queue(file, parameters=parameters))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"Totl": "3"}, "--param Totl: the template has no such parameter; did you mean 'Total'?"),
        ({"Stage": "dev"}, "--param Stage=dev: not an allowed value; write prod or test"),
        ({"Total": "many"}, "--param Total=many: not a number; write a number such as Total=4"),
        ({"Total": "nan"}, "--param Total=nan: not a number; write a number such as Total=4"),
    ],
)
def test_a_parameter_that_the_template_refuses_is_bad_input(given, message):
    file = GOOD / "demo_parameters.yaml"
    with pytest.raises(InputError) as raised:
        read_queue(file, parameters=given)
    assert str(raised.value) == f"{file}: {message}"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("0", "below the parameter's MinValue; write 1 or more"),
        ("9", "above the parameter's MaxValue; write 8 or less"),
    ],
)
def test_a_number_outside_its_parameters_bounds_is_bad_input(tmp_path, value, message):
    declared = ("{Type: Number}", "{Type: Number, MinValue: 1, MaxValue: 8}")
    file = _with(BAD / "parameter_without_default.yaml", tmp_path, declared)
    with pytest.raises(InputError) as raised:
        read_queue(file, parameters={"MaxTeamA": value})
    assert str(raised.value) == f"{file}: --param MaxTeamA={value}: {message}"


def test_a_queue_file_takes_no_parameters():
    file = GOOD / "demo.queue.yaml"
    with pytest.raises(InputError) as raised:
        read_queue(file, parameters={"Total": "3"})
    assert str(raised.value) == f"{file}: a queue file takes no --param; write the values into the file"


def test_yaml_and_json_of_one_template_say_the_same_of_a_mistake(tmp_path):
    template = template_of(DEMO)
    template["Resources"]["Share1"]["Properties"]["CapacityLimits"][0]["MaxCapacity"] = 0
    said = []
    for suffix in ("json", "yaml"):
        file = tmp_path / f"t.{suffix}"
        file.write_text(json.dumps(template, indent=2))
        with pytest.raises(InputError) as raised:
            read_queue(file)
        said.append(str(raised.value).replace(str(file), "FILE"))
    assert said[0] == said[1]
    assert said[0].endswith(
        ": Share1 (share 'QS2'), CapacityLimits[0].MaxCapacity: 0 is below 1; write a whole number of 1 or more"
    )
