"""A policy over a trace that may be absent is skipped aloud, never passed."""

from __future__ import annotations

from pathlib import Path

import pytest

from quota_verifier import InputError, Queue, verify
from quota_verifier.model import Environment, Share

QUEUE = Queue(Environment({"ml.g5.xlarge": 1}), (Share("A", {"ml.g5.xlarge": 1}),))
POLICY = """\
workload:
  trace: {{file: week.csv, optional: {optional}}}
expect:
  - finished: all
"""
TRACE = "id,share,submit,work,instances\nj1,A,0,60,1\n"


def policy(folder: Path, *, optional: bool) -> Path:
    file = folder / "policy.yaml"
    file.write_text(POLICY.format(optional="true" if optional else "false"))
    return file


def test_an_absent_optional_trace_skips_the_policy_and_says_so(tmp_path: Path) -> None:
    found = verify(QUEUE, policy(tmp_path, optional=True))
    assert found.policies == ()
    assert [skip.reason for skip in found.skipped] == [f"there is no {tmp_path / 'week.csv'}"]


def test_an_optional_trace_that_is_there_is_judged(tmp_path: Path) -> None:
    (tmp_path / "week.csv").write_text(TRACE)
    found = verify(QUEUE, policy(tmp_path, optional=True))
    assert found.skipped == ()
    assert [verdict.verdict for verdict in found.policies[0].verdicts] == ["holds"]


def test_an_absent_trace_is_an_error_unless_it_is_optional(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"week\.csv"):
        verify(QUEUE, policy(tmp_path, optional=False))
