"""Where each spot of the board lies on the screen, for every size and for each colour at the bottom.

Cells are counted from the board's own top left corner. Knows no signs, no inks and no pawns (R19 is rules/board.py's).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, unique
from functools import cache
from typing import Final

from sorry_lan.faults import LocalMisuse
from sorry_lan.rules.board import HOME, OUTER, SAFE, START, is_outer, is_safe, safe, track
from sorry_lan.ui.board_picture import Size, Spot, spot

_ACROSS: Final = 16  # squares from corner to corner, both included
_SIDE: Final = 15
_COLOURS: Final = range(4)


@unique
class Side(IntEnum):
    """A side of the board, and the way the track runs along it: right, down, left, up."""

    TOP = 0
    RIGHT = 1
    BOTTOM = 2
    LEFT = 3


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of cells."""

    x: int
    y: int
    width: int
    height: int

    def holds(self, x: int, y: int) -> bool:
        """Whether a cell lies in it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True, slots=True)
class _Measures:
    """Cells of one square, of one pad (a Start or Home), of one pawn's place in a pad."""

    square: tuple[int, int]
    pad: tuple[int, int]
    place_width: int
    columns: tuple[int, int]  # where the two places of a pad's row begin
    rows: tuple[int, int]
    sign: tuple[int, int]  # from a square's corner to a pawn's letter
    sign_in_place: int


_MEASURES: Final = {
    Size.LARGE: _Measures((5, 2), (15, 6), 5, (2, 8), (2, 4), (2, 1), 2),
    Size.MIDDLE: _Measures((3, 1), (7, 3), 3, (0, 3), (1, 2), (1, 0), 1),
    Size.SMALL: _Measures((2, 1), (7, 3), 3, (0, 3), (1, 2), (0, 0), 1),
}


def _measures(size: Size) -> _Measures:
    if size is Size.LIST:
        raise LocalMisuse("in list mode there is no board.")
    return _MEASURES[size]


def board_box(size: Size) -> Box:
    """The whole board: 80x32, 48x16 or 32x16 cells. LocalMisuse for Size.LIST, here and below."""
    width, height = _measures(size).square
    return Box(0, 0, _ACROSS * width, _ACROSS * height)


def centre_box(size: Size) -> Box:
    """The middle of the board that nothing is ever drawn in: 40x16, 26x8 or 14x8 cells."""
    board, pad, (_, height) = board_box(size), _measures(size).pad, _measures(size).square
    left, top = home_box(size, 0, None).x + pad[0], height + pad[1]
    return Box(left, top, board.width - 2 * left, board.height - 2 * top)


def side_of(colour: int, bottom: int | None) -> Side:
    """The side of a colour's slides when `bottom` is at the bottom; None and yellow: as printed, red at the top."""
    turned = 0 if bottom is None else Side.BOTTOM - bottom
    return Side((colour + turned) % 4)


def square_side(loc: int, bottom: int | None) -> Side:
    """The side an outer square lies on, a corner belonging to the side that begins with it."""
    return side_of((loc - 1) // _SIDE, bottom)


def square_box(size: Size, where: Spot, bottom: int | None) -> Box:
    """All cells of an outer or safety square; LocalMisuse for Starts and Homes, which are pads."""
    width, height = _measures(size).square
    column, row = _grid(where, bottom)
    return Box(column * width, row * height, width, height)


def start_box(size: Size, colour: int, bottom: int | None) -> Box:
    """The pad of a colour's Start, beside the square where its pawns come out and a cell away from its safety zone."""
    (width, height), (pad_width, pad_height) = _measures(size).square, _measures(size).pad
    board = board_box(size)
    left = max(4 * width + _middle(width, pad_width), 3 * width + (size is not Size.SMALL))
    top = Box(left, height, pad_width, pad_height)
    right = Box(board.width - width - pad_width, 3 * height + 1, pad_width, pad_height)
    return _on_side(side_of(colour, bottom), top, right, board)


def home_box(size: Size, colour: int, bottom: int | None) -> Box:
    """The pad of a colour's Home, at the end of its safety zone."""
    (width, height), (pad_width, pad_height) = _measures(size).square, _measures(size).pad
    board = board_box(size)
    top = Box(2 * width + _middle(width, pad_width), (SAFE + 1) * height, pad_width, pad_height)
    left = board.width - (SAFE + 1) * width - pad_width
    right = Box(left, 2 * height + _middle(height, pad_height), pad_width, pad_height)
    return _on_side(side_of(colour, bottom), top, right, board)


def pad_box(size: Size, where: Spot, bottom: int | None) -> Box:
    """The pad of a Start or Home."""
    colour = _owner(where)
    return start_box(size, colour, bottom) if where.loc == START else home_box(size, colour, bottom)


def place_box(size: Size, where: Spot, pawn: int, bottom: int | None) -> Box:
    """The cells of a pawn 1..4 and its marks: its place in a pad, else the square's line that has its name."""
    measures = _measures(size)
    if where.loc in {START, HOME}:
        pad = pad_box(size, where, bottom)
        row, column = divmod(pawn - 1, 2)
        return Box(pad.x + measures.columns[column], pad.y + measures.rows[row], measures.place_width, 1)
    box = square_box(size, where, bottom)
    return Box(box.x, box.y + measures.sign[1], box.width, 1)


def pawn_cell(size: Size, where: Spot, pawn: int, bottom: int | None) -> tuple[int, int]:
    """The cell of the pawn's letter; its number is in the next one."""
    measures, box = _measures(size), place_box(size, where, pawn, bottom)
    inside = measures.sign_in_place if where.loc in {START, HOME} else measures.sign[0]
    return box.x + inside, box.y


def all_spots() -> tuple[Spot, ...]:
    """Every spot there is: 60 outer squares, then Start, five safety squares and Home of each colour."""
    outer = tuple(Spot(None, track(n)) for n in range(OUTER))
    own = (START, *map(safe, range(SAFE)), HOME)
    return outer + tuple(spot(colour, loc) for colour in _COLOURS for loc in own)


def spot_at(size: Size, bottom: int | None, x: int, y: int) -> Spot | None:
    """The spot of a cell, as for a click; None where there is none."""
    return next((where for where, box in _boxes(size, bottom) if box.holds(x, y)), None)


@cache
def _boxes(size: Size, bottom: int | None) -> tuple[tuple[Spot, Box], ...]:
    return tuple((where, spot_box(size, where, bottom)) for where in all_spots())


def spot_box(size: Size, where: Spot, bottom: int | None) -> Box:
    """All cells of a spot, square or pad."""
    if where.loc in {START, HOME}:
        return pad_box(size, where, bottom)
    return square_box(size, where, bottom)


def _middle(square: int, pad: int) -> int:
    """From a square's edge to the edge of a pad around the same middle."""
    return (square - pad + 1) // 2


def _on_side(side: Side, top: Box, right: Box, board: Box) -> Box:
    """A box of any side from those of two: the other two are the same upside down."""
    box = right if side in {Side.RIGHT, Side.LEFT} else top
    if side in {Side.TOP, Side.RIGHT}:
        return box
    return Box(board.width - box.x - box.width, board.height - box.y - box.height, box.width, box.height)


def _owner(where: Spot) -> int:
    if where.colour is None:
        raise LocalMisuse(f"location {where.loc} is a pad or safety square only with a colour.")
    return where.colour


def _grid(where: Spot, bottom: int | None) -> tuple[int, int]:
    """Column and row, 0..15 each, of a square."""
    if is_outer(where.loc):
        return _turned(square_side(where.loc, bottom), (where.loc - 1) % _SIDE, 0)
    if is_safe(where.loc):
        return _turned(side_of(_owner(where), bottom), 2, where.loc - OUTER)
    raise LocalMisuse(f"location {where.loc} is a pad, not a square.")


def _turned(side: Side, along: int, inward: int) -> tuple[int, int]:
    """A square so many steps along a side and so many in from it."""
    column, row = along, inward
    for _ in range(side):
        column, row = _ACROSS - 1 - row, column
    return column, row
