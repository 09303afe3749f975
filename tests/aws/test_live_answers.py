"""boto3 itself on answers that no test can wait for: thousands of pages, throttling, other kinds of queues."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from botocore.awsrequest import AWSResponse

from quota_verifier.aws.live.client import Connection, batch_client
from quota_verifier.aws.live.deployed import deployed_queue
from quota_verifier.aws.live.job_list import STATUSES, described, job_ids
from quota_verifier.aws.live.look_up import policy_arn, queue_named
from quota_verifier.cli.main import main
from quota_verifier.errors import InputError

PAGES = Path(__file__).parents[3] / "shared" / "cases" / "C56_pages.json"
ARN = "arn:aws:batch:us-east-1:123456789012"
Body = dict[str, Any]


class _Raw:
    def __init__(self, content: bytes) -> None:
        self.content = content

    def stream(self, **_: object):
        yield self.content


def answering(answer: Callable[[str, Body], Body | tuple[int, Body]]) -> Any:
    """The product's own client; `answer` takes an operation's path and request, and stands in for the network."""
    client: Any = batch_client(Connection(region="us-east-1", endpoint_url="http://127.0.0.1:1"))

    def send(request: Any, **_: object) -> AWSResponse:
        found = answer(request.url.rpartition("/")[2], json.loads(request.body or b"{}"))
        status, body = found if isinstance(found, tuple) else (200, found)
        return AWSResponse(request.url, status, {"content-type": "application/json"}, _Raw(json.dumps(body).encode()))

    client.meta.events.register("before-send.batch", send)
    return client


@pytest.fixture(autouse=True)
def _credentials(monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "none")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "none")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for name in ("AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_BATCH"):
        monkeypatch.delenv(name, raising=False)


def summary(number: int, status: str) -> Body:
    name = f"{status}-{number}"
    return {"jobId": name, "jobName": name, "serviceJobType": "SAGEMAKER_TRAINING", "status": status}


def test_three_thousand_pages_are_read_in_a_loop():
    def answer(_path: str, request: Body) -> Body:
        page = int(request.get("nextToken", 0))
        more = {"nextToken": str(page + 1)} if page < 2_999 else {}
        return {"jobSummaryList": [summary(page, "FAILED")], **more}

    assert sys.getrecursionlimit() < 3_000
    assert len(job_ids(answering(answer), "q", ["FAILED"])) == 3_000


def test_each_status_is_asked_for_and_an_empty_page_does_not_end_a_list():
    if not PAGES.exists():
        pytest.skip(f"there is no {PAGES}")
    pages = json.loads(PAGES.read_text())
    asked: list[str] = []

    def answer(_path: str, request: Body) -> Body:
        if "nextToken" not in request:
            asked.append(request["jobStatus"])
        if request["jobStatus"] != "RUNNING":
            return {"jobSummaryList": []}
        return _after(pages, request) if "nextToken" in request else pages[0]

    assert len(job_ids(answering(answer), "q")) == 250
    assert asked == list(STATUSES)


def _after(pages: list[Body], request: Body) -> Body:
    tokens = [page.get("nextToken") for page in pages]
    return pages[tokens.index(request["nextToken"]) + 1]


def test_a_job_that_moves_on_while_lists_are_fetched_counts_once():
    def answer(_path: str, request: Body) -> Body:
        moving = request["jobStatus"] in ("RUNNING", "SUCCEEDED")
        return {"jobSummaryList": [{**summary(1, "X"), "status": request["jobStatus"]}] if moving else []}

    assert job_ids(answering(answer), "q") == ["X-1"]


def test_a_policy_is_found_by_its_exact_name_over_all_pages():
    pages = [["gpu-prod"], [], ["team/gpu-dev"], ["gpu"]]

    def answer(_path: str, request: Body) -> Body:
        page = int(request.get("nextToken", 0))
        more = {"nextToken": str(page + 1)} if page + 1 < len(pages) else {}
        return {"schedulingPolicies": [{"arn": f"{ARN}:scheduling-policy/{name}"} for name in pages[page]], **more}

    client = answering(answer)
    assert policy_arn(client, "gpu") == f"{ARN}:scheduling-policy/gpu"
    assert policy_arn(client, f"{ARN}:scheduling-policy/gpu-prod") == f"{ARN}:scheduling-policy/gpu-prod"
    with pytest.raises(InputError, match="no scheduling policy is called 'gp'; did you mean 'gpu'"):
        policy_arn(client, "gp")


def queue(**more: object) -> Body:
    arn = f"{ARN}:job-queue/q"
    return {"jobQueueName": "q", "jobQueueArn": arn, "state": "ENABLED", "priority": 1, **more}


def test_a_queue_is_found_by_its_exact_name_or_arn():
    def answer(_path: str, request: Body) -> Body:
        return {"jobQueues": [] if request.get("jobQueues") == ["p"] else [queue(computeEnvironmentOrder=[])]}

    client = answering(answer)
    assert queue_named(client, "q") == queue_named(client, f"{ARN}:job-queue/q")
    with pytest.raises(InputError, match="no job queue is called 'p'"):
        queue_named(client, "p")


COMPUTE = [{"order": 1, "computeEnvironment": f"{ARN}:compute-environment/c"}]
SERVICE = [{"order": 1, "serviceEnvironment": f"{ARN}:service-environment/s"}]


@pytest.mark.parametrize(
    ("compute", "service", "told"),
    [
        (COMPUTE, [], "not a service queue: it has compute environments"),
        ([], [], "the queue has no environment at all"),
        (COMPUTE, SERVICE, "the queue has both compute and service environments"),
        ([], [*SERVICE, *SERVICE], "the queue has 2 service environments"),
        ([], SERVICE, "the queue's scheduling policy 'fair' is a fair-share policy"),
    ],
)
def test_a_queue_of_another_kind_is_told_as_what_it_is(compute, service, told):
    described = queue(
        computeEnvironmentOrder=compute, serviceEnvironmentOrder=service,
        schedulingPolicyArn=f"{ARN}:scheduling-policy/fair",
    )  # fmt: skip

    def answer(path: str, _request: Body) -> Body:
        if path == "describejobqueues":
            return {"jobQueues": [described]}
        policy = {"name": "fair", "arn": f"{ARN}:scheduling-policy/fair", "fairsharePolicy": {}}
        return {"schedulingPolicies": [policy]}

    with pytest.raises(InputError, match=told):
        deployed_queue(answering(answer), "q")


@pytest.mark.parametrize(
    ("sharing", "strategy", "limit"),
    [
        ({"strategy": "LEND_AND_BORROW", "borrowLimit": 0}, "LEND_AND_BORROW", 0),
        ({"strategy": "LEND_AND_BORROW", "borrowLimit": -1}, "LEND_AND_BORROW", -1),
        ({"strategy": "LEND_AND_BORROW"}, "LEND_AND_BORROW", None),
        ({"strategy": "LEND", "borrowLimit": -1}, "LEND", None),
    ],
)
def test_no_borrowing_and_unlimited_borrowing_stay_apart(sharing, strategy, limit):
    unit = [{"capacityUnit": "ml.g5.xlarge", "maxCapacity": 4}]
    answers: Body = {
        "describejobqueues": {"jobQueues": [queue(
            computeEnvironmentOrder=[], serviceEnvironmentOrder=SERVICE, schedulingPolicyArn="p",
            jobStateTimeLimitActions=[{
                "reason": "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY", "state": "RUNNABLE", "maxTimeSeconds": 600,
                "action": "TERMINATE",
            }],
        )]},
        "describeschedulingpolicies": {"schedulingPolicies": [
            {"name": "p", "arn": "p", "quotaSharePolicy": {"idleResourceAssignmentStrategy": "FIFO"}}
        ]},
        "describeserviceenvironments": {"serviceEnvironments": [{
            "serviceEnvironmentName": "s", "serviceEnvironmentArn": "s", "state": "DISABLED",
            "serviceEnvironmentType": "SAGEMAKER_TRAINING", "capacityLimits": unit,
        }]},
        "listquotashares": {"quotaShares": [{
            "quotaShareName": "A", "quotaShareArn": "a", "capacityLimits": unit, "state": "DISABLED",
            "resourceSharingConfiguration": sharing, "preemptionConfiguration": {"inSharePreemption": "ENABLED"},
        }]},
    }  # fmt: skip
    found = deployed_queue(answering(lambda path, _: answers[path]), "q")
    (share,) = found.shares
    assert (share.strategy, share.borrow_limit) == (strategy, limit)
    assert (share.enabled, share.in_share_preemption, found.environment.enabled) == (False, True, False)
    assert [limit.max_time_ms for limit in found.time_limits] == [600_000]


def test_a_throttled_request_is_tried_again_after_a_pause():
    answers = iter([(429, {"__type": "TooManyRequestsException", "message": "slow down"})] * 2)

    def answer(_path: str, request: Body) -> Body | tuple[int, Body]:
        return next(answers, None) or {**summary(1, "RUNNING"), "jobId": request["jobId"], "startedAt": 1}

    (job,) = described(answering(answer), ["j"])
    assert job["jobId"] == "j"
    assert next(answers, None) is None


def test_what_aws_refuses_is_told_in_one_sentence():
    refused = (403, {"__type": "AccessDeniedException", "message": "User x is not authorized to do this"})
    with pytest.raises(InputError) as caught:
        list(described(answering(lambda *_: refused), ["j1", "j2"]))
    assert str(caught.value) == (
        "AWS Batch: j1: User x is not authorized to do this (AccessDeniedException);"
        " allow what examples/live/iam-policy.json lists"
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--region", "us-east-1"), "Unable to locate credentials; log in"),
        ((), "no region is set; set AWS_DEFAULT_REGION, or name one with --region"),
        (("--profile", "nobody"), "The config profile (nobody) could not be found"),
        (("--region", "us-east-1", "--endpoint-url", "not a url"), "Invalid endpoint: not a url"),
    ],
)
def test_a_connection_that_cannot_be_is_one_line_and_exit_code_2(arguments, told, capsys, monkeypatch, tmp_path):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    assert main(["import", "--queue", "q", "--out", str(tmp_path / "out"), *arguments]) == 2
    out = capsys.readouterr()
    assert (out.out, out.err.count("\n")) == ("", 1)
    assert told in out.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["calibrate"], "which history?"),
        (["calibrate", "--history", "h.json"], "which queue did these jobs run in?"),
        (["calibrate", "--history", "h.json", "--queue-file", "q.yaml", "--region", "x"], "--region"),
        (["try", "--job", "{share: A}"], "which queue?"),
        (["try", "--queue", "q", "--at", "1h", "--job", "{share: A}"], "--at"),
        (["try", "q.yaml", "--region", "x", "--job", "{share: A}"], "--region"),
        (["try", "q.yaml", "--expect", "1h", "--job", "{share: A}"], "--expect"),
    ],
)
def test_arguments_that_do_not_go_together_are_refused(command, told, capsys):
    assert main(command) == 2
    assert told in capsys.readouterr().err
