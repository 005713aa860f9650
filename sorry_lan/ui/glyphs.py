"""The signs that boards, boxes and arrows are drawn with, in Unicode and in ASCII, and which a terminal gets.

All are one cell wide and none can turn into an emoji (U62). Those of ambiguous width in East Asian fonts are named
in AMBIGUOUS: in such a locale ASCII is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, assert_never

from sorry_lan.ui.board_picture import Signs

AMBIGUOUS: Final = frozenset("·─│●■╭╮╰╯")
"""Signs in use that a terminal with an East Asian font may draw two cells wide."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One sign for each thing drawn; `arrows` go right, down, left, up, `corners` clockwise from the top left."""

    dot: str
    across: str
    upright: str
    end: str
    block: str
    arrows: tuple[str, str, str, str]
    corners: tuple[str, str, str, str]


_UNICODE: Final = Glyphs(
    dot="\N{MIDDLE DOT}",
    across="\N{BOX DRAWINGS LIGHT HORIZONTAL}",
    upright="\N{BOX DRAWINGS LIGHT VERTICAL}",
    end="\N{BLACK CIRCLE}",
    block="\N{BLACK SQUARE}",
    arrows=(
        "\N{BLACK RIGHT-POINTING POINTER}",
        "\N{BLACK DOWN-POINTING SMALL TRIANGLE}",
        "\N{BLACK LEFT-POINTING POINTER}",
        "\N{BLACK UP-POINTING SMALL TRIANGLE}",
    ),
    corners=(
        "\N{BOX DRAWINGS LIGHT ARC DOWN AND RIGHT}",
        "\N{BOX DRAWINGS LIGHT ARC DOWN AND LEFT}",
        "\N{BOX DRAWINGS LIGHT ARC UP AND LEFT}",
        "\N{BOX DRAWINGS LIGHT ARC UP AND RIGHT}",
    ),
)
_ASCII: Final = Glyphs(
    dot=".",
    across="-",
    upright="|",
    end="o",
    block="#",
    arrows=(">", "v", "<", "^"),
    corners=("+", "+", "+", "+"),
)


def glyphs(signs: Signs) -> Glyphs:
    """The table of that kind."""
    match signs:
        case Signs.UNICODE:
            return _UNICODE
        case Signs.ASCII:
            return _ASCII
        case _:
            assert_never(signs)


_EAST_ASIAN: Final = frozenset(["zh", "ja", "ko"])
_PLAIN: Final = frozenset(["C", "POSIX"])


def signs_for(environ: Mapping[str, str], encoding: str | None) -> Signs:
    """What a terminal can show: ASCII unless its stream is UTF-8 and neither locale nor console speaks against it."""
    if (encoding or "").lower().replace("_", "-") not in {"utf-8", "utf8"}:
        return Signs.ASCII
    # The Linux console has 256 or 512 signs, and neither small triangles nor round corners are among them.
    if environ.get("TERM") == "linux":
        return Signs.ASCII
    locale = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or ""
    # Python writes UTF-8 under the plain locales too, but whoever set one asked for ASCII.
    ascii_only = locale in _PLAIN or locale[:2].lower() in _EAST_ASIAN
    return Signs.ASCII if ascii_only else Signs.UNICODE
