"""How much is passed on of what one seat says of its own accord ([H-22], [H-24]).

Whoever passes on all that it is told can be made a flood, and is thrown out by its neighbours for another's words.
"""

from __future__ import annotations

from typing import Final

from sorry_lan.table.links import Bucket

OFFERS: Final = (16, 4)
"""SEATs and PROPOSEs of one seat: so many at once, then so many a second."""
QUESTIONS: Final = (8, 2)
"""MINE? of one seat, which are answered too; one that means it asks once a second."""
ANSWERS: Final = (64, 16)
"""Entries in the MINEs of one seat, and one more for each.

What two neighbours say of all seats together stays below half of what a link may bring, whatever a seat says.
"""


class Relay:
    """A budget for each seat: `pace` is how much at once, and how much a second then."""

    __slots__ = ("_buckets", "_pace")

    def __init__(self, pace: tuple[int, int]) -> None:
        self._pace = pace
        self._buckets: dict[int, Bucket] = {}

    def may(self, seat: int, amount: int, now_us: int) -> bool:
        """Spend `amount` for this seat, where it is there."""
        bucket = self._buckets.get(seat)
        if bucket is None:
            bucket = self._buckets[seat] = Bucket(*self._pace, now_us)
        return bucket.take(amount, now_us)
