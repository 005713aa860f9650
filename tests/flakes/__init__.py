"""The same tests many times in random orders: `python -m tests.flakes --runs 200`."""
