from __future__ import annotations

import pytest

from sorry_lan.net.roster import (
    Half,
    Known,
    Standing,
    Verdict,
    judge,
    redial_delay_s,
    room_for,
    to_close_for,
)
from sorry_lan.wire.messages import Intent

SMALL, LARGE = b"\x01" * 32, b"\x02" * 32


def standing(dialler: bytes, since_s: float, instance: bytes = b"i") -> Standing:
    return Standing(1, LARGE, instance, dialler, since_s)


@pytest.mark.spec("H-20", "H-21")
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (standing(SMALL, 0), standing(LARGE, 1), Verdict.OLD_STAYS),
        (standing(LARGE, 0), standing(SMALL, 1), Verdict.NEW_STAYS),
        (standing(SMALL, 0), standing(LARGE, 2), Verdict.OLD_STAYS),
        (standing(SMALL, 0), standing(LARGE, 2.1), Verdict.NEW_STAYS),
        (standing(SMALL, 0), standing(SMALL, 1), Verdict.NEW_STAYS),
        (standing(SMALL, 0), standing(LARGE, 1, b"j"), Verdict.NEW_INSTANCE),
        (standing(SMALL, 0), standing(SMALL, 100, b"j"), Verdict.NEW_INSTANCE),
    ],
)
def test_of_two_links_the_rule_names_one(old: Standing, new: Standing, expected: Verdict) -> None:
    assert judge(old, new) is expected


@pytest.mark.spec("H-20")
def test_crossed_dials_end_in_the_same_link_at_both_ends_in_either_order() -> None:
    small, large = standing(SMALL, 0), standing(LARGE, 0.5)
    assert judge(small, large) is Verdict.OLD_STAYS
    assert judge(standing(LARGE, 0), standing(SMALL, 0.5)) is Verdict.NEW_STAYS


@pytest.mark.spec("H-26")
def test_a_peer_is_redialled_each_half_second_for_a_minute_and_then_ever_more_slowly() -> None:
    assert redial_delay_s(0, 0, 0.9) == 0.5
    assert redial_delay_s(59.9, 0, 0.1) == 0.5
    slow = [redial_delay_s(60 + n, n, 0.5) for n in range(6)]
    assert slow == [1, 2, 4, 8, 10, 10]


def test_a_peer_that_stays_away_for_days_is_redialled_all_the_same() -> None:
    assert redial_delay_s(1e6, 100_000, 0.5) == 10


@pytest.mark.spec("H-26")
def test_slow_redials_differ_by_a_fifth_so_that_peers_do_not_march_in_step() -> None:
    assert redial_delay_s(100, 9, 0) == pytest.approx(8)
    assert redial_delay_s(100, 9, 1) == pytest.approx(12)


def test_strangers_fill_only_their_own_places() -> None:
    lobby, watch = int(Intent.LOBBY), int(Intent.WATCH)
    assert room_for(lobby, (lobby,) * 10, Known.NO)
    assert not room_for(lobby, (lobby,) * 11, Known.NO)
    assert room_for(lobby, (lobby,) * 11, Known.YES)
    assert room_for(watch, (watch,) * 7, Known.NO)
    assert not room_for(watch, (watch,) * 8, Known.NO)


@pytest.mark.spec("H-13")
def test_the_oldest_half_open_connection_of_an_address_makes_room_for_its_next() -> None:
    half = tuple(Half(n, "a") for n in range(4))
    assert to_close_for(half[:3], "a") is None
    assert to_close_for(half, "a") == half[0]
    assert to_close_for(half, "b") is None


@pytest.mark.spec("H-13")
def test_the_oldest_of_all_makes_room_when_many_addresses_fill_the_house() -> None:
    half = tuple(Half(n, f"h{n // 3}") for n in range(16))
    assert to_close_for(half, "new") == half[0]
    assert to_close_for(half, "h2") == half[6]
