"""What a program may do is measured; time is virtual."""

from __future__ import annotations

import pytest

from sorry_lan.app.leash import BURST_BYTES, BYTES_A_SECOND, MOST_WRONG, SILENT_S, UNREAD_BYTES, Leash
from sorry_lan.table.programs import BotProblem, BotTrouble

QUESTION, ANOTHER = frozenset({("game", 3)}), frozenset({("game", 5)})


def test_while_nothing_is_asked_it_may_be_silent_for_ever():
    leash = Leash(0.0)
    assert leash.due_s() is None
    assert leash.silent(1e9) is None


def test_each_question_has_its_own_half_minute():
    leash = Leash(0.0)
    leash.asked(QUESTION, 10.0)
    leash.asked(QUESTION, 35.0)
    assert leash.due_s() == 10.0 + SILENT_S
    assert leash.silent(39.9) is None
    leash.asked(ANOTHER, 39.9)
    assert leash.silent(40.0) is None
    assert leash.silent(39.9 + SILENT_S) == BotProblem(BotTrouble.BOT_SILENT)
    leash.asked(frozenset(), 80.0)
    assert leash.silent(1000.0) is None


def test_wrong_lines_in_a_row_are_counted_and_one_that_does_something_forgives_them():
    leash = Leash(0.0)
    for _ in range(5):
        assert [leash.wrong("no") for _ in range(MOST_WRONG - 1)] == [None] * (MOST_WRONG - 1)
        leash.right()
    for _ in range(MOST_WRONG - 1):
        assert leash.wrong("no") is None
    assert leash.wrong("not JSON") == BotProblem(BotTrouble.BOT_GARBLED, "not JSON")


@pytest.mark.parametrize(("size", "lines"), [(4096, 0), (100, 100), (0, 200)])
def test_a_flood_is_noticed_soon_whatever_it_is_made_of(size: int, lines: int):
    leash = Leash(0.0)
    told = [leash.wrote(size, lines, second / 1000) for second in range(100)]
    assert told[0] is None
    assert told[-1] == BotProblem(BotTrouble.BOT_FLOODS)


def test_what_a_chatty_game_takes_is_no_flood_and_a_pause_is_forgotten_only_so_far():
    leash = Leash(0.0)
    for turn in range(2000):
        assert leash.wrote(600, 6, turn * 0.2) is None
    assert leash.wrote(BURST_BYTES - 64, 1, 10_000.0) is None
    assert leash.wrote(BYTES_A_SECOND, 0, 10_000.5) == BotProblem(BotTrouble.BOT_FLOODS)


def test_what_it_does_not_read_is_bounded():
    leash = Leash(0.0)
    assert leash.unread(UNREAD_BYTES) is None
    assert leash.unread(UNREAD_BYTES + 1) == BotProblem(BotTrouble.BOT_DEAF)
