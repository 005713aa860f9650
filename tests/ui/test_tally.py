from __future__ import annotations

import random
from dataclasses import replace

import pytest

from sorry_lan.rules.board import HOME, START, safe, track
from sorry_lan.rules.cards import CARDS, Card, full_deck
from sorry_lan.rules.engine import choices
from sorry_lan.rules.moves import Backward, Decline, Forward, LeaveStart, Sorry, Split, Swap
from sorry_lan.rules.profile import PROFILES
from sorry_lan.table.news import CardDrawn, GameStarted, Played, SatDown, TakenUp
from sorry_lan.ui.tally import Leap, SeatTally, Tally, tally_with
from tests.ui.build import GAME_ID, at, game, played, seat

GAME = game((seat(0, 0), seat(1), seat(2)))
NEW = tally_with(Tally(), GameStarted(GAME_ID), GAME)


def drew(who, card, left, tally=NEW, now=GAME, **more):
    item = CardDrawn(1, who, card, (0, 1, 2), left, reshuffled=more.get("reshuffled", False))
    return tally_with(tally, item, now)


def after(rows, card, move, turn=0, rules=None):
    """The tally after one move on a board."""
    start = at(game(GAME.seats, rules or GAME.rules), rows, turn)
    _next, news = played(start, card, move)
    return tally_with(NEW, news[0], start)


def test_a_new_game_begins_with_a_full_deck_and_no_counts():
    assert Tally((SeatTally(),) * 3, full_deck(GAME.rules)) == NEW
    assert tally_with(drew(0, Card.ONE, 44), GameStarted(GAME_ID), GAME) == NEW


def test_each_card_is_counted_against_the_pile_it_came_from():
    one = drew(0, Card.ONE, 44)
    assert one.seats[0].cards == (1, *(0,) * 10)
    assert one.seats[0].expected == pytest.approx((5 / 45, *(4 / 45,) * 10))
    two = drew(1, Card.TWO, 43, one)
    assert two.seats[1].expected[:2] == pytest.approx((4 / 44, 4 / 44))
    assert two.pile == (4, 3, *(4,) * 9)
    assert (two.seats[0].drawn, two.seats[1].drawn, two.drawn) == (1, 1, 2)


def test_expectations_add_up_to_the_cards_drawn():
    chance, tally = random.Random(4), NEW
    deck = [card for card, copies in zip(CARDS, full_deck(GAME.rules), strict=True) for _ in range(copies)]
    for turn in range(100):
        if turn % 45 == 0:
            pile = chance.sample(deck, 45)
        card = pile.pop()
        tally = drew(turn % 3, card, len(pile), tally, reshuffled=turn in (45, 90))
    assert [sum(who.expected) for who in tally.seats] == pytest.approx([34, 33, 33])


def test_an_emptied_pile_is_the_whole_deck_again():
    tally = drew(0, Card.ONE, 44, replace(NEW, pile=(0,) * 11), reshuffled=True)
    assert tally.pile == (4, *(4,) * 10)


def test_a_card_that_waited_for_the_next_table_counts_once():
    once = drew(0, Card.ONE, 44)
    assert drew(0, Card.ONE, 44, once) == once


def test_a_game_taken_up_counts_from_there_on_with_the_pile_it_has():
    pile = (1, *(2,) * 10)
    now = replace(GAME, pile=pile)
    tally = tally_with(Tally(), TakenUp(GAME_ID, 12), now)
    assert (tally.since_k, tally.pile, tally.drawn) == (12, pile, 0)
    assert drew(0, Card.ONE, 20, tally, now).pile == (0, *(2,) * 10)


@pytest.mark.parametrize(
    ("pile", "left"),
    [((1, *(2,) * 10), 20), ((0, *(2,) * 10), 20)],
    ids=["a picture from before the draw", "a picture from after it"],
)
def test_whoever_comes_in_the_middle_takes_the_pile_from_the_picture(pile, left):
    tally = drew(0, Card.ONE, left, Tally(), replace(GAME, pile=pile))
    assert tally.seats[0].expected[0] == pytest.approx(1 / 21)
    assert tally.pile == (0, *(2,) * 10)


def test_where_no_pile_fits_the_average_of_fair_games_is_taken():
    tally = drew(0, Card.ONE, 7, Tally(), replace(GAME, pile=(4,) * 11))
    assert tally.seats[0].expected[0] == pytest.approx(5 / 45)


def test_a_bump_is_given_by_one_and_taken_by_the_other():
    tally = after([(track(22), START, START), (track(25), START, START), (START,) * 3], Card.THREE, Forward(1, 3))
    assert [(who.bumps_given, who.bumps_taken) for who in tally.seats] == [(1, 0), (0, 1), (0, 0)]
    assert (tally.seats[0].steps, tally.seats[0].turns) == (3, 1)


def test_an_own_slide_over_an_own_pawn_is_no_hit():
    tally = after([(track(8), track(10), START), (track(12), START, START), (START,) * 3], Card.ONE, Forward(1, 1))
    mover, other, _third = tally.seats
    assert (mover.slides, mover.own_bumped, mover.bumps_given, other.bumps_taken) == (1, 1, 1, 1)


def test_a_divided_7_counts_all_its_steps_and_the_pawns_that_came_home():
    rows = [(safe(1), track(22), START), (START,) * 3, (START,) * 3]
    tally = after(rows, Card.SEVEN, Split(1, 4, 2, 3))
    assert (tally.seats[0].steps, tally.seats[0].home) == (7, 1)


def test_swaps_and_sorries_are_counted():
    rows = [(track(22), START, START), (track(40), START, START), (START,) * 3]
    assert after(rows, Card.ELEVEN, Swap(1, 1, 1)).seats[0].swaps == 1
    tally = after(rows, Card.SORRY, Sorry(2, 1, 1))
    assert (tally.seats[0].sorries, tally.seats[0].bumps_given, tally.seats[1].bumps_taken) == (1, 1, 1)


def test_a_2_goes_on_with_the_same_turn():
    rows = [(track(22), START, START), (START,) * 3, (START,) * 3]
    assert after(rows, Card.TWO, Forward(1, 2)).seats[0].turns == 0
    assert after(rows, Card.ONE, Forward(1, 1)).seats[0].turns == 1


def test_the_winning_move_ends_a_turn_even_with_a_2():
    rows = [(safe(3), HOME, HOME), (START,) * 3, (START,) * 3]
    assert after(rows, Card.TWO, Forward(1, 2)).seats[0].turns == 1


def test_a_card_of_no_use_is_counted_as_such():
    assert after([(START,) * 3] * 3, Card.FOUR, Decline()).seats[0].unused == 1


@pytest.mark.parametrize(
    ("rows", "card", "move", "squares"),
    [
        ((track(22), START, START), Card.THREE, Forward(1, 3), 3),
        ((track(4), START, START), Card.FOUR, Backward(1, 4), 64 - 8),
        ((START, START, START), Card.ONE, LeaveStart(1), 1),
        ((track(8), START, START), Card.ONE, Forward(1, 1), 5),
        ((safe(2), START, START), Card.THREE, Forward(1, 3), 3),
    ],
    ids=["counted", "back over the entry", "out of Start", "with its slide", "into Home"],
)
def test_the_longest_leap_is_how_much_nearer_home_a_pawn_came(rows, card, move, squares):
    tally = after([rows, (START,) * 3, (START,) * 3], card, move)
    assert tally.longest == Leap(0, 1, 1, card, squares)


def test_a_move_away_from_home_is_no_leap():
    assert after([(track(22), START, START), (START,) * 3, (START,) * 3], Card.FOUR, Backward(1, 4)).longest is None


def test_of_two_leaps_the_longer_and_then_the_earlier_stays():
    start = at(GAME, [(track(22), START, START), (START,) * 3, (START,) * 3])
    _now, (five, *_rest) = played(start, Card.FIVE, Forward(1, 5))
    _now, (three, *_rest) = played(start, Card.THREE, Forward(1, 3))
    tally = tally_with(tally_with(NEW, five, start), three, start)
    assert tally.longest is not None
    assert tally.longest.squares == 5
    again = tally_with(tally, replace(five, k=9), start)
    assert again.longest == tally.longest


def test_other_news_changes_nothing():
    assert tally_with(NEW, SatDown("Bob", 1), GAME) == NEW


def test_a_client_that_saw_no_beginning_counts_all_the_same():
    start = at(GAME, [(track(22), START, START), (START,) * 3, (START,) * 3])
    _now, news = played(start, Card.FIVE, Forward(1, 5))
    assert tally_with(Tally(), news[0], start).seats[0].steps == 5


def test_whole_games_balance():
    for number, rules in enumerate(PROFILES.values()):
        tally, last = whole_game(random.Random(number), rules)
        assert sum(who.bumps_given for who in tally.seats) == sum(who.bumps_taken for who in tally.seats)
        assert [who.home for who in tally.seats] == [row.count(HOME) for row in last.position.pawns]
        assert sum(who.turns for who in tally.seats) == last.turn_number
        assert all(sum(who.expected) == pytest.approx(who.drawn) for who in tally.seats)


def whole_game(chance, rules):
    """A game of random moves to its end: the tally and the last picture."""
    now = replace(game(GAME.seats, rules), turn_number=0)
    tally = tally_with(Tally(), GameStarted(GAME_ID), now)
    while now.winner is None:
        reshuffled = not any(now.pile)
        pile = list(full_deck(rules) if reshuffled else now.pile)
        (face,) = chance.choices(range(11), pile)
        pile[face] -= 1
        card, who = CARDS[face], now.position.turn
        tally = drew(who, card, sum(pile), tally, now, reshuffled=reshuffled)
        move = chance.choice(choices(now.position, rules, card))
        later, news = played(replace(now, pile=full_deck(rules) if reshuffled else now.pile), card, move)
        assert isinstance(news[0], Played)
        tally = tally_with(tally, news[0], later)
        ended = later.position.turn != who or later.winner is not None
        now = replace(later, turn_number=now.turn_number + ended)
    return tally, now
