"""Random games: a turn is one of the choices, each as likely, and does what step() says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import islice
from random import Random

import pytest

from sorry_lan.rules import fast
from sorry_lan.rules.board import Colour
from sorry_lan.rules.cards import CARDS, Card, full_deck
from sorry_lan.rules.position import Position, setup
from sorry_lan.rules.profile import PROFILES, Rules, variations
from tests.rules.build import STANDARD, at
from tests.rules.walk import walk

FOUR = tuple(Colour)
VARIATIONS = dict(variations())


def deck_of(rules: Rules) -> list[int]:
    return [int(card) for card, count in zip(CARDS, full_deck(rules), strict=True) for _ in range(count)]


def numbers_of(rng: Random) -> partial[int]:
    return partial(rng.randrange, fast.NUMBERS)


def expected(core: fast.Core, position: Position, card: int) -> Counter[fast.Step]:
    """How many choices lead to each end, rows sorted."""
    cells = fast.flatten(position.pawns)
    ends = Counter[fast.Step]()
    for action in core.choices(cells, position.turn, card):
        after, turn, winner = core.step(cells, position.turn, card, action)
        ends[core.sorted_rows(after), turn, winner] += 1
    return ends


def found(core: fast.Core, position: Position, card: int, numbers: Sequence[int]) -> Counter[fast.Step]:
    """How many of these numbers lead to each end; with one card left a number is nothing but the choice."""
    playouts = fast.Playouts(core)
    cells = fast.flatten(position.pawns)
    ends = Counter[fast.Step]()
    for number in numbers:
        after, turn, winner, turns = playouts.run(cells, position.turn, [card], 1, [number])
        assert turns == 1
        ends[after, turn, winner] += 1
    return ends


@pytest.mark.untraced
@pytest.mark.parametrize("name", VARIATIONS)
@pytest.mark.parametrize("seats", [2, 4])
def test_a_turn_is_one_of_the_choices(name: str, seats: int) -> None:
    rules = VARIATIONS[name]
    core = fast.core(rules, FOUR[:seats])
    for position in walk(setup(rules, FOUR[:seats], 0), rules, seed=name, steps=15):
        for card in CARDS:
            ends = found(core, position, card, range(0, 1000, 143))
            assert set(ends) <= set(expected(core, position, card))


SPREADS = [
    ("standard", "r 5 20 z1 / b 24 s s", Card.FIVE),
    ("standard", "r 5 20 s / b 10 s s", Card.FIVE),  # bumped, and a pawn in Start
    ("standard", "r 8 7 s / b 12 s s", Card.ONE),  # one own pawn is in the way of another, which slides
    ("standard", "r 4 20 s / b s s s", Card.TWO),  # the exit is taken
    ("standard", "r z4 z3 s / b s s s", Card.FIVE),  # no pawn can count so far
    ("standard", "r 2 20 h / b s s s", Card.FOUR),
    ("standard", "r z0 z4 20 / b s s s", Card.FIVE),
    ("standard", "r 8 20 30 / b 26 11 s", Card.SEVEN),
    ("standard", "r 8 10 12 / b 26 11 s", Card.SEVEN),  # a slide may sweep the partner
    ("standard", "r 8 7 s / b s s s", Card.SEVEN),  # the slide of the first ends where the second would come down
    ("standard", "r 8 6 12 / b s s s", Card.SEVEN),  # the slide of the first makes room for the second
    ("standard", "r 20 21 s / b s s s", Card.SEVEN),  # both on one square
    ("standard", "r 20 z4 h / b s s s", Card.SEVEN),  # only 6 and 1
    ("standard", "r z1 z3 2 / b s s s", Card.SEVEN),
    ("standard", "r z1 z2 h / b s s s", Card.SEVEN),  # both Home with it: won
    ("standard", "r 50 57 s / b s s s", Card.SEVEN),
    ("standard", "r z3 z2 z1 / b s s s", Card.SEVEN),
    ("standard", "r z4 z3 h / b s s s", Card.SEVEN),  # nothing goes
    ("standard", "r 20 s s / b s s s", Card.SEVEN),
    ("standard", "r z4 s s / b s s s", Card.SEVEN),
    ("standard", "r 10 14 z2 / b s s s", Card.TEN),
    ("standard", "r z4 z0 h / b s s s", Card.TEN),
    ("classic", "r s s s s / b s s s s", Card.TEN),
    ("standard", "r 20 z3 s / b 30 9 s", Card.ELEVEN),
    ("standard", "r z3 h h / b 30 9 s", Card.ELEVEN),  # neither a count nor a swap
    ("standard", "r z3 58 h / b 30 9 12", Card.ELEVEN),  # only swaps, so that passing is a choice
    ("standard", "r s 30 s / b 16 9 12", Card.SORRY),
    ("standard", "r 20 h h / b 16 9 12", Card.SORRY),
    ("standard", "r 20 s s / b z1 s s", Card.SORRY),
    ("2013", "r s 30 z1 / b 16 9 12", Card.SORRY),  # or forward 4
    ("2013", "r s 20 s / b s s s", Card.SEVEN),  # a 7 leaves Start
    ("2013", "r s 20 30 / b s s s", Card.SEVEN),
    ("2013", "r s z4 z3 / b s s s", Card.SEVEN),
    ("2013", "r s s s / b s s s", Card.TWO),
    ("classic", "r z4 z3 20 30 / b s s s s", Card.FIVE),  # two that cannot, in either order
    ("classic", "r 12 20 30 40 / b 26 11 s s", Card.SEVEN),
    ("sorry_forward=fallback", "r s 30 z1 / b 16 9 12", Card.SORRY),
    ("sorry_forward=fallback", "r s 30 z1 / b s s s", Card.SORRY),
    ("sorry_slide=false", "r s 30 z1 / b 9 s s", Card.SORRY),
    ("swap_slide=none", "r 20 s s / b 9 s s", Card.ELEVEN),
    ("swap_slide=both", "r 16 s s / b 9 s s", Card.ELEVEN),
    ("eleven_pass=always", "r 20 s s / b 9 s s", Card.ELEVEN),
    ("eleven_pass=always", "r 20 s s / b s s s", Card.ELEVEN),
    ("eleven_pass=never", "r z3 58 h / b 30 9 12", Card.ELEVEN),
    ("split_pawns=1", "r 8 20 30 / b 26 11 s", Card.SEVEN),
    ("slide_own_pawns=block", "r 8 11 30 / b 26 12 s", Card.ONE),
    ("two_draws_again=if_moved", "r z4 h h / b s s s", Card.TWO),
    ("two_draws_again=if_moved", "r z2 h h / b s s s", Card.TWO),
    ("two_draws_again=if_moved", "r 20 z4 h / b s s s", Card.TWO),
    ("two_draws_again=never", "r 20 z4 h / b s s s", Card.TWO),
    ("standard", "r z4 h h / b s s s", Card.TWO),  # cannot move and draws again
]


@pytest.mark.parametrize(("name", "text", "card"), SPREADS)
def test_every_choice_is_as_likely(name: str, text: str, card: Card) -> None:
    position = at(text)
    core = fast.core(VARIATIONS[name], position.colours)
    wanted = expected(core, position, card)
    size = 8000 if card is Card.SEVEN else 2000
    rng = Random(text)
    ends = found(core, position, card, [rng.randrange(fast.NUMBERS) for _ in range(size)])
    assert set(ends) == set(wanted)
    each = size / sum(wanted.values())
    chi_square = sum((ends[end] - each * share) ** 2 / (each * share) for end, share in wanted.items())
    assert chi_square < 12 + 3 * len(wanted)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_game_ends_with_a_winner_at_home(profile: str, seats: int) -> None:
    rules = PROFILES[profile]
    core = fast.core(rules, FOUR[:seats])
    playouts = fast.Playouts(core)
    draw = numbers_of(Random(f"{profile} {seats}"))
    wins = Counter[int]()
    for _ in range(40):
        pile = deck_of(rules)
        cells, seat, winner, turns = playouts.run(core.opening, 0, pile, len(pile), iter(draw, None))
        assert seat == winner
        assert cells[winner * rules.pawns : (winner + 1) * rules.pawns] == bytes([66] * rules.pawns)
        assert 20 < turns < 3000
        assert sorted(pile) == deck_of(rules)
        wins[winner] += 1
    assert len(wins) == seats


@pytest.mark.parametrize("rules", [STANDARD, VARIATIONS["slide_own_pawns=block"]])
def test_it_stops_where_the_numbers_end_and_goes_on_from_there(rules: Rules) -> None:
    core = fast.core(rules, FOUR)
    playouts = fast.Playouts(core)
    whole, cut = deck_of(rules), deck_of(rules)
    assert playouts.run(core.opening, 0, whole, 45, islice(iter(numbers_of(Random(1)), None), 90))[2:] == (-1, 90)
    draw = iter(numbers_of(Random(1)), None)
    cells, seat, left = core.opening, 0, 45
    for size in (1, 29, 15, 40, 5):
        cells, seat, winner, turns = playouts.run(cells, seat, cut, left, islice(draw, size))
        assert turns == size
        assert winner == fast.NO_WINNER
        left = (left - size) % 45
    assert cut == whole  # the same cards, though the moves differ: pawns are counted off in another order


@pytest.mark.parametrize("rules", [STANDARD, VARIATIONS["swap_slide=both"]])
def test_forty_five_turns_draw_the_whole_deck_and_the_next_are_shuffled_anew(rules: Rules) -> None:
    core = fast.core(rules, FOUR)
    playouts = fast.Playouts(core)
    draw = iter(numbers_of(Random(2)), None)
    pile = deck_of(rules)
    orders = []
    for _ in range(2):
        playouts.run(core.opening, 0, pile, 45, islice(draw, 45))
        orders.append(pile[::-1])  # what is drawn is put behind those that are left
    assert sorted(orders[0]) == sorted(orders[1]) == deck_of(rules)
    assert orders[0] != orders[1]


def test_a_card_is_drawn_as_often_as_it_is_left() -> None:
    core = fast.core(STANDARD, FOUR)
    playouts = fast.Playouts(core)
    drawn = Counter[int]()
    for number in range(4000):
        pile = [1, 1, 1, 2, 5, 12]
        playouts.run(core.opening, 0, pile, 4, [number])
        drawn[pile[3]] += 1
    assert drawn == {1: 3000, 2: 1000}


@pytest.mark.parametrize("rules", [STANDARD, VARIATIONS["slide_own_pawns=block"]])
def test_the_choice_does_not_hang_on_the_card(rules: Rules) -> None:
    position = at("r 20 30 h / b s s s")
    playouts = fast.Playouts(fast.core(rules, position.colours))
    ends = Counter[fast.Cells]()
    for number in range(4000):
        ends[playouts.run(fast.flatten(position.pawns), 0, [3, 12], 2, [number])[0]] += 1
    assert sorted(ends.values()) == [1000] * 4


def test_stand_ins_never_win() -> None:
    core = fast.core(STANDARD, FOUR[:3], 0b010)
    playouts = fast.Playouts(core)
    draw = iter(numbers_of(Random(3)), None)
    cells = fast.flatten(at("r s s s / b z4 h h / y s s s").pawns)
    for _ in range(20):
        assert playouts.run(cells, 1, deck_of(STANDARD), 45, draw)[2] in {0, 2}
