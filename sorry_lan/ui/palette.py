"""What each ink looks like: for 256, 16 and no colours, on dark and on light terminals.

Values of xterm's colour cube, chosen so that text has a contrast of 4.5 at least and the seats stay 25 apart (CIE 1976)
for every kind of colour vision (U59). Knows no terminal: what it can is read from its environment mapping.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final

from sorry_lan.ui.canvas import Ink


@unique
class Depth(Enum):
    """How many colours a terminal has."""

    COLOURS = "256"
    SIXTEEN = "16"
    ONE_BIT = "1"


@unique
class Ground(Enum):
    """Whether a terminal writes light on dark or dark on light."""

    DARK = "dark"
    LIGHT = "light"


@dataclass(frozen=True, slots=True)
class Look:
    """Colours as "#rrggbb" or "ansi..." (empty: the terminal's own), and attributes such as "bold reverse"."""

    front: str = ""
    back: str = ""
    attributes: str = ""

    def style(self) -> str:
        """The same as a style string of prompt_toolkit."""
        front = f"fg:{self.front}" if self.front else ""
        back = f"bg:{self.back}" if self.back else ""
        return " ".join(part for part in (front, back, self.attributes) if part)


def look(ink: Ink, depth: Depth, ground: Ground) -> Look:
    """How an ink looks there."""
    return _LOOKS[depth, ground][ink]


def styles(depth: Depth, ground: Ground) -> dict[Ink, str]:
    """The style string of every ink."""
    return {ink: look(ink, depth, ground).style() for ink in Ink}


def depth_for(environ: Mapping[str, str]) -> Depth:
    """The colours of a terminal; NO_COLOR, when it is set and not empty, means none. Windows names no terminal."""
    term = environ.get("TERM", "")
    if environ.get("NO_COLOR") or term.startswith("vt") or term.endswith("-mono") or term in {"dumb", "unknown"}:
        return Depth.ONE_BIT
    if term in {"linux", "ansi", "cygwin", "eterm-color"} or term.endswith("-16color"):
        return Depth.SIXTEEN
    return Depth.COLOURS


def ground_for(environ: Mapping[str, str]) -> Ground:
    """What COLORFGBG says of the background ("0;15": black on white); dark where it says nothing."""
    return Ground.LIGHT if environ.get("COLORFGBG", "").rpartition(";")[2] in {"7", "15"} else Ground.DARK


_ONE_BIT: Final = {
    Ink.PLAIN: Look(),
    Ink.DIM: Look(),
    Ink.STRONG: Look(attributes="bold"),
    Ink.TITLE: Look(attributes="bold reverse"),
    Ink.RED: Look(),
    Ink.BLUE: Look(),
    Ink.YELLOW: Look(),
    Ink.GREEN: Look(),
    Ink.RED_PAWN: Look(attributes="bold"),
    Ink.BLUE_PAWN: Look(attributes="bold"),
    Ink.YELLOW_PAWN: Look(attributes="bold"),
    Ink.GREEN_PAWN: Look(attributes="bold"),
    Ink.SQUARE: Look(),
    Ink.SQUARE_ODD: Look(),
    Ink.RED_AREA: Look(),
    Ink.BLUE_AREA: Look(),
    Ink.YELLOW_AREA: Look(),
    Ink.GREEN_AREA: Look(),
    Ink.TARGET: Look(attributes="reverse"),
    Ink.CHOSEN: Look(attributes="bold reverse"),
    Ink.TRAIL: Look(attributes="bold"),
    Ink.CARD: Look(attributes="bold"),
    Ink.GOOD: Look(attributes="bold"),
    Ink.BAD: Look(attributes="bold underline"),
    Ink.KEYS: Look(attributes="reverse"),
    Ink.INPUT: Look(attributes="underline"),
}

_DARK: Final = {
    Ink.PLAIN: Look(),
    Ink.DIM: Look("#949494"),
    Ink.STRONG: Look(attributes="bold"),
    Ink.TITLE: Look("#ffffff", "#303030", "bold"),
    Ink.RED: Look("#ff5f00"),
    Ink.BLUE: Look("#5f87ff"),
    Ink.YELLOW: Look("#ffff5f"),
    Ink.GREEN: Look("#00d787"),
    Ink.RED_PAWN: Look("#000000", "#ff5f00", "bold"),
    Ink.BLUE_PAWN: Look("#000000", "#5f87ff", "bold"),
    Ink.YELLOW_PAWN: Look("#000000", "#ffff5f", "bold"),
    Ink.GREEN_PAWN: Look("#000000", "#00d787", "bold"),
    Ink.SQUARE: Look("#a8a8a8", "#262626"),
    Ink.SQUARE_ODD: Look("#a8a8a8", "#303030"),
    Ink.RED_AREA: Look("#ffaf87", "#5f0000"),
    Ink.BLUE_AREA: Look("#afd7ff", "#00005f"),
    Ink.YELLOW_AREA: Look("#ffffaf", "#5f5f00"),
    Ink.GREEN_AREA: Look("#afffd7", "#005f00"),
    Ink.TARGET: Look("#ffffff", "#af00af", "bold"),
    Ink.CHOSEN: Look("#000000", "#ffffff", "bold"),
    Ink.TRAIL: Look("#ffafff", "#444444", "bold"),
    Ink.CARD: Look("#000000", "#eeeeee", "bold"),
    Ink.GOOD: Look("#5fd75f", "", "bold"),
    Ink.BAD: Look("#ff8787", "", "bold"),
    Ink.KEYS: Look("#d0d0d0", "#303030"),
    Ink.INPUT: Look("#ffffff", "#262626"),
}

_LIGHT: Final = {
    Ink.PLAIN: Look(),
    Ink.DIM: Look("#626262"),
    Ink.STRONG: Look(attributes="bold"),
    Ink.TITLE: Look("#000000", "#d0d0d0", "bold"),
    Ink.RED: Look("#870000"),
    Ink.BLUE: Look("#0000d7"),
    Ink.YELLOW: Look("#af5f00"),
    Ink.GREEN: Look("#00875f"),
    Ink.RED_PAWN: Look("#ffffff", "#870000", "bold"),
    Ink.BLUE_PAWN: Look("#ffffff", "#0000d7", "bold"),
    Ink.YELLOW_PAWN: Look("#ffffff", "#af5f00", "bold"),
    Ink.GREEN_PAWN: Look("#ffffff", "#00875f", "bold"),
    Ink.SQUARE: Look("#4e4e4e", "#eeeeee"),
    Ink.SQUARE_ODD: Look("#4e4e4e", "#e4e4e4"),
    Ink.RED_AREA: Look("#870000", "#ffd7d7"),
    Ink.BLUE_AREA: Look("#0000d7", "#d7d7ff"),
    Ink.YELLOW_AREA: Look("#5f5f00", "#ffffaf"),
    Ink.GREEN_AREA: Look("#005f00", "#d7ffd7"),
    Ink.TARGET: Look("#ffffff", "#af00af", "bold"),
    Ink.CHOSEN: Look("#ffffff", "#000000", "bold"),
    Ink.TRAIL: Look("#870087", "#dadada", "bold"),
    Ink.CARD: Look("#000000", "#ffffd7", "bold"),
    Ink.GOOD: Look("#005f00", "", "bold"),
    Ink.BAD: Look("#af0000", "", "bold"),
    Ink.KEYS: Look("#303030", "#dadada"),
    Ink.INPUT: Look("#000000", "#e4e4e4"),
}

# Bright blue is too dark to read on black in most terminals: there Blue is cyan.
_SIXTEEN_DARK: Final = _ONE_BIT | {
    Ink.RED: Look("ansibrightred"),
    Ink.BLUE: Look("ansibrightcyan"),
    Ink.YELLOW: Look("ansibrightyellow"),
    Ink.GREEN: Look("ansigreen"),
    Ink.RED_PAWN: Look("ansiblack", "ansibrightred"),
    Ink.BLUE_PAWN: Look("ansiblack", "ansibrightcyan"),
    Ink.YELLOW_PAWN: Look("ansiblack", "ansibrightyellow"),
    Ink.GREEN_PAWN: Look("ansiblack", "ansigreen"),
    Ink.RED_AREA: Look("ansibrightred"),
    Ink.BLUE_AREA: Look("ansibrightcyan"),
    Ink.YELLOW_AREA: Look("ansibrightyellow"),
    Ink.GREEN_AREA: Look("ansigreen"),
    Ink.TARGET: Look("ansiblack", "ansibrightmagenta"),
    Ink.CHOSEN: Look("ansiblack", "ansiwhite"),
    Ink.TRAIL: Look("ansibrightmagenta"),
    Ink.CARD: Look("ansiblack", "ansiwhite"),
    Ink.GOOD: Look("ansibrightgreen"),
    Ink.BAD: Look("ansibrightred", "", "bold"),
}

_SIXTEEN_LIGHT: Final = _ONE_BIT | {
    Ink.RED: Look("ansired"),
    Ink.BLUE: Look("ansiblue"),
    Ink.YELLOW: Look("ansiblack", "ansiyellow"),
    Ink.GREEN: Look("ansiblack", "ansigreen"),
    Ink.RED_PAWN: Look("ansiwhite", "ansired"),
    Ink.BLUE_PAWN: Look("ansiwhite", "ansiblue"),
    Ink.YELLOW_PAWN: Look("ansiblack", "ansiyellow"),
    Ink.GREEN_PAWN: Look("ansiblack", "ansigreen"),
    Ink.RED_AREA: Look("ansired"),
    Ink.BLUE_AREA: Look("ansiblue"),
    Ink.TARGET: Look("ansiblack", "ansibrightmagenta"),
    Ink.CHOSEN: Look("ansiwhite", "ansiblack"),
    Ink.BAD: Look("ansired", "", "bold"),
}

_LOOKS: Final = {
    (Depth.COLOURS, Ground.DARK): _DARK,
    (Depth.COLOURS, Ground.LIGHT): _LIGHT,
    (Depth.SIXTEEN, Ground.DARK): _SIXTEEN_DARK,
    (Depth.SIXTEEN, Ground.LIGHT): _SIXTEEN_LIGHT,
    (Depth.ONE_BIT, Ground.DARK): _ONE_BIT,
    (Depth.ONE_BIT, Ground.LIGHT): _ONE_BIT,
}
