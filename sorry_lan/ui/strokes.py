"""What comes from a terminal's keyboard and mouse, as values, and what of it was pasted without the terminal saying so.

Pure. What the strokes do is the client's matter (full_screen.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from sorry_lan.ui.full_screen import Key

PASTED_SIGNS: Final = 3
"""So many signs in one read of the terminal were not typed: nobody has three fingers at the same time."""
PASTE_GAP_S: Final = 0.05
"""What follows a paste so closely is its rest: long ones come in several reads."""
MOST_PASTED: Final = 4096
"""A line of chat has 200 bytes; what is longer is no message but an accident."""

_SGR: Final = re.compile(r"\x1b\[<(\d{1,4});(\d{1,5});(\d{1,5})([Mm])")
_X10: Final = re.compile(r"\x1b\[M(.)(.)(.)", re.DOTALL)
_LEFT_DOWN: Final = 0


@dataclass(frozen=True, slots=True)
class Pasted:
    """A text that came at once; its line breaks are line feeds."""

    text: str


@dataclass(frozen=True, slots=True)
class Clicked:
    """The left button went down on a cell; 0, 0 is the top left one."""

    x: int
    y: int


Stroke = Key | str | Pasted | Clicked
"""A key, one visible sign, a paste, a click."""

_SIGNS: Final = {Key.ENTER: "\n", Key.TAB: "\t"}


def pasted(text: str) -> Pasted:
    """A bracketed paste."""
    return Pasted(text[:MOST_PASTED].replace("\r\n", "\n").replace("\r", "\n"))


def click(report: str) -> Clicked | None:
    """The click that a mouse report tells of; None for other buttons, releases, and what is no report."""
    found = _SGR.fullmatch(report)
    if found:
        button, x, y = (int(part) for part in found.groups()[:3])
        return Clicked(x - 1, y - 1) if button == _LEFT_DOWN and found[4] == "M" and x and y else None
    found = _X10.fullmatch(report)
    if found:
        button, x, y = (ord(part) - 32 for part in found.groups())
        return Clicked(x - 1, y - 1) if button == _LEFT_DOWN and x > 0 and y > 0 else None
    return None


def joined(batch: Iterable[Stroke], least: int) -> list[Stroke]:
    """The strokes of one read; `least` or more signs in a row, line breaks counted, are a paste."""
    found: list[Stroke] = []
    for as_text, run in groupby(batch, key=lambda stroke: bool(_sign(stroke))):
        strokes = list(run)
        if as_text and len(strokes) >= least:
            found.append(Pasted("".join(map(_sign, strokes))[:MOST_PASTED]))
        else:
            found += strokes
    return found


def _sign(stroke: Stroke) -> str:
    """What a stroke would be in a text; empty for what does not come in pastes."""
    if isinstance(stroke, Key):
        return _SIGNS.get(stroke, "")
    return stroke if isinstance(stroke, str) else ""
