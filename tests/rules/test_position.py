"""Positions: the opening, what is wrong with a bad one, and equality without numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.rules.board import Colour, parse_colour
from sorry_lan.rules.position import Position, canonical, problems, setup
from sorry_lan.rules.profile import PROFILES, with_switch
from tests.rules.build import STANDARD, at, pawns_of, position_of, rules_of, vectors

RED, BLUE, YELLOW, GREEN = Colour
VECTORS = vectors("rules")
OPENING = at("r s s s / b s s s")
WON = at("r h h h / b s s s")


@pytest.mark.parametrize("vector", VECTORS["setups"], ids=lambda v: v["id"])
def test_a_game_opens_as_the_vectors_say(vector: dict[str, list[str]]) -> None:
    colours = tuple(parse_colour(name) for name in vector["players"])
    position = setup(rules_of(vector), colours, 1)
    assert position == Position(colours, pawns_of(vector["positions"], colours), 1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("colours", "first"),
    [
        ((RED,), 0),
        ((), 0),
        ((RED, BLUE, YELLOW, GREEN, GREEN), 0),
        ((RED, RED), 0),
        ((BLUE, RED), 0),
        ((RED, BLUE), 2),
        ((RED, BLUE), -1),
    ],
)
def test_a_game_needs_two_to_four_colours_in_order_and_one_first(colours: tuple[Colour, ...], first: int) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        setup(STANDARD, colours, first)


@pytest.mark.parametrize("profile", PROFILES)
def test_an_opening_has_no_problems(profile: str) -> None:
    rules = PROFILES[profile]
    assert problems(setup(rules, tuple(Colour), 3), rules) == ()


@pytest.mark.parametrize("vector", VECTORS["invalid_positions"], ids=lambda v: v["id"])
def test_two_pawns_never_share_a_square(vector: dict[str, object]) -> None:
    (sentence,) = problems(position_of(vector), STANDARD)
    assert sentence.startswith("2 pawns")


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        (at("r 20 s / b s s s"), "red has 2 pawns instead of 3."),
        (replace(OPENING, pawns=((0, 0, 67), (0, 0, 0))), "red has a pawn at 67, but places are 0 to 66."),
        (replace(OPENING, pawns=((0, 0, -1), (0, 0, 0))), "red has a pawn at -1, but places are 0 to 66."),
        (replace(OPENING, pawns=((0, 0, 0),)), "There are 1 rows of pawns for 2 players."),
        (replace(OPENING, turn=2), "The turn belongs to seat 2, but the seats are 0 to 1."),
        (
            replace(OPENING, colours=(BLUE, RED)),
            "Colours are all different and in the order red, blue, yellow, green.",
        ),
        (replace(OPENING, barred=4), "A seat is barred that nobody has."),
        (replace(OPENING, barred=-1), "A seat is barred that nobody has."),
        (replace(OPENING, barred=3), "Every seat is barred, so nobody can win."),
        (at("r s s s / b h h h"), "blue has every pawn Home, but the game goes on."),
        (replace(WON, barred=1), "It is the turn of red, which has every pawn Home."),
        (replace(WON, winner=1), "The winner is not the one player with every pawn Home."),
        (replace(at("r h h h / b h h h"), winner=0), "The winner is not the one player with every pawn Home."),
        (replace(WON, winner=0, barred=1), "The winner is not the one player with every pawn Home."),
        (replace(WON, winner=0, turn=1), "After the end the turn stays with the winner."),
    ],
)
def test_each_broken_invariant_has_its_sentence(position: Position, sentence: str) -> None:
    assert problems(position, STANDARD) == (sentence,)


@pytest.mark.parametrize(
    "position",
    [
        replace(WON, winner=0),
        replace(at("r 20 s s / b h h h"), barred=2),
        replace(at("r h h h / b h h h"), winner=0, barred=2),
        at("r z1 s s / b z1 s s"),
    ],
)
def test_a_sound_position_has_no_problems(position: Position) -> None:
    assert problems(position, STANDARD) == ()


def test_the_number_of_pawns_follows_the_rules() -> None:
    assert problems(at("r s s / b s s"), with_switch(STANDARD, "pawns=2")) == ()


def test_positions_are_equal_without_their_numbers() -> None:
    assert canonical(at("r 20 s h / b s s s")) == canonical(at("r h 20 s / b s s s"))
    assert canonical(at("r 20 s h / b s s s")) != canonical(at("r 21 s h / b s s s"))
