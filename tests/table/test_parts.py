"""The small parts that a table is made of, where a whole table would show too little."""

import pytest

from sorry_lan.fair.chain import Chain
from sorry_lan.fair.entry import Ack, Reveal
from sorry_lan.faults import LocalMisuse
from sorry_lan.table.desk import known
from sorry_lan.table.events import Direction, LinkPeer
from sorry_lan.table.hand import Hand
from sorry_lan.table.links import Bucket, Link, new_link
from sorry_lan.table.settings import Role
from sorry_lan.table.sitter import free_name
from sorry_lan.table.table import Table
from sorry_lan.wire.messages import Entry, Intent
from tests.table.build import person, settings

GAME = bytes(32)


def hand() -> Hand:
    one = person(0)
    return Hand(0, 0, one, Chain(one.root, one.key.public, bytes(32)))


def test_the_same_body_may_be_signed_again() -> None:
    seat = hand()
    assert seat.sign(GAME, Ack(3, 0, bytes(32))) == seat.sign(GAME, Ack(3, 0, bytes(32)))


def test_another_body_for_a_slot_is_never_signed() -> None:
    seat = hand()
    seat.sign(GAME, Ack(3, 0, bytes(32)))
    with pytest.raises(LocalMisuse, match="would sign slot"):
        seat.sign(GAME, Ack(3, 0, b"x" * 32))


def test_the_guard_covers_the_step_before_and_refuses_all_earlier_ones() -> None:
    seat = hand()
    for k in range(3, 6):
        seat.sign(GAME, seat.reveal(k))
    with pytest.raises(LocalMisuse, match="twice"):
        seat.sign(GAME, Reveal(4, 0, bytes(32)))
    with pytest.raises(LocalMisuse, match="twice"):
        seat.sign(GAME, seat.reveal(3))


def test_a_client_needs_a_person() -> None:
    with pytest.raises(LocalMisuse):
        Table(settings(Role.HOST))


def test_what_must_be_known_and_is_not_is_our_bug() -> None:
    assert known(0) == 0
    with pytest.raises(LocalMisuse):
        known(None)


@pytest.mark.parametrize(
    ("name", "taken", "free"),
    [
        ("Bob", (), "Bob"),
        ("Bob", ("Bob",), "Bob 2"),
        ("Bob", ("Bob", "Bob 2"), "Bob 3"),
        ("x" * 24, ("x" * 24,), "x" * 22 + " 2"),
        ("é" * 12, ("é" * 12,), "é" * 11 + " 2"),
        ("é" * 11 + "x", ("é" * 11 + "x",), "é" * 11 + " 2"),
        ("x" + "é" * 11, ("x" + "é" * 11,), "x" + "é" * 10 + " 2"),
    ],
)
def test_a_taken_name_gets_the_next_number_within_its_bytes(name: str, taken: tuple[str, ...], free: str) -> None:
    assert free_name(name, taken) == free
    assert len(free.encode()) <= 24


def test_a_bucket_gives_no_more_than_it_holds_and_refills_with_time() -> None:
    bucket = Bucket(2, 4, 0)
    assert [bucket.take(1, 0) for _ in range(3)] == [True, True, False]
    assert not bucket.take(1, 249_999)
    assert bucket.take(1, 250_000)
    assert [bucket.take(1, 60_000_000) for _ in range(3)] == [True, True, False]


def test_a_gift_fills_a_bucket_up_to_the_brim() -> None:
    bucket = Bucket(2, 1, 0)
    bucket.take(2, 0)
    bucket.give(1)
    assert [bucket.take(1, 0) for _ in range(2)] == [True, False]
    bucket.give(9)
    assert [bucket.take(1, 0) for _ in range(3)] == [True, True, False]


def link(host: str, port: int | None) -> Link:
    peer = LinkPeer(bytes(32), "Bob", bytes(16), 1, Intent.LOBBY, None, host, port, Direction.INCOMING)
    return new_link(1, peer, 0)


@pytest.mark.parametrize(
    ("host", "port", "address"),
    [
        ("192.0.2.7", 7777, "192.0.2.7:7777"),
        ("fe80::1", 7777, "[fe80::1]:7777"),
        ("192.0.2.7", None, None),
        ("h" * 60, 7777, None),
    ],
)
def test_the_address_of_a_peer_is_where_its_link_came_from_and_its_port(
    host: str, port: int | None, address: str | None
) -> None:
    assert link(host, port).address == address


def test_of_the_entries_of_an_unknown_game_the_latest_32_are_kept() -> None:
    one = link("h", None)
    for number in range(40):
        one.keep(Entry(number.to_bytes(32, "big"), b"b", bytes(64)))
    assert [int.from_bytes(entry.game, "big") for entry in one.kept] == list(range(8, 40))
