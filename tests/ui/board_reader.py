"""Reads a drawn board: from its text alone, without an ink, by the cells that the map names."""

from __future__ import annotations

import re
from functools import cache

from sorry_lan.rules.board import HOME, START
from sorry_lan.ui.board_map import all_spots, board_box, pawn_cell
from sorry_lan.ui.board_picture import BoardPicture, Signs, Size, Spot
from sorry_lan.ui.canvas import Canvas, Picture
from sorry_lan.ui.draw_board import draw_board

SIZES = (Size.LARGE, Size.MIDDLE, Size.SMALL)
BOTTOMS = (None, 0, 1, 2, 3)


def drawn(size: Size, board: BoardPicture, signs: Signs = Signs.UNICODE) -> Picture:
    """The board alone, on a canvas of just its size."""
    box = board_box(size)
    canvas = Canvas(box.width, box.height)
    draw_board(canvas, 0, 0, size, board, signs)
    return canvas.picture()


def found(text: str, size: Size, bottom: int | None) -> dict[str, tuple[Spot, int]]:
    """Each pawn's name in the text: its spot, and in Starts and Homes the number of its place, else 0."""
    places: dict[str, tuple[Spot, int]] = {}
    for y, line in enumerate(text.split("\n")):
        for match in re.finditer("[RBYG][1-4]", line):
            assert match[0] not in places, f"{match[0]} is drawn twice"
            places[match[0]] = _cells(size, bottom)[match.start(), y]
    return places


def expected(board: BoardPicture) -> dict[str, tuple[Spot, int]]:
    """Each pawn's name in the position, in the same form."""
    position = board.position
    return {
        f"{'RBYG'[colour]}{pawn}": (
            Spot(None if START < loc <= 60 else int(colour), loc),
            pawn if loc in {START, HOME} else 0,
        )
        for colour, row in zip(position.colours, position.pawns, strict=True)
        for pawn, loc in enumerate(row, 1)
    }


@cache
def _cells(size: Size, bottom: int | None) -> dict[tuple[int, int], tuple[Spot, int]]:
    cells: dict[tuple[int, int], tuple[Spot, int]] = {}
    for where in all_spots():
        in_pad = where.loc in {START, HOME}
        for pawn in range(1, 5):
            cells[pawn_cell(size, where, pawn, bottom)] = (where, pawn if in_pad else 0)
    return cells
