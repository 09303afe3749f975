"""What snapshots keep, and the meta-test that finds assertions which compare nothing (C38)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from syrupy.assertion import SnapshotAssertion

from quota_verifier.model import Environment, Queue, Share, Strategy
from quota_verifier.pytest_plugin import collection  # noqa: F401 (numpy must not be imported first in a run of pytester)
from quota_verifier.testing import FiguresSnapshotExtension, bare_snapshot_assertions, run_workload
from quota_verifier.testing.snapshots import rounded

pytest_plugins = ["pytester"]

G5 = "ml.g5.xlarge"
QUEUE = Queue(Environment({G5: 1}), (Share("A", {G5: 1}, Strategy.RESERVE),))


def jobs(work: str):
    return [{"id": name, "share": "A", "work": work, "instances": 1} for name in ("a", "b", "c")]


@pytest.fixture
def figures_snapshot(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(FiguresSnapshotExtension)


def written(data: object) -> str:
    return str(FiguresSnapshotExtension().serialize(data))


def test_the_figures_of_a_simulation_are_as_pinned(figures_snapshot):
    assert run_workload(QUEUE, jobs("1h")).share("A") == figures_snapshot


def test_a_change_of_less_than_a_thousandth_is_no_change():
    base = written(run_workload(QUEUE, jobs("10000s")))
    assert written(run_workload(QUEUE, jobs("10001s"))) == base
    assert written(run_workload(QUEUE, jobs("10100s"))) != base


def test_a_snapshot_takes_a_simulation_its_figures_and_parts_of_them():
    done = run_workload(QUEUE, jobs("1h"))
    assert written(done) == written(done.figures)
    assert written(done.share("A")) == written(done.figures.shares[0])
    assert written({"ratio": Fraction(1, 3)}) == written({"ratio": 0.3333})


@pytest.mark.parametrize(
    ("value", "kept"),
    [(0, 0), (7, 7), (999, 999), (82_247, 82_200), (0.123456, 0.123), (3600.0, 3600), (-1234, -1230), (True, True)],
)
def test_numbers_keep_three_digits(value, kept):
    assert rounded({"b": [value], "a": None}) == {"a": None, "b": [kept]}
    assert list(rounded({"b": 1, "a": 2})) == ["a", "b"]


BARE = [
    "assert snapshot",
    "assert json_snapshot",
    "assert self.snapshot",
    "assert snapshot(name='a')",
    "assert snapshot.use_extension(X)",
    "assert snapshot, 'message'",
    "assert not snapshot",
    "assert x == 1 and snapshot",
    "assert snapshot is not None",
    "assert (s := snapshot)",
]
COMPARED = [
    "assert x == snapshot",
    "assert snapshot == x",
    "assert x == snapshot(name='a')",
    "assert x == snapshot.use_extension(X)",
    "assert [x] == [snapshot]",
    "assert take_snapshot()",
    "assert snapshots",
    "assert 'snapshot'",
]


@pytest.mark.parametrize("line", BARE)
def test_an_assertion_that_compares_a_snapshot_with_nothing_is_found(tmp_path, line):
    file = tmp_path / "test_it.py"
    file.write_text(f"def test_it(self, snapshot, json_snapshot, x):\n    {line}\n")
    assert bare_snapshot_assertions(tmp_path) == [f"{file}:2: {line}"]
    assert bare_snapshot_assertions([file]) == [f"{file}:2: {line}"]


@pytest.mark.parametrize("line", COMPARED)
def test_an_assertion_that_compares_is_fine(tmp_path, line):
    (tmp_path / "test_it.py").write_text(f"def test_it(snapshot, x):\n    {line}\n")
    assert bare_snapshot_assertions(tmp_path) == []


def test_syrupy_passes_what_the_meta_test_finds(pytester):
    test = pytester.makepyfile("def test_it(snapshot):\n    assert snapshot\n")
    pytester.runpytest().assert_outcomes(passed=1)
    assert len(bare_snapshot_assertions(test)) == 1
