"""How well each seat stands by any rules: the learned evaluation that hard bots look ahead to.

A seat's score is a sum of looked-up numbers, made of a few weights and tables worked out from the rules.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sorry_lan.bots.race import UNIT, draws_home, squares
from sorry_lan.bots.shares import Evaluation
from sorry_lan.bots.threats import losses, swaps
from sorry_lan.bots.weights import Weights, weights_for
from sorry_lan.rules.board import HOME, OUTER, START, Colour, is_outer
from sorry_lan.rules.fast import Cells
from sorry_lan.rules.profile import Rules

_DRAW: Final = 16 * UNIT
_SQUARE: Final = 16
_CARDS: Final = 45
_ELEVENS: Final = 4


class Judge(Evaluation):
    """The evaluation at one table."""

    __slots__ = ("_homes", "_pairs", "_pawns", "_places", "_starts")

    def __init__(self, rules: Rules, colours: tuple[Colour, ...], barred: int, weights: Weights) -> None:
        super().__init__(len(colours), barred)
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
