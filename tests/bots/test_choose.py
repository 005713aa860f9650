"""Bots: the same answer on every machine, by public state and the secret of the step alone ([F-31])."""

from __future__ import annotations

import pytest

from sorry_lan.bots.choose import BOTS_VERSION, EASY, OFFERED, choose
from sorry_lan.bots.levels import LEVELS
from sorry_lan.faults import LocalMisuse
from sorry_lan.rules.board import START, Colour, safe, track
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import GameOver, choices, play
from sorry_lan.rules.moves import Backward, Decline, Forward, LeaveStart, Sorry, Split, Swap, to_action
from sorry_lan.rules.position import Position, setup
from sorry_lan.rules.profile import Rules, variations
from sorry_lan.wire.codec import encode
from sorry_lan.wire.digest import pick, tagged_hash, u32

RULES = Rules()
COLOURS = (Colour.RED, Colour.BLUE)
OPENING = setup(RULES, COLOURS, 0)
OPEN_FIELD = Position(COLOURS, ((10, 20, 30), (40, 50, 55)), 0)
MEDIUM, HARD, EXPERT = 1, 2, 3
CALM = next(s for n in range(99) if pick("mood", s := tagged_hash("test", u32(n)), 4))
WILD = next(s for n in range(99) if not pick("mood", s := tagged_hash("test", u32(n)), 4))


def secrets(count: int) -> list[bytes]:
    return [tagged_hash("test", u32(n)) for n in range(count)]


def at(own: tuple[int, ...], other: tuple[int, ...]) -> Position:
    return Position(COLOURS, (own, other), 0)


def test_an_easy_bot_runs_with_the_pawn_that_can_and_touches_nobody() -> None:
    crowd = at((track(20), track(40), START), (track(30), START, START))
    assert choose(crowd, RULES, Card.TEN, EASY, CALM) == Forward(2, 10)
    hemmed = at((track(20), START, START), (track(30), START, START))
    assert choose(hemmed, RULES, Card.TEN, EASY, CALM) == LeaveStart(2)
    alone = at((track(20), START, START), (track(22), START, START))
    rules = Rules(start_cards=frozenset({Card.ONE}))
    assert choose(alone, rules, Card.TWO, EASY, CALM) == Forward(1, 2)


def test_an_easy_bot_takes_whatever_it_sees_one_card_in_four() -> None:
    answers = choices(OPEN_FIELD, RULES, Card.SEVEN)
    assert choose(OPEN_FIELD, RULES, Card.SEVEN, EASY, WILD) == answers[pick("bot", WILD, len(answers))]
    wild = [secret for secret in secrets(400) if not pick("mood", secret, 4)]
    assert 60 < len(wild) < 140
    assert len({choose(OPEN_FIELD, RULES, Card.SEVEN, EASY, secret) for secret in wild}) > len(answers) / 2


def test_a_medium_bot_sends_back_the_pawn_that_is_nearest_its_home() -> None:
    prey = at((track(20), track(25), START), (track(17 - 5), track(30), START))
    assert choose(prey, RULES, Card.FIVE, MEDIUM, CALM) == Forward(2, 5)
    near = at((START, track(40), START), (track(16), track(30), START))
    assert choose(near, RULES, Card.SORRY, MEDIUM, CALM) == Sorry(1, 1, 1)


def test_choices_are_ordered_by_their_bytes_on_the_wire() -> None:
    for card in Card:
        on_wire = [encode(to_action(move)) for move in choices(OPEN_FIELD, RULES, card)]
        assert on_wire == sorted(on_wire)
        assert len(set(on_wire)) == len(on_wire)


@pytest.mark.parametrize("level", sorted(OFFERED))
def test_without_a_legal_move_a_bot_passes(level: int) -> None:
    assert choose(OPENING, RULES, Card.FOUR, level, bytes(32)) == Decline()


@pytest.mark.parametrize("level", [MEDIUM, HARD, EXPERT])
def test_a_bot_that_can_win_does(level: int) -> None:
    last = Position(COLOURS, ((66, 66, safe(2)), (40, 50, 55)), 0)
    after = play(last, RULES, Card.THREE, choose(last, RULES, Card.THREE, level, bytes(32)))
    assert after.winner == 0
    two = Position(COLOURS, ((66, safe(1), safe(2)), (40, 50, 55)), 0)
    after = play(two, RULES, Card.SEVEN, choose(two, RULES, Card.SEVEN, level, bytes(32)))
    assert after.winner == 0


@pytest.mark.parametrize("level", [HARD, EXPERT])
def test_a_bot_that_looks_ahead_knows_the_short_way_backward(level: int) -> None:
    # From its exit a pawn is sixty-four squares from Home counting forward, and four back from two squares before.
    exit_square = at((track(4), track(22), START), (START, START, START))
    assert choose(exit_square, RULES, Card.FOUR, level, CALM) == Backward(1, 4)


def test_the_answers_are_pinned_for_this_version() -> None:
    chosen = {
        name: [to_action(choose(OPEN_FIELD, RULES, Card.ELEVEN, level, secret)) for secret in secrets(3)]
        for level, name in enumerate(LEVELS)
    }
    assert (BOTS_VERSION, chosen) == (
        3,
        {
            "easy": [(2, 1, 11)] * 3,
            "medium": [(5, 2, 1, 3)] * 3,
            "hard": [(5, 3, 1, 3)] * 3,
            "expert": [(5, 3, 1, 3)] * 3,
        },
    )


@pytest.mark.parametrize("level", [4, -1])
def test_a_level_that_does_not_exist_is_our_own_mistake(level: int) -> None:
    assert level not in OFFERED
    with pytest.raises(LocalMisuse, match="no bot of level"):
        choose(OPENING, RULES, Card.ONE, level, bytes(32))


def test_after_the_end_there_is_nothing_to_choose() -> None:
    won = Position(COLOURS, ((66, 66, 66), (40, 50, 55)), 0, winner=0)
    with pytest.raises(GameOver):
        choose(won, RULES, Card.ONE, EASY, bytes(32))


@pytest.mark.untraced
@pytest.mark.parametrize(("name", "rules"), variations())
def test_every_level_plays_by_every_switch_with_any_number_of_players(name: str, rules: Rules) -> None:
    for seats in (2, 3, 4):
        position = setup(rules, tuple(Colour)[:seats], 0)
        for k in range(10):
            secret = tagged_hash("test", u32(k))
            card = tuple(Card)[pick("card", secret, len(Card))]
            answers = choices(position, rules, card)
            # An expert takes its time; one card of each game is enough to see that it can.
            levels = OFFERED if k == 9 else OFFERED - {EXPERT}
            taken = [choose(position, rules, card, level, secret) for level in sorted(levels)]
            assert set(taken) <= set(answers), name
            position = play(position, rules, card, taken[k % 3])


def test_splits_and_swaps_are_among_what_hard_bots_play() -> None:
    kinds = {type(choose(OPEN_FIELD, RULES, card, HARD, CALM)) for card in (Card.SEVEN, Card.ELEVEN)}
    assert kinds <= {Split, Swap, Forward}
