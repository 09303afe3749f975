from __future__ import annotations

from pathlib import Path

import pytest
from template_examples import FIXTURES

from quota_verifier.documents import parse_document
from quota_verifier.errors import InputError
from quota_verifier.model import Strategy
from quota_verifier.template import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SERVICE_ENVIRONMENT,
    Outside,
    Resource,
    Unresolved,
    environments_of,
    load_template,
    parse_template,
    policy_of,
    quota_managed_queues,
    read_queue,
    shares_of,
    target,
)
from quota_verifier.template.yaml_tags import CLOUDFORMATION_TAGS

GOOD = FIXTURES / "good"
CASES = Path(__file__).parents[3] / "shared" / "cases"
needs_cases = pytest.mark.skipif(not CASES.is_dir(), reason="the hard cases are not here")

# What leaves nothing to reckon with; the other cases are for the rules alone to report.
REFUSED = {
    "01_borrowlimit_on_reserve",
    "03_borrowlimit_float",
    "10_zero_limits",
    "11_dup_unit",
    "28_dup_names",
    "d_se_negative",
    "e_se_empty_limit",
}


def _template(text):
    return parse_template(parse_document(text, source="t.yaml", tags=CLOUDFORMATION_TAGS))


@needs_cases
@pytest.mark.parametrize("folder", ["C33", "C39", "C54"])
def test_every_case_is_parsed_into_resources_whatever_its_defect(folder):
    files = sorted((CASES / folder).glob("*.json"))
    assert files
    for file in files:
        template = load_template(file)
        queues = template.of_type(JOB_QUEUE)
        assert queues
        assert quota_managed_queues(template) == queues
        for share in template.of_type(QUOTA_SHARE):
            assert share in shares_of(template, queues[0])


@needs_cases
@pytest.mark.parametrize("file", sorted((CASES / "C39").glob("*.json")), ids=lambda file: file.stem)
def test_a_case_of_c39_is_refused_only_where_the_model_has_no_meaning(file):
    if file.stem in REFUSED:
        with pytest.raises(InputError):
            read_queue(file)
    else:
        assert read_queue(file).shares


@needs_cases
def test_a_strategy_in_lower_case_reads_like_one_in_upper_case():
    """C39: the enumeration takes any case, so the simulation must not see a difference."""
    lower, base = read_queue(CASES / "C39" / "a_lower_strategy.json"), read_queue(CASES / "C39" / "00_base.json")
    assert lower == base
    assert base.shares[0].strategy is Strategy.LEND_AND_BORROW


def test_a_resource_knows_its_type_properties_lines_and_construct_path():
    template = load_template(FIXTURES / "bad" / "cdk_paths.yaml")
    share = template.resources["DemoShareB34F12"]
    assert share.type == QUOTA_SHARE
    assert share.properties["CapacityLimits"] == [{"CapacityUnit": "ml.g5.xlarge", "MaxCapacity": 0}]
    assert share.construct_path == "Demo/Queue/team-a/Resource"
    assert share.label == "Demo/Queue/team-a"
    assert share.name == "team-a"
    assert share.line_of() == 16
    assert share.line_of("JobQueue") == 21
    assert share.line_of("CapacityLimits", 0, "MaxCapacity") == 22
    assert share.at("CapacityLimits") == f"{FIXTURES}/bad/cdk_paths.yaml:22"
    assert template.resources["Q"].label == "Q"
    assert template.resources["Q"].construct_path == ""


def test_resources_come_in_the_order_they_are_written():
    template = load_template(GOOD / "demo_by_name.yaml")
    assert list(template.resources) == ["QS1", "QS2", "QS3", "Queue", "Environment", "Policy"]
    assert [share.logical_id for share in template.of_type(QUOTA_SHARE)] == ["QS1", "QS2", "QS3"]


def test_a_false_condition_leaves_a_resource_out_and_an_open_one_stays_with_it():
    text = """\
Parameters: {Stage: {Type: String}}
Conditions: {No: !Equals [a, b], Open: !Equals [!Ref Stage, prod]}
Resources:
  Out: {Type: AWS::S3::Bucket, Condition: No}
  Maybe: {Type: AWS::S3::Bucket, Condition: Open}
  In: {Type: AWS::S3::Bucket}
"""
    template = _template(text)
    assert list(template.resources) == ["Maybe", "In"]
    open_condition = template.resources["Maybe"].condition
    assert open_condition is not None
    assert open_condition.parameter == "Stage"
    assert template.resources["In"].condition is None


def test_a_loop_makes_its_resources_in_place():
    template = load_template(GOOD / "demo_loop.yaml")
    assert list(template.resources) == ["Policy", "Environment", "Queue", "QS1", "ShareQS2", "ShareQS3"]
    made = template.resources["ShareQS3"]
    assert made.name == "QS3"
    assert made.line_of("QuotaShareName") == 41


def test_loops_nest_and_names_lose_what_logical_ids_cannot_hold():
    text = """\
Parameters: {Teams: {Type: CommaDelimitedList, Default: "a-1,b-2"}}
Resources:
  Fn::ForEach::Team:
    - Team
    - !Ref Teams
    - Fn::ForEach::Kind:
        - Kind
        - [Lend, Keep]
        -
          "Share&{Team}${Kind}":
            Type: AWS::Batch::QuotaShare
            Properties: {QuotaShareName: !Sub "${Team}/${Kind}", CapacityLimits: [!Ref Team]}
"""
    made = _template(text).resources
    assert list(made) == ["Sharea1Lend", "Sharea1Keep", "Shareb2Lend", "Shareb2Keep"]
    assert made["Shareb2Keep"].line_of() == 10
    assert made["Shareb2Keep"].properties == {"QuotaShareName": "b-2/Keep", "CapacityLimits": ["b-2"]}


REFERENCES = """\
Parameters: {Given: {Type: String}}
Conditions: {No: !Equals [a, b]}
Resources:
  Queue: {Type: AWS::Batch::JobQueue, Properties: {JobQueueName: train}}
  Named: {Type: AWS::Batch::JobQueue, Properties: {JobQueueName: !Sub "${AWS::StackName}-queue"}}
  Bare: {Type: AWS::Batch::JobQueue}
  Environment: {Type: AWS::Batch::ServiceEnvironment, Properties: {ServiceEnvironmentName: train}}
  Out: {Type: AWS::Batch::JobQueue, Condition: No}
  Share: {Type: AWS::Batch::QuotaShare, Properties: {JobQueue: VALUE}}
"""
ARN = "arn:aws:batch:us-east-1:123456789012"
OPEN_ARN = "arn:${AWS::Partition}:batch:${AWS::Region}:${AWS::AccountId}"


@pytest.mark.parametrize(
    ("value", "logical_id"),
    [
        ("!Ref Queue", "Queue"),
        ("!GetAtt Queue.JobQueueArn", "Queue"),
        ("!GetAtt [Queue, JobQueueArn]", "Queue"),
        ("{'Fn::GetAtt': Queue.JobQueueArn}", "Queue"),
        ("!Sub '${Queue}'", "Queue"),
        ("!Sub '${Queue.JobQueueArn}'", "Queue"),
        ("!Sub ['${q}', {q: !Ref Queue}]", "Queue"),
        ("!Join ['', [!Ref Queue]]", "Queue"),
        ("!Select [1, !Split ['/', !Ref Bare]]", "Bare"),
        ("train", "Queue"),
        (f"{ARN}:job-queue/train", "Queue"),
        (f"!Sub '{OPEN_ARN}:job-queue/train'", "Queue"),
        (f"!Sub '{OPEN_ARN}:job-queue/${{Bare}}'", "Bare"),
        ("!Join [':', [arn, !Ref AWS::Partition, batch, !Ref AWS::Region, '1', job-queue/train]]", "Queue"),
        ("!Sub '${AWS::StackName}-queue'", "Named"),
        (f"!Sub '{OPEN_ARN}:job-queue/${{AWS::StackName}}-queue'", "Named"),
        ("!Ref Environment", "Environment"),
    ],
)
def test_a_reference_finds_its_resource(value, logical_id):
    template = _template(REFERENCES.replace("VALUE", value))
    found = target(template, template.resources["Share"].properties["JobQueue"], JOB_QUEUE)
    assert isinstance(found, Resource)
    assert found.logical_id == logical_id


@pytest.mark.parametrize(
    ("value", "outside"),
    [
        ("other", Outside("other")),
        (f"{ARN}:job-queue/other", Outside("other")),
        (f"!Sub '{OPEN_ARN}:job-queue/other'", Outside("other")),
        (f"{ARN}:service-environment/train", Outside(f"{ARN}:service-environment/train")),
        ("!Ref Out", Outside("Out", left_out=True)),
    ],
)
def test_a_reference_to_what_is_not_there_keeps_the_name(value, outside):
    template = _template(REFERENCES.replace("VALUE", value))
    assert target(template, template.resources["Share"].properties["JobQueue"], JOB_QUEUE) == outside


@pytest.mark.parametrize(
    ("value", "expression"),
    [
        ("!Ref Given", "${Given}"),
        (f"!Sub '{OPEN_ARN}:job-queue/${{Given}}'", f"{OPEN_ARN}:job-queue/${{Given}}"),
        ("!ImportValue x", "${Fn::ImportValue(x)}"),
        ("!Ref Nowhere", "${Nowhere}"),
    ],
)
def test_a_reference_that_only_the_deployment_knows_stays_unresolved(value, expression):
    template = _template(REFERENCES.replace("VALUE", value))
    found = target(template, template.resources["Share"].properties["JobQueue"], JOB_QUEUE)
    assert isinstance(found, Unresolved)
    assert found.expression == expression


@pytest.mark.parametrize("value", ["3", "[]", "{}", "''", "null"])
def test_a_value_that_names_nothing_has_no_target(value):
    template = _template(REFERENCES.replace("VALUE", value))
    assert target(template, template.resources["Share"].properties["JobQueue"], JOB_QUEUE) is None


def test_a_name_means_a_resource_of_the_wanted_type():
    template = _template(REFERENCES)
    found = target(template, "train", SERVICE_ENVIRONMENT)
    assert isinstance(found, Resource)
    assert found.logical_id == "Environment"


def test_a_share_is_found_by_the_end_of_its_arn():
    template = load_template(GOOD / "demo.json")
    share = target(template, f"{ARN}:job-queue/train/quota-share/QS2", QUOTA_SHARE)
    assert share is template.resources["QS2"]


def test_the_parts_of_a_queue_are_found():
    template = load_template(GOOD / "demo_by_name.yaml")
    (queue,) = quota_managed_queues(template)
    assert policy_of(template, queue) is template.resources["Policy"]
    assert environments_of(template, queue) == (template.resources["Environment"],)
    assert [share.logical_id for share in shares_of(template, queue)] == ["QS1", "QS2", "QS3"]


def test_the_parts_of_a_broken_queue_are_found_as_far_as_they_go():
    text = """\
Resources:
  Q:
    Type: AWS::Batch::JobQueue
    Properties:
      SchedulingPolicyArn: 3
      ServiceEnvironmentOrder: [{ServiceEnvironment: gpus}, {}, text]
"""
    template = _template(text)
    queue = template.resources["Q"]
    assert policy_of(template, queue) is None
    assert environments_of(template, queue) == (Outside("gpus"), None, None)
    assert shares_of(template, queue) == ()
    assert quota_managed_queues(template) == ()


def test_a_template_refuses_a_value_for_what_it_does_not_declare():
    file = GOOD / "demo_parameters.yaml"
    with pytest.raises(InputError) as raised:
        load_template(file, values={"Totl": "3"})
    assert str(raised.value) == (f"{file}: --param Totl: the template has no such parameter; did you mean 'Total'?")
