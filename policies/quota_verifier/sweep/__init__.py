"""Sweeps: changes to a queue, all tried on the same workloads."""
