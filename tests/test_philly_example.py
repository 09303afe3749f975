"""The example over a whole real trace: every row accounted for, every claim judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from quota_verifier import read_policy, read_queue, verify

EXAMPLE = Path(__file__).parents[1] / "examples" / "philly"
TRACE = EXAMPLE / "../../../shared/traces/philly_sia.csv"


@pytest.mark.skipif(not TRACE.exists(), reason=f"the Philly trace is not at {TRACE.resolve()}")
def test_all_jobs_of_the_philly_trace_are_judged_under_the_biggest_virtual_clusters_as_shares():
    verdicts = verify(read_queue(EXAMPLE / "queue.yaml"), read_policy(EXAMPLE / "policy.yaml"))
    (found,) = verdicts.policies
    assert {verdict.claim.text: verdict.verdict for verdict in found.verdicts if not verdict.ok} == {}
    assert len(found.run.jobs) == 82_247


def test_the_philly_example_is_skipped_aloud_where_the_trace_is_missing(tmp_path):
    copy = tmp_path / "a" / "b" / "c" / "policy.yaml"
    copy.parent.mkdir(parents=True)
    copy.write_text((EXAMPLE / "policy.yaml").read_text())
    verdicts = verify(read_queue(EXAMPLE / "queue.yaml"), read_policy(copy))
    assert verdicts.policies == ()
    assert verdicts.skipped[0].reason.endswith("philly_sia.csv")
