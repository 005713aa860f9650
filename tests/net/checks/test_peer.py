# ruff: noqa: ARG001 - a clock among the arguments makes time virtual; nothing is asked of it
from __future__ import annotations

from itertools import product

import pytest
import trio.testing

from sorry_lan.net.checks.peer import examine_peer, name, reached, route
from sorry_lan.net.checks.probe import Knock, Met, Neighbour, Reply, Way
from sorry_lan.net.interfaces import Interface, Kind
from sorry_lan.table.diagnosis import Check, Finding, Found, Mark, System
from sorry_lan.table.notices import Program
from tests.net.checks.fakes import BY_ETH, BY_TUN, DOCKER, ETH, LO, NEVER_S, TUN, FakeProbe

SILENCE = Reply(Knock.SILENT, 3.4)
REFUSED = Reply(Knock.REFUSED, 0.003)
NO_WAY = Reply(Knock.UNREACHABLE, 0.001)
NO_WAY_LATE = Reply(Knock.UNREACHABLE, 3.05)
ETH1 = Interface("eth1", 5, Kind.LAN, ("192.168.2.9", "fe80::9"))
CHAIN = (Check.NAME, Check.ROUTE, Check.REACHABLE, Check.PORT, Check.HANDSHAKE)
PEER = "192.168.1.20"


async def examined(probe: FakeProbe, host: str = PEER) -> dict[Check, Finding]:
    told: list[Finding] = []
    await examine_peer(probe, host, 7777, probe.up, told.append)
    assert tuple(finding.check for finding in told) == CHAIN
    return {finding.check: finding for finding in told}


async def found(probe: FakeProbe, host: str = PEER) -> tuple[Found, ...]:
    return tuple(finding.found for finding in (await examined(probe, host)).values())


async def test_a_table_is_met_by_its_address(autojump_clock: trio.testing.MockClock) -> None:
    assert await found(FakeProbe()) == (Found.NUMERIC, Found.DIRECT, Found.ANSWERS, Found.OPEN, Found.MEETS)


async def test_a_name_is_looked_up_and_told_with_its_addresses(autojump_clock: trio.testing.MockClock) -> None:
    told = await examined(FakeProbe(names={"bob.local": (PEER, "fe80::20%eth0")}), "bob.local")
    assert (told[Check.NAME].found, told[Check.NAME].about) == (Found.NAMED, ("bob.local", PEER, "fe80::20%eth0"))
    assert told[Check.HANDSHAKE].found is Found.MEETS


async def test_an_unknown_name_and_one_that_nobody_answers_for_end_the_way(
    autojump_clock: trio.testing.MockClock,
) -> None:
    rest = (Found.NEEDS,) * 4
    assert await found(FakeProbe(), "bob") == (Found.NAME_UNKNOWN, *rest)
    began_s = trio.current_time()
    assert await found(FakeProbe(name_s=NEVER_S), "bob") == (Found.NAME_LATE, *rest)
    assert trio.current_time() - began_s == pytest.approx(2.0)


def test_a_name_that_leads_home_is_told_but_localhost_may() -> None:
    assert name("bob", ("127.0.1.1",)).found is Found.NAME_LOOPBACK
    assert name("bob", ("127.0.1.1", "192.168.1.9")).found is Found.NAMED
    assert name("localhost", ("127.0.0.1", "::1")).found is Found.NAMED


async def test_of_several_addresses_the_one_that_says_most_counts(autojump_clock: trio.testing.MockClock) -> None:
    names = {"bob": ("192.0.2.1", "192.0.2.2", "192.0.2.3")}
    replies = {"192.0.2.1": SILENCE, "192.0.2.2": REFUSED, "192.0.2.3": Reply(Knock.OPEN, 1.0)}
    assert (await examined(FakeProbe(names=names, replies=replies), "bob"))[Check.PORT].found is Found.OPEN
    replies["192.0.2.3"] = NO_WAY
    assert (await examined(FakeProbe(names=names, replies=replies), "bob"))[Check.PORT].found is Found.REFUSED


async def test_an_open_address_ends_the_knocking_at_the_others(autojump_clock: trio.testing.MockClock) -> None:
    probe = FakeProbe(names={"bob": ("192.0.2.1", PEER)}, replies={"192.0.2.1": SILENCE})
    began_s = trio.current_time()
    await examined(probe, "bob")
    assert trio.current_time() - began_s < 0.1


@pytest.mark.parametrize(
    ("host", "way", "expected"),
    [
        (PEER, BY_ETH, Found.DIRECT),
        (PEER, Way("192.168.1.23", None, None, None), Found.DIRECT),
        ("203.0.113.9", Way("192.168.1.23", "eth0", Kind.LAN, "192.168.1.1"), Found.BY_GATEWAY),
        ("203.0.113.9", BY_TUN, Found.BY_TUNNEL),
        ("172.17.0.9", Way("172.17.0.1", "docker0", Kind.VIRTUAL, None), Found.BY_VIRTUAL),
        ("192.168.1.23", BY_ETH, Found.HERE),
        ("fe80::23%eth0", BY_ETH, Found.HERE),
        ("127.0.0.1", None, Found.HERE),
        ("::1", None, Found.HERE),
        (PEER, None, Found.NO_ROUTE),
    ],
)
def test_a_route_is_told_by_what_it_goes_through(host: str, way: Way | None, expected: Found) -> None:
    assert route(host, way, (ETH, TUN, DOCKER)).found is expected


def test_a_gateway_is_told_with_the_interface_and_the_own_address() -> None:
    way = Way("192.168.1.23", "eth0", Kind.LAN, "192.168.1.1")
    assert route("203.0.113.9", way, (ETH,)).about == ("eth0", "192.168.1.23", "192.168.1.1")
    assert route(PEER, Way("192.168.1.23", None, None, None), ()).about == ("?", "192.168.1.23")


async def test_without_a_route_nothing_more_is_asked(autojump_clock: trio.testing.MockClock) -> None:
    assert await found(FakeProbe(default=None, reply=NO_WAY)) == (Found.NUMERIC, Found.NO_ROUTE, *(Found.NEEDS,) * 3)


async def test_a_link_local_address_is_looked_for_behind_every_interface(
    autojump_clock: trio.testing.MockClock,
) -> None:
    probe = FakeProbe(up=(LO, ETH, ETH1), reply=SILENCE, replies={"fe80::20%eth1": Reply(Knock.OPEN, 0.002)})
    assert (await found(probe, "fe80::20"))[1:] == (Found.DIRECT, Found.ANSWERS, Found.OPEN, Found.MEETS)


async def test_a_link_local_address_that_nobody_answers_at_needs_its_interface(
    autojump_clock: trio.testing.MockClock,
) -> None:
    told = await examined(FakeProbe(up=(LO, ETH, ETH1), reply=SILENCE), "fe80::20")
    assert (told[Check.ROUTE].found, told[Check.ROUTE].about) == (Found.NO_ZONE, ("fe80::20%eth0", "fe80::20%eth1"))
    assert told[Check.PORT].found is Found.NEEDS
    alone = await examined(FakeProbe(up=(LO,), reply=NO_WAY), "fe80::20")
    assert alone[Check.ROUTE].about == ("fe80::20",)
    zoned = await examined(FakeProbe(reply=SILENCE), "fe80::20%eth0")
    assert zoned[Check.ROUTE].found is Found.DIRECT


@pytest.mark.parametrize(
    ("reply", "there", "port"),
    [
        (Reply(Knock.OPEN, 0.012), Found.ANSWERS, Found.OPEN),
        (REFUSED, Found.ANSWERS, Found.REFUSED),
        (Reply(Knock.RESET, 0.003), Found.ANSWERS, Found.RESET),
        (Reply(Knock.FORBIDDEN, 0.0), Found.FORBIDDEN, Found.NEEDS),
    ],
)
def test_an_answer_of_the_port_itself_needs_no_other_witness(reply: Reply, there: Found, port: Found) -> None:
    for other, near, way, system in product((None, SILENCE, REFUSED), Neighbour, (None, BY_ETH), System):
        findings = reached(reply, other, near, way, system)
        assert tuple(finding.found for finding in findings) == (there, port)


@pytest.mark.parametrize(
    ("reply", "other", "near", "system", "findings"),
    [
        (SILENCE, REFUSED, Neighbour.UNKNOWN, System.LINUX, (Found.ANSWERS, Found.DROPPED)),
        (SILENCE, SILENCE, Neighbour.PRESENT, System.LINUX, (Found.PRESENT, Found.DROPPED)),
        (SILENCE, SILENCE, Neighbour.ABSENT, System.LINUX, (Found.ABSENT, Found.NEEDS)),
        (SILENCE, SILENCE, Neighbour.UNKNOWN, System.LINUX, (Found.SILENT, Found.NEEDS)),
        (SILENCE, None, Neighbour.UNKNOWN, System.MACOS, (Found.SILENT, Found.NEEDS)),
        (NO_WAY, REFUSED, Neighbour.UNKNOWN, System.LINUX, (Found.ANSWERS, Found.REJECTED)),
        (NO_WAY, NO_WAY, Neighbour.PRESENT, System.LINUX, (Found.PRESENT, Found.REJECTED)),
        (NO_WAY, NO_WAY, Neighbour.UNKNOWN, System.LINUX, (Found.NO_WAY, Found.NEEDS)),
        (NO_WAY, NO_WAY, Neighbour.UNKNOWN, System.MACOS, (Found.LOCAL_NETWORK, Found.NEEDS)),
        (NO_WAY, None, Neighbour.UNKNOWN, System.WINDOWS, (Found.NO_WAY, Found.NEEDS)),
        (NO_WAY_LATE, NO_WAY_LATE, Neighbour.ABSENT, System.LINUX, (Found.ABSENT, Found.NEEDS)),
        (NO_WAY_LATE, NO_WAY_LATE, Neighbour.UNKNOWN, System.LINUX, (Found.ABSENT, Found.NEEDS)),
    ],
)
def test_silence_is_explained_by_other_witnesses(
    reply: Reply, other: Reply | None, near: Neighbour, system: System, findings: tuple[Found, Found]
) -> None:
    told = reached(reply, other, near, BY_ETH, system)
    assert tuple(finding.found for finding in told) == findings


def test_behind_a_gateway_a_late_refusal_tells_nothing_of_the_computer() -> None:
    far = Way("192.168.1.23", "eth0", Kind.LAN, "192.168.1.1")
    for way in (far, None):
        assert reached(NO_WAY_LATE, None, Neighbour.UNKNOWN, way, System.LINUX)[0].found is Found.NO_WAY


def test_times_are_told_in_the_unit_of_their_finding() -> None:
    there, port = reached(Reply(Knock.OPEN, 0.012), None, Neighbour.UNKNOWN, BY_ETH, System.LINUX)
    assert (there.value, port.value) == (12.0, None)
    there, port = reached(SILENCE, REFUSED, Neighbour.UNKNOWN, BY_ETH, System.LINUX)
    assert (there.value, port.value) == (3.0, 3.4)
    assert reached(SILENCE, None, Neighbour.UNKNOWN, BY_ETH, System.LINUX)[0].value == 3.4


async def test_another_port_is_asked_only_where_the_right_one_says_nothing(
    autojump_clock: trio.testing.MockClock,
) -> None:
    quick = FakeProbe(reply=REFUSED)
    await examined(quick)
    assert quick.knocked == [(PEER, 7777)]
    slow = FakeProbe(reply=SILENCE, other=REFUSED)
    assert (await found(slow))[2:4] == (Found.ANSWERS, Found.DROPPED)
    assert slow.knocked == [(PEER, 7777), (PEER, 9)]


@pytest.mark.parametrize("told", [Found.MEETS, Found.CODE, Found.OTHER_SERVICE, Found.VERSION, Found.ENGINE])
async def test_what_the_handshake_came_to_is_told_as_it_is(told: Found, autojump_clock: trio.testing.MockClock) -> None:
    programs = (Program(1, 1, "1.0", b"a"), Program(2, 2, "2.0", b"b"))
    finding = (await examined(FakeProbe(met=Met(told, programs))))[Check.HANDSHAKE]
    assert (finding.found, finding.programs) == (told, programs)


async def test_a_port_that_takes_connections_and_says_nothing_is_mute(autojump_clock: trio.testing.MockClock) -> None:
    began_s = trio.current_time()
    told = await examined(FakeProbe(met_s=NEVER_S))
    assert (told[Check.HANDSHAKE].found, told[Check.HANDSHAKE].mark) == (Found.MUTE, Mark.FAIL)
    assert trio.current_time() - began_s == pytest.approx(2.5, abs=0.1)


async def test_what_the_handshake_needs_first_does_not_count_against_the_other_side(
    autojump_clock: trio.testing.MockClock,
) -> None:
    assert (await examined(FakeProbe(ready_s=3.0)))[Check.HANDSHAKE].found is Found.MEETS
