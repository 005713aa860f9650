"""What the last moves left on the board: their trail and whom they sent back, until the own next turn is over (U38)."""

from __future__ import annotations

from dataclasses import dataclass

from sorry_lan.table.news import Played
from sorry_lan.ui.board_picture import Spot
from sorry_lan.ui.paths import bumped_by, trail_of


@dataclass(frozen=True, slots=True)
class Mark:
    """What one seat's last turn left."""

    seat: int
    trail: frozenset[Spot] = frozenset()
    bumped: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of the turns since the own last one, oldest first; a turn may have several moves (R13)."""

    of: tuple[Mark, ...] = ()

    @property
    def trail(self) -> frozenset[Spot]:
        """All spots passed."""
        return frozenset().union(*(mark.trail for mark in self.of))

    @property
    def bumped(self) -> tuple[tuple[int, int], ...]:
        """All pawns sent to Start."""
        return tuple(pawn for mark in self.of for pawn in mark.bumped)


def after(marks: Marks, item: Played, own: frozenset[int]) -> Marks:
    """The marks with this move's: an own move takes all others away, a seat's new turn its own old ones."""
    new = Mark(item.seat, trail_of(item.effects, item.before), bumped_by(item.effects))
    last = marks.of[-1] if marks.of else None
    if last is not None and last.seat == item.seat:
        new = Mark(item.seat, last.trail | new.trail, last.bumped + new.bumped)
        return Marks((*marks.of[:-1], new))
    if item.seat in own:
        return Marks((new,))
    return Marks((*(mark for mark in marks.of if mark.seat != item.seat and mark.seat not in own), new))
