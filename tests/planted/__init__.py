"""Deliberately wrong variants of the product, and what finds each: `python -m tests.planted`."""
