"""The lookup tables of one colour under given rules."""

from __future__ import annotations

import pytest

from sorry_lan.rules.board import HOME, SLIDES, Colour, backward, forward, in_play
from sorry_lan.rules.profile import Rules, with_switch
from sorry_lan.rules.tables import NOWHERE, tables
from tests.rules.build import STANDARD, loc

OWN = {triangle for triangle, _ in SLIDES[Colour.BLUE]}
ALL = {triangle for pair in SLIDES for triangle, _ in pair}


def under(*settings: str) -> Rules:
    rules = STANDARD
    for setting in settings:
        rules = with_switch(rules, setting)
    return rules


@pytest.mark.parametrize("colour", list(Colour))
def test_counts_are_those_of_the_board(colour: Colour) -> None:
    found = tables(STANDARD, colour)
    for place in range(HOME + 1):
        for steps in range(1, 13):
            target = forward(colour, place, steps) if in_play(place) else None
            assert found.forth[steps][place] == (NOWHERE if target is None else target)
        for steps in (1, 4):
            assert found.back[steps][place] == (backward(colour, place, steps) if in_play(place) else NOWHERE)


@pytest.mark.parametrize(
    ("setting", "triangles"),
    [("slide_on=own", OWN), ("slide_on=other", ALL - OWN), ("slide_on=any", ALL), ("slide_on=none", set())],
)
def test_the_triangles_that_slide_follow_the_switch(setting: str, triangles: set[int]) -> None:
    found = tables(under(setting), Colour.BLUE)
    assert set(found.slides) == triangles
    assert found.vetoes == {}


def test_a_slide_over_the_own_entry_is_carried_past_it() -> None:
    assert tables(STANDARD, Colour.RED).slides[loc("1")] == (loc("4"), bytes([loc("2"), loc("3"), loc("4")]))


def test_it_is_left_out_under_stay() -> None:
    found = tables(under("slide_past_entry=stay", "slide_on=any"), Colour.RED)
    assert set(found.slides) == ALL - {loc("1")}


def test_it_ends_in_the_zone_under_enter_unless_an_own_pawn_is_there() -> None:
    found = tables(under("slide_past_entry=enter"), Colour.RED)
    assert found.slides[loc("1")] == (loc("z0"), bytes([loc("2")]))
    assert found.vetoes == {loc("1"): bytes([loc("z0")])}


def test_under_block_an_own_pawn_on_the_way_is_a_veto() -> None:
    found = tables(under("slide_own_pawns=block"), Colour.RED)
    assert found.vetoes == {triangle: swept for triangle, (_, swept) in found.slides.items()}


def test_enter_and_block_add_up() -> None:
    found = tables(under("slide_own_pawns=block", "slide_past_entry=enter"), Colour.RED)
    assert set(found.vetoes[loc("1")]) == {loc("z0"), loc("2")}
    assert found.slides[loc("9")] == (loc("13"), found.vetoes[loc("9")])


def test_whoever_leaves_start_comes_out_on_the_exit() -> None:
    assert set(tables(STANDARD, Colour.GREEN).exits) == {loc("49")}


def test_counting_out_of_start_goes_on_from_the_exit_and_round_the_corner() -> None:
    exits = tables(under("start_by_count=true"), Colour.GREEN).exits
    assert [exits[card] for card in (1, 2, 5, 11, 12)] == [loc("49"), loc("50"), loc("53"), loc("59"), loc("0")]
