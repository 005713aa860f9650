"""A canvas keeps its grid whatever is written on it, and a picture knows what lies where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorry_lan.ui.canvas import AREA, PAWN, TRACK, Canvas, Ink, Picture, Zone
from sorry_lan.ui.shown import cells


def lines(picture: Picture) -> list[str]:
    return picture.text().split("\n")


def test_text_is_written_to_the_right_and_the_next_column_is_told() -> None:
    canvas = Canvas(6, 2)
    assert canvas.put(1, 1, "abc", Ink.GOOD) == 4
    assert canvas.picture().rows == (
        ((Ink.PLAIN, "      "),),
        ((Ink.PLAIN, " "), (Ink.GOOD, "abc"), (Ink.PLAIN, "  ")),
    )


@pytest.mark.parametrize(("x", "y", "shown"), [(-1, 0, "bc  "), (2, 0, "  ab"), (0, -1, "    "), (0, 1, "    ")])
def test_what_falls_outside_is_cut_off(x: int, y: int, shown: str) -> None:
    canvas = Canvas(4, 1)
    assert canvas.put(x, y, "abc") == x + 3
    assert lines(canvas.picture()) == [shown]


def test_a_canvas_of_no_size_takes_everything_and_shows_nothing() -> None:
    canvas = Canvas(-3, -1)
    canvas.put(0, 0, "abc")
    canvas.fill(0, 0, 2, 2, Ink.CARD)
    assert canvas.picture() == Picture(())


def test_a_wide_sign_takes_two_cells() -> None:
    canvas = Canvas(6, 1)
    assert canvas.put(0, 0, "a字b") == 4
    assert lines(canvas.picture()) == ["a字b  "]


@pytest.mark.parametrize("x", [-1, 3])
def test_a_wide_sign_cut_by_an_edge_becomes_a_question_mark(x: int) -> None:
    canvas = Canvas(4, 1)
    assert canvas.put(x, 0, "字") == x + 2
    assert lines(canvas.picture())[0].strip() == "?"


def test_a_wide_sign_outside_of_the_rows_is_cut_off() -> None:
    canvas = Canvas(4, 1)
    assert canvas.put(0, 1, "字") == 2
    assert lines(canvas.picture()) == ["    "]


@pytest.mark.parametrize(("x", "shown"), [(1, "ax?b"), (2, "a?xb")])
def test_half_a_wide_sign_written_over_leaves_a_question_mark(x: int, shown: str) -> None:
    canvas = Canvas(4, 1)
    canvas.put(0, 0, "a字b")
    canvas.put(x, 0, "x")
    assert lines(canvas.picture()) == [shown]


def test_a_wide_sign_over_a_wide_sign_leaves_no_half_behind() -> None:
    canvas = Canvas(5, 1)
    canvas.put(0, 0, "字字")
    canvas.put(1, 0, "水")
    assert lines(canvas.picture()) == ["?水? "]


def test_a_mark_joins_the_sign_before_it_and_nothing_else() -> None:
    canvas = Canvas(5, 1)
    assert canvas.put(0, 0, "e\N{COMBINING ACUTE ACCENT}字\N{COMBINING ACUTE ACCENT}") == 3
    assert lines(canvas.picture()) == ["e\N{COMBINING ACUTE ACCENT}字\N{COMBINING ACUTE ACCENT}  "]
    empty = Canvas(2, 1)
    empty.put(0, 0, "\N{COMBINING ACUTE ACCENT}")
    empty.put(1, 0, "\N{COMBINING ACUTE ACCENT}")
    empty.put(1, 5, "\N{COMBINING ACUTE ACCENT}")
    assert lines(empty.picture()) == ["  "]


def test_a_space_that_holds_words_together_is_drawn_as_a_space() -> None:
    canvas = Canvas(3, 1)
    canvas.put(0, 0, "a\N{NO-BREAK SPACE}b")
    assert lines(canvas.picture()) == ["a b"]


@pytest.mark.parametrize("sign", ["\x1b", "\x07", "\n", "\x9b", "\N{RIGHT-TO-LEFT OVERRIDE}", "\N{ZERO WIDTH SPACE}"])
def test_signs_that_steer_a_terminal_are_never_drawn(sign: str) -> None:
    canvas = Canvas(4, 1)
    canvas.put(0, 0, f"a{sign}b")
    assert lines(canvas.picture()) == ["a?b "]


WRITING = st.tuples(st.integers(-3, 12), st.integers(-1, 3), st.text(max_size=9), st.sampled_from(Ink))


@given(st.lists(WRITING, max_size=8), st.integers(0, 10), st.integers(0, 3))
def test_every_row_is_as_wide_as_the_canvas_whatever_is_written(
    writings: list[tuple[int, int, str, Ink]], width: int, height: int
) -> None:
    canvas = Canvas(width, height)
    for x, y, text, ink in writings:
        assert canvas.put(x, y, text, ink) == x + cells(text)
    picture = canvas.picture()
    assert len(picture.rows) == height
    for row in picture.rows:
        assert sum(cells(part) for _, part in row) == width
        assert all(sign.isprintable() or cells(sign) == 0 for _, part in row for sign in part)


def test_a_bar_fills_its_row_and_a_filling_clears_its_rectangle() -> None:
    canvas = Canvas(5, 3)
    canvas.put(0, 2, "xxxxx")
    canvas.bar(0, "ab", Ink.TITLE)
    canvas.fill(1, 1, 2, 2, Ink.CARD)
    assert canvas.picture().rows == (
        ((Ink.TITLE, "ab   "),),
        ((Ink.PLAIN, " "), (Ink.CARD, "  "), (Ink.PLAIN, "  ")),
        ((Ink.PLAIN, "x"), (Ink.CARD, "  "), (Ink.PLAIN, "xx")),
    )


def test_of_two_zones_the_later_one_lies_above() -> None:
    canvas = Canvas(9, 4)
    canvas.zone(0, 0, 5, 2, "under")
    canvas.zone(2, 1, 2, 2, "above")
    picture = canvas.picture()
    assert picture.zone_at(0, 0) == Zone(0, 0, 5, 2, "under")
    assert [zone.key if zone else None for zone in (picture.zone_at(2, 1), picture.zone_at(3, 2))] == ["above"] * 2
    assert picture.zone_at(4, 2) is None
    assert picture.zone_at(5, 0) is None


def test_a_picture_tells_where_the_cursor_is() -> None:
    canvas = Canvas(3, 1)
    assert canvas.picture().cursor is None
    canvas.cursor = (2, 0)
    assert canvas.picture().cursor == (2, 0)


def test_each_colour_has_its_own_inks() -> None:
    assert len({*TRACK, *AREA, *PAWN}) == 12
