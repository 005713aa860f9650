"""A sample of tests/fair/games.py: whole games in which every invariant holds after every move."""

import pytest

from sorry_lan.rules.board import Colour
from sorry_lan.rules.profile import Rules, variations
from tests.fair.build import ONE_PAWN, table
from tests.fair.games import signed_game, unsigned_game

pytestmark = pytest.mark.untraced


@pytest.mark.parametrize(("name", "rules"), variations(), ids=[name for name, _ in variations()])
def test_a_game_by_these_rules_keeps_every_invariant_and_ends(name, rules):
    assert unsigned_game((Colour.BLUE, Colour.GREEN), len(name), rules) > 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_games_of_any_size_keep_every_invariant_and_end(seats):
    for number in range(3):
        assert unsigned_game(tuple(Colour)[:seats], number, Rules()) > 1


@pytest.mark.parametrize("kinds", ["hh", "hb", "hhh", "hbhh", "hhhh"])
def test_people_with_keys_and_ledgers_of_their_own_end_at_one_head(kinds):
    assert signed_game(table("w", kinds, ONE_PAWN), 1) > 1


def test_a_whole_table_by_standard_rules_ends():
    assert signed_game(table("w", "hhh", Rules()), 2) > 1
