"""What a move does, told one event after another, for sentences, animation and logs.

The result itself comes from fast/core.py; a test holds the two together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from sorry_lan.rules import fast
from sorry_lan.rules.board import HOME, START, backward, forward, is_outer
from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import Backward, Decline, Forward, LeaveStart, Move, Sorry, Split, Swap
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import Rules, SwapSlide

# In every event `seat` and `pawn` (1..4) name the pawn it happens to; squares are locations.


@dataclass(frozen=True, slots=True)
class LeftStart:
    """A pawn came out of Start and stands on `square`."""

    seat: int
    pawn: int
    square: int


@dataclass(frozen=True, slots=True)
class Moved:
    """A pawn counted from `source` to `target`, forward or backward."""

    seat: int
    pawn: int
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Swapped:
    """A pawn from `source` changed places with pawn `other_pawn` of `other_seat`, which stood on `target`."""

    seat: int
    pawn: int
    source: int
    other_seat: int
    other_pawn: int
    target: int


@dataclass(frozen=True, slots=True)
class Bumped:
    """A pawn was sent from `square` to its Start by the one that came down there."""

    seat: int
    pawn: int
    square: int


@dataclass(frozen=True, slots=True)
class Slid:
    """A pawn slid from the triangle `source` to `target`."""

    seat: int
    pawn: int
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Swept:
    """A pawn was sent from `square` to its Start by a slide."""

    seat: int
    pawn: int
    square: int


@dataclass(frozen=True, slots=True)
class CameHome:
    """A pawn reached Home."""

    seat: int
    pawn: int


Effect = LeftStart | Moved | Swapped | Bumped | Slid | Swept | CameHome


def effects_of(position: Position, rules: Rules, card: Card, move: Move) -> tuple[Effect, ...]:
    """The events of a legal move in the order they happen; none for Decline()."""
    teller = _Teller(position, rules)
    match move:
        case LeaveStart(pawn):
            teller.leave(pawn, card)
        case Forward(pawn, n):
            teller.count(pawn, n)
        case Backward(pawn, n):
            teller.count(pawn, -n)
        case Split(first, a, second, b):
            teller.count(first, a)
            teller.count(second, b)
        case Swap(pawn, seat, target):
            teller.swap(pawn, seat, target)
        case Sorry(pawn, seat, target):
            teller.replace(pawn, seat, target)
        case Decline():
            pass
        case _:
            assert_never(move)
    return tuple(teller.events)


class _Teller:
    """Plays one move on its own copy of the rows and notes what happens."""

    __slots__ = ("_colour", "_core", "_rows", "_rules", "_seat", "events")

    def __init__(self, position: Position, rules: Rules) -> None:
        self._rows = [list(row) for row in position.pawns]
        self._seat = position.turn
        self._colour = position.colours[position.turn]
        self._rules = rules
        self._core = fast.core(rules, position.colours, position.barred)
        self.events: list[Effect] = []

    def leave(self, pawn: int, card: Card) -> None:
        square = self._core.exit_of(self._seat, card)
        self.events.append(LeftStart(self._seat, pawn, square))
        self._land(pawn, square)

    def count(self, pawn: int, steps: int) -> None:
        source = self._rows[self._seat][pawn - 1]
        target = forward(self._colour, source, steps) if steps > 0 else backward(self._colour, source, -steps)
        if target is None:
            raise ValueError("That pawn cannot count so far.")
        self.events.append(Moved(self._seat, pawn, source, target))
        self._land(pawn, target)

    def swap(self, pawn: int, other: int, target: int) -> None:
        source, square = self._rows[self._seat][pawn - 1], self._rows[other][target - 1]
        self._rows[self._seat][pawn - 1], self._rows[other][target - 1] = square, source
        self.events.append(Swapped(self._seat, pawn, source, other, target, square))
        if self._rules.swap_slide is not SwapSlide.NONE:
            self._slide(self._seat, pawn)
        if self._rules.swap_slide is SwapSlide.BOTH:
            own = bytes(self._rows[other])
            if not self._core.blocker(other, own, target, own[target - 1]):
                self._slide(other, target)

    def replace(self, pawn: int, other: int, target: int) -> None:
        square = self._rows[other][target - 1]
        self._rows[other][target - 1] = START
        self._rows[self._seat][pawn - 1] = square
        self.events += [LeftStart(self._seat, pawn, square), Bumped(other, target, square)]
        if self._rules.sorry_slide:
            self._slide(self._seat, pawn)

    def _land(self, pawn: int, square: int) -> None:
        for seat, number in self._standing_on(square):
            self._rows[seat][number - 1] = START
            self.events.append(Bumped(seat, number, square))
        self._rows[self._seat][pawn - 1] = square
        if square == HOME:
            self.events.append(CameHome(self._seat, pawn))
        self._slide(self._seat, pawn)

    def _slide(self, seat: int, pawn: int) -> None:
        source = self._rows[seat][pawn - 1]
        slide = self._core.slide_of(seat, source)
        if slide is None:
            return
        end, swept = slide
        self.events.append(Slid(seat, pawn, source, end))
        for square in swept:
            for swept_seat, number in self._standing_on(square):
                self._rows[swept_seat][number - 1] = START
                self.events.append(Swept(swept_seat, number, square))
        self._rows[seat][pawn - 1] = end

    def _standing_on(self, square: int) -> list[tuple[int, int]]:
        if not is_outer(square):
            return []
        return [(s, p) for s, row in enumerate(self._rows) for p, loc in enumerate(row, 1) if loc == square]
