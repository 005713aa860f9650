from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.rules.board import HOME, START, track
from sorry_lan.rules.cards import CARDS, Card
from sorry_lan.rules.profile import PROFILES
from sorry_lan.rules.reasons import ReasonCode
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import Canvas, Ink
from sorry_lan.ui.draw_why import WhyPage, against_text, draw_why
from sorry_lan.ui.texts_reasons import rule_of
from sorry_lan.ui.texts_rules import rule_words
from tests.ui.build import at, game, seat
from tests.ui.pages import a_why, middle, shown_on, text_of


def flat(page, width=120, height=60):
    return " ".join(text_of(draw_why, page, width, height).split())


def test_the_answer_to_a_typed_move_stands_first():
    rows = [row.strip() for row in text_of(draw_why, a_why()).split("\n")]
    assert rows[2:4] == [
        "You asked: r2 10",
        "R2 stays in Start: a 10 brings no pawn out, only 1, 2 and Sorry! (rule R1).",
    ]


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("r1 10", "That is possible now."),
        ("r9 10", "'r9 10' is no move"),
        ("b1 10", "b1 is not yours; it is the turn of Red."),
        ("r1 -1", "That is possible now."),
        ("r4 10", "R4 is Home and stays there (rule R3)."),
        ("r3 10", "R3 cannot go forward 10: it would pass Home, which needs exactly 3 (rule R3)."),
        ("pass", "The rules do not allow that with a 10."),
    ],
)
def test_each_typed_move_has_its_answer(asked, wanted):
    assert wanted in against_text(asked, a_why(asked=asked))


def test_before_the_draw_there_is_nothing_to_ask_about():
    page = WhyPage(middle(), middle().position, None, asked="r1 10")
    assert "Draw a card first" in flat(page)
    assert "Draw a card first" in against_text("r1 10", page)
    assert "card" not in text_of(draw_why, page).split("\n")[0]


def test_without_a_typed_move_the_card_is_explained():
    assert "Card 11: 11 forward or change places with an opponent's pawn." in flat(a_why(card=Card.ELEVEN, asked=""))


def test_the_choices_have_their_numbers_and_can_be_clicked():
    page = a_why(selected=1)
    canvas = Canvas(80, 24)
    draw_why(canvas, page, Signs.UNICODE)
    row = next(y for y, row in enumerate(canvas.picture().text().split("\n")) if row.startswith(" > 2"))
    assert canvas.picture().zone_at(10, row).key == "2"
    assert (Ink.CHOSEN, "> 2  R1 moves from 22 to 21. (r1 -1)") in shown_on(draw_why, page)


def test_every_pawn_has_its_line_and_its_colour():
    inks = shown_on(draw_why, a_why())
    assert {(Ink.RED_PAWN, f"R{pawn}") for pawn in range(1, 5)} <= inks
    assert "R1 on square 22 (46 to Home) can move." in flat(a_why())


def test_whoever_can_move_cannot_pass():
    assert "There is a legal move, so you cannot pass." in flat(a_why())


def test_a_swap_may_be_left_unused_where_nothing_goes_forward():
    rows = [(HOME, HOME, track(0)), (track(5), START, START)]
    now = at(game((seat(0, 0), seat(1))), rows)
    # From square 0 the entry is two ahead, so 11 passes Home and only the swap is left.
    assert "You may leave an 11 unused." in flat(a_why(now, Card.ELEVEN, ""))


def test_a_card_of_no_use_has_no_effect_and_nothing_to_pick():
    now = at(game((seat(0, 0), seat(1))), [(START,) * 3] * 2)
    page = replace(a_why(now, Card.FOUR, ""), choices=())
    told = flat(page)
    assert "No pawn can use a 4, so it has no effect." in told
    assert "1-9 pick" not in told
    assert "R1 stays in Start" in told


def test_the_rules_that_are_named_are_said_in_words():
    told = flat(a_why())
    assert "R1 Only 1, 2 and Sorry! bring a pawn out of Start." in told
    assert "R3 Home is reached by exact count" in told
    assert "R12" not in told


def test_where_every_pawn_can_move_no_rule_is_named():
    now = at(game((seat(0, 0), seat(1))), [(track(22), track(30), track(40)), (START,) * 3])
    assert "The rules behind it" not in flat(a_why(now, Card.ONE, ""))


@pytest.mark.parametrize("code", ReasonCode)
def test_every_reason_has_a_rule_in_words(code):
    for rules in PROFILES.values():
        assert rule_words(rule_of(code), rules).endswith(".")


@pytest.mark.parametrize("card", CARDS)
def test_every_card_has_its_page(card):
    told = flat(a_why(card=card, asked=""))
    assert "Pawn by pawn" in told
