"""Small queues, jobs and experiments for tests of what a change does to a workload."""

from __future__ import annotations

from quota_verifier.diff.subject import Subject
from quota_verifier.diff.trial import experiment
from quota_verifier.model import Environment, Job, Queue, Share, Strategy
from quota_verifier.workload import Workload

G5 = "ml.g5.xlarge"
HOUR, MINUTE = 3_600_000, 60_000
RESERVE, LEND, BORROW = Strategy.RESERVE, Strategy.LEND, Strategy.LEND_AND_BORROW


def share(name, limit, strategy=RESERVE, **rest):
    return Share(name, {G5: limit}, strategy, **rest)


def queue(capacity, *shares, **rest):
    return Queue(Environment({G5: capacity}), shares, **rest)


def job(id, of, submit_min, work_min, instances=1, **rest):
    return Job(id, of, submit_min * MINUTE, work_min * MINUTE, {G5: instances}, **rest)


def tried(old, new, *jobs, at=None, updates=(), restarted=(), queue_goes=False, refused=(), **rest):
    """OLD and NEW under these jobs, with the change at minute `at`."""
    subject = Subject(old, new, restarted=frozenset(restarted), queue_goes=queue_goes, refused=refused)
    workload = Workload(jobs, tuple(updates))
    return experiment(subject, workload, at_ms=None if at is None else at * MINUTE, **rest)


def states(run):
    """The last state of each job by id."""
    return {job.id: outcome.state.value for job, outcome in zip(run.jobs, run.outcomes, strict=True)}
