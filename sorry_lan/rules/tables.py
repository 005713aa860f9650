"""What counting, leaving Start and sliding mean for one colour under given rules, as lookup tables.

Built once for each (rules, colour); fast/ plays by them. Implements R2, R3, R5 and R7 of docs/rules.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, assert_never

from sorry_lan.rules.board import (
    ENTRY,
    EXIT,
    HOME,
    OUTER,
    SLIDES,
    START,
    Colour,
    backward,
    forward,
    in_play,
    safe,
    to_home,
    track,
)
from sorry_lan.rules.profile import Rules, SlideOn, SlideOwnPawns, SlidePastEntry

NOWHERE: Final = 255
"""Where an impossible count leads."""


@dataclass(frozen=True, slots=True)
class Tables:
    """One colour's tables.

    Attributes:
        forth: by steps 0..13 and location 0..66 where a forward count comes down, before any slide, or NOWHERE;
            256 places long, so that bytes.translate() counts for all pawns of a row at once.
        back: the same for backward counts of 0..4 steps.
        exits: by card code 0..13 where a pawn that leaves Start comes down.
        slides: by triangle that slides for this colour its end and the squares it sweeps.
        vetoes: by triangle the places where another own pawn makes that slide illegal; only triangles that have some.
        distances: by location 0..66 the steps from there to Home.
    """

    forth: tuple[bytes, ...]
    back: tuple[bytes, ...]
    exits: tuple[int, ...]
    slides: Mapping[int, tuple[int, bytes]]
    vetoes: Mapping[int, bytes]
    distances: bytes


@lru_cache(maxsize=256)
def tables(rules: Rules, colour: Colour) -> Tables:
    """The tables of a colour under these rules."""
    forth = tuple(_ends(forward, colour, n) for n in range(14))
    back = tuple(_ends(backward, colour, n) for n in range(5))
    beyond = (max(n, 1) - 1 if rules.start_by_count else 0 for n in range(14))  # R2
    exits = tuple(track((EXIT[colour] - 1 + further) % OUTER) for further in beyond)
    slides, vetoes = _slides(rules, colour)
    distances = bytes(_distance(colour, exits[1], loc) for loc in range(HOME + 1))
    return Tables(forth, back, exits, slides, vetoes, distances)


@lru_cache(maxsize=128)
def _ends(count: Callable[[Colour, int, int], int | None], colour: Colour, steps: int) -> bytes:
    """Where a count of so many steps from each location ends, the same under all rules; a count of none nowhere."""
    ends = [count(colour, loc, steps) if steps and in_play(loc) else None for loc in range(HOME + 1)]
    return bytes(NOWHERE if end is None else end for end in ends).ljust(256, bytes([NOWHERE]))


def _distance(colour: Colour, exit_: int, loc: int) -> int:
    """Steps to Home; coming out of Start counts as one (R2)."""
    if loc == START:
        return to_home(colour, exit_) + 1
    return 0 if loc == HOME else to_home(colour, loc)


def _slides(rules: Rules, colour: Colour) -> tuple[dict[int, tuple[int, bytes]], dict[int, bytes]]:
    """The slides that count for a colour, and what forbids some of them (R5, R7)."""
    slides: dict[int, tuple[int, bytes]] = {}
    vetoes: dict[int, bytes] = {}
    for owner, pair in zip(Colour, SLIDES, strict=True):
        if not _slides_on(rules.slide_on, owner, colour):
            continue
        for triangle, squares in pair:
            end, swept = squares[-1], bytes(squares)
            veto = b""
            if ENTRY[colour] in squares and rules.slide_past_entry is not SlidePastEntry.CARRY:
                if rules.slide_past_entry is SlidePastEntry.STAY:
                    continue
                end, swept = safe(0), bytes(squares[: squares.index(ENTRY[colour]) + 1])
                veto = bytes([end])
            if rules.slide_own_pawns is SlideOwnPawns.BLOCK:
                veto += swept
            slides[triangle] = (end, swept)
            if veto:
                vetoes[triangle] = veto
    return slides, vetoes


def _slides_on(slide_on: SlideOn, owner: Colour, colour: Colour) -> bool:
    match slide_on:
        case SlideOn.OWN:
            return owner is colour
        case SlideOn.OTHER:
            return owner is not colour
        case SlideOn.ANY:
            return True
        case SlideOn.NONE:
            return False
        case _:
            assert_never(slide_on)
