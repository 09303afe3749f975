"""AWS's queue of three shares, and policies in few words."""

from __future__ import annotations

from pathlib import Path

import yaml

from quota_verifier.model import Environment, Queue, Share, Strategy
from quota_verifier.policy import PolicyVerdicts, Verdict, policy_from_data, verify

G5 = "ml.g5.xlarge"
P5 = "ml.p5.48xlarge"
ROOT = Path(__file__).parents[2]

NOTEBOOK = Queue(
    Environment({G5: 3}),
    (
        Share("QS1", {G5: 1}, Strategy.LEND_AND_BORROW, 200, in_share_preemption=True),
        Share("QS2", {G5: 1}, Strategy.LEND),
        Share("QS3", {G5: 1}, Strategy.RESERVE),
    ),
)
"""C01: AWS's worked example."""

NOTEBOOK_JOBS = """
jobs:
  - {id: high, share: QS1, work: 1h, instances: 1, priority: 3}
  - {id: med, share: QS1, work: 1h, instances: 1, priority: 2}
  - {id: low, share: QS1, work: 1h, instances: 1, priority: 1}
  - {id: qs2j, share: QS2, submit: 10s, work: 1h, instances: 1, priority: 1}
updates:
  - {at: 20s, job: low, priority: 4}
"""

LENT = Queue(
    Environment({G5: 4}),
    (Share("A", {G5: 2}, Strategy.LEND_AND_BORROW), Share("B", {G5: 2}, Strategy.LEND)),
)
"""A may use B's idle two instances."""


def judged(queue: Queue, jobs: str, claims: str, **rest) -> PolicyVerdicts:
    """The verdicts on claims written as YAML, by default under the default assumptions alone."""
    data = {"workload": yaml.safe_load(jobs), "expect": yaml.safe_load(claims), "under": "default", **rest}
    return verify(queue, policy_from_data(data)).policies[0]


def one(queue: Queue, jobs: str, claim: str, **rest) -> Verdict:
    """The verdict on a single claim, written as YAML without its dash."""
    (verdict,) = judged(queue, jobs, f"- {claim}", **rest).verdicts
    return verdict
