"""What wins come to, and that an interval holds the truth as often as it says."""

from __future__ import annotations

from random import Random

import pytest

from sorry_lan.arena.match import NOBODY, Entrant, Match, Result
from sorry_lan.arena.scores import FEW, Confidence, Scores, Wins, no_scores, observations, scores_of, wilson
from sorry_lan.rules.board import Colour
from sorry_lan.rules.profile import Rules

MATCH = Match((Entrant("hard", 2), Entrant("easy", 0)), Rules(), (Colour.RED, Colour.BLUE), 1)
FOUR = Match(
    (Entrant("hard", 2), *(Entrant("easy", 0),) * 3), Rules(), (Colour.RED, Colour.BLUE, Colour.YELLOW, Colour.GREEN), 1
)


def test_wins_are_counted_by_bot_and_by_seat():
    # hard sits at 0, then at 1: seat 1 wins both games.
    found = scores_of(MATCH, (Result(1, 100), Result(1, 140)))
    assert [wins.total for wins in found.kinds] == [1, 1]
    assert [wins.total for wins in found.seats] == [0, 2]
    assert (found.deals, found.games, found.steps, found.longest, found.undecided) == (1, 2, 240, 140, 0)


def test_bots_of_one_kind_count_together():
    found = scores_of(FOUR, tuple(Result(2, 10) for _ in FOUR.line_ups()))
    assert [wins.total for wins in found.kinds] == [1, 3]
    assert [wins.squares for wins in found.kinds] == [1, 9]
    assert [wins.total for wins in found.seats] == [0, 0, 4, 0]


def test_a_game_that_was_given_up_is_won_by_nobody():
    found = scores_of(MATCH, (Result(NOBODY, 20_000), Result(0, 50)))
    assert found.undecided == 1
    assert [wins.total for wins in found.kinds] == [0, 1]


def test_scores_add_up_in_any_order():
    one = scores_of(MATCH, (Result(0, 10), Result(0, 30)))
    two = scores_of(MATCH, (Result(0, 20), Result(1, 90)))
    whole = no_scores(MATCH).plus(one).plus(two)
    assert whole == no_scores(MATCH).plus(two).plus(one)
    assert whole == Scores((Wins(3, 5), Wins(1, 1)), (Wins(3, 5), Wins(1, 1)), 2, 4, 0, 150, 90)


@pytest.mark.parametrize(
    ("wins", "games", "confidence", "low", "high"),
    [
        # Worked out by hand from the formula.
        (50, 100, Confidence.USUAL, 0.4038, 0.5962),
        (0, 10, Confidence.USUAL, 0.0, 0.2775),
        (10, 10, Confidence.USUAL, 0.7225, 1.0),
        (50, 100, Confidence.STRICT, 0.3753, 0.6247),
    ],
)
def test_wilsons_interval(wins: int, games: int, confidence: Confidence, low: float, high: float):
    assert wilson(wins / games, games, confidence) == pytest.approx((low, high), abs=5e-5)


def test_few_deals_and_deals_that_are_all_alike_count_as_one_observation_each():
    assert observations(Wins(10, 12), FEW - 1, 2 * (FEW - 1)) == FEW - 1
    assert observations(Wins(50, 50), 50, 100) == 50
    assert observations(Wins(0, 0), 50, 100) == 50


def test_independent_games_count_in_full_and_games_that_go_together_do_not():
    # 400 deals of two games: of independent ones a quarter is won twice and a quarter never.
    assert observations(Wins(400, 600), 400, 800) == pytest.approx(800, rel=0.01)
    # Both games of a deal end alike: half as much is known.
    assert observations(Wins(400, 800), 400, 800) == pytest.approx(400, rel=0.01)
    # One of the two is won nearly always: the deals say more than their games would.
    assert observations(Wins(400, 440), 400, 800) > 3000


@pytest.mark.parametrize("confidence", Confidence)
@pytest.mark.parametrize(("chance", "alike"), [(0.5, 0.0), (0.5, 0.6), (0.25, 0.3), (0.8, -0.2)])
def test_intervals_hold_the_truth_as_often_as_they_say(confidence: Confidence, chance: float, alike: float):
    """Matches of 200 deals whose two games go together to some degree, or against each other."""
    random = Random(f"{confidence} {chance} {alike}")
    both = chance * chance + alike * chance * (1 - chance)
    one = 2 * (chance - both)
    rounds, held = 1000, 0
    for _ in range(rounds):
        each = random.choices((2, 1, 0), (both, one, 1 - both - one), k=200)
        wins = Wins(sum(each), sum(won * won for won in each))
        rate = Scores((wins,), (), deals=200, games=400).rate(wins, confidence)
        held += rate.low <= chance <= rate.high
    assert held / rounds == pytest.approx(int(confidence) / 100, abs=0.02)
