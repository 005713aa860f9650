from __future__ import annotations

from dataclasses import dataclass

import pytest

from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import Canvas, Ink
from sorry_lan.ui.sheet import EMPTY, Line, Typed, cut, draw_sheet, item, last_scroll, latest, paragraphs, prose, wrap


@dataclass(frozen=True)
class Numbers:
    """So many numbered lines, perhaps one of them in focus and some empty ones between."""

    count: int = 30
    scroll: int = 0
    focus: int | None = None
    gaps: int = 0
    typed: Typed | None = None
    keys: str = "a one  b two  c three"

    def title(self):
        return "left", "right"

    def keys_text(self):
        return self.keys

    def lines(self, _width, _height, _signs):
        told = [Line(((Ink.PLAIN, f"#{n}"),), str(n), focus=n == self.focus) for n in range(self.count)]
        for place in range(self.gaps):
            told.insert(2 * place + 1, EMPTY)
        return tuple(told)


def drawn(page, width=50, height=12, signs=Signs.UNICODE):
    canvas = Canvas(width, height)
    draw_sheet(canvas, page, signs)
    return canvas.picture()


def text(page, width=50, height=12):
    return [row.rstrip() for row in drawn(page, width, height).text().split("\n")]


def test_the_title_is_above_and_the_keys_are_below():
    rows = text(Numbers(3))
    assert rows[0].split() == ["left", "right"]
    assert rows[1].strip() == "#0"
    assert rows[-1].strip() == "a one  b two  c three"


def test_scrolling_moves_the_lines_and_stops_at_the_end():
    assert text(Numbers(scroll=4))[1].strip() == "#4"
    assert text(Numbers(scroll=999))[-2].strip() == "#29"
    assert text(Numbers(scroll=-3))[1].strip() == "#0"
    assert last_scroll(Numbers(), 50, 12, Signs.UNICODE) == 20


def test_a_sign_in_the_corner_tells_that_there_is_more():
    assert text(Numbers())[-1].endswith("more ▾")
    assert text(Numbers(scroll=3))[-1].endswith("more ▴▾")
    assert text(Numbers(scroll=99))[-1].endswith("more ▴")
    assert "more" not in text(Numbers(5))[-1]
    assert drawn(Numbers(), signs=Signs.ASCII).text().endswith("more v ")


def test_the_line_in_focus_is_in_sight_until_somebody_scrolls():
    for height in (3, 5, 8, 12):
        for focus in range(30):
            assert f"#{focus}" in [row.strip() for row in text(Numbers(focus=focus), height=height)]
    assert text(Numbers(focus=20, scroll=3))[1].strip() == "#3"


def test_of_empty_lines_only_those_that_fit_are_kept():
    rows = text(Numbers(9, gaps=4))
    assert [row.strip() for row in rows[1:-1]] == ["#0", "", *(f"#{n}" for n in range(1, 9))]


def test_a_page_that_is_too_long_anyway_keeps_its_empty_lines():
    assert [row.strip() for row in text(Numbers(30, gaps=2))[1:5]] == ["#0", "", "#1", ""]


def test_few_rows_have_no_empty_lines():
    assert [row.strip() for row in text(Numbers(30, gaps=2), height=6)[1:4]] == ["#0", "#1", "#2"]


def test_keys_that_do_not_fit_are_left_out_whole():
    assert text(Numbers(3), width=16)[-1].strip() == "a one  b two"


def test_a_tall_window_gives_the_keys_a_second_row():
    rows = text(Numbers(3), width=16, height=20)
    assert [row.strip() for row in rows[-2:]] == ["a one  b two", "c three"]


def test_a_row_can_be_clicked_where_it_has_a_key():
    picture = drawn(Numbers(3))
    assert picture.zone_at(20, 2).key == "1"
    assert picture.zone_at(0, 0) is None


def test_the_cursor_stands_in_the_typed_text():
    picture = drawn(Numbers(typed=Typed("hello", 2)))
    assert picture.cursor == (1 + 2 + 2, 10)
    assert "> hello" in picture.text()


def test_a_long_text_moves_left_so_that_the_cursor_stays_in_sight():
    picture = drawn(Numbers(typed=Typed("x" * 80 + "END", 83)))
    assert picture.cursor is not None
    assert picture.cursor[0] <= 49
    assert "END" in picture.text()


def test_without_room_for_it_there_is_no_cursor():
    assert drawn(Numbers(typed=Typed("x", 1, prompt="very long prompt ")), width=5).cursor is None
    assert drawn(Numbers(typed=Typed("x", 1)), height=0).cursor is None


@pytest.mark.parametrize("width", [1, 2, 3, 7, 20, 200])
def test_wrapped_rows_fit_and_hold_every_sign(width):
    told = "A few words and alongwordthatmustbebroken, then an end."
    rows = wrap(told, width)
    assert all(0 < len(row) <= width for row in rows)
    assert "".join(rows).replace(" ", "") == told.replace(" ", "")


def test_words_with_a_no_break_space_stay_together_and_it_is_drawn_as_a_plain_one():
    assert wrap("R1\u00a022 R2\u00a0Start", 9) == ["R1 22", "R2 Start"]


def test_nothing_wraps_to_nothing():
    assert wrap("", 10) == []
    assert prose("", 10) == []


def test_further_rows_of_an_item_stand_under_its_text():
    rows = ["".join(part for _, part in line.spans) for line in item("label: ", "one two three", 16)]
    assert rows == ["label: one two", "       three"]


def test_an_item_on_a_narrow_page_puts_its_text_below_the_label():
    rows = ["".join(part for _, part in line.spans) for line in item("label: ", "one two", 9)]
    assert rows == ["label:", "  one two"]


def test_an_item_without_text_is_its_label():
    assert item("label: ", "", 40) == [Line(((Ink.PLAIN, "label: "), (Ink.PLAIN, "")))]


def test_the_latest_sentences_are_whole():
    told = latest(["one two three", "four five six", "seven"], 8, 3)
    assert ["".join(part for _, part in line.spans) for line in told] == ["four", "five six", "seven"]


def test_of_a_sentence_that_is_too_long_alone_its_beginning_is_shown():
    told = latest(["one two three"], 5, 2)
    assert ["".join(part for _, part in line.spans) for line in told] == ["one", "two"]


def test_paragraphs_without_lines_leave_no_gap():
    assert paragraphs([EMPTY], [], [EMPTY]) == (EMPTY, EMPTY, EMPTY)


def test_a_cut_text_ends_in_two_dots():
    assert cut("Chloe", 5) == "Chloe"
    assert cut("Chloe", 4) == "Ch.."
    assert cut("Chloe", 1) == "."
