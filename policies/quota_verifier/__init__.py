"""The verifier: what a quota-managed AWS Batch queue does with a workload, and whether that is what you want.

The public names load on first use, so that `import quota_verifier` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quota_verifier.errors import InputError
    from quota_verifier.model import Queue
    from quota_verifier.policy.policy import Policy, read_policy
    from quota_verifier.policy.verdicts import Verdict
    from quota_verifier.policy.verifier import verify
    from quota_verifier.scheduler.assumptions import Assumptions
    from quota_verifier.scheduler.simulate import simulate
    from quota_verifier.scheduler.timing import Timing
    from quota_verifier.template.reader import read_queue
    from quota_verifier.workload.files import read_workload
    from quota_verifier.workload.workload import Workload

__all__ = [
    "Assumptions",
    "InputError",
    "Policy",
    "Queue",
    "Timing",
    "Verdict",
    "Workload",
    "read_policy",
    "read_queue",
    "read_workload",
    "simulate",
    "verify",
]

_HOMES = {
    "Assumptions": "scheduler.assumptions",
    "InputError": "errors",
    "Policy": "policy.policy",
    "Queue": "model",
    "Timing": "scheduler.timing",
    "Verdict": "policy.verdicts",
    "Workload": "workload.workload",
    "read_policy": "policy.policy",
    "read_queue": "template.reader",
    "read_workload": "workload.files",
    "simulate": "scheduler.simulate",
    "verify": "policy.verifier",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
