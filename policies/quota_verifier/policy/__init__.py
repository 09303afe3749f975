"""Policies: what must hold, and the verdict on it."""
