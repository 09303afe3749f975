"""Workload: canonical order, the account of rows, and the checks of workloads made in Python."""

from __future__ import annotations

from dataclasses import replace

import pytest
from workload_helpers import G5, P5, QUEUE

from quota_verifier.errors import InputError
from quota_verifier.model import EnvironmentUpdate, Failure, Job, JobUpdate, ShareUpdate, Update
from quota_verifier.workload import Skipped, Workload, check_workload

JOB = Job("a", "QS1", 0, 1_000, {G5: 1})


def test_jobs_are_ordered_by_submission_then_id_and_updates_by_time_then_subject() -> None:
    # C44: the order of rows never shows.
    rows = (replace(JOB, id="c", submit_ms=5), replace(JOB, id="b", submit_ms=5), JOB)
    updates: tuple[Update, ...] = (
        ShareUpdate(9, "QS2", borrow_limit=1),
        JobUpdate(9, "b", priority=1),
        ShareUpdate(9, "QS1", borrow_limit=1),
        EnvironmentUpdate(9, enabled=False),
        JobUpdate(8, "c", priority=1),
    )
    workload = Workload(rows, updates)
    assert [job.id for job in workload.jobs] == ["a", "b", "c"]
    assert workload == Workload(rows[::-1], updates[::-1])
    assert workload.updates == (updates[4], updates[3], updates[1], updates[2], updates[0])


def test_two_jobs_of_one_id_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        Workload((JOB, JOB, replace(JOB, id="b")), source="w.swf")
    assert str(caught.value) == "w.swf: job id 'a' stands for 2 jobs; give every job its own id"


def test_skipped_rows_are_counted_by_reason_most_first() -> None:
    skipped = tuple(Skipped(f"line {n}", reason) for n, reason in enumerate(["no size", "blank", "no size", "a"]))
    assert list(Workload((JOB,), skipped=skipped).skipped_by_reason.items()) == [("no size", 2), ("a", 1), ("blank", 1)]


def test_a_sound_workload_passes_with_or_without_a_queue() -> None:
    workload = Workload((JOB,), (JobUpdate(5, "a", priority=3),))
    assert check_workload(workload, QUEUE) is workload
    assert check_workload(workload) is workload


@pytest.mark.parametrize(
    ("jobs", "updates", "said"),
    [
        ([], [], "the workload has no jobs; give at least one"),
        ([replace(JOB, share="QS9")], [], "job 'a': share: the queue has no share 'QS9'; known are QS1, QS2, QS3"),
        (
            [replace(JOB, demand={P5: 1, G5: 1})],
            [],
            f"job 'a': demand: neither the environment nor a share lists the unit '{P5}'; known are {G5}",
        ),
        ([replace(JOB, demand={})], [], "job 'a': demand: the job asks for nothing; ask for 1 instance or more"),
        (
            [replace(JOB, demand={G5: 0})],
            [],
            "job 'a': demand: the job asks for 0 of ml.g5.xlarge; ask for 1 instance or more",
        ),
        ([replace(JOB, work_ms=-1_500)], [], "job 'a': work: -1.5s is negative; write 0 or more"),
        ([replace(JOB, submit_ms=-1)], [], "job 'a': submit: -1ms is negative; write 0 or more"),
        ([replace(JOB, work_ms=2**60)], [], "job 'a': work: is longer than any schedule; write less than 1000000w"),
        ([replace(JOB, priority=10_000)], [], "job 'a': priority: 10000 is out of range; write 0 to 9999"),
        ([replace(JOB, attempts=11)], [], "job 'a': attempts: 11 is out of range; write 1 to 10"),
        (
            [replace(JOB, preemption_retries=-1)],
            [],
            "job 'a': preemption_retries: -1 is out of range; write null, or 0 and more",
        ),
        ([replace(JOB, timeout_ms=0)], [], "job 'a': timeout: 0s is too short; write 1ms or more"),
        ([replace(JOB, checkpoint_ms=0)], [], "job 'a': checkpoint: 0s is too short; write 1ms or more"),
        ([replace(JOB, failures=(Failure(-5),))], [], "job 'a': fails: 0: after: -5ms is negative; write 0 or more"),
        ([JOB], [JobUpdate(0, "b", priority=1)], "update 1: job: the workload has no job 'b'; known are a"),
        ([JOB], [JobUpdate(-1, "a", priority=1)], "update 1: at: -1ms is negative; write 0 or more"),
        ([JOB], [JobUpdate(1, "a", priority=-1)], "update 1: priority: -1 is out of range; write 0 to 9999"),
        (
            [JOB],
            [JobUpdate(1, "a", priority=1), ShareUpdate(1, "QS9", borrow_limit=1)],
            "update 2: share: the queue has no share 'QS9'; known are QS1, QS2, QS3",
        ),
    ],
)
def test_a_workload_that_makes_no_sense_is_refused(jobs: list[Job], updates: list[Update], said: str) -> None:
    with pytest.raises(InputError) as caught:
        check_workload(Workload(tuple(jobs), tuple(updates), source="here"), QUEUE)
    assert str(caught.value) == f"here: {said}"


def test_among_many_jobs_the_nearest_id_is_proposed() -> None:
    jobs = tuple(replace(JOB, id=f"job-{number:03d}") for number in range(50))
    with pytest.raises(InputError) as caught:
        check_workload(Workload(jobs, (JobUpdate(0, "jobb-007", priority=1),)))
    assert str(caught.value) == "update 1: job: the workload has no job 'jobb-007'; did you mean 'job-007'?"
    with pytest.raises(InputError) as caught:
        check_workload(Workload(jobs, (JobUpdate(0, "xyzzy", priority=1),)))
    assert str(caught.value) == "update 1: job: the workload has no job 'xyzzy'; name one of its jobs"
