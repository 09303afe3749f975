"""R16, R19: jobs do not preempt each other in a circle over time."""

from __future__ import annotations

import pytest
from world import world

QUEUE = "g5 6", "S0 3 RESERVE; S1 2 L&B 50% in-share; S2 1 L&B in-share"
JOBS = "j3 S2 0 100 1 p2; j1 S1 9 100 3 p9; j4 S2 19 2 3 p9; j5 S1 20 1 1 p5"


@pytest.mark.parametrize("stop", [1, 4, 20])
def test_a_job_is_not_preempted_for_capacity_that_returns_to_its_owner(stop: int):
    # Under A1=skip j3 and j5 are owners of what j4 and j1 would need from each other's share: evicting one of them
    # in the hope of the other's capacity let both restart and be evicted again, for ever.
    played = world(*QUEUE, JOBS, assuming="A1=skip", stop=stop)
    # At 1 s j3 has stopped while j5 still runs, and starts again: j4 evicts it a second time when j5 has ended.
    assert played.preemptions == (["19 j3 by j4", "21 j3 by j4"] if stop == 1 else ["19 j3 by j4"])
    assert {outcome.state.name for outcome in played.run.outcomes} == {"SUCCEEDED"}
