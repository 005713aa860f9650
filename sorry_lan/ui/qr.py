"""A line of text as a QR code made of signs, without colours: light is what is printed, as terminals are dark.

Owns the segno library.
"""

from __future__ import annotations

from typing import Final

import segno

from sorry_lan.table.notices import Blocks

_QUIET: Final = 4
"""Light modules around the code, as its standard asks for."""
_HALVES: Final = {(True, True): "\u2588", (True, False): "\u2580", (False, True): "\u2584", (False, False): " "}


def qr_rows(text: str, blocks: Blocks) -> tuple[str, ...]:
    """Rows of equal width; two modules a sign above each other, or in ASCII two signs a module."""
    matrix = segno.make(text, error="l", micro=False).matrix_iter(scale=1, border=_QUIET)
    light = [[not module for module in row] for row in matrix]
    if blocks is Blocks.ASCII:
        return tuple("".join("##" if module else "  " for module in row) for row in light)
    light.append([False] * len(light[0]))  # a code has an odd number of rows
    pairs = zip(light[::2], light[1::2], strict=True)
    return tuple("".join(_HALVES[pair] for pair in zip(upper, lower, strict=True)) for upper, lower in pairs)
