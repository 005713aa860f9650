"""Announcing and looking, with a station that a test drives; real multicast is in tests/lan/test_finding.py."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import ClassVar

import pytest
import trio
from trio.testing import MockClock

from sorry_lan.net import discovery, station
from sorry_lan.net.card import card_record
from sorry_lan.net.discovery import Lookout, announce, called_hosts
from sorry_lan.net.interfaces import Interface, Kind
from sorry_lan.net.station import Station, Told, announced_hosts
from sorry_lan.net.where import Address
from sorry_lan.table.notices import Card, CodeUse, Fit, Openness, Problem, Program, Silence

OURS = Program(1, 1, "1.0.0", None)
LO = Interface("lo", 1, Kind.LOOPBACK, ("127.0.0.1", "::1"))
ETH = Interface("eth0", 2, Kind.LAN, ("192.168.7.6", "fe80::6"))


def card(free: int = 3, version: int = 1) -> Card:
    program = Program(version, version, "1.0.0", None)
    return Card("Bob's table", ("Bob",), 4, free, "standard", Openness.LOBBY, CodeUse.NEEDED, program)


class FakeStation:
    """What the network says, without one."""

    last: ClassVar[FakeStation]
    up: ClassVar[tuple[Interface, ...]] = (LO, ETH)
    broken: ClassVar[bool] = False

    def __init__(self, name: str, kind: str) -> None:
        assert kind == discovery.TABLES
        FakeStation.last = self
        self.name = name
        self.published: list[tuple[Mapping[str, str], int]] = []
        self.asked = 0
        self.closed = 0
        self.known: dict[str, discovery._Heard] = {}
        self.heard: Callable[[str, str], None] = lambda _name, _change: None

    def follow(self) -> tuple[Interface, ...]:
        if self.broken:
            raise OSError("no multicast")
        return self.up

    def publish(self, told: Mapping[str, str], port: int) -> None:
        self.published.append((told, port))

    def ask(self, heard: Callable[[str, str], None]) -> None:
        self.asked += 1
        self.heard = heard

    def resolve(self, name: str) -> Told | None:
        heard = self.known.get(name)
        if heard is None:
            return None
        record = {key.encode(): value.encode() for key, value in card_record(heard.card).items()}
        return Told(record, heard.port, heard.hosts)

    def close(self) -> None:
        self.closed += 1

    def tell(self, name: str, change: str, told: discovery._Heard | None = None) -> None:
        if told is not None:
            self.known[name] = told
        self.heard(name, change)


class Answers:
    """Which addresses take a connection, and how the others do not."""

    def __init__(self) -> None:
        self.problems: dict[str, Problem] = {}
        self.called: list[str] = []

    async def connect(self, address: Address, limit_s: float) -> trio.abc.Stream:
        self.called.append(address.host)
        await trio.sleep(0.01)
        problem = self.problems.get(address.host)
        if problem is None:
            return trio.testing.memory_stream_pair()[0]
        if problem is Problem.TIMED_OUT:
            await trio.sleep(limit_s)
        raise discovery.Unreached(problem)


@pytest.fixture
def net(monkeypatch: pytest.MonkeyPatch, inline_threads: None) -> Answers:
    _used = inline_threads
    answers = Answers()
    monkeypatch.setattr(discovery, "Station", FakeStation)
    monkeypatch.setattr(discovery, "connect", answers.connect)
    monkeypatch.setattr(FakeStation, "up", (LO, ETH))
    monkeypatch.setattr(FakeStation, "broken", False)
    return answers


HEARD = discovery._Heard(card(), 7777, ("192.168.7.5",))


async def test_a_table_that_is_heard_of_and_answers_is_listed(net: Answers, autojump_clock: MockClock) -> None:
    lookout = Lookout(OURS)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        await trio.sleep(0.1)
        FakeStation.last.tell("bob", "Added", HEARD)
        await lookout.change()
        (found,) = lookout.tables
        assert (found.address, found.card, found.fit) == ("192.168.7.5:7777", card(), Fit.FITS)
        assert found.latency_ms == pytest.approx(10)
        nursery.cancel_scope.cancel()
    assert net.called == ["192.168.7.5"]
    assert FakeStation.last.closed == 1
    assert autojump_clock.autojump_threshold == 0


async def test_a_card_that_changes_is_shown_at_once_and_a_good_bye_counts_at_once(
    net: Answers, autojump_clock: MockClock
) -> None:
    lookout = Lookout(OURS)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        await trio.sleep(0.1)
        FakeStation.last.tell("bob", "Added", HEARD)
        await trio.sleep(0.1)
        FakeStation.last.tell("bob", "Updated", discovery._Heard(card(0, 2), 7777, ("192.168.7.5",)))
        await trio.sleep(0.1)
        assert [(each.card.free, each.fit) for each in lookout.tables] == [(0, Fit.VERSION)]
        FakeStation.last.tell("bob", "Removed")
        FakeStation.last.tell("nobody", "Removed")
        await trio.sleep(0.1)
        assert lookout.tables == ()
        calls = len(net.called)
        await trio.sleep(10)
        assert len(net.called) == calls
        nursery.cancel_scope.cancel()
    assert autojump_clock.autojump_threshold == 0


@pytest.mark.parametrize(("problem", "most_s"), [(Problem.REFUSED, 1.5), (Problem.TIMED_OUT, 4.0)])
async def test_a_table_that_no_longer_answers_is_gone_and_comes_back_when_it_does(
    net: Answers, autojump_clock: MockClock, problem: Problem, most_s: float
) -> None:
    lookout = Lookout(OURS)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        await trio.sleep(0.1)
        FakeStation.last.tell("bob", "Added", HEARD)
        await trio.sleep(1.0)
        net.problems["192.168.7.5"] = problem
        began_s = trio.current_time()
        while lookout.tables:
            await lookout.change()
        assert trio.current_time() - began_s < most_s
        net.problems.clear()
        await trio.sleep(3.0)
        assert len(lookout.tables) == 1
        nursery.cancel_scope.cancel()
    assert autojump_clock.autojump_threshold == 0


async def test_a_table_that_stays_silent_is_forgotten(net: Answers, autojump_clock: MockClock) -> None:
    net.problems["192.168.7.5"] = Problem.REFUSED
    lookout = Lookout(OURS)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        await trio.sleep(0.1)
        FakeStation.last.tell("bob", "Added", HEARD)
        FakeStation.last.tell("stranger", "Added")
        await trio.sleep(200)
        calls = len(net.called)
        assert calls == discovery._FORGET
        await trio.sleep(10)
        assert len(net.called) == calls
        nursery.cancel_scope.cancel()
    assert autojump_clock.autojump_threshold == 0


async def test_a_flood_of_announcements_opens_no_connections_without_end(
    net: Answers, autojump_clock: MockClock
) -> None:
    lookout = Lookout(OURS)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        await trio.sleep(0.1)
        for number in range(200):
            FakeStation.last.tell(f"t{number}", "Added", HEARD)
        await trio.sleep(0.5)
        assert len(lookout.tables) == len(net.called) == discovery._MOST_TABLES
        nursery.cancel_scope.cancel()
    assert autojump_clock.autojump_threshold == 0


async def test_a_flood_of_names_waits_for_its_own_threads_and_is_bounded(
    net: Answers, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody answers for any of these names, so that each takes as long as a name can."""
    running = [0, 0]

    async def slow(work: Callable[[], None], *_args: object, limiter: object = None, **_how: object) -> None:
        if limiter is None:
            work()
            return
        running[0] += 1
        running[1] = max(running)
        await trio.sleep(1.5)
        running[0] -= 1

    lookout = Lookout(OURS)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        await trio.sleep(0.1)
        monkeypatch.setattr(trio.to_thread, "run_sync", slow)
        tasks = trio.lowlevel.current_statistics().tasks_living
        for number in range(5000):
            FakeStation.last.tell(f"t{number}", "Added")
        await trio.sleep(0.1)
        assert running[1] == discovery._AT_ONCE
        assert trio.lowlevel.current_statistics().tasks_living == tasks
        assert len(lookout._waiting) <= discovery._MOST_WAITING
        nursery.cancel_scope.cancel()
    assert net.called == []
    assert autojump_clock.autojump_threshold == 0


async def test_what_is_heard_after_the_end_changes_nothing(net: Answers, autojump_clock: MockClock) -> None:
    """The threads of the library may be late; trio takes whatever goes wrong in what they ask for as its own end."""
    lookout = Lookout(OURS)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        await trio.sleep(0.1)
        nursery.cancel_scope.cancel()
    FakeStation.last.tell("bob", "Added", HEARD)
    FakeStation.last.tell("bob", "Removed")
    await trio.testing.wait_all_tasks_blocked()
    assert (net.called, lookout.tables) == ([], ())
    assert autojump_clock.autojump_threshold == 0


async def test_a_good_bye_right_behind_an_announcement_ends_nothing(
    net: Answers, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def resolve(station: FakeStation, name: str) -> Told | None:
        station.heard(name, "Removed")
        record = {key.encode(): value.encode() for key, value in card_record(HEARD.card).items()}
        return Told(record, HEARD.port, HEARD.hosts)

    monkeypatch.setattr(FakeStation, "resolve", resolve)
    lookout = Lookout(OURS)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        await trio.sleep(0.1)
        for number in range(40):
            FakeStation.last.tell(f"t{number}", "Added")
        await trio.sleep(0.5)
        assert len(lookout.tables) < 40
        nursery.cancel_scope.cancel()
    assert len(net.called) < 40
    assert autojump_clock.autojump_threshold == 0


async def test_a_table_that_says_good_bye_while_it_is_asked_does_not_come_back(
    net: Answers, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def close(stream: trio.abc.Stream) -> None:
        await stream.aclose()
        for number in range(40):
            FakeStation.last.tell(f"t{number}", "Removed")

    monkeypatch.setattr(discovery, "close_bounded", close)
    lookout = Lookout(OURS)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        await trio.sleep(0.1)
        for number in range(40):
            FakeStation.last.tell(f"t{number}", "Added", HEARD)
        await trio.sleep(5)
        assert lookout.tables == ()
        nursery.cancel_scope.cancel()
    assert net.called
    assert autojump_clock.autojump_threshold == 0


async def test_the_network_is_asked_again_and_at_once_where_an_interface_comes(
    net: Answers, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeStation, "up", ())
    lookout = Lookout(OURS)
    assert lookout.silence is Silence.NO_NETWORK
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        await trio.sleep(0.5)
        assert (FakeStation.last.asked, lookout.silence) == (1, Silence.NO_NETWORK)
        monkeypatch.setattr(FakeStation, "up", (LO,))
        await trio.sleep(1.0)
        assert (FakeStation.last.asked, lookout.silence) == (2, Silence.ALONE)
        monkeypatch.setattr(FakeStation, "up", (LO, ETH))
        await trio.sleep(1.0)
        assert (FakeStation.last.asked, lookout.silence) == (3, Silence.UNHEARD)
        await trio.sleep(3.0)
        assert FakeStation.last.asked == 4
        nursery.cancel_scope.cancel()
    assert net.called == []
    assert autojump_clock.autojump_threshold == 0


async def test_a_table_is_announced_once_it_has_a_card_and_good_bye_is_said(
    net: Answers, autojump_clock: MockClock
) -> None:
    cards: list[Card | None] = [None, card(3), card(2)]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(announce, "sorry-lan-1", 7777, lambda: cards.pop(0) if cards else None)
        await trio.sleep(5)
        nursery.cancel_scope.cancel()
    assert FakeStation.last.published == [(card_record(card(3)), 7777), (card_record(card(2)), 7777)]
    assert FakeStation.last.closed == 1
    assert net.called == []
    assert autojump_clock.autojump_threshold == 0


async def test_multicast_that_fails_ends_nothing(
    net: Answers, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeStation, "broken", True)
    lookout = Lookout(OURS)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        nursery.start_soon(announce, "sorry-lan-1", 7777, card)
        await trio.sleep(2.5)
        monkeypatch.setattr(FakeStation, "broken", False)
        await trio.sleep(1)
        assert FakeStation.last.published
        nursery.cancel_scope.cancel()
    assert net.called == []
    assert autojump_clock.autojump_threshold == 0


async def test_of_several_addresses_the_first_that_answers_counts(net: Answers, autojump_clock: MockClock) -> None:
    net.problems["10.0.0.1"] = Problem.TIMED_OUT
    problem, won, _latency_s = await discovery._first([Address("10.0.0.1", 1), Address("10.0.0.2", 1)])
    assert (problem, won) == (Problem.LOST, Address("10.0.0.2", 1))
    net.problems["10.0.0.2"] = Problem.REFUSED
    assert (await discovery._first([Address("10.0.0.1", 1), Address("10.0.0.2", 1)]))[:2] == (Problem.TIMED_OUT, None)
    assert (await discovery._first([Address("10.0.0.2", 1)]))[:2] == (Problem.REFUSED, None)
    assert autojump_clock.autojump_threshold == 0


def test_loopback_is_announced_only_where_there_is_nothing_else() -> None:
    assert announced_hosts((LO, ETH)) == ("192.168.7.6", "fe80::6")
    assert announced_hosts((LO,)) == ("127.0.0.1", "::1")


def test_addresses_that_are_ours_as_well_are_not_called_unless_all_are() -> None:
    own = frozenset(("192.168.7.6", "172.17.0.1"))
    assert called_hosts(("fe80::5%eth0", "172.17.0.1", "fd77::5", "192.168.7.5"), own) == (
        "192.168.7.5",
        "fd77::5",
        "fe80::5%eth0",
    )
    assert called_hosts(("192.168.7.6", "172.17.0.1"), own) == ("192.168.7.6", "172.17.0.1")


def test_a_zone_is_told_by_its_name() -> None:
    assert station._named_zone("fe80::5%1") == "fe80::5%lo"
    assert station._named_zone("fe80::5%99999") == "fe80::5%99999"
    assert station._named_zone("192.168.7.5") == "192.168.7.5"


def test_a_station_speaks_ipv6_where_an_interface_has_it_and_loopback_has_nothing_else() -> None:
    assert station._speaks_v6(ETH)
    assert not station._speaks_v6(LO)
    assert station._speaks_v6(Interface("lo", 1, Kind.LOOPBACK, ("::1",)))
    assert station._version(["192.168.7.6", 2]).name == "All"
    assert station._version(["192.168.7.6"]).name == "V4Only"
    assert station._version([2]).name == "V6Only"


def test_a_station_without_interfaces_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(station, "up_interfaces", lambda: (LO,))
    here = Station("test", discovery.TABLES)
    here.follow()
    monkeypatch.setattr(station, "up_interfaces", tuple)
    assert here.follow() == ()
    here.publish(card_record(card()), 1)
    here.ask(lambda _name, _change: None)
    assert here.resolve("nobody") is None
    here.close()


def test_a_station_follows_interfaces_and_nobody_resolves_what_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(station, "_RESOLVE_MS", 10)
    monkeypatch.setattr(station, "up_interfaces", lambda: (LO,))
    here = Station("test", discovery.TABLES)
    here.follow()
    other = Interface("lo", 1, Kind.LOOPBACK, ("127.0.0.1", "127.0.0.2"))
    monkeypatch.setattr(station, "up_interfaces", lambda: (other,))
    here.follow()
    here.publish(card_record(card()), 1)
    here.publish(card_record(card()), 1)
    assert here.resolve(f"nobody.{discovery.TABLES}") is None
    here.close()


async def test_two_stations_on_this_computer_hear_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(station, "up_interfaces", lambda: (LO,))
    name = f"test-{uuid.uuid4().hex[:8]}"
    lookout = Lookout(OURS)
    listener = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port = listener[0].socket.getsockname()[1]
    cards = [card(3)]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(announce, name, port, lambda: cards[-1])
        nursery.start_soon(lookout.run)
        with trio.fail_after(30):
            while not _of(lookout, name):
                await lookout.change()
            cards.append(card(2))
            while _of(lookout, name)[0] != 2:
                await lookout.change()
        nursery.cancel_scope.cancel()
    await listener[0].aclose()


def _of(lookout: Lookout, name: str) -> list[int]:
    return [each.card.free for each in lookout.tables if each.key.startswith(name)]
