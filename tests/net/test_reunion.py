"""Players who look for each other again: what is announced, who is asked for, and what becomes of the answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import pytest
import trio
from trio.testing import MockClock

from sorry_lan.net import reunion
from sorry_lan.net.interfaces import Interface, Kind
from sorry_lan.net.reunion import PLAYERS, player_name, reunite
from sorry_lan.net.station import Told
from sorry_lan.net.where import Address

GAME, ADA, BOB, CHLOE = b"\x0f" * 32, b"\x0a" * 32, b"\x0b" * 32, b"\x0c" * 32
ETH = Interface("eth0", 2, Kind.LAN, ("192.168.7.6",))


class FakeStation:
    """What the network says, without one."""

    last: ClassVar[FakeStation]
    known: ClassVar[dict[str, Told]] = {}

    def __init__(self, name: str, kind: str) -> None:
        FakeStation.last = self
        self.name = name
        self.kind = kind
        self.published: list[tuple[Mapping[str, str], int]] = []
        self.asked: list[str] = []
        self.closed = 0

    def follow(self) -> tuple[Interface, ...]:
        return (ETH,)

    def publish(self, record: Mapping[str, str], port: int) -> None:
        self.published.append((record, port))

    def resolve(self, name: str) -> Told | None:
        self.asked.append(name)
        return self.known.get(name)

    def close(self) -> None:
        self.closed += 1


class Links:
    """Which peers are linked, and where they were seen."""

    def __init__(self, *linked: bytes) -> None:
        self._linked = linked
        self.places: dict[bytes, tuple[Address, ...]] = {}

    def linked(self, pk: bytes) -> bool:
        return pk in self._linked

    def seen(self, pk: bytes, addresses: tuple[Address, ...]) -> None:
        self.places[pk] = addresses


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch, inline_threads: None) -> None:
    _used = inline_threads
    monkeypatch.setattr(reunion, "Station", FakeStation)
    monkeypatch.setattr(FakeStation, "known", {})


async def for_a_while(links: Links, port: int | None = 7777) -> FakeStation:
    with trio.move_on_after(5):
        await reunite(GAME, ADA, port, (BOB, CHLOE), links)
    return FakeStation.last


async def test_who_is_missing_is_asked_for_and_its_addresses_are_told(autojump_clock: MockClock) -> None:
    assert autojump_clock.autojump_threshold == 0
    name = f"{player_name(GAME, BOB)}.{PLAYERS}"
    FakeStation.known[name] = Told({}, 7801, ("fe80::5%eth0", "192.168.7.6", "192.168.7.9"))
    links = Links(CHLOE)
    station = await for_a_while(links)
    assert links.places == {BOB: (Address("192.168.7.9", 7801), Address("fe80::5%eth0", 7801))}
    assert station.asked == [name, name]
    assert station.closed == 1


async def test_our_own_place_is_announced_and_nothing_else(autojump_clock: MockClock) -> None:
    assert autojump_clock.autojump_threshold == 0
    station = await for_a_while(Links(BOB, CHLOE))
    assert (station.name, station.kind) == (player_name(GAME, ADA), PLAYERS)
    assert set(map(str, station.published)) == {"({}, 7777)"}
    assert station.asked == []


async def test_who_listens_nowhere_only_asks(autojump_clock: MockClock) -> None:
    assert autojump_clock.autojump_threshold == 0
    links = Links()
    station = await for_a_while(links, None)
    assert station.published == []
    assert len(station.asked) == 4
    assert links.places == {}


def test_a_name_tells_neither_game_nor_key_and_is_another_for_each_of_both() -> None:
    names = {player_name(game, pk) for game in (GAME, bytes(32)) for pk in (ADA, BOB)}
    assert len(names) == 4
    for name in names:
        assert GAME.hex()[:8] not in name
        assert ADA.hex()[:8] not in name
        assert len(name) < 64
