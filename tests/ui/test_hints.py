"""Hints: a numbered choice, the same each time, and none where the table forbids them."""

from __future__ import annotations

from dataclasses import replace

from sorry_lan.rules.board import START, track
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import play
from sorry_lan.ui.hints import hint, hint_text, numbered_like
from sorry_lan.ui.texts_prompts import numbered
from sorry_lan.wire.terms import Option
from tests.ui.build import at, choose, draw, game

GAME = at(game(), [(track(22), track(27), START), (track(32), track(20), START)])


def test_a_hint_is_a_numbered_choice_and_does_not_change_its_mind():
    for k in range(1, 4):
        now = replace(GAME, k=k)
        (prompt,) = choose(now, Card.SEVEN).prompts
        move = hint(prompt, Card.SEVEN, now)
        assert move in numbered(prompt, now)
        assert move == hint(prompt, Card.SEVEN, now)


def test_every_choice_is_hinted_at_under_the_number_that_leads_to_its_board():
    (prompt,) = choose(GAME, Card.SEVEN).prompts
    for move in prompt.choices:
        same = numbered_like(move, prompt, Card.SEVEN, GAME)
        assert same in numbered(prompt, GAME)
        assert play(GAME.position, GAME.rules, Card.SEVEN, same) == play(GAME.position, GAME.rules, Card.SEVEN, move)


def test_a_hint_names_the_bot_the_number_and_the_move():
    (prompt,) = choose(GAME, Card.TEN).prompts
    text = hint_text(prompt, GAME)
    number = numbered(prompt, GAME).index(hint(prompt, Card.TEN, GAME)) + 1
    assert text.startswith(f"The strongest bot there is (expert) would play {number}: R")


def test_there_is_no_hint_before_the_card_nor_where_the_table_forbids_it():
    assert hint_text(draw(GAME).prompts[0], GAME) == "Draw a card first."
    strict = replace(GAME, options=Option.NO_HINTS)
    assert hint_text(choose(strict, Card.TEN).prompts[0], strict) == "There are no hints at this table."
