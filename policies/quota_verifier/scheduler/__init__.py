"""The scheduler-core: what AWS Batch does with a quota-managed queue, as rules R1-R21 of the specification."""

from quota_verifier.scheduler.assumptions import QUESTIONS, Assumptions, assume, profiles
from quota_verifier.scheduler.run import Run
from quota_verifier.scheduler.simulate import simulate
from quota_verifier.scheduler.timing import Delay, Timing

__all__ = ["QUESTIONS", "Assumptions", "Delay", "Run", "Timing", "assume", "profiles", "simulate"]
