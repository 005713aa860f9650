"""What a board shows at one moment, as values: made by the screen's state, drawn by draw_board.py."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import Rules


@unique
class Size(Enum):
    """How much room there is: 120x40, 80x24, 60x20, or too little for a board."""

    LARGE = "large"
    MIDDLE = "middle"
    SMALL = "small"
    LIST = "list"


def size_of(width: int, height: int) -> Size:
    """The largest size that fits a terminal of so many columns and rows."""
    if width >= 120 and height >= 40:
        return Size.LARGE
    if width >= 80 and height >= 24:
        return Size.MIDDLE
    return Size.SMALL if width >= 60 and height >= 20 else Size.LIST


@unique
class Signs(Enum):
    """Which signs may be used: box lines and dots, or ASCII alone."""

    UNICODE = "unicode"
    ASCII = "ascii"


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """A place on the board: an outer square (`colour` None), or a Start, safety square or Home of a colour.

    `loc` is a location 0..66 as everywhere.
    """

    colour: int | None
    loc: int


def spot(colour: int, loc: int) -> Spot:
    """Where a pawn of that colour stands when it is at `loc`."""
    return Spot(None if 0 < loc <= 60 else colour, loc)


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """A board at one moment.

    Attributes:
        rules, position: the game; seats that are not in it have empty Starts and Homes.
        targets: a label (a digit, or "x" for a pawn that would be bumped) for spots that can be chosen.
        chosen: (seat, pawn 1..4) of pawns that a highlighted choice would move.
        trail: spots that the last moves passed, until the own next turn.
        bumped: (seat, pawn 1..4) of pawns that were sent to Start since then.
        bottom: the colour whose side is drawn at the bottom; None: as printed, red at the top.
    """

    rules: Rules
    position: Position
    targets: tuple[tuple[Spot, str], ...] = ()
    chosen: tuple[tuple[int, int], ...] = ()
    trail: frozenset[Spot] = frozenset()
    bumped: tuple[tuple[int, int], ...] = ()
    bottom: int | None = None
