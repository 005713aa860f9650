"""Notation and actions: what reads back, and what is refused with which sentence."""

from __future__ import annotations

import pytest

from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import (
    Backward,
    Decline,
    Forward,
    LeaveStart,
    Move,
    Sorry,
    Split,
    Swap,
    from_action,
    parse_text,
    to_action,
    to_text,
)
from tests.rules.build import at

HERE = at("r 20 s 30 / b 40 z1 s")


@pytest.mark.parametrize(
    ("card", "text", "move"),
    [
        (Card.TEN, "r1 10", Forward(1, 10)),
        (Card.TEN, "r1 -1", Backward(1, 1)),
        (Card.TEN, "r2 10", LeaveStart(2)),
        (Card.FOUR, "r3 -4", Backward(3, 4)),
        (Card.SEVEN, "7 r1 3 r3 4", Split(1, 3, 3, 4)),
        (Card.SEVEN, "r2 7", LeaveStart(2)),
        (Card.ELEVEN, "11 r1 b1", Swap(1, 1, 1)),
        (Card.ELEVEN, "pass", Decline()),
        (Card.SORRY, "sorry b1", Sorry(2, 1, 1)),
        (Card.SORRY, "r1 4", Forward(1, 4)),
    ],
)
def test_a_move_is_written_like_this_and_reads_back(card: Card, text: str, move: Move) -> None:
    assert to_text(move, HERE, card) == text
    assert parse_text(text, HERE, card) == move


@pytest.mark.parametrize("text", ["R1 10", "  r1   10 ", "r1 +10", "R1\t10"])
def test_spaces_and_capitals_do_not_matter(text: str) -> None:
    assert parse_text(text, HERE, Card.TEN) == Forward(1, 10)


@pytest.mark.parametrize(
    ("card", "text", "sentence"),
    [
        (Card.TEN, "", "is no move; write for example r1 10,"),
        (Card.TEN, "r1", "is no move"),
        (Card.TEN, "r5 10", "is no move"),
        (Card.TEN, "x" * 300, "is no move"),
        (Card.TEN, "r1 10\x1b[2J", "\\x1b"),
        (Card.TEN, "r4 10", "There is no pawn r4; each player has 3."),
        (Card.TEN, "b1 10", "b1 is not yours; it is the turn of red."),
        (Card.TEN, "y1 10", "Nobody plays yellow."),
        (Card.TEN, "r1 3", "This card does not move a pawn 3 forward."),
        (Card.FOUR, "r1 4", "This card does not move a pawn 4 forward."),
        (Card.FOUR, "r1 -1", "Only a 4 (4 steps) and a 10 (1 step) go backward."),
        (Card.TEN, "r1 -4", "Only a 4 (4 steps) and a 10 (1 step) go backward."),
        (Card.THREE, "r1 -3", "Only a 4 (4 steps) and a 10 (1 step) go backward."),
        (Card.SEVEN, "7 r1 3 r1 4", "A split moves two different pawns, 7 together."),
        (Card.SEVEN, "7 r1 3 r3 3", "A split moves two different pawns, 7 together."),
        (Card.SEVEN, "7 r1 3 b1 4", "b1 is not yours; it is the turn of red."),
        (Card.EIGHT, "7 r1 3 r3 4", "That move needs a 7."),
        (Card.TEN, "11 r1 b1", "That move needs an 11."),
        (Card.ELEVEN, "11 r1 r3", "r3 is your own pawn; name an opponent's."),
        (Card.TEN, "sorry b1", "That move needs a Sorry!."),
        (Card.SORRY, "sorry r1", "r1 is your own pawn; name an opponent's."),
        (Card.SORRY, "sorry g1", "Nobody plays green."),
    ],
)
def test_what_is_no_move_is_refused_with_a_short_sentence(card: Card, text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=r"\.$") as caught:
        parse_text(text, HERE, card)
    assert sentence in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 160


def test_sorry_without_a_pawn_in_start_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^Sorry! needs a pawn in Start\.$"):
        parse_text("sorry b1", at("r 20 h h / b 40 s s"), Card.SORRY)


@pytest.mark.parametrize("intruder", [True, "1", None, 1.0, [1]], ids=repr)
def test_an_action_holds_whole_numbers_only(intruder: int) -> None:
    with pytest.raises(ValueError, match=r"^an action is a list of whole numbers\.$"):
        from_action([1, intruder])


@pytest.mark.parametrize("action", [(5, 5, 1, 1), (5, 0, 1, 1), (5, 1, 1, 5), (5, 1, 4, 1), (6, 5, 1, 1), (6, 1, 1, 0)])
def test_an_exchange_names_pawns_and_seats_that_there_are(action: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        from_action(action)


def test_the_lowest_pawn_in_start_says_sorry() -> None:
    assert parse_text("sorry b1", at("r 20 s s / b 40 s s"), Card.SORRY) == Sorry(2, 1, 1)


def test_actions_are_the_numbers_of_the_wire() -> None:
    moves: list[Move] = [
        Decline(),
        LeaveStart(2),
        Forward(1, 12),
        Backward(4, 1),
        Split(1, 2, 3, 5),
        Swap(1, 3, 2),
        Sorry(2, 0, 4),
    ]
    actions = [(), (1, 2), (2, 1, 12), (3, 4, 1), (4, 1, 2, 3, 5), (5, 1, 3, 2), (6, 2, 0, 4)]
    assert [to_action(move) for move in moves] == actions
    assert [from_action(action) for action in actions] == moves
