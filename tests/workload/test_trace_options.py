"""What traces need to be told, and the rules that all of them share."""

from __future__ import annotations

from pathlib import Path

import pytest
from workload_helpers import G5, QUEUE, TWO_UNITS, message, read, write

from quota_verifier.errors import InputError
from quota_verifier.validation import validate_file
from quota_verifier.workload import FORMATS, Skipped, TraceSpec, read_trace

HEADER = "timestamp,duration,num_gpus,gpu_time,cluster\n"
ROWS = (
    "2020-01-01 10:00:00,100,1,100,red\n"
    "2020-01-01 09:00:00,50,9,450,blue\n"
    "2020-01-01 12:00:00,10,8,80,green\n"
    "2020-01-02 09:00:00,20,16,320,red\n"
)
ALL = {"timezone": "UTC", "shares": {"*": "QS1"}, "gpus_per_instance": 8}


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return write(tmp_path, "t.csv", HEADER + ROWS)


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        (
            "timezone",
            "t.csv: the format philly needs timezone: its dates are local and name no zone; "
            "name it, such as timezone: America/Los_Angeles",
        ),
        (
            "shares",
            "t.csv: the format philly needs shares: it names groups, not shares; "
            "map them, such as shares: {groupA: QS1, '*': QS2}",
        ),
        (
            "gpus_per_instance",
            "t.csv: the format philly needs gpus_per_instance: it counts GPUs, not instances; "
            "say it, such as gpus_per_instance: 8",
        ),
    ],
)
def test_choices_that_a_trace_leaves_open_must_be_made(trace: Path, missing: str, said: str) -> None:
    given = {name: value for name, value in ALL.items() if name != missing}
    assert message(trace, "philly", queue=QUEUE, **given) == said


def test_choices_that_a_format_has_no_use_for_are_refused(trace: Path) -> None:
    assert message(trace, "philly", queue=QUEUE, **ALL, group_by="user") == (
        "t.csv: the format philly has no use for group_by; "
        "leave it out; known are timezone, shares, unit, gpus_per_instance, checkpoint, since, until"
    )


def test_groups_go_to_their_shares_and_gpus_to_instances_rounded_up(trace: Path) -> None:
    workload = read(
        trace,
        "philly",
        queue=QUEUE,
        timezone="UTC",
        shares={"red": "QS1", "blue": "QS2"},
        gpus_per_instance=8,
        checkpoint="10m",
    )
    assert [(job.id, job.share, job.submit_ms, job.demand) for job in workload.jobs] == [
        ("1", "QS2", 0, {G5: 2}),
        ("2", "QS1", 3_600_000, {G5: 1}),
        ("4", "QS1", 86_400_000, {G5: 2}),
    ]
    assert workload.skipped == (Skipped("3", "group 'green' has no share"),)
    assert {job.checkpoint_ms for job in workload.jobs} == {600_000}
    assert workload.jobs[0].labels == {"group": "blue"}
    assert workload.rules == {
        "timezone": "UTC",
        "unit": G5,
        "checkpoint": "10m",
        "shares": "blue to QS2, red to QS1",
        "instances": "GPUs divided by 8, rounded up",
        "start": "2020-01-01T09:00:00Z",
        "ids": "by submission, duration, GPUs, cluster",
    }


def test_a_star_takes_the_groups_that_are_not_named(trace: Path) -> None:
    workload = read(trace, "philly", queue=QUEUE, **{**ALL, "shares": {"red": "QS3", "*": "QS2"}})
    assert [job.share for job in workload.jobs] == ["QS2", "QS3", "QS2", "QS3"]
    assert workload.skipped == ()


def test_a_group_that_the_trace_does_not_mention_is_a_warning(trace: Path) -> None:
    workload = read(trace, "philly", queue=QUEUE, **{**ALL, "shares": {"*": "QS1", "rde": "QS2"}})
    assert workload.warnings == ("shares names the group 'rde', which the trace does not mention",)


def test_a_share_that_the_queue_does_not_have_is_refused(trace: Path) -> None:
    assert message(trace, "philly", queue=QUEUE, **{**ALL, "shares": {"red": "QS9"}}) == (
        "t.csv: shares: the queue has no share 'QS9'; known are QS1, QS2, QS3"
    )


def test_the_unit_must_be_named_where_the_queue_has_several(trace: Path) -> None:
    assert message(trace, "philly", queue=TWO_UNITS, **ALL) == (
        "t.csv: unit: instances of which unit? 2 are in play: ml.g5.xlarge, ml.p5.48xlarge; "
        "name it, such as unit: ml.g5.xlarge"
    )
    assert message(trace, "philly", **ALL) == (
        "t.csv: unit: instances of which unit? none is known; name it, such as unit: ml.g5.xlarge"
    )
    assert read(trace, "philly", queue=TWO_UNITS, **ALL, unit=G5).jobs[0].demand == {G5: 2}


@pytest.mark.parametrize(
    ("window", "ids"),
    [
        ({"since": "1h"}, ["2", "3", "4"]),
        ({"until": "1h"}, ["1"]),
        ({"since": "1h", "until": "3h"}, ["2"]),
        ({"since": "2020-01-01T12:00:00Z"}, ["3", "4"]),
        ({"since": "2020-01-01T12:00:01Z"}, ["4"]),
        ({"until": "2020-01-01T11:00:00+01:00"}, ["1"]),
        ({"until": "2020-01-02"}, ["1", "2", "3"]),
    ],
)
def test_a_window_takes_part_of_a_trace(trace: Path, window: dict[str, str], ids: list[str]) -> None:
    workload = read(trace, "philly", queue=QUEUE, **ALL, **window)
    assert [job.id for job in workload.jobs] == ids
    assert workload.jobs[0].submit_ms == 0
    assert workload.skipped_by_reason == {"submitted outside the window": 4 - len(ids)}


def test_a_trace_of_which_no_job_is_left_says_what_became_of_them(trace: Path) -> None:
    assert message(trace, "philly", queue=QUEUE, **{**ALL, "shares": {"red": "QS1"}}, until="1h") == (
        "t.csv: the trace holds no job to use; "
        "of its rows, group 'blue' has no share: 1, submitted outside the window: 3"
    )


def test_many_jobs_at_the_first_instant_are_a_warning(tmp_path: Path) -> None:
    # C53: they may stand for jobs that were there before the recording started.
    path = write(tmp_path, "t.csv", HEADER + "2020-01-01 10:00:00,100,1,100,red\n" * 21 + ROWS.split("\n")[3] + "\n")
    assert read(path, "philly", queue=QUEUE, **ALL).warnings == (
        "jobs at the first instant, which some traces use for 'before the recording' (recording_start): 21",
    )


def test_a_policy_file_names_its_trace_relative_to_itself(trace: Path) -> None:
    given = {**ALL, "checkpoint": "10m", "since": "1h"}
    spec = validate_file(TraceSpec, {"file": "t.csv", "format": "philly", **given}, "policy.yaml")
    workload = read_trace(spec, base=trace.parent, queue=QUEUE)
    assert workload == read(trace, "philly", queue=QUEUE, **given)
    assert {job.checkpoint_ms for job in workload.jobs} == {600_000}
    with pytest.raises(InputError) as caught:
        validate_file(TraceSpec, {"file": "t.csv", "fromat": "philly"}, "policy.yaml", lambda _path: 3)
    assert str(caught.value) == "policy.yaml:3: fromat: unknown key 'fromat'; did you mean 'format'?"


def test_every_format_is_in_one_table() -> None:
    assert list(FORMATS) == [
        "json", "yaml", "csv", "philly", "philly-json", "swf", "helios", "acme", "alibaba-pods", "alibaba-spot",
        "slurm", "service-jobs",
    ]  # fmt: skip
    assert all(name == reader.name and reader.summary for name, reader in FORMATS.items())
