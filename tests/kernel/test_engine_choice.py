"""Which engine simulates, and what is said where the kernel cannot."""

import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from quota_verifier.errors import InputError
from quota_verifier.model import Environment, Job, JobUpdate, Queue, Share
from quota_verifier.scheduler import engines, simulate
from quota_verifier.workload import Workload
from quota_verifier.workload.columns import JobColumns, Shape, job_list

QUEUE = Queue(Environment({"g5": 2}), (Share("A", {"g5": 2}),))
POLICIES = Path(__file__).parents[2] / "policies"


def _workload(count: int, share: str = "A", asked: int = 1) -> Workload:
    rows = np.arange(count)
    return Workload(job_list(JobColumns(rows, rows * 1000, rows % 700, rows * 0, (Shape(share, {"g5": asked}),))))


def _without_numba(code: str) -> subprocess.CompletedProcess[str]:
    """Run code where numba and llvmlite cannot be imported."""
    blocker = """
        import sys

        class Blocker:
            def find_spec(self, name, path=None, target=None):
                if name.partition(".")[0] in ("numba", "llvmlite"):
                    raise ModuleNotFoundError(f"No module named {name!r}", name=name)

        sys.meta_path.insert(0, Blocker())
    """
    script = textwrap.dedent(blocker) + textwrap.dedent(code)
    paths = f"import sys; sys.path[:0] = [{str(POLICIES)!r}, {str(Path(__file__).parent)!r}]\n"
    return subprocess.run([sys.executable, "-c", paths + script], capture_output=True, text=True, check=False)


def test_few_jobs_go_to_the_reference_without_loading_numba():
    code = """
        from test_engine_choice import QUEUE, _workload
        from quota_verifier.scheduler import simulate
        assert simulate(QUEUE, _workload(20)).engine == "reference"
        assert "numba" not in sys.modules
    """
    script = f"import sys; sys.path[:0] = [{str(POLICIES)!r}, {str(Path(__file__).parent)!r}]\n" + textwrap.dedent(code)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_without_numba_the_kernel_engine_names_the_extra_to_install():
    done = _without_numba("""
        from test_engine_choice import QUEUE, _workload
        from quota_verifier.errors import InputError
        from quota_verifier.scheduler import simulate
        try:
            simulate(QUEUE, _workload(20), engine="kernel")
        except InputError as error:
            print(error)
    """)
    assert done.stderr == ""
    assert done.stdout.startswith("the kernel engine needs numba, which cannot be loaded (No module named")
    assert "pip install 'quota-shares[fast]'" in done.stdout


def test_without_numba_many_jobs_go_to_the_reference_with_a_hint():
    done = _without_numba("""
        from test_engine_choice import QUEUE, _workload
        from quota_verifier.scheduler import engines, simulate
        engines.KERNEL_FROM_JOBS = 100
        run = simulate(QUEUE, _workload(100))
        print(run.engine, len(run.events), *run.hints)
        print(simulate(QUEUE, _workload(99)).hints, simulate(QUEUE, _workload(100), engine="reference").hints)
    """)
    assert done.stderr == ""
    first, second = done.stdout.splitlines()
    assert first.startswith("reference 300 100 jobs on the reference engine: the kernel engine needs numba")
    assert "pip install 'quota-shares[fast]'" in first
    assert second == "() ()"


@pytest.mark.xdist_group("kernel")
def test_many_jobs_go_to_the_kernel_and_live_events_to_the_reference(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(engines, "KERNEL_FROM_JOBS", 100)
    assert simulate(QUEUE, _workload(100)).engine == "kernel"
    assert simulate(QUEUE, _workload(99)).engine == "reference"
    events: list[object] = []
    assert simulate(QUEUE, _workload(100), watch=events.append).engine == "reference"
    assert len(events) == 300


@pytest.mark.xdist_group("kernel")
def test_progress_is_told_by_the_kernel_too(monkeypatch: pytest.MonkeyPatch):
    from quota_verifier.scheduler.kernel import engine

    monkeypatch.setattr(engine, "_PROGRESS_STEP", 64)
    told: list[int] = []
    run = simulate(QUEUE, _workload(200), engine="kernel", progress=told.append)
    assert told == [64, 128, 192]
    assert run.events == simulate(QUEUE, _workload(200), engine="reference").events


def test_numbers_beyond_64_bits_are_refused_by_the_kernel_alone():
    huge = Workload((Job("a", "A", 0, 1 << 62, {"g5": 1}),))
    with pytest.raises(InputError, match="its times do not fit 64 bits; the reference engine can"):
        simulate(QUEUE, huge, engine="kernel")
    assert simulate(QUEUE, huge).end_ms == 1 << 62


@pytest.mark.parametrize("engine", ["reference", "kernel"])
def test_an_unknown_share_is_named_with_its_first_job_whatever_form_the_jobs_have(engine: engines.Engine):
    for workload in (_workload(3, "nobody"), Workload(tuple(_workload(3, "nobody").jobs))):
        with pytest.raises(InputError, match="job '0': unknown share 'nobody'; known: A"):
            simulate(QUEUE, workload, engine=engine)


def test_jobs_in_columns_are_checked_for_demand_and_updates_for_jobs():
    with pytest.raises(InputError, match="job '0': demand: asks for no instances"):
        simulate(QUEUE, _workload(3, asked=0))
    jobs = _workload(3).jobs
    with pytest.raises(InputError, match="unknown job 'x'"):
        simulate(QUEUE, Workload(jobs, (JobUpdate(5, "x", priority=1),)))
    with pytest.raises(InputError, match="job '2' is submitted only at 2000 ms"):
        simulate(QUEUE, Workload(jobs, (JobUpdate(5, "2", priority=1),)))
