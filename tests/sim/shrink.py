"""The fewest faults of a failing seed that still make it fail: delta debugging over the plan's list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tests.sim.plan import Fault, Wanted, plan_of
from tests.sim.world import run


def shrink(seed: int, wanted: Wanted, most: int = 60) -> tuple[Wanted, tuple[Fault, ...], str]:
    """What is left out in the end, the faults that remain, and what then goes wrong; at most `most` more runs."""
    every = range(len(plan_of(seed, replace(wanted, without=frozenset())).faults))
    left = most
    wrong = [run(seed, wanted).wrong or "nothing goes wrong"]

    def fails(kept: Sequence[int]) -> bool:
        nonlocal left
        if left <= 0:
            return False
        left -= 1
        found = run(seed, replace(wanted, without=frozenset(every) - frozenset(kept))).wrong
        if found is not None:
            wrong[0] = found
        return found is not None

    kept = fewest([number for number in every if number not in wanted.without], fails)
    smaller = replace(wanted, without=frozenset(every) - frozenset(kept))
    return smaller, plan_of(seed, smaller).faults, wrong[0]


def fewest(items: list[int], fails: Callable[[Sequence[int]], bool]) -> list[int]:
    """A small part of `items` that still fails, if the whole does; none where even that is not needed."""
    if not items or fails([]):
        return []
    parts = 2
    while len(items) > 1:
        size = -(-len(items) // parts)
        chunks = [items[at : at + size] for at in range(0, len(items), size)]
        for chunk in chunks:
            rest = [item for item in items if item not in chunk]
            if fails(rest):
                items, parts = rest, max(parts - 1, 2)
                break
        else:
            if parts >= len(items):
                break
            parts = min(len(items), 2 * parts)
    return items
