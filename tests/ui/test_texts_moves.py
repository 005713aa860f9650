"""Moves in sentences, before and after."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.rules.board import HOME, START, safe, track
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import choices
from sorry_lan.rules.moves import Decline, Forward, Split, Swap
from sorry_lan.rules.moves import Sorry as SorryMove
from sorry_lan.rules.profile import PROFILES, SwapSlide
from sorry_lan.ui.texts_moves import choice_text, played_lines
from tests.ui.build import at, game, played

STANDARD = PROFILES["standard"]
HOME_ROW = (START, START, START)


def told(rows, card, move, rules=STANDARD):
    now = at(game(rules=rules), rows)
    _after, news = played(now, card, move)
    return played_lines(news[0], now)


def test_a_plain_step():
    assert told([(track(22), START, START), HOME_ROW], Card.THREE, Forward(1, 3)) == ("R1 moves from 22 to 25.",)


def test_a_bump_says_sorry():
    assert told([(track(22), START, START), (track(25), START, START)], Card.THREE, Forward(1, 3)) == (
        "R1 moves from 22 to 25 and sends B1 back to Start. Sorry!",
    )


def test_a_slide_and_what_it_sweeps():
    rows = [(track(6), track(12), START), (track(11), track(13), START)]
    assert told(rows, Card.THREE, Forward(1, 3)) == (
        "R1 moves from 6 to 9, slides to 13 and sends B1, R2 and B2 back to Start. Sorry!",
    )


def test_a_slide_over_own_pawns_only_is_not_sorry():
    assert told([(track(6), track(12), START), HOME_ROW], Card.THREE, Forward(1, 3)) == (
        "R1 moves from 6 to 9, slides to 13 and sends R2 back to Start.",
    )


def test_a_bump_on_the_triangle_comes_before_the_slide():
    assert told([(track(6), START, START), (track(9), track(10), START)], Card.THREE, Forward(1, 3)) == (
        "R1 moves from 6 to 9, sends B1 back to Start, slides to 13 and sends B2 back to Start. Sorry!",
    )


def test_a_split_is_two_sentences():
    assert told([(track(22), track(30), START), HOME_ROW], Card.SEVEN, Split(1, 3, 2, 4)) == (
        "R1 moves from 22 to 25. R2 moves from 30 to 34.",
    )


def test_a_swap_names_both_pawns():
    assert told([(track(22), START, START), (track(40), START, START)], Card.ELEVEN, Swap(1, 1, 1)) == (
        "R1 changes places with B1 (22 and 40).",
    )


def test_in_a_swap_for_both_the_other_slide_is_told_with_its_pawn():
    rules = replace(STANDARD, swap_slide=SwapSlide.BOTH)
    assert told([(track(16), START, START), (track(40), START, START)], Card.ELEVEN, Swap(1, 1, 1), rules) == (
        "R1 changes places with B1 (16 and 40) and B1 slides to 19.",
    )


def test_a_sorry_card():
    assert told([HOME_ROW, (track(40), START, START)], Card.SORRY, SorryMove(1, 1, 1)) == (
        "R1 comes out of Start to 40 and sends B1 back to Start. Sorry!",
    )


def test_coming_home_is_counted():
    assert told([(safe(2), START, HOME), HOME_ROW], Card.THREE, Forward(1, 3)) == (
        "R1 moves from safe 2 to Home.",
        "Ada (Red) has 2 of 3 pawns Home.",
    )


def test_a_two_draws_again_and_a_two_that_wins_does_not():
    assert told([(track(22), START, START), HOME_ROW], Card.TWO, Forward(1, 2))[-1] == "Ada (Red) draws again."
    assert told([(safe(3), HOME, HOME), HOME_ROW], Card.TWO, Forward(1, 2)) == ("R1 moves from safe 3 to Home.",)


def test_a_useless_card_and_a_declined_one_differ():
    assert told([HOME_ROW, HOME_ROW], Card.FOUR, Decline()) == ("Ada (Red) cannot use a 4.",)
    rows = [(safe(4), track(40), HOME), (track(50), START, START)]
    assert told([(track(58), HOME, HOME), rows[1]], Card.ELEVEN, Decline()) == (
        "Ada (Red) leaves an 11 unused, as the rules allow.",
    )


@pytest.mark.parametrize("card", Card)
def test_every_choice_ends_in_its_notation(card):
    now = at(game(), [(track(22), track(30), START), (track(40), track(9), START)])
    for move in choices(now.position, now.rules, card):
        text = choice_text(move, now.position, now.rules, card)
        assert text.endswith(")")
        assert "{" not in text
