"""What a move does, told in order."""

from __future__ import annotations

import pytest

from sorry_lan.rules.board import Colour
from sorry_lan.rules.cards import CARDS, Card
from sorry_lan.rules.effects import effects_of
from sorry_lan.rules.engine import (
    Bumped,
    CameHome,
    Effect,
    IllegalMove,
    LeftStart,
    Moved,
    Slid,
    Swapped,
    Swept,
    choices,
    effects,
    play,
)
from sorry_lan.rules.moves import Backward, Decline, Forward, LeaveStart, Move, Sorry, Split, Swap
from sorry_lan.rules.position import Position, setup
from sorry_lan.rules.profile import Rules, variations, with_switch
from tests.rules.build import STANDARD, at, loc
from tests.rules.walk import walk


@pytest.mark.parametrize(
    ("position", "card", "move", "expected"),
    [
        (at("r s s s / b 4 s s"), Card.ONE, LeaveStart(1), [LeftStart(0, 1, loc("4")), Bumped(1, 1, loc("4"))]),
        (at("r 20 s h / b s s s"), Card.THREE, Forward(1, 3), [Moved(0, 1, loc("20"), loc("23"))]),
        (at("r z3 s h / b z4 s s"), Card.ONE, Forward(1, 1), [Moved(0, 1, loc("z3"), loc("z4"))]),
        (at("r z3 s h / b s s s"), Card.TWO, Forward(1, 2), [Moved(0, 1, loc("z3"), 66), CameHome(0, 1)]),
        (at("r z1 s h / b s s s"), Card.FOUR, Backward(1, 4), [Moved(0, 1, loc("z1"), loc("0"))]),
        (
            at("r 13 s h / b 9 s 11"),
            Card.FOUR,
            Backward(1, 4),
            [
                Moved(0, 1, loc("13"), loc("9")),
                Bumped(1, 1, loc("9")),
                Slid(0, 1, loc("9"), loc("13")),
                Swept(1, 3, loc("11")),
            ],
        ),
        (
            at("r 6 30 11 / b 34 s s"),
            Card.SEVEN,
            Split(1, 3, 2, 4),
            [
                Moved(0, 1, loc("6"), loc("9")),
                Slid(0, 1, loc("9"), loc("13")),
                Swept(0, 3, loc("11")),
                Moved(0, 2, loc("30"), loc("34")),
                Bumped(1, 1, loc("34")),
            ],
        ),
        (
            at("r 12 h h / b 9 s s"),
            Card.ELEVEN,
            Swap(1, 1, 1),
            [
                Swapped(0, 1, loc("12"), 1, 1, loc("9")),
                Slid(0, 1, loc("9"), loc("13")),
                Swept(1, 1, loc("12")),
            ],
        ),
        (
            at("r s h h / b 9 s s"),
            Card.SORRY,
            Sorry(1, 1, 1),
            [LeftStart(0, 1, loc("9")), Bumped(1, 1, loc("9")), Slid(0, 1, loc("9"), loc("13"))],
        ),
        (at("r s s s / b s s s"), Card.FOUR, Decline(), []),
    ],
)
def test_a_move_is_told_event_by_event(position: Position, card: Card, move: Move, expected: list[Effect]) -> None:
    assert list(effects(position, STANDARD, card, move)) == expected


def test_the_exchanged_pawn_slides_second_under_both() -> None:
    rules = with_switch(STANDARD, "swap_slide=both")
    told = effects(at("r 16 h h / b 40 s s"), rules, Card.ELEVEN, Swap(1, 1, 1))
    assert told == (Swapped(0, 1, loc("16"), 1, 1, loc("40")), Slid(1, 1, loc("16"), loc("19")))


def test_the_exchanged_pawn_stays_where_its_slide_is_forbidden() -> None:
    rules = with_switch(with_switch(STANDARD, "swap_slide=both"), "slide_own_pawns=block")
    told = effects(at("r 16 h h / b 40 18 s"), rules, Card.ELEVEN, Swap(1, 1, 1))
    assert told == (Swapped(0, 1, loc("16"), 1, 1, loc("40")),)


def test_a_move_that_is_not_legal_has_no_events() -> None:
    with pytest.raises(IllegalMove):
        effects(at("r 20 s s / b s s s"), STANDARD, Card.THREE, Forward(1, 4))


def test_a_count_past_home_is_refused_even_unchecked() -> None:
    with pytest.raises(ValueError, match=r"^That pawn cannot count so far\.$"):
        effects_of(at("r z3 s s / b s s s"), STANDARD, Card.THREE, Forward(1, 3))


@pytest.mark.parametrize(("name", "rules"), variations(), ids=[name for name, _ in variations()])
def test_the_events_add_up_to_the_move(name: str, rules: Rules) -> None:
    for position in walk(setup(rules, tuple(Colour), 0), rules, seed=name, steps=15):
        for card in CARDS:
            for move in choices(position, rules, card):
                told = effects(position, rules, card, move)
                assert after(position, told) == play(position, rules, card, move).pawns


def after(position: Position, told: tuple[Effect, ...]) -> tuple[tuple[int, ...], ...]:
    rows = [list(row) for row in position.pawns]
    for event in told:
        match event:
            case LeftStart(seat, pawn, square):
                assert rows[seat][pawn - 1] == 0
                rows[seat][pawn - 1] = square
            case Moved(seat, pawn, source, target) | Slid(seat, pawn, source, target):
                assert rows[seat][pawn - 1] == source
                rows[seat][pawn - 1] = target
            case Bumped(seat, pawn, square) | Swept(seat, pawn, square):
                assert rows[seat][pawn - 1] == square
                rows[seat][pawn - 1] = 0
            case Swapped(seat, pawn, source, other, number, target):
                assert (rows[seat][pawn - 1], rows[other][number - 1]) == (source, target)
                rows[seat][pawn - 1], rows[other][number - 1] = target, source
            case CameHome(seat, pawn):
                assert rows[seat][pawn - 1] == 66
    return tuple(map(tuple, rows))
