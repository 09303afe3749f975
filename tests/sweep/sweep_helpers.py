"""A queue of two shares, a policy with random jobs, and sweeps of them in few words."""

from __future__ import annotations

from pathlib import Path

import yaml

from quota_verifier.model import Environment, Queue, Share, Strategy
from quota_verifier.policy import policy_from_data
from quota_verifier.report.sweep_document import sweep_document
from quota_verifier.sweep.executors import Here
from quota_verifier.sweep.plan import Plan, plan_sweep
from quota_verifier.sweep.sweep import run_sweep
from quota_verifier.sweep.variants import Axis, grid

ROOT = Path(__file__).parents[2]
G5 = "ml.g5.xlarge"
P5 = "ml.p5.48xlarge"

QUEUE = Queue(
    Environment({G5: 4}),
    (
        Share("A", {G5: 2}, Strategy.LEND_AND_BORROW, 100),
        Share("B", {G5: 2}, Strategy.LEND),
    ),
)
"""A may use B's idle two instances."""

GENERATED = """
workload:
  generate:
    seed: 1
    duration: 8h
    classes:
      - {name: a, share: A, rate: 3, work: {distribution: exponential, mean: 40m}, checkpoint: 5m}
      - {name: b, share: B, rate: 1, work: 20m}
timing: {startup: 1m, stop: 10s}
expect:
  - {share: B, reclaimed_within: 1m}
  - {share: A, wait: {p95: <= 90m}}
"""

FIXED = """
workload:
  jobs:
    - {id: a1, share: A, work: 1h, instances: 2}
    - {id: a2, share: A, work: 1h, instances: 2}
    - {id: b1, share: B, submit: 10m, work: 30m, instances: 1}
expect:
  - {share: A, wait: {max: <= 30m}}
  - {share: A, preemptions: 0}
"""

LIMITS = Axis("shares.A.borrow_limit", (0, 100))


def policy(text: str = GENERATED, source: str = "policy.yaml"):
    return policy_from_data(yaml.safe_load(text), source=source)


def planned(*axes: Axis, queue: Queue = QUEUE, policies=(GENERATED,), seeds=3, **rest) -> Plan:
    given = [policy(text) if isinstance(text, str) else text for text in policies]
    return plan_sweep(queue, given, grid(axes, queue), seeds=seeds, **rest)


def swept(*axes: Axis, **rest):
    return ran(planned(*axes, **rest))


def ran(plan: Plan, **rest):
    return run_sweep(plan, Here(), in_flight=1, **rest)


def document(found):
    return sweep_document(found, "queue.yaml")


def named(found, name: str):
    """The outcome of a variant, by its name."""
    (outcome,) = [outcome for outcome in found.variants if outcome.variant.name == name]
    return outcome


def value(outcome, found, objective: str):
    """The estimate of an objective."""
    return outcome.estimates[[what.name for what in found.plan.objectives].index(objective)]
