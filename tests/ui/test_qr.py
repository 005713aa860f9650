"""A QR code of signs: the same modules in half blocks and in ASCII, with the light border that cameras need."""

from __future__ import annotations

import segno

from sorry_lan.table.notices import Blocks
from sorry_lan.ui.qr import qr_rows

LINE = "sorry-lan join 192.168.1.20 --code maple-otter-tulip"


def light(rows: tuple[str, ...]) -> list[list[bool]]:
    """The modules in ASCII rows."""
    return [[row[i : i + 2] == "##" for i in range(0, len(row), 2)] for row in rows]


def test_ascii_rows_are_the_code_that_the_library_makes() -> None:
    wanted = [[not module for module in row] for row in segno.make(LINE, error="l", micro=False).matrix_iter(border=4)]
    assert light(qr_rows(LINE, Blocks.ASCII)) == wanted


def test_half_blocks_hold_two_rows_each() -> None:
    modules = light(qr_rows(LINE, Blocks.ASCII))
    halves = qr_rows(LINE, Blocks.HALF)
    upper = {"\u2588": True, "\u2580": True, "\u2584": False, " ": False}
    lower = {"\u2588": True, "\u2580": False, "\u2584": True, " ": False}
    unfolded = [row for text in halves for row in ([upper[sign] for sign in text], [lower[sign] for sign in text])]
    assert unfolded[: len(modules)] == modules


def test_a_join_line_fits_a_terminal_of_80_by_24() -> None:
    rows = qr_rows(LINE, Blocks.HALF)
    assert len(rows) <= 22
    assert len(rows[0]) <= 80
