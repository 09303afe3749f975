"""A queue to read workloads for, files to read, and the shared inputs where they are at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from quota_verifier.errors import InputError
from quota_verifier.model import Environment, Queue, Share
from quota_verifier.workload import TraceOptions, Workload, read_workload

SHARED = Path(__file__).parents[3] / "shared"

G5 = "ml.g5.xlarge"
P5 = "ml.p5.48xlarge"
QUEUE = Queue(Environment({G5: 3}), (Share("QS1", {G5: 1}), Share("QS2", {G5: 1}), Share("QS3", {G5: 1})))
TWO_UNITS = Queue(Environment({G5: 3, P5: 2}), (Share("QS1", {G5: 1, P5: 1}), Share("QS2", {G5: 1})))


def shared(name: str) -> Path:
    """A shared input; the test is skipped where there is none."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"needs ../shared/{name}, which is not part of the repository")
    return path


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def read(path: Path, format: str | None = None, queue: Queue | None = None, **options: object) -> Workload:  # noqa: A002
    return read_workload(path, queue=queue, format=format, options=TraceOptions.model_validate(options))


def message(path: Path, format: str | None = None, queue: Queue | None = None, **options: object) -> str:  # noqa: A002
    """The message that reading `path` gives, with the folder left out."""
    with pytest.raises(InputError) as caught:
        read(path, format, queue, **options)
    return str(caught.value).replace(f"{path.parent}/", "")


def instance_ms(workload: Workload) -> int:
    return sum(job.work_ms * job.instances for job in workload.jobs)
