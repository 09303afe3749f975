"""Formats of job files: one module each, and the table of them all."""
