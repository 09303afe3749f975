"""Workloads: the jobs and updates that a queue is tried on, from files, traces or generators."""

from quota_verifier.workload.workload import Skipped, Workload

__all__ = ["Skipped", "Workload"]
