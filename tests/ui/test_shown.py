"""What others wrote, made fit for output."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorry_lan.ui.shown import CHAT_CELLS, NAME_CELLS, cells, shown
from tests.ui.hostile import HOSTILE


@pytest.mark.spec("W-23")
@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("room", [NAME_CELLS, CHAT_CELLS])
def test_nothing_hostile_keeps_its_power(text, room):
    out = shown(text, room)
    assert not [
        sign for sign in out if unicodedata.category(sign)[0] == "C" or unicodedata.category(sign) in ("Zl", "Zp")
    ]
    assert cells(out) <= room


@pytest.mark.spec("W-23")
@given(st.text(max_size=80), st.integers(3, 60))
def test_any_text_stays_in_its_room_and_has_no_controls(text, room):
    out = shown(text, room)
    assert cells(out) <= room
    assert all(unicodedata.category(sign)[0] != "C" for sign in out)
    out.encode()


@pytest.mark.parametrize("text", ["Ada", "Zoë", "Łukasz", "语言", "שלום", "नमस्ते", "Ada 2", "O'Brien (2)"])
def test_ordinary_names_are_left_alone(text):
    assert shown(text, NAME_CELLS) == unicodedata.normalize("NFC", text)


def test_controls_become_visible():
    assert shown("a\x1b[2Jb\u202e", 40) == r"a\x1b[2Jb\u202e"
    assert shown("\U000e0041", 40) == r"\U000e0041"


def test_decomposed_letters_are_composed():
    assert shown("Zoe\u0308", 10) == "Zoë"


def test_two_marks_on_a_sign_stay_and_the_third_is_shown():
    assert shown("x\u0331\u0301\u0302", 40) == "x\u0331\u0301" + r"\u0302"


def test_a_mark_does_not_sit_on_the_words_before_it():
    assert shown("\u0301x", 40) == r"\u0301x"


def test_other_spaces_become_plain_ones():
    assert shown("a\u00a0b\u2003c", 10) == "a b c"


def test_a_cut_never_halves_a_wide_sign_or_an_escape():
    assert shown("語語語語", 6) == "語..."
    assert shown("ab\x1bcd", 6) == "ab..."


def test_wide_signs_count_two_cells():
    assert cells("語x") == 3
