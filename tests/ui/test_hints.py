"""Hints: a numbered choice, the same each time, and none where the table forbids them."""

from __future__ import annotations

from dataclasses import replace

from sorry_lan.bots.explain import Reason, Why
from sorry_lan.rules.board import START, track
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import play
from sorry_lan.ui.hints import hint, hint_text, numbered_like, questions
from sorry_lan.ui.texts_hints import reason_text
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


def test_a_hint_says_why():
    prey = at(game(), [(track(4), START, START), (track(14), track(20), START)])
    text = hint_text(choose(prey, Card.TEN).prompts[0], prey)
    assert "(r1 10) Why? It sends B1 back, the pawn of Bob that is nearest Home." in text


SENTENCES = {
    Why.ONLY: "Nothing else is possible.",
    Why.WINS: "It wins the game.",
    Why.HOME: "It brings R2 Home.",
    Why.SAFE: "It brings R2 into the safety zone.",
    Why.SENDS_LEADER: "It sends B1 back, the pawn of Bob that is nearest Home.",
    Why.SENDS_BACK: "It sends B1 of Bob back to Start.",
    Why.LEAVES: "It brings R2 out of Start.",
    Why.RUNS: "It brings R2 5 squares nearer Home.",
    Why.SHORTCUT: "It takes R2 the short way backward: 5 squares from Home.",
    Why.EXCHANGE: "The exchange brings R2 5 squares nearer Home.",
    Why.SETS_BACK: "It puts B1 of Bob 5 squares further from Home.",
    Why.SAFER: "5 kinds of cards could send R2 back, and fewer can now.",
    Why.HUNTS: "R2 then stands 5 behind B1 of Bob.",
    Why.KEEPS: "Everything else would take you further from Home.",
    Why.LEAST: "In the long run the other moves look worse.",
}


def test_every_kind_of_reason_has_its_sentence():
    assert {why: reason_text(Reason(why, 2, 1, 1, 5), GAME) for why in Why} == SENTENCES


def test_one_square_is_one_square():
    assert reason_text(Reason(Why.RUNS, 2, n=1), GAME) == "It brings R2 1 square nearer Home."


def test_hints_are_thought_of_while_somebody_chooses_and_where_they_are_allowed():
    view = choose(GAME, Card.TEN)
    assert questions(view) == ((view.prompts[0], Card.TEN, GAME),)
    assert questions(draw(GAME)) == ()
    assert questions(replace(view, game=None)) == ()
    assert questions(choose(replace(GAME, options=Option.NO_HINTS), Card.TEN)) == ()
