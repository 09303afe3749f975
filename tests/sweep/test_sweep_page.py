"""The page on sweeps says what the command takes, and its examples run."""

from __future__ import annotations

import re

import pytest
import yaml
from sweep_helpers import ROOT

from quota_verifier.model import Environment, Queue, Share, Strategy
from quota_verifier.sweep.measures import NAMES, objective
from quota_verifier.sweep.settings import SHARE_FIELDS
from quota_verifier.sweep.smallest import NEIGHBOURS
from quota_verifier.sweep.sweep_file import SweepFile
from quota_verifier.sweep.variants import Axis, grid, read_sweep_file, variants_of

PAGE = (ROOT / "docs" / "sweeps.md").read_text(encoding="utf-8")
G5 = "ml.g5.xlarge"
NOTEBOOK = Queue(
    Environment({G5: 3}),
    (
        Share("QS1", {G5: 1}, Strategy.LEND_AND_BORROW, 200),
        Share("QS2", {G5: 1}, Strategy.LEND),
        Share("QS3", {G5: 1}, Strategy.RESERVE),
    ),
)


def test_the_sweep_file_of_the_page_is_one(tmp_path):
    (text,) = re.findall(r"```yaml\n# sweep\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "sweep.yaml"
    path.write_text(text)
    file, axes, listed = read_sweep_file(str(path))
    assert len(variants_of(NOTEBOOK, (*grid(axes, NOTEBOOK), *listed))) == 1 + 8 + 1
    assert [objective(name, NOTEBOOK).name for name in file.objectives] == yaml.safe_load(text)["objectives"]


def test_the_program_of_the_page_runs(monkeypatch, capsys):
    (text,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    monkeypatch.chdir(ROOT / "examples" / "sweep")
    exec(compile(text, "docs/sweeps.md", "exec"), {})  # noqa: S102 (our own page)
    assert capsys.readouterr().out.startswith("['baseline'")


@pytest.mark.parametrize("word", [*NAMES, *SweepFile.model_fields])
def test_the_page_names_every_key_and_objective(word):
    assert f"`{word}`" in PAGE


@pytest.mark.parametrize("field", SHARE_FIELDS)
def test_the_page_names_every_property(field):
    assert f"`shares.NAME.{field}`" in PAGE


def test_the_page_says_how_many_neighbours_bisection_tries():
    assert NEIGHBOURS == 3
    assert "then tries the three below what it finds" in PAGE


def test_a_grid_of_the_page_is_legal():
    assert grid([Axis("shares.QS1.borrow_limit", (0, 100, 200))], NOTEBOOK)
