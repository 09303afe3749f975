"""Jobs in columns are the same jobs, in the same canonical order, as jobs in records."""

from random import Random

import numpy as np
import pytest
from arbitrary_worlds import arbitrary_world

from quota_verifier.errors import InputError
from quota_verifier.model import Failure, Job, JobUpdate, RetryRule
from quota_verifier.workload import Workload
from quota_verifier.workload.columns import JobColumns, Shape, columns_of, job_list, workload_columns
from quota_verifier.workload.job_list import JobList

SHAPES = (Shape("A", {"g5": 1}), Shape("B", {"g5": 2, "p5": 1}))


def _columns(ids: object, submit: list[int]) -> JobColumns:
    count = len(submit)
    names = np.array(ids) if isinstance(ids, list) and all(isinstance(name, int) for name in ids) else ids
    return JobColumns(names, np.array(submit), np.full(count, 5), np.arange(count) % 2, SHAPES)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(30))
def test_jobs_survive_the_way_into_columns_and_back(seed: int):
    jobs = arbitrary_world(seed).workload.jobs
    listed = job_list(columns_of(jobs))
    assert listed == jobs
    assert tuple(listed) == jobs
    assert listed[-1] == jobs[-1]
    assert listed[1:4] == jobs[1:4]


@pytest.mark.parametrize("seed", range(10))
def test_columns_in_any_order_of_rows_become_the_canonical_order(seed: int):
    jobs = arbitrary_world(seed, jobs=40).workload.jobs
    mixed = Random(seed).sample(jobs, len(jobs))  # noqa: S311
    assert job_list(columns_of(mixed)) == jobs


def test_whole_numbers_as_ids_are_ordered_as_the_texts_they_stand_for():
    numbers = [10, 9, 100, 1, 2, 0, 11, 1000]
    submit = [5, 5, 5, 5, 5, 5, 5, 4]
    by_number = job_list(_columns(numbers, submit))
    by_text = job_list(_columns([str(number) for number in numbers], submit))
    assert [job.id for job in by_number] == ["1000", "0", "1", "10", "100", "11", "2", "9"]
    assert by_number == by_text


def test_ids_of_more_digits_than_64_bits_can_scale_are_ordered_as_texts_too():
    numbers = [9_000_000_000_000_000_000, 10, 9]
    assert [job.id for job in job_list(_columns(numbers, [0, 0, 0]))] == ["10", "9", "9000000000000000000"]


def test_every_property_of_a_job_has_its_column():
    job = Job(
        "j", "A", 3, 7, {"g5": 2}, priority=4, attempts=3, preemption_retries=0, timeout_ms=0, checkpoint_ms=5,
        failures=(Failure(1, "CapacityError: none"),), retry_rules=(RetryRule("EXIT", "Algo*"),), labels={"team": "x"},
    )  # fmt: skip
    assert job_list(columns_of((job,)))[0] == job


def test_failures_stay_with_their_job_when_rows_are_put_in_order():
    columns = JobColumns(
        ["b", "a"], np.array([0, 0]), np.array([5, 5]), np.array([0, 0]), SHAPES, failures={0: (Failure(1),)}
    )
    assert [(job.id, len(job.failures)) for job in job_list(columns)] == [("a", 0), ("b", 1)]


def test_an_id_that_stands_twice_is_refused_in_either_form():
    for ids in ([3, 1, 3], ["3", "1", "3"]):
        with pytest.raises(InputError, match="job id '3' stands for several jobs"):
            job_list(_columns(ids, [0, 1, 2]))


def test_columns_of_unequal_length_are_refused():
    columns = JobColumns(["a", "b"], np.array([0, 0]), np.array([5]), np.array([0, 0]), SHAPES)
    with pytest.raises(InputError, match="1 values in the column work_ms, but 2 in submit_ms"):
        job_list(columns)


def test_a_shape_that_is_not_there_is_refused():
    columns = JobColumns(["a"], np.array([0]), np.array([5]), np.array([2]), SHAPES)
    with pytest.raises(InputError, match="names rows 2 to 2 of shapes; there are 2, from 0 on"):
        job_list(columns)


def test_a_workload_keeps_jobs_in_columns_and_makes_columns_of_records_once():
    listed = job_list(_columns([1, 2], [0, 1]))
    assert Workload(listed).jobs is listed
    assert workload_columns(Workload(listed)) is listed.columns
    workload = Workload(tuple(listed), (JobUpdate(1, "1", priority=2),))
    assert workload_columns(workload) is workload_columns(workload)
    assert JobList(workload_columns(workload)) == workload.jobs


def test_rows_are_found_by_id_in_either_form():
    for ids in ([10, 20, 30], ["10", "20", "30"]):
        assert job_list(_columns(ids, [0, 1, 2])).columns.rows_of(["30", "10", "7", "x", "010"]) == {"10": 0, "30": 2}
