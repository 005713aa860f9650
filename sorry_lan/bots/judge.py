"""How well each seat stands, in whole numbers: the learned evaluation that hard and expert bots look ahead to.

A seat's score is a sum of looked-up numbers; shares of the win come from all scores together. No cards, no search.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sorry_lan.bots.race import UNIT, draws_home, squares
from sorry_lan.bots.threats import losses, swaps
from sorry_lan.bots.weights import Weights, weights_for
from sorry_lan.rules.board import HOME, OUTER, START, Colour, is_outer
from sorry_lan.rules.fast import Cells
from sorry_lan.rules.profile import Rules

SCALE: Final = 1 << 20
"""The whole win."""
NAT: Final = 1024
"""A score of so much more makes a win e times as likely."""
_STEP: Final = 4
_DRAW: Final = 16 * UNIT
_SQUARE: Final = 16
_CARDS: Final = 45
_ELEVENS: Final = 4
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


class Judge:
    """The evaluation at one table."""

    __slots__ = ("_barred", "_homes", "_pairs", "_pawns", "_places", "_starts", "seats")

    def __init__(self, rules: Rules, colours: tuple[Colour, ...], barred: int, weights: Weights) -> None:
        self.seats = len(colours)
        self._barred = barred
        self._pawns = rules.pawns
        self._places = tuple(_places(rules, colour, weights) for colour in colours)
        self._homes = weights.homes
        self._starts = weights.starts
        self._pairs = tuple(
            tuple(
                () if attacker is victim else _pairs(rules, attacker, victim, weights, distance)
                for attacker in colours
                for victim in colours
            )
            for distance in range(self.seats)
        )

    def scores(self, cells: Cells, following: int) -> list[int]:
        """Each seat's score when `following` draws next."""
        n, seats = self._pawns, self.seats
        found: list[int] = []
        attackers: list[set[int]] = []
        victims: list[list[int]] = []
        for seat in range(seats):
            row = cells[seat * n : seat * n + n]
            place = self._places[seat]
            score = self._homes[row.count(HOME)] + self._starts[row.count(START)]
            for loc in row:
                score += place[loc]
            found.append(score)
            rest = set(row)
            rest.discard(HOME)
            attackers.append(rest)
            victims.append([x for x in row if START < x <= OUTER])
        for attacker in range(seats):
            pairs = self._pairs[(attacker - following) % seats]
            for victim in range(seats):
                if victim != attacker and victims[victim]:
                    table = pairs[attacker * seats + victim]
                    xs = victims[victim]
                    total = 0
                    for y in attackers[attacker]:
                        line = table[y]
                        for x in xs:
                            total += line[x]
                    found[victim] -= total
        return found

    def share(self, cells: Cells, following: int, seat: int) -> int:
        """The seat's share of the win, 0..SCALE."""
        return self._share(self.scores(cells, following), seat)

    def lead(self, cells: Cells, following: int, seat: int) -> int:
        """A number that grows with the seat's share: to compare, not to add up."""
        if self.seats == 2:
            scores = self.scores(cells, following)
            return 2 * scores[seat] - scores[0] - scores[1]
        return self.share(cells, following, seat)

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


def _places(rules: Rules, colour: Colour, weights: Weights) -> tuple[int, ...]:
    draws = draws_home(rules, colour)
    found = []
    for loc in range(HOME + 1):
        relative = 1 + (loc - 1 - 15 * colour) % OUTER if is_outer(loc) else loc
        far = weights.draws * draws[loc] // _DRAW + weights.steps * squares(colour, loc) // _SQUARE
        found.append(weights.places[relative] - far)
    return tuple(found)


def _pairs(
    rules: Rules, attacker: Colour, victim: Colour, weights: Weights, distance: int
) -> tuple[tuple[int, ...], ...]:
    near = min(distance, 2)
    bump, swap = weights.bumps[near], weights.swaps[near]
    lost, exchanged = losses(rules, attacker, victim), swaps(rules, attacker, victim)
    return tuple(
        tuple(
            (bump * a // (2 * _CARDS) + swap * _ELEVENS * b // _CARDS) // _DRAW for a, b in zip(one, two, strict=True)
        )
        for one, two in zip(lost, exchanged, strict=True)
    )


@lru_cache(maxsize=32)
def judge(rules: Rules, colours: tuple[Colour, ...], barred: int) -> Judge:
    """The evaluation for this table, with the weights learned for its rules."""
    return Judge(rules, colours, barred, weights_for(rules, len(colours)))
