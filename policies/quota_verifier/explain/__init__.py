"""Why a job stands where it stands at an instant of a run, told from the run's event log alone.

moment       the state at an instant            standing   the one reason that decides, as a code
account      the numbers behind it, by unit     sentences  the reason in words
line         who is ahead in a share's order    holders    who holds how much
starts       when it starts, under A1-A10       remedies   what would let it start, tried in the simulation
preemptions  every preemption, with candidates  trial      a dry run of one more job
"""

from quota_verifier.explain.explain import Explanation, Link, explain
from quota_verifier.explain.preemptions import Candidate, Preemption, preemptions
from quota_verifier.explain.standing import Standing
from quota_verifier.explain.trial import Trial, try_job

__all__ = [
    "Candidate",
    "Explanation",
    "Link",
    "Preemption",
    "Standing",
    "Trial",
    "explain",
    "preemptions",
    "try_job",
]
