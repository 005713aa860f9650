"""Why pawns stay: each code with its values, and one reason for exactly the pawns that no action moves."""

from __future__ import annotations

import pytest

from sorry_lan.rules.board import Colour
from sorry_lan.rules.cards import CARDS, Card
from sorry_lan.rules.engine import IllegalMove, legal_moves, play
from sorry_lan.rules.moves import Forward, Split, to_action
from sorry_lan.rules.position import Position, setup
from sorry_lan.rules.profile import Rules, variations, with_switch
from sorry_lan.rules.reasons import Reason, ReasonCode, reasons
from tests.rules.build import STANDARD, at, loc
from tests.rules.walk import walk

BLOCK = with_switch(STANDARD, "slide_own_pawns=block")
ENTER = with_switch(STANDARD, "slide_past_entry=enter")
NO_SPLIT = with_switch(STANDARD, "split_pawns=1")
FALLBACK = with_switch(STANDARD, "sorry_forward=fallback")
CHOICE = with_switch(STANDARD, "sorry_forward=choice")

Scene = tuple[ReasonCode, Position, Rules, Card, int, tuple[int, ...]]

SCENES: list[Scene] = [
    (ReasonCode.AT_HOME, at("r 20 h s / b s s s"), STANDARD, Card.THREE, 2, ()),
    (ReasonCode.NOT_A_START_CARD, at("r 20 h s / b s s s"), STANDARD, Card.FOUR, 3, (4,)),
    (ReasonCode.NOT_A_START_CARD, at("r 20 h s / b s s s"), STANDARD, Card.SEVEN, 3, (7,)),
    (ReasonCode.EXIT_TAKEN, at("r 4 h s / b s s s"), STANDARD, Card.THREE, 3, (loc("4"), 1)),
    (ReasonCode.LOWER_NUMBER_FIRST, at("r h s s / b s s s"), STANDARD, Card.THREE, 3, (2,)),
    (ReasonCode.LOWER_NUMBER_FIRST, at("r h s s / b 20 s s"), STANDARD, Card.SORRY, 3, (2,)),
    (ReasonCode.OVERSHOOT, at("r z3 h s / b s s s"), STANDARD, Card.THREE, 1, (3, 2)),
    (ReasonCode.OVERSHOOT, at("r 58 h s / b s s s"), STANDARD, Card.TWELVE, 1, (12, 10)),
    (ReasonCode.OVERSHOOT, at("r z0 20 s / b s s s"), STANDARD, Card.ELEVEN, 1, (11, 5)),
    (ReasonCode.OVERSHOOT, at("r z0 20 h / b s s s"), NO_SPLIT, Card.SEVEN, 1, (7, 5)),
    (ReasonCode.OVERSHOOT, at("r z3 s h / b s s s"), CHOICE, Card.SORRY, 1, (4, 2)),
    (ReasonCode.OVERSHOOT, at("r z3 s h / b s s s"), FALLBACK, Card.SORRY, 1, (4, 2)),
    (ReasonCode.OWN_PAWN, at("r 20 23 s / b s s s"), STANDARD, Card.THREE, 1, (3, loc("23"), 2)),
    (ReasonCode.OWN_PAWN, at("r z4 z0 s / b s s s"), STANDARD, Card.FOUR, 1, (-4, loc("z0"), 2)),
    (ReasonCode.OWN_ON_SLIDE, at("r 6 12 s / b s s s"), BLOCK, Card.THREE, 1, (3, loc("9"), 2)),
    (ReasonCode.ZONE_TAKEN, at("r 59 z0 s / b s s s"), ENTER, Card.TWO, 1, (2, loc("1"), 2)),
    (ReasonCode.NEITHER_WAY, at("r 20 30 19 / b s s s"), STANDARD, Card.TEN, 1, (48, 2, 3)),
    (ReasonCode.NEITHER_WAY, at("r z4 z3 s / b s s s"), STANDARD, Card.TEN, 1, (1, 0, 2)),
    (ReasonCode.NO_PARTNER, at("r z0 h s / b s s s"), STANDARD, Card.SEVEN, 1, (5, 0)),
    (ReasonCode.NO_SPLIT, at("r z3 z4 s / b s s s"), STANDARD, Card.SEVEN, 2, (1, 0)),
    (ReasonCode.NO_SWAP, at("r 58 h s / b z1 h s"), STANDARD, Card.ELEVEN, 1, (10, 0)),
    (ReasonCode.NO_SWAP, at("r 20 31 s / b s h s"), STANDARD, Card.ELEVEN, 1, (48, 2)),
    (ReasonCode.NEEDS_START, at("r 20 h s / b 30 s s"), STANDARD, Card.SORRY, 1, ()),
    (ReasonCode.NO_TARGET, at("r 20 h s / b s z1 s"), STANDARD, Card.SORRY, 3, ()),
    (ReasonCode.REPLACE_FIRST, at("r 20 h s / b 30 s s"), FALLBACK, Card.SORRY, 1, ()),
]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene[0].value)
def test_a_pawn_stays_for_this_reason(scene: Scene) -> None:
    code, position, rules, card, pawn, values = scene
    assert Reason(pawn, code, values) in reasons(position, rules, card)


def test_every_code_has_a_scene() -> None:
    assert {scene[0] for scene in SCENES} == set(ReasonCode)


def test_every_code_explains_its_values() -> None:
    assert ReasonCode.__doc__ is not None
    assert all(f"    {code.name} (" in ReasonCode.__doc__ for code in ReasonCode)


@pytest.mark.parametrize(("name", "rules"), variations(), ids=[name for name, _ in variations()])
def test_a_pawn_has_a_reason_exactly_if_no_action_moves_it(name: str, rules: Rules) -> None:
    for position in walk(setup(rules, tuple(Colour), 0), rules, seed=name, steps=30):
        for card in CARDS:
            moved = set()
            for move in legal_moves(position, rules, card):
                moved.add(to_action(move)[1])
                if isinstance(move, Split):
                    moved.add(move.second)
            explained = [reason.pawn for reason in reasons(position, rules, card)]
            assert explained == [pawn for pawn in range(1, rules.pawns + 1) if pawn not in moved]


def test_a_refusal_carries_the_reason_of_the_pawn() -> None:
    with pytest.raises(IllegalMove, match=r"^r1 3 is not legal with 3: own pawn\.$") as caught:
        play(at("r 20 23 s / b s s s"), STANDARD, Card.THREE, Forward(1, 3))
    assert caught.value.reason == Reason(1, ReasonCode.OWN_PAWN, (3, loc("23"), 2))


def test_a_refusal_of_a_pawn_that_could_move_otherwise_carries_none() -> None:
    with pytest.raises(IllegalMove, match=r"^r1 4 is not legal with 3\.$") as caught:
        play(at("r 20 24 s / b s s s"), STANDARD, Card.THREE, Forward(1, 4))
    assert caught.value.reason is None
