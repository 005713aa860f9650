"""Numbers as people type them: one reading for keys, lines and JSON fields."""

from __future__ import annotations

from typing import Final

MOST: Final = 999_999_999
"""More than anything here counts; whatever is above is read as this."""
_DIGITS: Final = len(str(MOST))


def number_of(text: str) -> int | None:
    """The number that these ASCII digits write, MOST at most; None for anything else.

    `str.isdigit` alone would let pass what `int` does not read: the superscript two has a key of its own on some
    keyboards.
    """
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    return int(digits) if len(digits) <= _DIGITS else MOST
