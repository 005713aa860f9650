"""Bots: the same answer on every machine, a fair pick among all choices ([F-31])."""

from __future__ import annotations

import pytest

from sorry_lan.bots.choose import BOTS_VERSION, EASY, OFFERED, choose
from sorry_lan.faults import LocalMisuse
from sorry_lan.rules.board import Colour
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import GameOver, choices
from sorry_lan.rules.moves import Decline, to_action
from sorry_lan.rules.position import Position, setup
from sorry_lan.rules.profile import Rules
from sorry_lan.wire.codec import encode
from sorry_lan.wire.digest import pick, tagged_hash, u32

RULES = Rules()
COLOURS = (Colour.RED, Colour.BLUE)
OPENING = setup(RULES, COLOURS, 0)
OPEN_FIELD = Position(COLOURS, ((10, 20, 30), (40, 50, 55)), 0)


def secrets(count: int) -> list[bytes]:
    return [tagged_hash("test", u32(n)) for n in range(count)]


def test_an_easy_bot_takes_the_choice_that_the_secret_picks() -> None:
    for card in Card:
        answers = choices(OPEN_FIELD, RULES, card)
        for secret in secrets(20):
            assert choose(OPEN_FIELD, RULES, card, EASY, secret) == answers[pick("bot", secret, len(answers))]


def test_its_choices_are_ordered_by_their_bytes_on_the_wire() -> None:
    for card in Card:
        on_wire = [encode(to_action(move)) for move in choices(OPEN_FIELD, RULES, card)]
        assert on_wire == sorted(on_wire)
        assert len(set(on_wire)) == len(on_wire)


def test_without_a_legal_move_it_passes() -> None:
    assert choose(OPENING, RULES, Card.FOUR, EASY, bytes(32)) == Decline()


@pytest.mark.untraced
def test_every_choice_is_taken_about_equally_often() -> None:
    answers = choices(OPEN_FIELD, RULES, Card.SEVEN)
    assert len(answers) > 10
    draws = 200 * len(answers)
    counts = dict.fromkeys(answers, 0)
    for secret in secrets(draws):
        counts[choose(OPEN_FIELD, RULES, Card.SEVEN, EASY, secret)] += 1
    # Binomial with mean 200: six standard deviations either way.
    assert all(115 < count < 285 for count in counts.values())


def test_the_answer_is_pinned_for_this_version() -> None:
    chosen = [to_action(choose(OPEN_FIELD, RULES, Card.ELEVEN, EASY, secret)) for secret in secrets(6)]
    assert (BOTS_VERSION, chosen) == (
        1,
        [(5, 1, 1, 1), (5, 2, 1, 1), (2, 1, 11), (5, 3, 1, 3), (5, 1, 1, 2), (5, 3, 1, 2)],
    )


@pytest.mark.parametrize("level", [1, 2, 3, 4, -1])
def test_a_level_that_does_not_exist_is_our_own_mistake(level: int) -> None:
    assert level not in OFFERED
    with pytest.raises(LocalMisuse, match="no bot of level"):
        choose(OPENING, RULES, Card.ONE, level, bytes(32))


def test_after_the_end_there_is_nothing_to_choose() -> None:
    won = Position(COLOURS, ((66, 66, 66), (40, 50, 55)), 0, winner=0)
    with pytest.raises(GameOver):
        choose(won, RULES, Card.ONE, EASY, bytes(32))
