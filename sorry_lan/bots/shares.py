"""Scores of seats turned into shares of the win, in whole numbers: what every evaluation has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

from sorry_lan.rules.fast import Cells

SCALE: Final = 1 << 20
"""The whole win."""
NAT: Final = 1024
"""A score of so much more makes a win e times as likely."""
_STEP: Final = 4
_REACH: Final = 8 * NAT // _STEP


def _exponentials() -> tuple[int, ...]:
    """E to the power of -8 .. 8 in steps of _STEP / NAT, times SCALE."""
    one = 1 << 64
    ratio = one + (one >> 8) + (one >> 17) + one // (6 << 24) + one // (24 << 32)
    up = [one]
    for _ in range(_REACH):
        up.append(up[-1] * ratio // one)
    return tuple([SCALE * one // x for x in reversed(up[1:])] + [SCALE * x // one for x in up])


_EXP: Final = _exponentials()


class Evaluation(ABC):
    """How well each seat stands; the kinds of evaluation differ in scores()."""

    __slots__ = ("_barred", "seats")

    def __init__(self, seats: int, barred: int) -> None:
        self.seats = seats
        self._barred = barred

    @abstractmethod
    def scores(self, cells: Cells, following: int) -> list[int]:
        """Each seat's score when `following` draws next."""

    def share(self, cells: Cells, following: int, seat: int) -> int:
        """The seat's share of the win, 0..SCALE."""
        return self._share(self.scores(cells, following), seat)

    def two_shares(self, cells: Cells, following: int, one: int, two: int) -> tuple[int, int]:
        """The shares of two seats."""
        scores = self.scores(cells, following)
        share = self._share(scores, one)
        if one == two:
            return share, share
        if self.seats == 2:
            return share, SCALE - share
        return share, self._share(scores, two)

    def _share(self, scores: list[int], seat: int) -> int:
        mine = scores[seat]
        total = SCALE
        for other, score in enumerate(scores):
            if other != seat and not self._barred >> other & 1:
                ahead = (score - mine) // _STEP
                total += _EXP[(-_REACH if ahead < -_REACH else min(ahead, _REACH)) + _REACH]
        return SCALE * SCALE // total
