"""A declaration as calls of AWS Batch: their order, their requests, and what making them does."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import boto3
import botocore.session
import jmespath
import pytest
from botocore.config import Config
from botocore.stub import Stubber
from botocore.validate import ParamValidator
from described_queue import described, nothing_left, plain
from running_emulator import RunningEmulator, running_emulator, submit

from quota_verifier.aws.calls import Arn, Call, Made, creation, deletion
from quota_verifier.aws.perform import perform
from quota_verifier.errors import InputError
from quota_verifier.model import Share, Strategy
from quota_verifier.template.declaration import Declaration, read_declaration

ROOT = Path(__file__).parents[2]
EVERYTHING = read_declaration(ROOT / "tests/fixtures/export/everything.yaml")
THREE_SHARES = read_declaration(ROOT / "examples/three_shares/queue.yaml")
SOMEBODY = {"region_name": "us-east-1", "aws_access_key_id": "x", "aws_secret_access_key": "x"}
ONCE = {"total_max_attempts": 1}
MODEL = botocore.session.get_session().get_service_model("batch")


@pytest.fixture(scope="module")
def emulator() -> Iterator[RunningEmulator]:
    with running_emulator("--stepped") as running:
        yield running


@pytest.fixture
def clean(emulator: RunningEmulator) -> Iterator[RunningEmulator]:
    """The emulator, empty before and after a test."""
    assert nothing_left(emulator.batch)
    yield emulator
    assert nothing_left(emulator.batch)


def test_each_resource_comes_after_what_it_needs_and_waits_until_it_is_valid():
    calls = creation(THREE_SHARES)
    assert [call.operation for call in calls] == [
        "CreateSchedulingPolicy", "CreateServiceEnvironment", "CreateJobQueue", *["CreateQuotaShare"] * 3,
    ]  # fmt: skip
    assert [call.until and call.until.wanted for call in calls] == [None, *[("ENABLED", "VALID")] * 5]


def test_deletion_goes_backwards_and_disables_first():
    operations = [call.operation for call in deletion(THREE_SHARES)]
    assert operations == [
        "DescribeServiceEnvironments", *["UpdateQuotaShare", "DeleteQuotaShare"] * 3, "UpdateJobQueue",
        "DeleteJobQueue", "DeleteSchedulingPolicy", "UpdateServiceEnvironment", "DeleteServiceEnvironment",
    ]  # fmt: skip
    deleted = [call.step for call in deletion(THREE_SHARES) if call.operation == "DeleteQuotaShare"]
    assert deleted == ["quota-share-QS3", "quota-share-QS2", "quota-share-QS1"]


@pytest.mark.parametrize(
    ("limit", "sharing"),
    [
        (None, {"strategy": "LEND_AND_BORROW"}),
        (-1, {"strategy": "LEND_AND_BORROW", "borrowLimit": -1}),
        (0, {"strategy": "LEND_AND_BORROW", "borrowLimit": 0}),
    ],
)
def test_no_borrow_limit_minus_one_and_zero_are_three_requests(limit, sharing):
    share = Share("A", {"ml.g5.xlarge": 1}, Strategy.LEND_AND_BORROW, limit)
    call = creation(Declaration(replace(THREE_SHARES.queue, shares=(share,)), "p"))[-1]
    assert call.request["resourceSharingConfiguration"] == sharing


def filled(value: object) -> object:
    if isinstance(value, Made | Arn):
        return "an ARN"
    if isinstance(value, Mapping):
        return {key: filled(entry) for key, entry in value.items()}
    return [filled(entry) for entry in value] if isinstance(value, list) else value


@pytest.mark.parametrize("calls", [creation(EVERYTHING), deletion(EVERYTHING)], ids=["creation", "deletion"])
def test_botocore_finds_nothing_wrong_with_any_request(calls: tuple[Call, ...]):
    for call in calls:
        for asked in (call, call.until):
            if asked is not None:
                shape = MODEL.operation_model(asked.operation).input_shape
                report = ParamValidator().validate(filled(asked.request), shape)
                assert not report.has_errors(), (asked, report.generate_report())
                # AWS drops members that it does not know, and botocore must know them all.
                assert set(asked.request) <= set(shape.members)


def test_what_is_waited_for_stands_in_the_answer():
    for call in (*creation(EVERYTHING), *deletion(EVERYTHING)):
        if call.until:
            first = jmespath.compile(call.until.query).parsed
            answer = MODEL.operation_model(call.until.operation).output_shape
            assert set(first_members(first)) & set(answer.members)


def first_members(node: dict) -> list[str]:
    """The names that a JMESPath expression looks up."""
    here = [node["value"]] if node["type"] == "field" else []
    return here + [name for child in node["children"] for name in first_members(child)]


@pytest.mark.parametrize("declared", [THREE_SHARES, EVERYTHING], ids=["three shares", "everything"])
def test_what_was_created_is_what_was_declared_and_deletion_leaves_nothing(clean, declared):
    perform(clean.batch, creation(declared))
    assert described(clean.batch, declared.queue.name) == plain(declared)
    perform(clean.batch, deletion(declared), delay_s=0)


def test_a_share_whose_jobs_still_stop_is_waited_for(clean):
    perform(clean.batch, creation(THREE_SHARES))
    submit(clean.batch, THREE_SHARES.queue.name, "QS3", "long", work="10h")
    clean.advance(0)
    with pytest.raises(InputError, match=r"DeleteQuotaShare \(quota-share-QS3\).*Max attempts exceeded"):
        perform(clean.batch, deletion(THREE_SHARES), delay_s=0, attempts=2)
    clean.advance(60)
    rest = [call for call in deletion(THREE_SHARES) if call.step != "quota-share-QS3"]
    perform(clean.batch, rest, delay_s=0)


def test_a_refusal_tells_the_call_awss_words_and_what_stays(clean):
    perform(clean.batch, creation(THREE_SHARES))
    with pytest.raises(InputError) as caught:
        perform(clean.batch, creation(replace(THREE_SHARES, policy_name="another")))
    assert caught.value.where == "CreateServiceEnvironment (service-environment)"
    assert "Object already exists" in caught.value.problem
    assert caught.value.remedy == "1 of 6 calls were made before it, and stay"
    perform(clean.batch, deletion(THREE_SHARES), delay_s=0)
    (left,) = clean.batch.list_scheduling_policies()["schedulingPolicies"]
    clean.batch.delete_scheduling_policy(arn=left["arn"])


def test_deleting_what_is_not_there_is_refused_before_anything_is_changed(clean):
    with pytest.raises(InputError, match="the service environment is not there"):
        perform(clean.batch, deletion(THREE_SHARES))


def test_nobody_listening_is_told_in_one_line():
    client = boto3.client("batch", **SOMEBODY, endpoint_url="http://127.0.0.1:9", config=Config(retries=ONCE))
    with pytest.raises(InputError, match="Could not connect to the endpoint URL"):
        perform(client, creation(THREE_SHARES))


def test_an_invalid_environment_ends_the_wait_at_once():
    # The emulator's environments are never INVALID, so botocore's own stub answers.
    client = boto3.client("batch", **SOMEBODY)
    detail = {"serviceEnvironmentName": "e", "serviceEnvironmentArn": "arn:e", "capacityLimits": [],
              "serviceEnvironmentType": "SAGEMAKER_TRAINING", "state": "ENABLED", "status": "INVALID"}  # fmt: skip
    with Stubber(client) as stub:
        stub.add_response("create_scheduling_policy", {"name": "p", "arn": "arn:p"})
        stub.add_response("create_service_environment", {"serviceEnvironmentName": "e", "serviceEnvironmentArn": "a"})
        stub.add_response("describe_service_environments", {"serviceEnvironments": [detail]})
        began = time.monotonic()
        with pytest.raises(InputError, match=r"CreateServiceEnvironment .*terminal failure state.*INVALID"):
            perform(client, creation(THREE_SHARES))
        assert time.monotonic() - began < 2  # no attempt was waited for
