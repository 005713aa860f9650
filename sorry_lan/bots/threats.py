"""Who can send whom back with the next card: for each pair of places a weight, by the rules, without looking ahead.

Whole numbers; a threat counts (cards that carry it out) x (draws the victim loses). Knows one attacking pawn at a time.
"""

from __future__ import annotations

from functools import lru_cache

from sorry_lan.bots.race import draws_home
from sorry_lan.rules.board import HOME, OUTER, START, Colour, is_outer
from sorry_lan.rules.cards import CARDS, Card, full_deck
from sorry_lan.rules.profile import Rules, SwapSlide
from sorry_lan.rules.tables import tables

Pairs = tuple[tuple[int, ...], ...]
"""By the attacker's place and the victim's."""


@lru_cache(maxsize=64)
def bumps(rules: Rules, attacker: Colour) -> Pairs:
    """How many cards of a deck let a pawn of the attacker send back a pawn at the victim's place."""
    table = tables(rules, attacker)
    deck = dict(zip(CARDS, full_deck(rules), strict=True))
    grid = [[0] * (HOME + 1) for _ in range(HOME + 1)]

    def hits(source: int, target: int, count: int) -> None:
        if target > OUTER:
            return
        grid[source][target] += count
        if target in table.slides:
            for square in table.slides[target][1]:
                grid[source][square] += count

    for card, count in deck.items():
        if card in rules.start_cards:
            hits(START, table.exits[card], 2 * count)
        for loc in range(1, HOME):
            if card not in (Card.FOUR, Card.SORRY):
                hits(loc, table.forth[card][loc], 2 * count)
            if card is Card.FOUR or card is Card.TEN:
                hits(loc, table.back[4 if card is Card.FOUR else 1][loc], 2 * count)
            if card is Card.SEVEN and rules.split_pawns == 2:
                for part in range(1, 7):
                    hits(loc, table.forth[part][loc], count)
    for square in range(1, OUTER + 1):
        grid[START][square] += 2 * deck[Card.SORRY]
    return tuple(map(tuple, grid))


@lru_cache(maxsize=256)
def losses(rules: Rules, attacker: Colour, victim: Colour) -> Pairs:
    """bumps() times what the victim loses, in draws x cards / 2 x race.UNIT."""
    mine = draws_home(rules, victim)
    loss = [max(0, mine[START] - mine[loc]) if is_outer(loc) else 0 for loc in range(HOME + 1)]
    return tuple(tuple(count * lost for count, lost in zip(row, loss, strict=True)) for row in bumps(rules, attacker))


@lru_cache(maxsize=256)
def swaps(rules: Rules, attacker: Colour, victim: Colour) -> Pairs:
    """What the attacker gains and the victim loses by an 11 that exchanges these two, in draws x race.UNIT, or 0."""
    own, other = draws_home(rules, attacker), draws_home(rules, victim)
    slides = {} if rules.swap_slide is SwapSlide.NONE else tables(rules, attacker).slides
    grid = [[0] * (HOME + 1) for _ in range(HOME + 1)]
    for y in range(1, OUTER + 1):
        for x in range(1, OUTER + 1):
            end = slides[x][0] if x in slides else x
            gain = own[y] - own[end] + other[y] - other[x]
            if x != y and gain > 0:
                grid[y][x] = gain
    return tuple(map(tuple, grid))
