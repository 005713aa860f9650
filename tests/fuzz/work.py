"""One chunk of executions: what a worker process runs can't stand in __main__."""

from __future__ import annotations

from tests.fuzz.corpus import seeds
from tests.fuzz.mutate import Mutator
from tests.fuzz.targets import TARGETS, tried


def work(job: tuple[str, int, int]) -> tuple[str, int, int, str]:
    """One chunk: its target, how many bytes were tried and let through, and what escaped."""
    name, seed, count = job
    target, mutator, through = TARGETS[name], Mutator(seeds(name), seed), 0
    for number in range(count):
        data = mutator.next()
        try:
            through += tried(target, data)
        except Exception as wrong:  # noqa: BLE001 - any escape is what is looked for
            return name, number + 1, through, f"{type(wrong).__name__}: {wrong} with {data.hex()}"
    return name, count, through, ""
