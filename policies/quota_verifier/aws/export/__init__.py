"""A declaration written down for other tools: one module for each format, all made from the same calls."""
