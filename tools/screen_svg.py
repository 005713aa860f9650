"""Pictures of screens as SVG: of a Picture the program drew, or of what a real terminal shows.

    tmux capture-pane -e -p | python tools/screen_svg.py > screen.svg

One rectangle for each stretch of background, one text for each stretch of letters, on a grid of equal cells.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby
from typing import Final

from sorry_lan.ui.canvas import Picture
from sorry_lan.ui.palette import Depth, Ground, Look, look
from sorry_lan.ui.shown import sign_cells

CELL: Final = (8.4, 18.0)
_MARGIN: Final = 12.0
_BASELINE: Final = 13.2
_SYSTEM: Final = {
    "ansiblack": "#000000",
    "ansired": "#cd0000",
    "ansigreen": "#00cd00",
    "ansiyellow": "#cdcd00",
    "ansiblue": "#0000ee",
    "ansimagenta": "#cd00cd",
    "ansicyan": "#00cdcd",
    "ansigray": "#e5e5e5",
    "ansibrightblack": "#7f7f7f",
    "ansibrightred": "#ff0000",
    "ansibrightgreen": "#00ff00",
    "ansibrightyellow": "#ffff00",
    "ansibrightblue": "#5c5cff",
    "ansibrightmagenta": "#ff00ff",
    "ansibrightcyan": "#00ffff",
    "ansiwhite": "#ffffff",
}
"""xterm's first sixteen colours, in the order of their numbers."""
_GROUNDS: Final = {Ground.DARK: ("#d0d0d0", "#121212"), Ground.LIGHT: ("#1c1c1c", "#ffffff")}


@dataclass(frozen=True, slots=True)
class Cell:
    """One sign and how it looks; colours are "#rrggbb", empty for the terminal's own."""

    sign: str
    look: Look


Grid = list[list[Cell]]

_TOKENS: Final = re.compile(r"\x1b\[([0-9;:]*)m|\x1b\[[0-9;?]*[A-Za-ln-z]|\x1b[()].|([^\x1b\r])")


def grid_of_picture(picture: Picture, depth: Depth, ground: Ground) -> Grid:
    """The cells of a drawn screen."""
    return [
        [Cell(sign, _named(look(ink, depth, ground))) for ink, part in row for sign in part] for row in picture.rows
    ]


def grid_of_capture(text: str) -> Grid:
    """The cells of a terminal's text with SGR sequences in it; other escape sequences are left out."""
    now, grid = Look(), []
    for line in text.rstrip("\n").split("\n"):
        cells: list[Cell] = []
        for match in _TOKENS.finditer(line):
            codes, sign = match.groups()
            if sign is not None:
                cells += [Cell(sign, now)] + [Cell("", now)] * (sign_cells(sign) - 1)
            elif codes is not None:
                now = _after(now, codes)
        grid.append(cells)
    return grid


def svg(grid: Grid, ground: Ground) -> str:
    """The picture of a grid."""
    front, back = _GROUNDS[ground]
    width = max(map(len, grid)) * CELL[0] + 2 * _MARGIN
    height = len(grid) * CELL[1] + 2 * _MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}" font-size="14"'
        " font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\">"
    )
    parts = [head, f'<rect width="100%" height="100%" rx="8" fill="{back}"/>']
    for row, cells in enumerate(grid):
        y = _MARGIN + row * CELL[1]
        x = _MARGIN
        for shown, run in groupby(cells, key=lambda cell: cell.look):
            text = [cell.sign for cell in run]
            parts += _stretch(x, y, text, _turned(shown, front, back))
            x += len(text) * CELL[0]
    return "\n".join([*parts, "</svg>", ""])


def _stretch(x: float, y: float, text: list[str], shown: Look) -> list[str]:
    width = len(text) * CELL[0]
    parts = []
    if shown.back:
        parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{CELL[1]:g}" fill="{shown.back}"/>')
    body = "".join(text)
    if body.strip():
        bold = ' font-weight="bold"' if "bold" in shown.attributes else ""
        line = ' text-decoration="underline"' if "underline" in shown.attributes else ""
        words = "".join(_word(x, n, word) for n, word in _words(text))
        parts.append(f'<text y="{y + _BASELINE:g}" fill="{shown.front}"{bold}{line}>{words}</text>')
    return parts


def _words(text: list[str]) -> list[tuple[int, list[str]]]:
    """The stretches without spaces, each with the cell where it begins: spaces get lost on the way to many viewers."""
    found: list[tuple[int, list[str]]] = []
    for blank, run in groupby(enumerate(text), key=lambda cell: cell[1].isspace()):
        cells = list(run)
        if not blank:
            found.append((cells[0][0], [sign for _, sign in cells]))
    return found


def _word(x: float, first: int, signs: list[str]) -> str:
    """Each sign at its own place, where the viewer can do that: no font's idea of a width can move the grid."""
    places = " ".join(f"{x + (first + n) * CELL[0]:g}" for n, sign in enumerate(signs) if sign)
    return f'<tspan x="{places}">{escape("".join(signs))}</tspan>'


def _turned(shown: Look, front: str, back: str) -> Look:
    """The colours as painted: the terminal's own filled in, reversed where asked."""
    if "reverse" in shown.attributes:
        return replace(shown, front=shown.back or back, back=shown.front or front)
    return replace(shown, front=shown.front or front)


def _named(shown: Look) -> Look:
    return replace(shown, front=rgb(shown.front), back=rgb(shown.back))


def rgb(name: str) -> str:
    """The colour of a name of the first sixteen; others as they are."""
    return _SYSTEM.get(name, name)


def _after(now: Look, codes: str) -> Look:
    """The look after one SGR sequence."""
    numbers = [int(code or 0) for code in re.split("[;:]", codes)]
    while numbers:
        code = numbers.pop(0)
        if code == 0:
            now = Look()
        elif code in _ATTRIBUTES:
            now = replace(now, attributes=f"{now.attributes} {_ATTRIBUTES[code]}".strip())
        elif code in _ENDS:
            kept = [word for word in now.attributes.split() if word not in _ENDS[code]]
            now = replace(now, attributes=" ".join(kept))
        elif code in {38, 48}:
            colour = _extended(numbers)
            now = replace(now, front=colour) if code == 38 else replace(now, back=colour)
        elif code == 39:
            now = replace(now, front="")
        elif code == 49:
            now = replace(now, back="")
        elif 30 <= code <= 37 or 90 <= code <= 97:
            now = replace(now, front=cube(code % 10 + (8 if code >= 90 else 0)))
        elif 40 <= code <= 47 or 100 <= code <= 107:
            now = replace(now, back=cube(code % 10 + (8 if code >= 100 else 0)))
    return now


_ATTRIBUTES: Final = {1: "bold", 2: "dim", 4: "underline", 7: "reverse"}
_ENDS: Final = {22: {"bold", "dim"}, 24: {"underline"}, 27: {"reverse"}}


def _extended(numbers: list[int]) -> str:
    """The colour of "5;n" or "2;r;g;b", taken off the front of the list."""
    kind = numbers.pop(0) if numbers else 0
    if kind == 2 and len(numbers) >= 3:
        return "#" + "".join(f"{numbers.pop(0):02x}" for _ in range(3))
    if kind == 5 and numbers:
        return cube(numbers.pop(0))
    numbers.clear()
    return ""


def cube(number: int) -> str:
    """The colour of a number 0..255 as xterm has it."""
    if number < 16:
        return list(_SYSTEM.values())[number]
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    steps = (0, 95, 135, 175, 215, 255)
    number -= 16
    return "#" + "".join(f"{steps[number // place % 6]:02x}" for place in (36, 6, 1))


def main() -> int:
    """Read a capture, write its picture."""
    parser = argparse.ArgumentParser(description="A picture of what `tmux capture-pane -e -p` prints.")
    parser.add_argument("--light", action="store_true", help="on a white ground")
    ground = Ground.LIGHT if parser.parse_args().light else Ground.DARK
    sys.stdout.write(svg(grid_of_capture(sys.stdin.read()), ground))
    return 0


if __name__ == "__main__":
    sys.exit(main())
