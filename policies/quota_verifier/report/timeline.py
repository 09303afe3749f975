"""The timeline of a run, for reports and verdicts; the text itself belongs to the scheduler-core's log."""

from quota_verifier.scheduler.timeline import timeline

__all__ = ["timeline"]
