"""Figures of jobs in columns are those of the same jobs in records."""

import pytest
from arbitrary_worlds import arbitrary_world

from quota_verifier.figures import job_columns, summarize
from quota_verifier.figures.groups import with_labels
from quota_verifier.model import Environment, Job, Queue, Share
from quota_verifier.scheduler import simulate
from quota_verifier.workload import Workload
from quota_verifier.workload.columns import columns_of, job_list


@pytest.mark.parametrize("seed", range(1, 21))
def test_figures_do_not_depend_on_the_form_of_the_jobs(seed: int):
    world = arbitrary_world(seed)
    listed = Workload(job_list(columns_of(world.workload.jobs)), world.workload.updates)
    runs = [
        simulate(world.queue, workload, assumptions=world.assumptions, timing=world.timing, until_ms=world.until_ms)
        for workload in (world.workload, listed)
    ]
    assert summarize(runs[0]) == summarize(runs[1])
    assert job_columns(world.queue, runs[0].jobs).units == job_columns(world.queue, runs[1].jobs).units


def test_labels_of_jobs_in_columns_group_them():
    labels = ({}, {"team": "x"}, {"team": "y", "user": "u"}, {"team": "x"})
    jobs = tuple(Job(str(index), "A", index, 5, {"g5": 1}, labels=marks) for index, marks in enumerate(labels))
    listed = job_list(columns_of(jobs))
    queue = Queue(Environment({"g5": 2}), (Share("A", {"g5": 2}),))
    found = [summarize(simulate(queue, Workload(form))).labels for form in (jobs, listed)]
    assert found[0] == found[1]
    assert {name: group.jobs.jobs for name, group in found[1].items()} == {"team=x": 2, "team=y": 1, "user=u": 1}
    assert with_labels(listed, [("team", "y")]).tolist() == with_labels(jobs, [("team", "y")]).tolist()
