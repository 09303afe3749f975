"""I1-I10: what never breaks in a run, checked against the event log alone, whichever engine wrote it.

room         the arithmetic of sections 1 and 4, from scratch    claims    R14: who waits for capacity to be released
dispatches   I1-I3 and R14 at a dispatch                         victims   I4-I6 at a preemption
instants     I10 when an instant has ended                       records   I7 and I8 at the end of a run
checker      the replay that asks them, after a run or during it

I9 (permuted rows give an identical run) takes two runs; a property test checks it.
"""

from quota_verifier.scheduler.invariants.checker import InvariantError, Watcher, check_invariants
from quota_verifier.scheduler.invariants.violation import Violation

__all__ = ["InvariantError", "Violation", "Watcher", "check_invariants"]
