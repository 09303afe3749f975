from __future__ import annotations

import json
from pathlib import Path

import pytest
from workload_helpers import G5, P5, QUEUE, message, read, shared, write

from quota_verifier.errors import InputError
from quota_verifier.model import Job, RetryRule
from quota_verifier.workload import TraceOptions, workload_from_service_jobs
from quota_verifier.workload.readers.service_jobs import service_jobs

T0 = 1_750_000_000_000
ARN = "arn:aws:batch:us-east-1:111122223333:service-job/{}".format


def summary(name: str, **changes: object) -> dict[str, object]:
    job: dict[str, object] = {
        "jobArn": ARN(name),
        "jobId": name,
        "jobName": f"train-{name}",
        "serviceJobType": "SAGEMAKER_TRAINING",
        "quotaShareName": "QS1",
        "status": "SUCCEEDED",
        "createdAt": T0,
        "scheduledAt": T0 + 60_000,
        "startedAt": T0 + 90_000,
        "stoppedAt": T0 + 390_000,
        "capacityUsage": [{"capacityUnit": G5, "quantity": 2.0}],
    }
    return {key: value for key, value in {**job, **changes}.items() if value is not None}


def page(*jobs: dict[str, object], following: str | None = None) -> dict[str, object]:
    return {"jobSummaryList": list(jobs), **({"nextToken": following} if following else {})}


def test_every_page_is_read_also_after_an_empty_one() -> None:
    # C56: 100, 0, 100 and 50 jobs; a reader that stops at the empty page gets 100.
    path = shared("cases/C56_pages.json")
    assert len(list(service_jobs(json.loads(path.read_text("utf-8"))))) == 250
    assert message(path, "service-jobs", queue=QUEUE) == (
        "C56_pages.json: the trace holds no job to use; of its rows, no createdAt: 250"
    )


@pytest.mark.parametrize("separate", [False, True])
def test_pages_become_jobs_with_times_in_milliseconds(tmp_path: Path, separate: bool) -> None:
    pages = [page(summary("a"), following="t"), page(following="u"), page(summary("b", createdAt=T0 + 5))]
    text = "\n".join(map(json.dumps, pages)) if separate else json.dumps(pages)
    workload = read(write(tmp_path, "h.json", text), "service-jobs", queue=QUEUE)
    labels = {"group": "QS1", "name": "train-a"}
    assert workload.jobs == (
        Job("a", "QS1", 0, 300_000, {G5: 2}, labels=labels),
        Job("b", "QS1", 5, 300_000, {G5: 2}, labels={**labels, "name": "train-b"}),
    )
    assert workload.queue_delays == {"a": 60_000, "b": 59_995}
    assert workload.rules == {
        "start": "2025-06-15T15:06:40Z",
        "work": "stoppedAt minus startedAt, which the API tells of the last run",
    }
    assert workload.warnings == ()


def test_a_description_tells_the_settings_of_the_submission(tmp_path: Path) -> None:
    payload = {
        "ResourceConfig": {
            "InstanceGroups": [{"InstanceType": G5, "InstanceCount": 2}, {"InstanceType": G5, "InstanceCount": 1}]
        }
    }
    job = summary(
        "a",
        capacityUsage=None,
        serviceRequestPayload=json.dumps(payload),
        schedulingPriority=7,
        retryStrategy={
            "attempts": 3,
            "evaluateOnExit": [{"action": "Retry", "onStatusReason": "x*"}, {"action": "EXIT"}],
        },
        preemptionConfiguration={"preemptionRetriesBeforeTermination": 0},
        timeoutConfig={"attemptDurationSeconds": 60},
        tags={"team": "vision"},
    )
    workload = read(write(tmp_path, "h.json", json.dumps(job)), "service-jobs", queue=QUEUE, checkpoint="5m")
    assert workload.jobs == (
        Job(
            "a",
            "QS1",
            0,
            300_000,
            {G5: 3},
            priority=7,
            attempts=3,
            preemption_retries=0,
            timeout_ms=60_000,
            checkpoint_ms=300_000,
            retry_rules=(RetryRule("RETRY", "x*"), RetryRule("EXIT", "*")),
            labels={"team": "vision", "name": "train-a", "group": "QS1"},
        ),
    )


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"createdAt": None}, "no createdAt"),
        ({"createdAt": 1_750_000_000}, "createdAt is not in milliseconds since 1970"),
        ({"status": "RUNNABLE", "startedAt": None, "stoppedAt": None}, "never started (RUNNABLE)"),
        ({"status": "FAILED", "startedAt": None}, "never started (FAILED)"),
        ({"status": None, "startedAt": None}, "no startedAt"),
        ({"stoppedAt": T0 + 80_000}, "ends before it starts"),
        ({"capacityUsage": None}, "no capacityUsage in whole instances"),
        ({"capacityUsage": [{"capacityUnit": G5, "quantity": 1.5}]}, "no capacityUsage in whole instances"),
        ({"capacityUsage": None, "serviceRequestPayload": "{"}, "no capacityUsage in whole instances"),
        ({"quotaShareName": None}, "no quotaShareName"),
    ],
)
def test_a_job_that_tells_too_little_is_skipped_with_a_reason(
    tmp_path: Path, changes: dict[str, object], reason: str
) -> None:
    text = json.dumps([summary("a"), summary("b", **changes)])
    workload = read(write(tmp_path, "h.json", text), "service-jobs", queue=QUEUE)
    assert [job.id for job in workload.jobs] == ["a"]
    assert [(skip.where, skip.reason) for skip in workload.skipped] == [("job b", reason)]


@pytest.mark.parametrize("changes", [{"status": "RUNNING", "stoppedAt": None}, {"status": "RUNNABLE"}])
def test_a_job_that_is_not_over_is_censored(tmp_path: Path, changes: dict[str, object]) -> None:
    text = json.dumps([summary("a"), summary("b", **changes)])
    workload = read(write(tmp_path, "h.json", text), "service-jobs", queue=QUEUE)
    assert (len(workload.jobs), workload.censored, workload.skipped) == (1, 1, ())


def test_a_job_listed_under_two_states_counts_once_in_its_later_state(tmp_path: Path) -> None:
    early = summary("a", status="RUNNING", stoppedAt=None)
    for pages in ([page(early), page(summary("a"))], [page(summary("a")), page(early)]):
        workload = read(write(tmp_path, "h.json", json.dumps(pages)), "service-jobs", queue=QUEUE)
        assert (len(workload.jobs), workload.censored, workload.merged) == (1, 0, 1)


def test_an_incomplete_list_is_a_warning(tmp_path: Path) -> None:
    text = json.dumps([page(summary("a"), following="more")])
    assert read(write(tmp_path, "h.json", text), "service-jobs", queue=QUEUE).warnings == (
        "the last page has a nextToken: the list is not complete",
    )


def test_a_list_of_running_jobs_alone_says_why_it_is_no_use() -> None:
    running = [summary(name, status="RUNNING", stoppedAt=None) for name in "ab"]
    with pytest.raises(InputError) as caught:
        workload_from_service_jobs(running, source="live", options=TraceOptions(), queue=QUEUE)
    assert str(caught.value) == (
        "live: the trace holds no job to use; of its rows, end unknown: 2 "
        "(every job is RUNNING: ListServiceJobs tells other jobs by status alone)"
    )


def test_shares_can_be_renamed(tmp_path: Path) -> None:
    path = write(tmp_path, "h.json", json.dumps([summary("a", quotaShareName="old")]))
    assert read(path, "service-jobs", queue=QUEUE, shares={"old": "QS2"}).jobs[0].share == "QS2"
    assert message(path, "service-jobs", queue=QUEUE) == (
        "h.json: job 'a': share: the queue has no share 'old'; known are QS1, QS2, QS3"
    )


def test_an_instance_type_that_the_queue_lacks_is_refused(tmp_path: Path) -> None:
    usage = [{"capacityUnit": P5, "quantity": 1.0}]
    path = write(tmp_path, "h.json", json.dumps([summary("a", capacityUsage=usage)]))
    assert message(path, "service-jobs", queue=QUEUE) == (
        f"h.json: job 'a': demand: neither the environment nor a share lists the unit '{P5}'; known are {G5}"
    )


@pytest.mark.parametrize("text", ["5", '{"jobs": []}', "[[1]]"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, text: str) -> None:
    assert message(write(tmp_path, "h.json", text), "service-jobs", queue=QUEUE) == (
        "h.json: neither a page of ListServiceJobs nor a service job; "
        "give answers of ListServiceJobs or DescribeServiceJob"
    )
