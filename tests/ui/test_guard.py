"""The guard: quiet after a change, quiet again after what it held back, and nothing faster than people type."""

from __future__ import annotations

from sorry_lan.ui.guard import AT_MOST_S, BURST_S, QUIET_S, Guard


def at(guard: Guard, now_s: float) -> bool:
    guard.key(now_s)
    return guard.lets(now_s)


def test_an_act_needs_a_moment_of_quiet_after_the_question():
    guard = Guard()
    guard.changed(10.0)
    assert not at(guard, 10.0 + QUIET_S / 2)
    assert at(guard, 10.0 + 2 * QUIET_S)


def test_keys_that_keep_coming_are_held_back_until_they_stop():
    guard = Guard()
    guard.changed(10.0)
    assert [at(guard, 10.0 + n / 10) for n in range(1, 8)] == [False] * 7
    assert at(guard, 10.7 + QUIET_S + 0.01)


def test_whoever_keeps_pressing_is_heard_in_the_end():
    guard = Guard()
    guard.changed(10.0)
    presses = [10.0 + n / 5 for n in range(1, 12)]
    heard = [when for when in presses if at(guard, when)]
    assert heard
    assert heard[0] <= 10.0 + AT_MOST_S + 0.2


def test_two_keys_at_once_are_no_person():
    guard = Guard()
    assert at(guard, 5.0)
    assert not at(guard, 5.0 + BURST_S / 2)
    assert guard.hasty(5.0)
    assert at(guard, 6.0)
    assert not guard.hasty(6.0)
