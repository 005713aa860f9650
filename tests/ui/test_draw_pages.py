from __future__ import annotations

import pytest

from sorry_lan.ui.board_picture import Signs
from tests.ui.pages import PAGES, SIZES, drawn

ODD_SIZES = [(1, 1), (2, 3), (3, 60), (7, 5), (20, 5), (39, 11), (59, 20), (300, 2), (500, 300)]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fills_every_size_exactly(name: str) -> None:
    for width, height in [*SIZES, *ODD_SIZES]:
        rows = drawn(PAGES[name](), width, height).picture().rows
        assert len(rows) == height
        assert {sum(len(text) for _, text in row) for row in rows} <= {width}


@pytest.mark.parametrize("name", PAGES)
def test_with_ascii_signs_a_page_is_all_ascii(name: str) -> None:
    for width, height in SIZES:
        assert drawn(PAGES[name](), width, height, Signs.ASCII).picture().text().isascii()
