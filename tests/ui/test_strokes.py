"""Keys, clicks and pastes as they come from a terminal."""

from __future__ import annotations

import pytest

from sorry_lan.ui.full_screen import Key
from sorry_lan.ui.strokes import MOST_PASTED, Clicked, Pasted, click, joined, pasted


def test_two_signs_at_once_are_typed_and_three_are_pasted() -> None:
    assert joined(["1", Key.ENTER], 3) == ["1", Key.ENTER]
    assert joined(["1", "0", Key.ENTER], 3) == [Pasted("10\n")]


def test_keys_that_no_paste_holds_break_it_up() -> None:
    batch = [Key.ESCAPE, "a", "b", "c", Key.UP, "d", Key.TAB, Pasted("e"), Clicked(1, 2), "f"]
    assert joined(batch, 3) == [
        Key.ESCAPE,
        Pasted("abc"),
        Key.UP,
        "d",
        Key.TAB,
        Pasted("e"),
        Clicked(1, 2),
        "f",
    ]


def test_tabs_and_line_breaks_of_a_paste_stay_in_it() -> None:
    assert joined(["a", Key.TAB, Key.ENTER], 3) == [Pasted("a\t\n")]


def test_after_a_paste_even_one_sign_belongs_to_it() -> None:
    assert joined([Key.ENTER], 1) == [Pasted("\n")]


def test_a_paste_is_cut_to_what_anybody_could_mean() -> None:
    assert len(pasted("x" * 100_000).text) == MOST_PASTED
    assert joined(["x"] * 100_000, 3) == [Pasted("x" * MOST_PASTED)]


def test_line_breaks_of_every_system_are_line_feeds() -> None:
    assert pasted("a\r\nb\rc\n") == Pasted("a\nb\nc\n")


@pytest.mark.parametrize(
    ("report", "cell"),
    [
        ("\x1b[<0;1;1M", Clicked(0, 0)),
        ("\x1b[<0;51;8M", Clicked(50, 7)),
        ("\x1b[M !!", Clicked(0, 0)),
        ("\x1b[<0;51;8m", None),  # let go
        ("\x1b[<2;51;8M", None),  # the right button
        ("\x1b[<64;51;8M", None),  # the wheel
        ("\x1b[<0;0;0M", None),  # no such cell
        ("\x1b[M#!!", None),
        ("\x1b[M   ", None),
        ("\x1b[<0;999999;1M", None),
        ("\x1b[32;51;8M", None),  # an older way that nobody asked for
        ("", None),
    ],
)
def test_a_click_is_the_left_button_going_down_on_a_cell(report: str, cell: Clicked | None) -> None:
    assert click(report) == cell
