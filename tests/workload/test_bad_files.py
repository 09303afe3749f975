"""Whatever a file holds, reading it gives a workload or one clear message."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from workload_helpers import QUEUE, read

from quota_verifier.errors import InputError
from quota_verifier.workload import FORMATS

CHOICES: dict[str, dict[str, object]] = {
    "philly": {"timezone": "UTC", "shares": {"*": "QS1"}, "gpus_per_instance": 8},
    "philly-json": {"timezone": "UTC", "shares": {"*": "QS1"}, "gpus_per_instance": 8},
    "helios": {"timezone": "UTC", "shares": {"*": "QS1"}, "gpus_per_instance": 8},
    "swf": {"shares": {"*": "QS1"}, "processors_per_instance": 1},
    "service-jobs": {"shares": {"*": "QS1"}},
    "acme": {"shares": {"*": "QS1"}, "gpus_per_instance": 8, "group_by": "type"},
    "alibaba-pods": {"shares": {"*": "QS1"}, "gpus_per_instance": 1},
    "alibaba-spot": {"shares": {"*": "QS1"}, "gpus_per_instance": 1},
    "slurm": {"timezone": "UTC", "shares": {"*": "QS1"}, "gpus_per_instance": 8},
    "csv": {},
    "yaml": {},
    "json": {},
}
HEADERS = {
    "philly": "timestamp,duration,num_gpus,gpu_time,cluster\n",
    "helios": "job_id,user,vc,gpu_num,submit_time,start_time,end_time,duration\n",
    "acme": "job_id,user,type,gpu_num,submit_time,start_time,end_time,duration\n",
    "alibaba-pods": "name,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n",
    "alibaba-spot": "job_name,organization,gpu_model,gpu_request,worker_num,submit_time,duration,job_type\n",
    "slurm": "JobID|State|Submit|Start|End|AllocTRES\n",
    "csv": "id,share,submit,work,instances,demand,labels,fails,at,job,limits,environment,state\n",
}
KEYS = [
    "jobid", "vc", "user", "submitted_time", "attempts", "start_time", "end_time", "detail", "gpus",
    "jobSummaryList", "nextToken", "jobArn", "jobId", "status", "createdAt", "startedAt", "stoppedAt", "scheduledAt",
    "quotaShareName", "capacityUsage", "capacityUnit", "quantity", "serviceRequestPayload", "retryStrategy",
    "evaluateOnExit", "tags", "jobs", "updates", "id", "share", "submit", "work", "instances", "demand", "at", "job",
    "environment", "limits", "labels", "fails", "after", "retry_rules", "action",
]  # fmt: skip
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=10**12, max_value=10**13)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["2020-01-01 00:00:00", "2020-01-01T00:00:00Z", "5m", "QS1", "ml.g5.xlarge", "", "{}", "RUNNING"])
    | st.text(max_size=5)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=8),
    max_leaves=25,
)
cells = st.sampled_from(
    ["", "1", "-1", "0", "2.5", "x", "1e99", "2020-01-01 00:00:00", '"', "QS1", "null", "x=1", "{", "5m"]
)
quiet = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=80
)


def survives(path: Path, name: str) -> None:
    with contextlib.suppress(InputError):
        assert read(path, name, queue=QUEUE, **CHOICES[name]).jobs


@pytest.mark.parametrize("name", FORMATS)
@quiet
@given(text=st.text() | st.lists(st.lists(cells, min_size=3, max_size=20).map(",".join), max_size=5).map("\n".join))
def test_any_text_is_a_workload_or_bad_input(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / "any"
    path.write_text(HEADERS.get(name, "") + text, encoding="utf-8")
    survives(path, name)


@pytest.mark.parametrize("name", ["philly-json", "service-jobs", "json", "yaml"])
@quiet
@given(data=values | st.lists(values, max_size=4))
def test_any_data_is_a_workload_or_bad_input(tmp_path: Path, name: str, data: object) -> None:
    path = tmp_path / "any.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    survives(path, name)


PHILLY_ATTEMPT = {
    "start_time": "2020-01-01 00:00:00",
    "end_time": "2020-01-01 00:05:00",
    "detail": [{"ip": "m", "gpus": ["gpu0"]}],
}
PHILLY = {"jobid": "a", "vc": "v", "user": "u", "submitted_time": "2020-01-01 00:00:00", "attempts": [PHILLY_ATTEMPT]}
SERVICE = {
    "jobId": "a",
    "status": "SUCCEEDED",
    "createdAt": 10**12,
    "scheduledAt": 10**12,
    "startedAt": 10**12,
    "stoppedAt": 10**12 + 5,
    "quotaShareName": "QS1",
    "capacityUsage": [{"capacityUnit": "ml.g5.xlarge", "quantity": 1}],
    "serviceRequestPayload": "{}",
    "retryStrategy": {"attempts": 1, "evaluateOnExit": [{"action": "RETRY", "onStatusReason": "*"}]},
    "preemptionConfiguration": {"preemptionRetriesBeforeTermination": 1},
    "timeoutConfig": {"attemptDurationSeconds": 60},
    "tags": {"a": "b"},
}
ODD: list[object] = [None, True, 5, -1, 10**30, 10**400, 1.5, 1e999, "", "x", "{", [], [5], [[]], [{}], {}, {"a": 5}]


def paths(data: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of every value in `data`."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(found for key, value in inner for found in paths(value, (*path, key)))]


def replaced(data: object, path: tuple[str | int, ...], value: object) -> object:
    if not path:
        return value
    copy = dict(data) if isinstance(data, dict) else list(data) if isinstance(data, list) else data
    copy[path[0]] = replaced(copy[path[0]], path[1:], value)  # type: ignore[index]
    return copy


@pytest.mark.parametrize(("name", "job"), [("philly-json", PHILLY), ("service-jobs", SERVICE)])
def test_a_job_with_an_odd_value_anywhere_is_a_job_or_accounted_for(tmp_path: Path, name: str, job: object) -> None:
    path = tmp_path / "any.json"
    for where in paths(job):
        for odd in ODD:
            path.write_text(json.dumps([replaced(job, where, odd)]), encoding="utf-8")
            survives(path, name)


@pytest.mark.parametrize("odd", [None, 5, "x", {}, [5], [[]]])
def test_a_page_without_a_list_of_jobs_is_refused(tmp_path: Path, odd: object) -> None:
    path = tmp_path / "any.json"
    path.write_text(json.dumps([{"jobSummaryList": odd}]), encoding="utf-8")
    with pytest.raises(InputError, match=r"any\.json: jobSummaryList is not a list of jobs$"):
        read(path, "service-jobs", queue=QUEUE)
