"""Queues, envelopes and searches in few words."""

from __future__ import annotations

import yaml

from quota_verifier.model import Environment, Queue, Share, Strategy
from quota_verifier.policy import Policy, policy_from_data
from quota_verifier.search import Limits, SearchResult, search

G5 = "ml.g5.xlarge"
P5 = "ml.p5.48xlarge"
RESERVED = Queue(
    Environment({G5: 3}),
    (
        Share("QS1", {G5: 1}, Strategy.LEND_AND_BORROW, 200, in_share_preemption=True),
        Share("QS2", {G5: 1}, Strategy.LEND),
        Share("QS3", {G5: 1}, Strategy.RESERVE),
    ),
    source="queue.yaml",
)
"""AWS's worked example: QS3 keeps its instance for itself."""

LENT = Queue(RESERVED.environment, (*RESERVED.shares[:2], Share("QS3", {G5: 1}, Strategy.LEND)), source="queue.yaml")
"""As RESERVED, but QS3 lends."""

TIMING = {"startup": "3m", "stop": "20s"}

THREE = """
- {name: sweep, share: QS1, work: {min: 5m, max: 4h}, priority: {min: 0, max: 10}}
- {name: nightly, share: QS2, work: {min: 5m, max: 4h}}
- {name: urgent, share: QS3, work: {min: 5m, max: 20m}, at_most: {jobs: 1, per: 30m}}
"""
"""One class a share, jobs of one instance; the jobs of QS3 never overlap."""


def policy(expect: str, classes: str = THREE, horizon: str = "1d", jobs: int | None = None, **rest: object) -> Policy:
    """A policy of claims and an envelope, both in YAML; its own workload is one job."""
    data: dict[str, object] = {
        "workload": {"jobs": [{"id": "own", "share": "QS1", "work": "1h", "demand": {G5: 1}}]},
        "envelope": {"horizon": horizon, "classes": yaml.safe_load(classes)},
        "expect": yaml.safe_load(expect),
        **rest,
    }
    if jobs is not None:
        data["envelope"] = {**data["envelope"], "jobs": jobs}  # type: ignore[dict-item]
    return policy_from_data(data, source="policy.yaml")


def searched(queue: Queue, read: Policy, tries: int = 300, **rest: object) -> SearchResult:
    """A search without a limit of time; `rest` are limits, or arguments of `search`."""
    names = ("seed", "most_jobs", "at_least")
    limits = Limits(seconds=None, tries=tries, **{name: rest.pop(name) for name in names if name in rest})  # type: ignore[arg-type]
    return search(queue, read, limits=limits, **rest)  # type: ignore[arg-type]


def jobs_by_share(result: SearchResult) -> dict[str, int]:
    """How many jobs of each share the counterexample has."""
    assert result.counterexample is not None
    shares = [job.share for job in result.counterexample.jobs]
    return {share: shares.count(share) for share in sorted(set(shares))}
