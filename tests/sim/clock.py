"""Simulated time and chance: one heap of things to do in integer microseconds, and one dice a concern.

A dice draws floats only: the derived methods of `random` may differ from one Python to the next, `random()` does not.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")
MS = 1_000
S = 1_000_000


class Loop:
    """What is to be done, in order of time; what is due at one moment, in the order it was asked for."""

    __slots__ = ("_count", "_heap", "now_us")

    def __init__(self) -> None:
        self.now_us = S
        self._heap: list[tuple[int, int, Callable[..., None], tuple[Any, ...]]] = []
        self._count = 0

    def at(self, when_us: int, what: Callable[..., None], *args: object) -> None:
        """Do `what(*args)` at `when_us`, or now where that is past."""
        self._count += 1
        heapq.heappush(self._heap, (max(self.now_us, when_us), self._count, what, args))

    def after(self, delay_us: int, what: Callable[..., None], *args: object) -> None:
        """Do `what(*args)` `delay_us` from now."""
        self._count += 1
        heapq.heappush(self._heap, (self.now_us + delay_us, self._count, what, args))

    def run(self, stop: Callable[[], bool], end_us: int) -> None:
        """Go on until `stop()` holds, nothing is left, or `end_us` is reached."""
        heap, pop = self._heap, heapq.heappop
        while heap and not stop():
            when_us, _, what, args = pop(heap)
            if when_us > end_us:
                self.now_us = end_us
                return
            self.now_us = when_us
            what(*args)


class Dice:
    """The chance of one concern, fixed by the seed and the concern's name: adding another concern changes nothing."""

    __slots__ = ("_roll",)

    def __init__(self, seed: object, concern: str) -> None:
        self._roll = Random(f"{seed}/{concern}").random

    def under(self, ways: int) -> int:
        """A number of 0..ways-1."""
        return int(self._roll() * ways)

    def between(self, low: int, high: int) -> int:
        """A number of low..high, both included."""
        return low + int(self._roll() * (high - low + 1))

    def chance(self, share: float) -> bool:
        """Whether something that happens in this share of cases happens."""
        return self._roll() < share

    def pick(self, among: Sequence[T]) -> T:
        """One of them."""
        return among[int(self._roll() * len(among))]

    def some(self, among: Sequence[T], count: int) -> list[T]:
        """`count` different ones, in a random order."""
        left = list(among)
        return [left.pop(int(self._roll() * len(left))) for _ in range(count)]

    def raw(self, size: int) -> bytes:
        """Bytes."""
        return bytes(int(self._roll() * 256) for _ in range(size))
