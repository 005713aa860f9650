"""Numbers as people type them."""

from __future__ import annotations

import pytest

from sorry_lan.ui.numbers import MOST, number_of


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0), ("7", 7), ("007", 7), ("0" * 5000 + "12", 12), ("9" * 9, MOST), ("1" + "0" * 9, MOST),
        ("9" * 5000, MOST), ("", None), ("-1", None), ("1 ", None), ("1_0", None), ("\u00b2", None), ("\u0663", None),
    ],
)  # fmt: skip
def test_ascii_digits_are_a_number_and_nothing_else_is(text: str, number: int | None) -> None:
    assert number_of(text) == number
