"""The fast core equals the readable surface, and does what its own docstrings promise."""

from __future__ import annotations

from random import Random

import pytest

from sorry_lan.rules import fast
from sorry_lan.rules.board import EXIT, SLIDES, Colour, is_outer
from sorry_lan.rules.cards import CARDS, Card
from sorry_lan.rules.engine import choices, legal_moves, may_decline, merged, play
from sorry_lan.rules.moves import Forward, from_action, to_action
from sorry_lan.rules.position import Position, canonical, setup
from sorry_lan.rules.profile import PROFILES, Rules, variations, with_switch
from tests.rules.build import STANDARD, at, loc
from tests.rules.walk import walk

FOUR = tuple(Colour)


@pytest.mark.untraced
@pytest.mark.parametrize(("name", "rules"), variations(), ids=[name for name, _ in variations()])
def test_the_core_and_the_surface_say_the_same(name: str, rules: Rules) -> None:
    core = fast.core(rules, FOUR)
    for position in walk(setup(rules, FOUR, 0), rules, seed=name, steps=15):
        cells = fast.flatten(position.pawns)
        assert fast.rows(cells, rules.pawns) == position.pawns
        for card in CARDS:
            actions = core.choices(cells, position.turn, card)
            assert [from_action(action) for action in actions] == list(choices(position, rules, card))
            legal = core.legal(cells, position.turn, card)
            assert [from_action(action) for action in legal] == list(legal_moves(position, rules, card))
            assert may_decline(position, rules, card) == (bool(legal) and fast.PASS in actions)
            for action in actions:
                after = play(position, rules, card, from_action(action))
                winner = fast.NO_WINNER if after.winner is None else after.winner
                assert core.step(cells, position.turn, card, action) == (
                    fast.flatten(after.pawns),
                    after.turn,
                    winner,
                )
            found = core.results(cells, position.turn, card)
            surface = merged(position, rules, card)
            assert [fast.rows(each, rules.pawns) for each in sorted(found)] == [each.result.pawns for each in surface]
            ways = [[to_action(move) for move in each.moves] for each in surface]
            assert ways == [found[each] for each in sorted(found)]


@pytest.mark.parametrize(
    ("position", "movable"),
    [
        ("r 5 20 s / b s s s", (1, 2)),
        ("r 5 9 s / b s s s", (2,)),  # its own pawn stands there
        ("r 5 11 s / b s s s", (2,)),  # its own pawn stands on the slide
        ("r z0 z1 z4 / b s s s", (2,)),  # 1 comes to its own, 2 comes Home, 3 would be past it
        ("r z1 h h / b s s s", (1,)),  # Home takes any number
    ],
)
def test_a_sorry_that_counts_four_is_as_any_count_of_four(position: str, movable: tuple[int, ...]) -> None:
    rules = with_switch(with_switch(STANDARD, "sorry_forward=fallback"), "slide_own_pawns=block")
    moves = legal_moves(at(position), rules, Card.SORRY)
    assert moves == tuple(Forward(pawn, 4) for pawn in movable)


@pytest.mark.untraced
@pytest.mark.parametrize(("name", "rules"), variations(), ids=[name for name, _ in variations()])
def test_lists_ascend_like_the_bytes_of_their_actions(name: str, rules: Rules) -> None:
    for position in walk(setup(rules, FOUR, 0), rules, seed=name, steps=40):
        for card in CARDS:
            actions = [to_action(move) for move in choices(position, rules, card)]
            assert actions == sorted(set(actions), key=lambda action: (len(action), action))


@pytest.mark.parametrize("colour", FOUR)
@pytest.mark.parametrize("which", [0, 1])
def test_every_square_of_every_slide_is_swept_whoever_stands_there(colour: Colour, which: int) -> None:
    triangle, squares = SLIDES[colour][which]
    others = [seat for seat in range(4) if seat != colour]
    core = fast.core(STANDARD, FOUR)
    for square in squares:
        for seat in (*others, int(colour)):
            rows = [[0, 0, 0] for _ in FOUR]
            rows[colour][0] = 1 + (triangle - 1 - 1) % 60
            rows[seat][2] = square
            after = core.apply(fast.flatten(tuple(map(tuple, rows))), colour, Card.ONE, (fast.FORWARD, 1, 1))
            assert after[colour * 3] == squares[-1]
            assert sorted(after)[:-1] == [0] * 11


@pytest.mark.parametrize("colour", FOUR)
def test_other_colours_rest_on_a_triangle(colour: Colour) -> None:
    core = fast.core(STANDARD, FOUR)
    for seat in range(4):
        for triangle, squares in SLIDES[colour]:
            slide = core.slide_of(seat, triangle)
            assert slide == ((squares[-1], bytes(squares)) if seat == colour else None)


def test_the_opening_is_that_of_the_surface() -> None:
    for name, rules in variations():
        assert fast.core(rules, FOUR).opening == fast.flatten(setup(rules, FOUR, 0).pawns), name


def test_a_core_is_built_once() -> None:
    assert fast.core(STANDARD, FOUR) is fast.core(Rules(), FOUR)
    assert fast.core(STANDARD, FOUR, 1) is not fast.core(STANDARD, FOUR)


def test_leaving_start_by_count_goes_on_from_the_exit() -> None:
    rules = dict(variations())["start_by_count=true"]
    core = fast.core(rules, FOUR)
    for card in sorted(rules.start_cards):
        assert core.exit_of(2, card) == EXIT[Colour.YELLOW] + card - 1
    assert core.exit_of(3, Card.TWELVE) == loc("0")
    assert fast.core(STANDARD, FOUR).exit_of(2, Card.TWELVE) == EXIT[Colour.YELLOW]


def test_the_blocker_is_an_own_pawn_but_never_the_mover() -> None:
    block = dict(variations())["slide_own_pawns=block"]
    core = fast.core(block, FOUR)
    own = bytes([loc("9"), loc("11"), 0])
    assert core.blocker(0, own, 1, loc("9")) == 2
    assert core.blocker(0, own, 2, loc("9")) == 0
    assert core.blocker(0, own, 1, loc("10")) == 0


def test_when_everybody_left_is_a_stand_in_at_home_the_turn_comes_round() -> None:
    core = fast.core(STANDARD, (Colour.RED, Colour.BLUE), 3)
    assert core.step(fast.flatten(at("r h h h / b h h h").pawns), 0, Card.ONE, fast.PASS)[1:] == (1, fast.NO_WINNER)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_end_and_keep_every_invariant(profile: str, seats: int) -> None:
    rules = PROFILES[profile]
    core = fast.core(rules, FOUR[:seats])
    rng = Random(f"{profile} {seats}")
    for _ in range(10):
        cells, seat, winner, turns = core.opening, 0, fast.NO_WINNER, 0
        while winner == fast.NO_WINNER:
            card = rng.choice(CARDS)
            home = [i for i, place in enumerate(cells) if place == 66]
            cells, seat, winner = core.step(cells, seat, card, rng.choice(core.choices(cells, seat, card)))
            outer = [place for place in cells if is_outer(place)]
            assert len(outer) == len(set(outer))
            assert all(cells[i] == 66 for i in home)
            turns += 1
            assert turns < 20_000
        assert seat == winner
        assert fast.rows(cells, rules.pawns)[winner] == (66,) * rules.pawns


def test_sorted_rows_are_the_canonical_position() -> None:
    position = at("r 20 s h / b z1 s 40")
    cells = fast.core(STANDARD, position.colours).sorted_rows(fast.flatten(position.pawns))
    assert cells == fast.flatten(canonical(position).pawns)
    assert isinstance(position, Position)
