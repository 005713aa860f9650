"""A grid of signs with inks, and what a screen is: rows of styled text, places to click, a title.

Pure; knows no terminal and no game. A wide sign takes two cells or becomes a question mark: no row shifts (U62).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from itertools import groupby
from typing import Final

from sorry_lan.ui.shown import sign_cells


@unique
class Ink(Enum):
    """What a sign means; palette.py says how that looks. Never the only bearer of a meaning."""

    PLAIN = "plain"
    DIM = "dim"
    STRONG = "strong"
    TITLE = "title"
    RED = "red"
    BLUE = "blue"
    YELLOW = "yellow"
    GREEN = "green"
    RED_PAWN = "red-pawn"
    BLUE_PAWN = "blue-pawn"
    YELLOW_PAWN = "yellow-pawn"
    GREEN_PAWN = "green-pawn"
    SQUARE = "square"
    SQUARE_ODD = "square-odd"
    RED_AREA = "red-area"
    BLUE_AREA = "blue-area"
    YELLOW_AREA = "yellow-area"
    GREEN_AREA = "green-area"
    TARGET = "target"
    CHOSEN = "chosen"
    TRAIL = "trail"
    CARD = "card"
    GOOD = "good"
    BAD = "bad"
    KEYS = "keys"
    INPUT = "input"


_UNBROKEN: Final = "\N{NO-BREAK SPACE}"

TRACK: Final = (Ink.RED, Ink.BLUE, Ink.YELLOW, Ink.GREEN)
"""The ink of each colour's words, by colour."""
AREA: Final = (Ink.RED_AREA, Ink.BLUE_AREA, Ink.YELLOW_AREA, Ink.GREEN_AREA)
"""The ink of each colour's squares, Start and Home on the board, by colour."""
PAWN: Final = (Ink.RED_PAWN, Ink.BLUE_PAWN, Ink.YELLOW_PAWN, Ink.GREEN_PAWN)
"""The ink of each colour's pawns, by colour."""

Row = tuple[tuple[Ink, str], ...]
"""One line of a screen: stretches of one ink, together exactly as wide as the screen."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A rectangle that answers to a click with `key`, as if that had been typed."""

    x: int
    y: int
    width: int
    height: int
    key: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A whole screen: `rows` from the top, zones (later ones lie above earlier ones), the cursor's cell or None."""

    rows: tuple[Row, ...]
    zones: tuple[Zone, ...] = ()
    cursor: tuple[int, int] | None = None

    def text(self) -> str:
        """The signs alone, a line a row."""
        return "\n".join("".join(part for _, part in row) for row in self.rows)

    def zone_at(self, x: int, y: int) -> Zone | None:
        """The zone of a cell."""
        for zone in reversed(self.zones):
            if zone.x <= x < zone.x + zone.width and zone.y <= y < zone.y + zone.height:
                return zone
        return None


class Canvas:
    """`width` x `height` cells to write on; whatever falls outside is cut off without a word (U53)."""

    __slots__ = ("_inks", "_signs", "_zones", "cursor", "height", "width")

    def __init__(self, width: int, height: int) -> None:
        self.width = max(0, width)
        self.height = max(0, height)
        self._signs = [[" "] * self.width for _ in range(self.height)]
        self._inks = [[Ink.PLAIN] * self.width for _ in range(self.height)]
        self._zones: list[Zone] = []
        self.cursor: tuple[int, int] | None = None

    def put(self, x: int, y: int, text: str, ink: Ink = Ink.PLAIN) -> int:
        """Write from a cell to the right and return the column after the last sign.

        A wide sign takes two cells; a mark joins the sign before it. Controls, and what an edge cuts in half,
        become question marks; a space that does not break becomes a plain one.
        """
        for sign in text.replace(_UNBROKEN, " "):
            if sign.isascii() and sign.isprintable():
                self._set(x, y, sign, ink)
                x += 1
                continue
            width = sign_cells(sign)
            if width == 0:
                self._join(x - 1, y, sign)
            elif width == 2 and x + 1 < self.width and x >= 0:
                self._set(x, y, " ", ink)
                self._set(x + 1, y, " ", ink)
                if 0 <= y < self.height:
                    self._signs[y][x : x + 2] = [sign, ""]
            else:
                for cell in range(x, x + width):
                    self._set(cell, y, sign if width == 1 and sign.isprintable() else "?", ink)
            x += width
        return x

    def _set(self, x: int, y: int, sign: str, ink: Ink) -> None:
        if not (0 <= y < self.height and 0 <= x < self.width):
            return
        row = self._signs[y]
        # Half of a wide sign cannot stay when its other half is written over.
        if not row[x]:
            row[x - 1] = "?"
        if x + 1 < self.width and not row[x + 1]:
            row[x + 1] = "?"
        row[x] = sign
        self._inks[y][x] = ink

    def _join(self, x: int, y: int, mark: str) -> None:
        """Put a mark of no width on the sign of a cell."""
        if 0 <= y < self.height and 0 <= x < self.width:
            row = self._signs[y]
            if not row[x]:
                x -= 1
            if row[x] != " ":
                row[x] += mark

    def bar(self, y: int, text: str, ink: Ink) -> None:
        """Write a text that fills its row from edge to edge with its ink."""
        self.put(self.put(0, y, text, ink), y, " " * self.width, ink)

    def fill(self, x: int, y: int, width: int, height: int, ink: Ink) -> None:
        """Lay an ink on a rectangle and clear what stood there."""
        for row in range(y, y + height):
            self.put(x, row, " " * width, ink)

    def zone(self, x: int, y: int, width: int, height: int, key: str) -> None:
        """Let a rectangle answer to a click."""
        self._zones.append(Zone(x, y, width, height, key))

    def picture(self) -> Picture:
        """What was written so far."""
        return Picture(tuple(map(_row, self._inks, self._signs)), tuple(self._zones), self.cursor)


def _row(inks: list[Ink], signs: list[str]) -> Row:
    grouped = groupby(zip(inks, signs, strict=True), key=lambda cell: cell[0])
    return tuple((ink, "".join(sign for _, sign in cells)) for ink, cells in grouped)
