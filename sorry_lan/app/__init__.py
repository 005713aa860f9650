"""Puts the parts together: the loop that runs a table, and the one place that knows everybody."""
