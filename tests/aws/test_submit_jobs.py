"""The submit helper against the running emulator, with boto3."""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError
from running_emulator import UNIT, RunningEmulator, running_emulator, small_queue

from quota_verifier import InputError
from quota_verifier.aws.submission import Submission
from quota_verifier.aws.submit import Outcome, submit_jobs

PAYLOAD = {"TrainingJobName": "train", "ResourceConfig": {"InstanceType": UNIT, "InstanceCount": 1}}
FAST = 1000
ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "submit" / "submit_sweep.py"

pytestmark = pytest.mark.xdist_group("submit jobs")


@pytest.fixture(scope="module")
def emulator() -> Iterator[RunningEmulator]:
    with running_emulator("--stepped") as running:
        small_queue(running.batch)
        yield running


def submission(**more: Any) -> Submission:
    return Submission(**{"name": "job", "share": "QS1", "payload": PAYLOAD, **more})


def test_priority_0_and_preemption_settings_are_sent_for_each_of_many(emulator: RunningEmulator) -> None:
    jobs = [submission(name=f"job-{n}", priority=0, preemption_retries=n, timeout_s=600) for n in range(3)]
    receipts = list(submit_jobs(jobs, "q", client=emulator.batch, per_second=FAST))
    assert [receipt.outcome for receipt in receipts] == [Outcome.SUBMITTED] * 3
    for n, receipt in enumerate(receipts):
        view = emulator.batch.describe_service_job(jobId=receipt.job_arn)
        assert (view["jobName"], view["quotaShareName"], view["schedulingPriority"]) == (f"job-{n}", "QS1", 0)
        assert view["preemptionConfiguration"] == {"preemptionRetriesBeforeTermination": n}
        assert view["timeoutConfig"] == {"attemptDurationSeconds": 600}


def test_the_request_tells_0_from_nothing() -> None:
    assert submission(priority=0, preemption_retries=0).request("q").items() >= {"schedulingPriority": 0}.items()
    assert submission(preemption_retries=0).request("q")["preemptionConfiguration"] == {
        "preemptionRetriesBeforeTermination": 0
    }
    assert submission().request("q").keys().isdisjoint({"schedulingPriority", "preemptionConfiguration", "tags"})


def test_a_repetition_makes_no_second_job(emulator: RunningEmulator) -> None:
    jobs = [submission(name="once", share="QS3")]
    first, second = (next(submit_jobs(jobs, "q", client=emulator.batch)) for _ in range(2))
    assert (first.outcome, second.outcome) == (Outcome.SUBMITTED, Outcome.ALREADY_SUBMITTED)
    named = [{"name": "JOB_NAME", "values": ["once"]}]
    assert len(emulator.batch.list_service_jobs(jobQueue="q", filters=named)["jobSummaryList"]) == 1


def test_a_refused_job_does_not_hold_up_the_others(emulator: RunningEmulator) -> None:
    jobs = [submission(share="nobody"), submission()]
    refused, taken = submit_jobs(jobs, "q", client=emulator.batch, per_second=FAST)
    assert (refused.outcome, refused.job_arn) == (Outcome.REFUSED, "")
    assert "nobody" in refused.problem
    assert taken.outcome is Outcome.SUBMITTED


def test_no_more_than_five_requests_go_out_in_a_second() -> None:
    now, sent = [0.0], []

    class Recorder:
        def submit_service_job(self, **request: Any) -> dict[str, Any]:
            sent.append(now[0])
            now[0] += 0.05  # each answer takes a while
            return {"jobArn": request["jobName"]}

    def sleep(seconds: float) -> None:
        now[0] += seconds

    jobs = [submission(name=f"job-{n}") for n in range(12)]
    assert len(list(submit_jobs(jobs, "q", client=Recorder(), clock=lambda: now[0], sleep=sleep))) == 12
    assert max(sum(start <= at < start + 1 - 1e-9 for at in sent) for start in sent) == 5
    assert sent[-1] == pytest.approx(11 / 5)


def test_a_service_out_of_reach_is_one_sentence_and_keeps_the_receipts_so_far() -> None:
    class Flaky:
        calls = 0

        def submit_service_job(self, **_request: Any) -> dict[str, Any]:
            self.calls += 1
            if self.calls == 2:
                raise EndpointConnectionError(endpoint_url="http://127.0.0.1:1")
            return {"jobArn": "arn"}

    receipts = submit_jobs([submission(), submission(name="second")], "q", client=Flaky(), per_second=FAST)
    assert next(receipts).outcome is Outcome.SUBMITTED
    with pytest.raises(InputError, match=r"AWS Batch: job second: Could not connect .*; check .* the network"):
        next(receipts)


def test_the_client_of_its_own_follows_the_environment(emulator: RunningEmulator, monkeypatch: Any) -> None:
    for name in ("AWS_ENDPOINT_URL_BATCH", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION"):
        monkeypatch.setenv(name, emulator.environ[name])
    assert next(submit_jobs([submission()], "q")).outcome is Outcome.SUBMITTED


def test_the_example_prints_what_its_page_shows(emulator: RunningEmulator, monkeypatch: Any, capsys: Any) -> None:
    page = (ROOT / "docs" / "sagemaker.md").read_text(encoding="utf-8")
    assert f"```python\n{EXAMPLE.read_text(encoding='utf-8')}```" in page
    small_queue(emulator.batch, "three-shares")
    for name in ("AWS_ENDPOINT_URL_BATCH", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION"):
        monkeypatch.setenv(name, emulator.environ[name])
    runpy.run_path(str(EXAMPLE))
    assert f"submit_sweep.py\n{capsys.readouterr().out}```" in page


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"priority": 10_000}, "job job: priority: 10000 is not between 0 and 9999; leave it out for AWS's default"),
        ({"priority": "3"}, "priority: '3' is not a whole number"),
        ({"priority": True}, "priority: True is not a whole number"),
        ({"priority": -1}, "priority: -1 is not between"),
        ({"preemption_retries": -1}, "preemption_retries: -1 is not at least 0"),
        ({"timeout_s": 0}, "timeout_s: 0 is not at least 1"),
        ({"token": ""}, "token: must have 1 to 64 characters"),
        ({"payload": {"Environment": {"X": "y" * 11_000}}}, "are more than AWS's 10240; move data to S3"),
        ({"payload": {"Environment": {1, 2}}}, "payload: cannot be written as JSON"),
        ({"payload": {"HyperParameters": {"rate": float("nan")}}}, "payload: cannot be written as JSON"),
    ],
)
def test_what_aws_would_refuse_is_told_before(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as error:
        submission(**settings)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"retry_strategy": {"attempt": 2}}, "job late: "),
        ({"retry_strategy": {"attempts": "two"}}, "retryStrategy.attempts"),
        ({"tags": {"team": 7}}, "tags.team"),
        ({"token": "the first's"}, 'job late: token: "the first\'s" is the token of job job, too'),
    ],
)
def test_nothing_is_submitted_where_botocore_does_not_know_what_one_job_says(
    settings: dict[str, Any], said: str
) -> None:
    sent = []

    class Recorder:
        def submit_service_job(self, **request: Any) -> dict[str, Any]:
            sent.append(request)
            return {"jobArn": "arn"}

    first = "the first's"
    jobs = [submission(token=first), submission(name="late", **settings)]
    with pytest.raises(InputError) as error:
        submit_jobs(jobs, "q", client=Recorder())
    assert said in str(error.value)
    assert sent == []


def test_who_may_not_submit_is_told_what_to_allow() -> None:
    class Closed:
        def submit_service_job(self, **_request: Any) -> dict[str, Any]:
            told: Any = {"Error": {"Code": "AccessDeniedException", "Message": "no"}}
            raise ClientError(told, "SubmitServiceJob")

    with pytest.raises(InputError, match=r"job job: no .*; allow batch:SubmitServiceJob on the queue and the share"):
        next(submit_jobs([submission()], "q", client=Closed()))


def test_the_payload_arrives_as_it_was_given(emulator: RunningEmulator) -> None:
    (receipt,) = submit_jobs([submission()], "q", client=emulator.batch)
    view = emulator.batch.describe_service_job(jobId=receipt.job_arn)
    assert json.loads(view["serviceRequestPayload"]) == PAYLOAD
