"""Draws a board of one moment on a canvas: squares, pads, pawns, marks, and the zones that answer to clicks.

Pure. What each sign means stands at `draw_board`; nothing is said by ink alone, except that at 60x20 the marks of
pawns on the track are ink, where the list beside the board says the same in words (U59).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final

from sorry_lan.rules.board import HOME, OUTER, SLIDES, START, Colour, is_outer, is_safe
from sorry_lan.ui.board_map import (
    Box,
    Side,
    all_spots,
    pad_box,
    pawn_cell,
    place_box,
    side_of,
    spot_box,
    square_box,
    square_side,
)
from sorry_lan.ui.board_picture import BoardPicture, Signs, Size, Spot, spot
from sorry_lan.ui.canvas import AREA, PAWN, Canvas, Ink
from sorry_lan.ui.glyphs import Glyphs, glyphs
from sorry_lan.ui.texts_board import pad_text

BUMPABLE: Final = "x"
"""The label of a pawn that a highlighted choice would bump without landing on it."""
_CHOSEN: Final = ">"
_BUMPED: Final = "!"
_TRAIL: Final = "'"
_NUMBERED: Final = 5
"""Where there is no room for every number, each fifth square that is free has its own."""


@unique
class _Part(Enum):
    """What is printed on a square."""

    FREE = "free"
    FIRST = "first"
    MIDDLE = "middle"
    LAST = "last"
    SAFE = "safe"


def _printed() -> dict[int, tuple[int, _Part]]:
    parts = {}
    for colour in Colour:
        for first, rest in SLIDES[colour]:
            parts[first] = (int(colour), _Part.FIRST)
            parts |= {loc: (int(colour), _Part.MIDDLE) for loc in rest[:-1]}
            parts[rest[-1]] = (int(colour), _Part.LAST)
    return parts


_SLIDES: Final = _printed()


@dataclass(frozen=True, slots=True)
class _Pen:
    """What every part of the drawing needs: where, how large, with which signs."""

    canvas: Canvas
    x: int
    y: int
    size: Size
    bottom: int | None
    glyphs: Glyphs

    def put(self, x: int, y: int, text: str, ink: Ink) -> None:
        self.canvas.put(self.x + x, self.y + y, text, ink)

    def fill(self, box: Box, ink: Ink) -> None:
        self.canvas.fill(self.x + box.x, self.y + box.y, box.width, box.height, ink)

    def zone(self, box: Box, key: str) -> None:
        self.canvas.zone(self.x + box.x, self.y + box.y, box.width, box.height, key)


def draw_board(  # noqa: PLR0917 - where, how large, what: no two of a kind but x and y
    canvas: Canvas, x: int, y: int, size: Size, picture: BoardPicture, signs: Signs
) -> None:
    """Draw the board with its top left corner at a cell, and nothing outside of board_map.board_box.

    A pawn is a capital letter and its number (R1); a colour's track a small letter and a sign: the triangle, the line
    and the circle of a slide, = in the safety zone. Around them: [2] is where choice 2 leads, 2B1 (at 120x40 [2]
    above) where it meets that pawn, [2+ where other choices lead too; x marks a pawn that would be bumped on the way,
    > one that would move, ! one that was bumped, ' a spot that was passed.

    Clicks: a label's spot answers with its label, a pawn with "pawn:<seat>:<number>".
    """
    pen = _Pen(canvas, x, y, size, picture.bottom, glyphs(signs))
    for where in all_spots():
        if where.loc in {START, HOME}:
            _pad(pen, where, picture.rules.pawns)
        else:
            _square(pen, where)
    for where in picture.trail:
        _trail(pen, where)
    labels = dict(_labels(picture))
    for seat, number, where in _pawns(picture):
        _pawn(pen, picture, seat, number, labels.get(where, ""))
    for where, label in labels.items():
        _label(pen, picture, where, label)


def _pawns(picture: BoardPicture) -> Iterator[tuple[int, int, Spot]]:
    position = picture.position
    for seat, row in enumerate(position.pawns):
        for number, loc in enumerate(row, 1):
            yield seat, number, spot(position.colours[seat], loc)


def _labels(picture: BoardPicture) -> Iterator[tuple[Spot, str]]:
    """Each labelled spot once: its first digit, with a plus where there are more; x only where there is no digit."""
    for where in dict.fromkeys(where for where, _ in picture.targets):
        found = list(dict.fromkeys(label for other, label in picture.targets if other == where))
        digits = [label for label in found if label != BUMPABLE]
        yield where, (digits or found)[0] + "+" * (len(digits) > 1)


# Squares


def _square(pen: _Pen, where: Spot) -> None:
    box, ink = square_box(pen.size, where, pen.bottom), _ground(where)
    pen.fill(box, ink)
    match pen.size:
        case Size.LARGE:
            _large_square(pen, where, box, ink)
        case Size.MIDDLE:
            pen.put(box.x, box.y, _middle_square(pen, where), ink)
        case _:
            pen.put(box.x, box.y, _pair(pen, where), ink)


def _ground(where: Spot) -> Ink:
    colour, _ = _part(where)
    if colour is not None:
        return AREA[colour]
    return Ink.SQUARE_ODD if where.loc % 2 == 0 else Ink.SQUARE


def _part(where: Spot) -> tuple[int | None, _Part]:
    if is_safe(where.loc):
        return where.colour, _Part.SAFE
    return _SLIDES.get(where.loc, (None, _Part.FREE))


def _pair(pen: _Pen, where: Spot) -> str:
    """The two signs of a square without pawn: a letter and a glyph, a number, or a dot."""
    colour, part = _part(where)
    if colour is None:
        number = where.loc - 1
        small = pen.size is not Size.LARGE and number % _NUMBERED == 0
        return f"{number:2}" if small else f" {pen.glyphs.dot}"
    return Colour(colour).letter + _glyph(pen, where, part)


def _glyph(pen: _Pen, where: Spot, part: _Part) -> str:
    match part:
        case _Part.SAFE:
            return "="
        case _Part.FIRST:
            return pen.glyphs.arrows[square_side(where.loc, pen.bottom)]
        case _Part.LAST:
            return pen.glyphs.end
        case _:
            return pen.glyphs.across if _lies(pen, where) else pen.glyphs.upright


def _lies(pen: _Pen, where: Spot) -> bool:
    """Whether the track runs across at this square, not up or down."""
    return square_side(where.loc, pen.bottom) in {Side.TOP, Side.BOTTOM}


def _line(pen: _Pen, where: Spot) -> tuple[str, str]:
    """What joins a slide's square to its neighbours on the left and on the right."""
    _, part = _part(where)
    if part in {_Part.FREE, _Part.SAFE} or not _lies(pen, where):
        return " ", " "
    rightward = square_side(where.loc, pen.bottom) is Side.TOP
    before = " " if part is _Part.FIRST else pen.glyphs.across
    after = " " if part is _Part.LAST else pen.glyphs.across
    return (before, after) if rightward else (after, before)


def _middle_square(pen: _Pen, where: Spot) -> str:
    return _line(pen, where)[0] + _pair(pen, where)


def _large_square(pen: _Pen, where: Spot, box: Box, ink: Ink) -> None:
    _, part = _part(where)
    number = where.loc - 1
    pen.put(box.x, box.y, f"{number:2}" if is_outer(where.loc) else f"S{number - OUTER}", ink)
    left, right = _line(pen, where)
    pen.put(box.x, box.y + 1, left * 2 + _pair(pen, where) + right, ink)
    if part in {_Part.MIDDLE, _Part.LAST, _Part.FIRST} and not _lies(pen, where):
        downward = square_side(where.loc, pen.bottom) is Side.RIGHT
        if part is not (_Part.FIRST if downward else _Part.LAST):
            pen.put(box.x + 3, box.y, pen.glyphs.upright, ink)


def _trail(pen: _Pen, where: Spot) -> None:
    if where.loc in {START, HOME}:
        return
    box = square_box(pen.size, where, pen.bottom)
    if pen.size is Size.SMALL:
        letter = _pair(pen, where)[0] if _part(where)[0] is not None else " "
        pen.put(box.x, box.y, letter + _TRAIL, Ink.TRAIL)
        return
    line = place_box(pen.size, where, 1, pen.bottom)
    pen.put(line.x + (pen.size is Size.LARGE), line.y, _TRAIL, Ink.TRAIL)


# Starts and Homes


def _pad(pen: _Pen, where: Spot, pawns: int) -> None:
    colour = where.colour or 0
    box, ink = pad_box(pen.size, where, pen.bottom), AREA[colour]
    pen.fill(box, ink)
    inset = 0
    if pen.size is Size.LARGE:
        _frame(pen, box, ink)
        inset = 1
    text = pad_text(colour, where.loc, box.width - 2 * inset)
    # A surplus cell goes where the neighbouring pad is.
    lean = side_of(colour, pen.bottom) in {Side.TOP, Side.RIGHT}
    pen.put(box.x + (box.width - len(text) + lean) // 2, box.y + inset, text, ink)
    for number in range(1, pawns + 1):
        x, y = pawn_cell(pen.size, where, number, pen.bottom)
        pen.put(x, y, pen.glyphs.dot * 2, ink)


def _frame(pen: _Pen, box: Box, ink: Ink) -> None:
    first, second, third, fourth = pen.glyphs.corners
    across = pen.glyphs.across * (box.width - 2)
    pen.put(box.x, box.y, first + across + second, ink)
    pen.put(box.x, box.y + box.height - 1, fourth + across + third, ink)
    for y in range(box.y + 1, box.y + box.height - 1):
        pen.put(box.x, y, pen.glyphs.upright, ink)
        pen.put(box.x + box.width - 1, y, pen.glyphs.upright, ink)


# Pawns and labels


def _pawn(pen: _Pen, picture: BoardPicture, seat: int, number: int, label: str) -> None:
    position = picture.position
    colour, loc = position.colours[seat], position.pawns[seat][number - 1]
    where = spot(colour, loc)
    x, y = pawn_cell(pen.size, where, number, pen.bottom)
    chosen, bumped = (seat, number) in picture.chosen, (seat, number) in picture.bumped
    in_pad = loc in {START, HOME}
    text, ink = f"{colour.letter.upper()}{number}", PAWN[colour]
    if pen.size is Size.SMALL and not in_pad:
        # Two cells hold a pawn and nothing else; what is said of it is its ink, and words in the list beside.
        pen.put(x, y, text, Ink.CHOSEN if chosen else Ink.TARGET if label else ink)
    else:
        if pen.size is Size.LARGE:
            pen.put(x - 1, y, f" {text} ", ink)
        pen.put(x, y, text, ink)
        if chosen:
            pen.put(x - 1, y, _CHOSEN, Ink.CHOSEN)
            if pen.size is Size.LARGE:
                pen.put(x + 2, y, "<", Ink.CHOSEN)
        elif bumped and loc == START:
            pen.put(x - 1, y, _BUMPED, Ink.TRAIL)
    pen.zone(place_box(pen.size, where, number, pen.bottom), f"pawn:{seat}:{number}")


def _label(pen: _Pen, picture: BoardPicture, where: Spot, label: str) -> None:
    in_pad = where.loc in {START, HOME}
    box = _free_place(pen, picture, where) if in_pad else spot_box(pen.size, where, pen.bottom)
    if box is None:
        return
    text = f"[{label}]" if len(label) == 1 else f"[{label}"
    if pen.size is Size.LARGE and not in_pad:
        pen.put(box.x + 2, box.y, text, Ink.TARGET)
    elif in_pad or all(other != where for _, _, other in _pawns(picture)):
        pen.put(box.x, box.y, text[: box.width], Ink.TARGET)
    elif pen.size is Size.MIDDLE:
        pen.put(box.x, box.y, label[0], Ink.TARGET)
    if label != BUMPABLE:
        pen.zone(spot_box(pen.size, where, pen.bottom), label[0])


def _free_place(pen: _Pen, picture: BoardPicture, where: Spot) -> Box | None:
    """Where in a pad a label goes: the first place without a pawn."""
    taken = {number for _, number, other in _pawns(picture) if other == where}
    free = next((number for number in range(1, picture.rules.pawns + 1) if number not in taken), None)
    if free is None:
        return None
    x, y = pawn_cell(pen.size, where, free, pen.bottom)
    return Box(x - 1, y, 3, 1)
