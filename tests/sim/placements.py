"""Random positions that games seldom reach: crowds on slides, full safety zones, many pawns close to Home.

They are valid by docs/rules.md 4.1; whether a game could lead to each of them is not claimed.
"""

from __future__ import annotations

import random

from sorry_lan.rules.board import Colour
from sorry_lan.rules.position import Position

START, HOME = 0, 66
STYLES = ("spread", "crowd", "finish")


def placed(rng: random.Random, pawns: int, colours: tuple[Colour, ...], barred: int) -> Position:
    """A random position with nobody's game won and the turn with a seat that still plays."""
    while True:
        style = rng.choice(STYLES)
        free = _squares(rng, style)
        rows = tuple(_row(rng, style, pawns, free) for _ in colours)
        finished = [all(loc == HOME for loc in row) for row in rows]
        playing = [seat for seat in range(len(colours)) if not finished[seat]]
        won = any(finished[seat] and not barred >> seat & 1 for seat in range(len(colours)))
        if playing and not won:
            return Position(colours, rows, rng.choice(playing), None, barred)


def _squares(rng: random.Random, style: str) -> list[int]:
    """The locations of outer squares to use, each once; a crowd stands around one corner and its slides."""
    squares = list(range(60))
    if style == "crowd":
        corner = 15 * rng.randrange(4)
        squares = [(corner + step) % 60 for step in range(-5, 15)]
    rng.shuffle(squares)
    return [1 + square for square in squares]


def _row(rng: random.Random, style: str, pawns: int, free: list[int]) -> tuple[int, ...]:
    """One seat's pawns; takes the squares it uses out of `free`."""
    zone = [61, 62, 63, 64, 65]
    rng.shuffle(zone)
    weights = {"spread": (3, 1, 2, 6), "crowd": (2, 1, 1, 9), "finish": (1, 5, 6, 3)}[style]
    row = []
    for kind in rng.choices(("start", "home", "zone", "track"), weights, k=pawns):
        if kind == "start":
            row.append(START)
        elif kind == "home":
            row.append(HOME)
        else:
            row.append(zone.pop() if kind == "zone" else free.pop())
    return tuple(row)
