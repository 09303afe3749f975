"""What is declared besides the queue: policy, priority and tags; and what cannot be created."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from quota_verifier.errors import InputError
from quota_verifier.template import read_queue
from quota_verifier.template.declaration import Declaration, read_declaration

ROOT = Path(__file__).parents[2]
EVERYTHING = ROOT / "tests/fixtures/export/everything.yaml"
THREE_SHARES = ROOT / "examples/three_shares/queue.yaml"
DEMO = ROOT / "tests/fixtures/templates/good/demo.json"


class _Loader(yaml.SafeLoader):
    """YAML with CloudFormation's short functions written long."""


_LONG = {"!Ref": "Ref", "!Sub": "Fn::Sub", "!GetAtt": "Fn::GetAtt"}
_Loader.add_multi_constructor("!", lambda _loader, suffix, node: {_LONG[f"!{suffix}"]: node.value})


def changed(tmp_path: Path, logical_id: str, **properties: object) -> Path:
    template = yaml.load(EVERYTHING.read_text("utf-8"), _Loader)  # noqa: S506 (a safe loader)
    template["Resources"][logical_id]["Properties"].update(properties)
    path = tmp_path / "template.yaml"
    path.write_text(yaml.safe_dump(template, sort_keys=False), "utf-8")
    return path


def test_a_template_tells_policy_priority_and_tags():
    found = read_declaration(EVERYTHING)
    assert found == Declaration(
        read_queue(EVERYTHING),
        "training-policy",
        7,
        policy_tags={"team": "platform"},
        environment_tags={"cost": "4711"},
        queue_tags={"owner": "ml@example.com"},
        share_tags={"vision": {"team": "team = vision and speech"}}
        | {name: {} for name in ("speech-team", "speech_team", "robots", "nightly", "urgent")},
    )


def test_parameters_reach_the_tags():
    found = read_declaration(EVERYTHING, parameters={"Team": "robots"})
    assert found.share_tags["vision"] == {"team": "team = robots"}


def test_a_queue_file_gets_a_policy_of_its_own_name_and_priority_1():
    queue = read_queue(THREE_SHARES)
    assert read_declaration(THREE_SHARES) == Declaration(queue, f"{queue.name}-policy", 1)


def test_what_has_no_name_is_called_by_its_logical_id():
    found = read_declaration(DEMO)
    assert found.queue == read_queue(DEMO)
    assert found.policy_name.isalnum()


@pytest.mark.parametrize(
    ("logical_id", "properties", "told"),
    [
        ("Queue", {"JobQueueName": "ml training"}, "job queue: 'ml training' is no name that AWS takes"),
        ("Policy", {"Name": "x" * 129}, "is no name that AWS takes"),
        ("Vision", {"QuotaShareName": "a/b"}, "quota share: 'a/b' is no name that AWS takes"),
        ("Environment", {"ServiceEnvironmentName": "é"}, "service environment: 'é' is no name that AWS takes"),
        ("Queue", {"Priority": 1001}, "Priority: 1001 is above 1000"),
        ("Queue", {"Priority": None}, "Priority: null is not a whole number"),
        ("Policy", {"Name": {"Ref": "AWS::Region"}}, "Name: depends on AWS::Region"),
        ("Vision", {"Tags": {"team": {"Ref": "AWS::StackName"}}}, "Tags.team: depends on AWS::StackName"),
        ("Vision", {"Tags": {"team": True}}, "Tags.team: is no tag that AWS takes"),
        ("Vision", {"Tags": {"team": "$(id)"}}, "Tags.team: is no tag that AWS takes"),
        ("Vision", {"Tags": [{"Key": "team", "Value": "x"}]}, "Tags: a map of tags is wanted here"),
        ("Queue", {"SchedulingPolicyArn": "arn:aws:batch:us-east-1:123456789012:scheduling-policy/other"},
         "SchedulingPolicyArn: names no scheduling policy of this template that has a QuotaSharePolicy"),
    ],
)  # fmt: skip
def test_what_cannot_be_created_is_refused_where_it_stands(tmp_path, logical_id, properties, told):
    with pytest.raises(InputError) as caught:
        read_declaration(changed(tmp_path, logical_id, **properties))
    assert told in str(caught.value)
    assert "template.yaml" in str(caught.value)
