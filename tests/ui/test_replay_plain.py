"""A kept game in sentences: whole, and step by step as a person types."""

from __future__ import annotations

from functools import cache

import pytest

from sorry_lan.fair.transcript import Ending, encode_file
from sorry_lan.ui.answers import Stay
from sorry_lan.ui.replay_model import Timeline
from sorry_lan.ui.replay_plain import ReplaySession, shot_lines, whole_game
from tests.fair.build import table
from tests.fair.next_table import follow, frames
from tests.ui.test_replay_model import timeline


@cache
def line() -> Timeline:
    made = table("replay", "hh")
    made.to_end()
    return timeline(encode_file(frames([made], Ending.WON)))


@pytest.fixture
def paging():
    return ReplaySession(line())


def test_the_whole_game_is_the_verdict_and_every_step_in_order():
    verdict, *lines = whole_game(line())
    assert verdict.startswith("All ")
    numbered = [int(text.split(".")[0]) for text in lines if text[0].isdigit()]
    assert numbered == list(range(line().last + 1))
    assert lines[0].startswith("0. The game begins: Ada (Red) and Bob (Blue).")
    assert lines[-1] == "The end is confirmed by all."
    assert "wins!" in lines[-2]
    assert all(text.isprintable() for text in lines)


def test_enter_shows_one_step_after_the_other_and_then_says_that_it_was_the_last(paging):
    told = [paging.typed(word).lines for word in ("", "n", "next")]
    assert told == [shot_lines(line().at(number)) for number in range(3)]
    paging.typed("a")
    assert paging.typed("").lines == ("That was the last step. A number jumps to one, q quits.",)


def test_paging_through_and_asking_for_all_read_alike(paging):
    stepped = [text for _ in range(line().last + 1) for text in paging.typed("").lines]
    assert tuple(stepped) == ReplaySession(line()).typed("a").lines == whole_game(line())[1:]
    assert paging.typed("all").lines == paging.typed("").lines


def test_all_goes_on_from_where_one_is(paging):
    paging.typed("5")
    assert paging.typed("a").lines[0].startswith("6. ")


def test_back_goes_one_step_and_not_before_the_first(paging):
    assert paging.typed("p").lines == ("There is nothing before the first step.",)
    paging.typed("")
    assert paging.typed("previous").lines == ("There is nothing before the first step.",)
    paging.typed("")
    assert paging.typed("p").lines[0].startswith("0. ")


def test_a_number_jumps_and_shows_the_board_there(paging):
    lines = paging.typed("7").lines
    assert lines[0].startswith("7. ")
    assert lines[-2:] == paging.typed("b").lines
    assert paging.typed("").lines[0].startswith("8. ")
    assert paging.typed("100000").lines[0].startswith(f"{line().last}. ")


def test_board_deck_verdict_and_help_answer_where_one_stands(paging):
    paging.typed("3")
    assert paging.typed("board").lines[0].startswith("Ada (Red)")
    assert paging.typed("d").lines[0].startswith("42 cards are left")
    assert paging.typed("v").lines[0].startswith("All ")
    assert any("Players: " in text for text in paging.typed("verdict").lines)
    assert len(paging.typed("h").lines) == 5


def test_q_quits_and_nonsense_changes_nothing(paging):
    assert paging.typed("q").stay is Stay.LEAVE
    answer = paging.typed("x\x1b[2J")
    assert (answer.stay, answer.lines) == (Stay.ON, ("I do not know 'x\\x1b[2J'. Type h for help.",))
    assert paging.typed("").lines[0].startswith("0. ")


def test_the_greeting_is_the_verdict_and_what_can_be_typed(paging):
    verdict, how = paging.greeting()
    assert verdict.startswith("All ")
    assert how.startswith(f"Steps 0 to {line().last}. Enter ")


def test_a_game_that_went_on_without_somebody_says_so_where_it_did():
    one = table("replay", "hhh")
    for _ in range(6):
        one.step()
    two = follow(one, without=[1])
    two.to_end()
    lines = whole_game(timeline(encode_file(frames([one, two], Ending.WON))))
    assert f"{one.ledger.k}. The game goes on without Bob; the computer moves those pawns and cannot win." in lines
