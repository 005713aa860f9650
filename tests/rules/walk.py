"""Seeded random play for tests that want positions as games have them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from sorry_lan.rules.cards import CARDS
from sorry_lan.rules.engine import choices, play
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import Rules


def walk(position: Position, rules: Rules, seed: str, steps: int) -> Iterator[Position]:
    """Positions on the way of one random game, from the given one; it begins again after a win."""
    rng = Random(seed)
    start = position
    for _ in range(steps):
        yield position
        card = rng.choice(CARDS)
        position = play(position, rules, card, rng.choice(choices(position, rules, card)))
        if position.winner is not None:
            position = start
