"""What others wrote (names, titles, chat, farewells), made fit for a terminal, a pipe and a log file.

Every such string passes `shown` on its way out: nothing in it can move a cursor, start a line, turn text
around or hide.
"""

from __future__ import annotations

import unicodedata
from typing import Final

NAME_CELLS: Final = 24
TITLE_CELLS: Final = 40
CHAT_CELLS: Final = 400
"""Room for 200 two-cell signs: chat is cut by the wire's 200 bytes, not here."""

_ELLIPSIS: Final = "..."
_MARKS_PER_SIGN: Final = 2
"""Languages need one or two combining marks on a sign; three hundred make a tower over other people's lines."""

# Letters and marks by category that nevertheless show nothing, or change the width of their neighbour.
_INVISIBLE: Final = frozenset(
    [0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10)]
)


def sign_cells(sign: str) -> int:
    """Terminal cells of one sign: 2 for wide East Asian ones, 0 for combining marks, else 1."""
    if unicodedata.category(sign) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(sign) in {"W", "F"} else 1


def cells(text: str) -> int:
    """Terminal cells of a text that `shown` has passed."""
    return len(text) if text.isascii() else sum(map(sign_cells, text))


def shown(text: str, room: int) -> str:
    """The text in NFC with every control, direction, invisible or surplus sign as a visible escape, in `room` cells.

    What does not fit is cut at a whole sign and ends in three dots; every other sort of space becomes a plain one.
    """
    units: list[str] = []
    marks = _MARKS_PER_SIGN  # a mark with nothing before it would sit on our own sentence
    for sign in unicodedata.normalize("NFC", text):
        category = unicodedata.category(sign)
        if category in {"Mn", "Me"}:
            marks += 1
        elif category not in {"Cf", "Cc"}:
            marks = 0
        if category[0] == "C" or category in {"Zl", "Zp"} or ord(sign) in _INVISIBLE or marks > _MARKS_PER_SIGN:
            units.append(_escape(sign))
        elif category == "Zs":
            units.append(" ")
        else:
            units.append(sign)
    return _cut(units, room)


def _escape(sign: str) -> str:
    code = ord(sign)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _cut(units: list[str], room: int) -> str:
    if sum(map(cells, units)) <= room:
        return "".join(units)
    kept: list[str] = []
    left = room - len(_ELLIPSIS)
    for unit in units:
        left -= cells(unit)
        if left < 0:
            break
        kept.append(unit)
    return "".join(kept) + _ELLIPSIS[: max(room, 0)]
