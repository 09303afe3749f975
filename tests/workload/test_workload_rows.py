"""Workload files in YAML and JSON: what is read, and what is said of mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest
from workload_helpers import G5, P5, QUEUE, TWO_UNITS, message, read, write

from quota_verifier.errors import InputError
from quota_verifier.model import (
    EnvironmentUpdate,
    Failure,
    Job,
    JobUpdate,
    RetryRule,
    ShareUpdate,
    Strategy,
)
from quota_verifier.workload import FORMATS, Workload, workload_from_data

FULL = """\
jobs:
  - id: high
    share: QS1
    submit: 5m
    work: 1h
    demand: {ml.g5.xlarge: 2}
    priority: 3
    attempts: 2
    preemption_retries: 0
    timeout: 2h
    checkpoint: 10m
    fails:
      - {after: 5m, reason: "CapacityError: none left"}
      - {after: 1.5}
    retry_rules:
      - {action: retry, on_status_reason: "Capacity*"}
      - {action: EXIT}
    labels: {class: urgent, gpus: 8}
  - {id: 17, share: QS2, work: 90, instances: 1}
updates:
  - {at: 1h, share: QS1, limits: {ml.g5.xlarge: 2}, strategy: lend_and_borrow, borrow_limit: 0}
  - {at: 20s, job: 17, priority: 4}
  - {at: 30s, job: 17, terminate: true}
  - {at: 2h, share: QS2, in_share_preemption: true, state: disabled}
  - {at: 3h, environment: {ml.g5.xlarge: 1}}
  - {at: 4h, environment: null, state: ENABLED}
"""


def test_every_field_of_a_workload_file_is_read(tmp_path: Path) -> None:
    workload = read(write(tmp_path, "w.yaml", FULL), queue=QUEUE)
    assert workload.jobs == (
        Job("17", "QS2", 0, 90_000, {G5: 1}),
        Job(
            "high",
            "QS1",
            300_000,
            3_600_000,
            {G5: 2},
            priority=3,
            attempts=2,
            preemption_retries=0,
            timeout_ms=7_200_000,
            checkpoint_ms=600_000,
            failures=(Failure(300_000, "CapacityError: none left"), Failure(1_500)),
            retry_rules=(RetryRule("RETRY", "Capacity*"), RetryRule("EXIT", "*")),
            labels={"class": "urgent", "gpus": "8"},
        ),
    )
    assert workload.updates == (
        JobUpdate(20_000, "17", priority=4),
        JobUpdate(30_000, "17", terminate=True),
        ShareUpdate(3_600_000, "QS1", limits={G5: 2}, strategy=Strategy.LEND_AND_BORROW, borrow_limit=0),
        ShareUpdate(7_200_000, "QS2", in_share_preemption=True, enabled=False),
        EnvironmentUpdate(10_800_000, limits={G5: 1}),
        EnvironmentUpdate(14_400_000, enabled=True),
    )
    assert workload.rules == {}


def test_json_and_yaml_give_the_same_workload(tmp_path: Path) -> None:
    text = '{"jobs": [{"id": "a", "share": "QS1", "work": "5m", "demand": {"ml.g5.xlarge": 1}}]}'
    assert read(write(tmp_path, "w.json", text)).jobs == read(write(tmp_path, "w.yaml", text)).jobs


def jobs(*rows: dict[str, object], **data: object) -> Workload:
    base = {"share": "QS1", "work": "5m"}
    numbered = [{"id": f"j{number}", **base, **row} for number, row in enumerate(rows)]
    return workload_from_data({"jobs": numbered, **data}, source="w.yaml", line_of=lambda _path: 7)


@pytest.mark.parametrize(
    ("rows", "units"),
    [
        ([{"instances": 2}, {"demand": {P5: 1}}], [{P5: 2}, {P5: 1}]),
        ([{"instances": 2}, {"demand": {P5: 1}}, {"demand": {P5: 3}}], [{P5: 2}, {P5: 1}, {P5: 3}]),
    ],
)
def test_without_a_queue_instances_are_of_the_one_unit_that_the_file_names(
    rows: list[dict[str, object]], units: list[dict[str, int]]
) -> None:
    assert [job.demand for job in jobs(*rows).jobs] == units


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (
            [{"instances": 1}],
            "w.yaml:7: jobs[0].instances: instances of which unit? none is known; "
            "write demand: {ml.g5.xlarge: 1}, or name the unit",
        ),
        (
            [{"demand": {G5: 1}}, {"demand": {P5: 1}}, {"instances": 1}],
            "w.yaml:7: jobs[2].instances: instances of which unit? 2 are in play: ml.g5.xlarge, ml.p5.48xlarge; "
            "write demand: {ml.g5.xlarge: 1}, or name the unit",
        ),
    ],
)
def test_instances_of_an_unknown_unit_are_refused(rows: list[dict[str, object]], text: str) -> None:
    with pytest.raises(InputError) as caught:
        jobs(*rows)
    assert str(caught.value) == text


def test_instances_are_of_the_unit_that_is_chosen(tmp_path: Path) -> None:
    path = write(tmp_path, "w.yaml", "jobs: [{id: a, share: QS1, work: 1, instances: 2}]")
    assert read(path, queue=TWO_UNITS, unit=P5).jobs[0].demand == {P5: 2}


def test_dates_count_from_the_earliest_of_jobs_and_updates(tmp_path: Path) -> None:
    text = """\
jobs:
  - {id: b, share: QS1, submit: "2026-03-01T09:00:00+01:00", work: 1, instances: 1}
  - {id: a, share: QS1, submit: "2026-03-01T09:00:00Z", work: 1, instances: 1}
updates:
  - {at: "2026-03-01T07:59:59.5Z", share: QS1, borrow_limit: 5}
"""
    workload = read(write(tmp_path, "w.yaml", text), queue=QUEUE)
    assert [(job.id, job.submit_ms) for job in workload.jobs] == [("b", 500), ("a", 3_600_500)]
    assert workload.updates[0].at_ms == 0
    assert workload.rules == {"start": "2026-03-01T07:59:59.500000Z"}


def test_dates_without_a_zone_are_read_in_the_zone_that_is_named(tmp_path: Path) -> None:
    text = """\
jobs:
  - {id: a, share: QS1, submit: 2026-03-01T08:00:00, work: 1, instances: 1}
  - {id: b, share: QS1, submit: "2026-03-01T08:00:00Z", work: 1, instances: 1}
"""
    path = write(tmp_path, "w.yaml", text)
    workload = read(path, queue=QUEUE, timezone="Europe/Berlin")
    assert [(job.id, job.submit_ms) for job in workload.jobs] == [("a", 0), ("b", 3_600_000)]
    assert workload.rules == {"start": "2026-03-01T07:00:00Z", "timezone": "Europe/Berlin"}
    assert message(path, queue=QUEUE) == (
        "w.yaml:2: jobs[0].submit: the date '2026-03-01T08:00:00' has no zone; "
        "append Z or an offset such as +01:00, or name the time zone (timezone: Europe/Berlin)"
    )


@pytest.mark.parametrize(
    ("second", "text"),
    [
        (
            "submit: 5m,",
            "w.yaml:3: jobs[1].submit: '5m' is a duration, but '2026-03-01T08:00:00Z' at w.yaml:2: "
            "jobs[0].submit is a date; write all times of a file in one form",
        ),
        (
            "",
            "w.yaml:3: jobs[1].submit: '0s' is a duration, but '2026-03-01T08:00:00Z' at w.yaml:2: "
            "jobs[0].submit is a date; write all times of a file in one form",
        ),
    ],
)
def test_durations_and_dates_do_not_mix_in_one_file(tmp_path: Path, second: str, text: str) -> None:
    path = write(
        tmp_path,
        "w.yaml",
        "jobs:\n"
        '  - {id: a, share: QS1, submit: "2026-03-01T08:00:00Z", work: 1, instances: 1}\n'
        f"  - {{id: b, share: QS1, {second} work: 1, instances: 1}}\n",
    )
    assert message(path, queue=QUEUE) == text


def test_a_checkpoint_can_be_given_to_all_jobs_that_name_none(tmp_path: Path) -> None:
    text = (
        "jobs: [{id: a, share: s, work: 1, demand: {u: 1}, checkpoint: 5m}, {id: b, share: s, work: 1, demand: {u: 1}}]"
    )
    workload = read(write(tmp_path, "w.yaml", text), checkpoint="1h")
    assert [job.checkpoint_ms for job in workload.jobs] == [300_000, 3_600_000]
    assert workload.rules == {"checkpoint": "1h"}


JOB = "id: a, share: QS1, work: 5m, instances: 1"

MISTAKES = [
    (
        f"jobs: [{{{JOB}, pri: 1}}]",
        "w.yaml:1: jobs[0].pri: unknown key 'pri'; known are id, share, submit, work, demand, instances, "
        "priority, attempts, preemption_retries, timeout, checkpoint, fails, retry_rules, labels",
    ),
    (f"job: [{{{JOB}}}]", "w.yaml:1: job: unknown key 'job'; did you mean 'jobs'?"),
    ("jobs: [{share: QS1, work: 1, instances: 1}]", "w.yaml:1: jobs[0].id: is missing; add 'id'"),
    ("jobs: [{id: a, share: QS1, instances: 1}]", "w.yaml:1: jobs[0].work: is missing; add 'work'"),
    (
        "jobs: [{id: a, share: QS1, work: 1}]",
        "w.yaml:1: jobs[0]: neither `demand` nor `instances` is given; "
        "give one: demand: {ml.g5.xlarge: 1}, or instances: 1",
    ),
    (
        f"jobs: [{{{JOB}, demand: {{x: 1}}}}]",
        "w.yaml:1: jobs[0]: both `demand` and `instances` are given; "
        "give one: demand: {ml.g5.xlarge: 1}, or instances: 1",
    ),
    (
        "jobs: [{id: a, share: QS1, work: 1, demand: {ml.g5.xlarge: 0}}]",
        'w.yaml:1: jobs[0].demand["ml.g5.xlarge"]: 0 is below 1; write 1 or more',
    ),
    (
        "jobs: [{id: a, share: QS1, work: 1, demand: {}}]",
        "w.yaml:1: jobs[0].demand: has 0 items; give at least 1",
    ),
    (
        "jobs: [{id: a, share: QS1, work: -5m, instances: 1}]",
        "w.yaml:1: jobs[0].work: '-5m' is a negative duration; write 0 or more",
    ),
    (
        f"jobs:\n- {{{JOB}}}\n- {{{JOB}}}",
        "w.yaml:3: jobs[1].id: job id 'a' was given before, at w.yaml:2: jobs[0].id; give every job its own id",
    ),
    (
        "jobs: [{id: ' a', share: QS1, work: 1, instances: 1}]",
        "w.yaml:1: jobs[0].id: ' a' is empty, starts or ends with a space, or holds a character that does not print; "
        "write a plain name",
    ),
    (f"jobs: [{{{JOB}, priority: 10000}}]", "w.yaml:1: jobs[0].priority: 10000 is above 9999; write 9999 or less"),
    (
        f"jobs: [{{{JOB}, priority: true}}]",
        "w.yaml:1: jobs[0].priority: true is not a whole number; write a number such as 4",
    ),
    (f"jobs: [{{{JOB}, attempts: 11}}]", "w.yaml:1: jobs[0].attempts: 11 is above 10; write 10 or less"),
    (f"jobs: [{{{JOB}, attempts: 0}}]", "w.yaml:1: jobs[0].attempts: 0 is below 1; write 1 or more"),
    (
        f"jobs: [{{{JOB}, preemption_retries: -1}}]",
        "w.yaml:1: jobs[0].preemption_retries: -1 is below 0; write 0 or more",
    ),
    (f"jobs: [{{{JOB}, timeout: 0}}]", "w.yaml:1: jobs[0].timeout: 0 is not above 0; write more than 0"),
    (f"jobs: [{{{JOB}, checkpoint: 0}}]", "w.yaml:1: jobs[0].checkpoint: 0 is not above 0; write more than 0"),
    (
        f"jobs: [{{{JOB}, retry_rules: [{{action: again}}]}}]",
        "w.yaml:1: jobs[0].retry_rules[0].action: 'again' is not allowed; write 'RETRY' or 'EXIT'",
    ),
    (
        f"jobs: [{{{JOB}, retry_rules: [{', '.join(['{action: EXIT}'] * 6)}]}}]",
        "w.yaml:1: jobs[0].retry_rules: has more than 5 items; give at most 5",
    ),
    (f"jobs: [{{{JOB}, fails: [{{}}]}}]", "w.yaml:1: jobs[0].fails[0].after: is missing; add 'after'"),
    ("jobs: []", "w.yaml:1: jobs: the workload has no jobs; give at least one"),
    (
        "jobs: [{id: a, share: QS4, work: 1, instances: 1}]",
        "w.yaml:1: jobs[0].share: the queue has no share 'QS4'; known are QS1, QS2, QS3",
    ),
    (
        "jobs: [{id: a, share: QS1, work: 1, demand: {ml.p5.48xlarge: 1}}]",
        "w.yaml:1: jobs[0].demand: neither the environment nor a share lists the unit 'ml.p5.48xlarge'; "
        "known are ml.g5.xlarge",
    ),
]


@pytest.mark.parametrize(("text", "said"), MISTAKES, ids=[said.split(": ", 1)[1][:60] for _, said in MISTAKES])
def test_a_mistake_in_a_job_is_named_with_its_place_and_its_remedy(tmp_path: Path, text: str, said: str) -> None:
    assert message(write(tmp_path, "w.yaml", text), queue=QUEUE) == said


UPDATE_MISTAKES = [
    (
        "{at: 1, jop: a, priority: 1}",
        "updates[0]: the update names neither job, share nor environment; did you mean 'job'?",
    ),
    (
        "{at: 1, state: DISABLED}",
        "updates[0]: the update names neither job, share nor environment; "
        "say what it changes (environment: null with a state alone)",
    ),
    ("{at: 1, job: a, share: QS1}", "updates[0]: the update names job and share; write one update for each"),
    ("{at: 1, job: a}", "updates[0]: changes nothing; give `priority: 5` or `terminate: true`"),
    (
        "{at: 1, job: a, priority: 1, terminate: true}",
        "updates[0]: changes two things; give `priority: 5` or `terminate: true`",
    ),
    (
        "{at: 1, share: QS1}",
        "updates[0]: changes nothing; give limits, strategy, borrow_limit, in_share_preemption or state",
    ),
    (
        "{at: 1, environment: null}",
        "updates[0]: changes nothing; give environment: {ml.g5.xlarge: 4} or state: DISABLED",
    ),
    (
        "{at: 1, share: QS1, strategy: SHARE}",
        "updates[0].strategy: 'SHARE' is not allowed; write 'RESERVE', 'LEND' or 'LEND_AND_BORROW'",
    ),
    ("{at: 1, share: QS1, borrow_limit: -2}", "updates[0].borrow_limit: -2 is below -1; write -1 or more"),
    (
        "{at: 1, share: QS1, limits: {ml.g5.xlarge: -1}}",
        'updates[0].limits["ml.g5.xlarge"]: -1 is below 0; write 0 or more',
    ),
    ("{share: QS1, borrow_limit: 2}", "updates[0].at: is missing; add 'at'"),
    (
        "{at: 1, job: a, priorty: 2}",
        "updates[0].priorty: unknown key 'priorty'; did you mean 'priority'?",
    ),
    (
        "{at: 1, job: b, priority: 2}",
        "updates[0].job: the workload has no job 'b'; known are a",
    ),
    (
        "{at: 1, share: QS9, borrow_limit: 2}",
        "updates[0].share: the queue has no share 'QS9'; known are QS1, QS2, QS3",
    ),
    (
        "{at: 1, job: a, priority: 2}, {at: 1s, job: a, priority: 3}",
        "updates[1]: the job 'a' is updated twice at 1s; join the two, or set them apart in time",
    ),
    (
        "{at: 1, environment: {ml.g5.xlarge: 2}}, {at: 1s, environment: null, state: DISABLED}",
        "updates[1]: the environment is updated twice at 1s; join the two, or set them apart in time",
    ),
]


@pytest.mark.parametrize(("row", "said"), UPDATE_MISTAKES, ids=[said[:60] for _, said in UPDATE_MISTAKES])
def test_a_mistake_in_an_update_is_named_with_its_place_and_its_remedy(tmp_path: Path, row: str, said: str) -> None:
    path = write(tmp_path, "w.yaml", f"jobs: [{{{JOB}}}]\nupdates: [{row}]")
    assert message(path, queue=QUEUE) == f"w.yaml:2: {said}"


def test_an_update_of_a_job_before_its_submission_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "w.yaml", f"jobs: [{{{JOB}, submit: 5m}}]\nupdates: [{{at: 1, job: a, priority: 2}}]")
    assert message(path, queue=QUEUE) == (
        "w.yaml:2: updates[0].at: the job 'a' is submitted only at 5m; "
        "update it later, or give it the priority from the start"
    )


def test_a_unit_that_an_update_brings_may_be_asked_for(tmp_path: Path) -> None:
    text = f"""\
jobs: [{{id: a, share: QS1, work: 1, demand: {{{P5}: 1}}}}]
updates: [{{at: 1h, share: QS1, limits: {{{P5}: 1}}}}]
"""
    assert read(write(tmp_path, "w.yaml", text), queue=QUEUE).jobs[0].demand == {P5: 1}


def test_the_order_of_rows_does_not_matter(tmp_path: Path) -> None:
    # C45: rows in any order, none dropped; a job that fits nowhere is the scheduler's to report.
    rows = [
        f"{{id: j{number}, share: QS1, submit: {at}, work: 5, instances: {size}}}"
        for number, at, size in ((1, 50, 2), (2, 0, 6), (3, 10, 2), (4, 10, 1))
    ]
    forward = read(write(tmp_path, "a.yaml", f"jobs: [{', '.join(rows)}]"), queue=QUEUE)
    backward = read(write(tmp_path, "b.yaml", f"jobs: [{', '.join(reversed(rows))}]"), queue=QUEUE)
    assert [job.id for job in forward.jobs] == ["j2", "j3", "j4", "j1"]
    assert forward.jobs == backward.jobs


def test_a_file_that_is_not_there_or_no_workload_file_is_refused(tmp_path: Path) -> None:
    assert message(tmp_path / "none.yaml") == "none.yaml: no such file"
    assert message(write(tmp_path, "e.yaml", "")) == "e.yaml: the file is empty"
    assert message(write(tmp_path, "l.yaml", "[1]")) == "l.yaml:1: a list is not a map; write key: value pairs"
    assert message(write(tmp_path, "w.txt", "")) == (
        "w.txt: the ending '.txt' does not tell the format; name the format: " + ", ".join(FORMATS)
    )
    assert message(write(tmp_path, "w", "")) == ("w: the name has no ending; name the format: " + ", ".join(FORMATS))
    assert message(write(tmp_path, "w.json", ""), "phily") == (
        "w.json: no format is called 'phily'; did you mean 'philly'?"
    )
