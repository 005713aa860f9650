# ruff: noqa: ARG001, ARG002 - a clock among the arguments makes time virtual; a stand-in asks little of what it is given
from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest
import trio
import trio.testing

from sorry_lan.faults import Err, RemoteFault
from sorry_lan.net import redial
from sorry_lan.net.addresses import Address
from sorry_lan.net.dial import Unreached
from sorry_lan.net.handshake import LinkLost, SetupRefused, Teller
from sorry_lan.net.redial import keep_linked
from sorry_lan.table.commands import WantedPeer
from sorry_lan.table.notices import JoinProblem, Problem, Program

NEVER_S = 1000.0
PEER = WantedPeer(b"\x07" * 32, ("192.0.2.7:7777",))


@dataclass
class World:
    """One peer behind a network that a test describes by what connecting and setting up take."""

    connecting: Callable[[], Awaitable[None]]
    setting_up: Callable[[], Awaitable[None]] | None = None
    up: bool = False
    ended: bool = False
    changed: trio.Event = field(default_factory=trio.Event)
    dials_s: list[float] = field(default_factory=list)
    setups_s: list[float] = field(default_factory=list)
    linked_s: list[float] = field(default_factory=list)
    connections: list[trio.abc.Stream] = field(default_factory=list)
    seen: tuple[Address, ...] = ()
    dialled: list[tuple[Address, ...]] = field(default_factory=list)

    def linked(self, pk: bytes) -> bool:
        return self.up

    def places(self, pk: bytes) -> tuple[Address, ...]:
        return self.seen

    def over(self) -> bool:
        return self.ended

    async def change(self) -> None:
        await self.changed.wait()

    def stir(self) -> None:
        self.changed.set()
        self.changed = trio.Event()

    def become(self, up: bool) -> None:
        self.up = up
        if up:
            self.linked_s.append(trio.current_time())
        self.stir()

    async def call_again(self, stream: trio.abc.Stream, pk: bytes, address: Address) -> None:
        self.setups_s.append(trio.current_time())
        if self.setting_up is not None:
            await self.setting_up()
        self.become(True)

    async def connect_any(self, addresses: tuple[Address, ...], limit_s: float) -> trio.abc.Stream:
        self.dials_s.append(trio.current_time())
        self.dialled.append(addresses)
        with trio.move_on_after(limit_s):
            await self.connecting()
            stream, _ = trio.testing.memory_stream_pair()
            self.connections.append(stream)
            return stream
        raise Unreached(Problem.TIMED_OUT)


async def during(world: World, monkeypatch: pytest.MonkeyPatch, seconds: float, peer: WantedPeer = PEER) -> None:
    """Keep linked for that long."""
    monkeypatch.setattr(redial, "connect_any", world.connect_any)
    with trio.move_on_after(seconds):
        await keep_linked(world, peer, 0.0)


async def at_once() -> None:
    await trio.lowlevel.checkpoint()


@pytest.mark.spec("H-26")
async def test_an_attempt_that_hangs_does_not_hold_up_the_next_one(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    world = World(trio.sleep_forever)
    await during(world, monkeypatch, 10.1)
    assert world.dials_s == [n * 0.5 for n in range(21)]


async def test_a_link_that_is_lost_is_dialled_for_at_once(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    world = World(at_once)

    async def lose_it() -> None:
        for _ in range(3):
            await trio.sleep(4)
            world.become(False)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(lose_it)
        await during(world, monkeypatch, 13)
    assert world.dials_s == [0, 4, 8, 12]


@pytest.mark.spec("H-26")
async def test_a_peer_that_lets_us_in_and_hangs_up_at_once_is_dialled_twice_a_second(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    class Fickle(World):
        async def call_again(self, stream: trio.abc.Stream, pk: bytes, address: Address) -> None:
            self.become(True)
            await trio.sleep(0.01)
            self.become(False)

    world = Fickle(at_once)
    await during(world, monkeypatch, 3.1)
    assert world.dials_s == [n * 0.5 for n in range(7)]


@pytest.mark.parametrize("heals_s", [10.0, 10.01, 10.25, 10.49, 10.51])
async def test_after_a_silent_cut_there_is_a_link_within_half_a_second(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock, heals_s: float
) -> None:
    async def connecting() -> None:
        # What was sent into the cut is sent again by the system only after a second.
        await trio.sleep(0 if trio.current_time() >= heals_s else NEVER_S)

    world = World(connecting)
    await during(world, monkeypatch, 20)
    assert world.linked_s[0] - heals_s <= 0.5
    assert len(world.setups_s) == 1


async def test_while_one_attempt_has_a_connection_no_other_one_is_dialled(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    async def slowly() -> None:
        await trio.sleep(2.5)

    world = World(at_once, slowly)
    await during(world, monkeypatch, 20)
    assert world.dials_s == [0.0]
    assert world.linked_s == [2.5]


async def test_a_set_up_that_was_cut_is_given_up_after_three_seconds(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    async def setting_up() -> None:
        await trio.sleep(0 if trio.current_time() else NEVER_S)

    world = World(at_once, setting_up)
    await during(world, monkeypatch, 20)
    assert world.dials_s == [0.0, 3.0]
    assert world.linked_s == [3.0]


async def test_a_connection_that_comes_after_the_link_is_closed_again(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    async def connecting() -> None:
        await trio.sleep(0.9)

    world = World(connecting)
    await during(world, monkeypatch, 20)
    assert world.dials_s == [0.0, 0.5]
    assert world.setups_s == [0.9]
    with pytest.raises(trio.ClosedResourceError):
        await world.connections[1].send_all(b"x")


def _refused() -> SetupRefused:
    return SetupRefused(JoinProblem(Problem.BUSY, Err.RATE, "", Program(1, 1, "", None)), Teller.THEM)


@pytest.mark.parametrize("wrong", [LinkLost(""), RemoteFault(Err.SCHEMA, ""), Unreached(Problem.RESET), _refused()])
async def test_whatever_goes_wrong_in_a_set_up_another_attempt_follows(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock, wrong: Exception
) -> None:
    async def setting_up() -> None:
        await trio.lowlevel.checkpoint()
        if trio.current_time() < 1.0:
            raise wrong

    world = World(at_once, setting_up)
    await during(world, monkeypatch, 20)
    assert world.dials_s == [0.0, 0.5, 1.0]


@pytest.mark.parametrize(
    "addresses",
    [
        pytest.param(("not an address",), id="no address"),
        # Whoever tells it would have us ask, and every thread wait for whoever does not answer.
        pytest.param(("slow.example:7777", "slow", "otter.local.:7777"), id="names"),
    ],
)
async def test_nothing_is_dialled_where_no_address_can_be_read_or_all_is_over(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock, addresses: tuple[str, ...]
) -> None:
    world = World(at_once)
    await during(world, monkeypatch, 5, WantedPeer(PEER.pk, addresses))
    world.ended = True
    await during(world, monkeypatch, 5)
    assert world.dials_s == []
    assert trio.current_time() < 6


async def test_a_link_that_is_lost_is_dialled_at_once(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    world = World(at_once)

    async def lose() -> None:
        await trio.sleep(70)
        world.become(False)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(lose)
        await during(world, monkeypatch, 80)
    assert world.linked_s == [0.0, 70.0]


async def test_where_a_peer_was_seen_is_dialled_beside_the_addresses_that_it_is_known_by(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    world = World(at_once)
    world.seen = (Address("192.0.2.9", 7801), Address("192.0.2.7", 7777))
    await during(world, monkeypatch, 1)
    assert world.dialled == [(Address("192.0.2.7", 7777), Address("192.0.2.9", 7801))]


async def test_a_peer_without_an_address_is_dialled_once_it_was_seen(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    world = World(at_once)

    async def appear() -> None:
        await trio.sleep(2)
        world.seen = (Address("192.0.2.9", 7801),)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(appear)
        await during(world, monkeypatch, 5, WantedPeer(b"\x07" * 32, ()))
    assert world.dialled == [(Address("192.0.2.9", 7801),)]
    assert 2 <= world.dials_s[0] < 3
