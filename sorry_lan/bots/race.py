"""The race of a single pawn: how many draws it takes from every place to Home, alone on the board, at its best.

An end-game table for any rules, in whole numbers: UNIT is one draw. Knows no opponents; threats.py does.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sorry_lan.rules.board import HOME, OUTER, START, Colour, is_outer, to_home
from sorry_lan.rules.cards import CARDS, Card, full_deck
from sorry_lan.rules.profile import Rules, TwoDrawsAgain
from sorry_lan.rules.tables import Tables, tables

UNIT: Final = 256
"""What one draw counts."""
FROM_START: Final = 65
"""Squares from Start to Home: one to the exit, and from there once around."""
_SWEEPS: Final = 48
"""Enough for the numbers to stand still under the three profiles; always the same, so that all clients agree."""


@lru_cache(maxsize=64)
def draws_home(rules: Rules, colour: Colour) -> tuple[int, ...]:
    """By location the expected draws from there to Home, times UNIT."""
    shift = 15 * colour
    red = _red(rules)
    turned = [red[1 + (loc - 1 - shift) % OUTER] if is_outer(loc) else red[loc] for loc in range(HOME + 1)]
    return tuple(turned)


@lru_cache(maxsize=64)
def _red(rules: Rules) -> tuple[int, ...]:
    table = tables(rules, Colour.RED)
    deck = full_deck(rules)
    cards = sum(deck)
    again = rules.two_draws_again is not TwoDrawsAgain.NEVER
    order = sorted(range(1, HOME), key=lambda loc: to_home(Colour.RED, loc))
    ways = {
        loc: [(count, card, landings(table, rules, loc, card)) for card, count in zip(CARDS, deck, strict=True)]
        for loc in (*order, START)
    }
    value = [0] * (HOME + 1)
    for _ in range(_SWEEPS):
        for loc, by_card in ways.items():
            total = 0
            for count, card, targets in by_card:
                best = min([value[x] for x in targets]) if targets else value[loc]
                free = card is Card.TWO and again
                total += count * (best if free else best + UNIT)
            value[loc] = total // cards
    return tuple(value)


def squares(colour: Colour, loc: int) -> int:
    """Squares from there to Home as a pawn counts them, slides aside."""
    if loc == HOME:
        return 0
    return FROM_START if loc == START else to_home(colour, loc)


def landings(table: Tables, rules: Rules, loc: int, card: Card) -> list[int]:
    """Where a pawn may end by counting with this card, slides included, as if it were alone."""
    found: list[int] = []
    if loc == START:
        if card in rules.start_cards:
            found.append(table.exits[card])
    else:
        counts = [table.back[4][loc]] if card is Card.FOUR else []
        if card is Card.TEN:
            counts.append(table.back[1][loc])
        if card not in (Card.FOUR, Card.SORRY):
            counts.append(table.forth[card][loc])
        found += [x for x in counts if x <= HOME]
    return [table.slides[x][0] if x in table.slides else x for x in found]
