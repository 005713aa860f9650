"""From the name of another computer to its table: name, route, reachability, port, handshake, one after the other.

Decides by the answers of a probe; the order and the time of everything is run.py's matter.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, assert_never

import trio

from sorry_lan.net.addresses import is_numeric
from sorry_lan.net.checks.probe import Knock, Neighbour, Probe, Reply, Way
from sorry_lan.net.interfaces import Interface, Kind
from sorry_lan.table.diagnosis import Check, Finding, Found, System

NAME_S: Final = 2.0
KNOCK_S: Final = 3.4
"""A system sends the first packet of a connection at 0, 1 and 3 s, and gives up on an absent neighbour after 3 s."""
MEET_S: Final = 2.5
_SECOND_KNOCK_AFTER_S: Final = 0.5
_OTHER_PORT: Final = 9
"""Nobody listens there, so a computer that is there refuses, if its firewall lets it."""
_SEEKING_S: Final = 2.5
"""A "no way" that takes so long came after asking in vain for the network card."""
_MOST_HOSTS: Final = 4

Tell = Callable[[Finding], None]


@dataclass(frozen=True, slots=True)
class _Spot:
    """An address of the peer and what came of knocking there."""

    host: str
    reply: Reply
    other: Reply | None


async def examine_peer(probe: Probe, host: str, port: int, interfaces: tuple[Interface, ...], tell: Tell) -> None:
    """All checks of the way to `host` (a name or an address, with its %zone), each told as soon as it is known."""
    hosts = await _hosts(probe, host, tell)
    if not hosts:
        _skip(tell, Check.NAME, Check.ROUTE, Check.REACHABLE, Check.PORT, Check.HANDSHAKE)
        return
    spots = await _knock_all(probe, _zoned(hosts, interfaces), port)
    best = min(spots, key=lambda each: list(Knock).index(each.reply.knock))
    way = await probe.way(best.host)
    routed = route(best.host, way, interfaces)
    if _lacks_zone(hosts) and best.reply.knock not in (Knock.OPEN, Knock.REFUSED, Knock.RESET):
        routed = Finding(Check.ROUTE, Found.NO_ZONE, tuple(each.host for each in spots))
    tell(routed)
    if routed.found in (Found.NO_ROUTE, Found.NO_ZONE):
        _skip(tell, Check.ROUTE, Check.REACHABLE, Check.PORT, Check.HANDSHAKE)
        return
    there, at_port = reached(best.reply, best.other, await probe.neighbour(best.host), way, probe.system)
    tell(there)
    tell(at_port)
    if at_port.found is not Found.OPEN:
        _skip(tell, Check.PORT, Check.HANDSHAKE)
        return
    tell(await handshake(probe, best.host, port))


def _skip(tell: Tell, needed: Check, *checks: Check) -> None:
    for check in checks:
        tell(Finding(check, Found.NEEDS, (needed.value,)))


async def _hosts(probe: Probe, host: str, tell: Tell) -> tuple[str, ...]:
    if is_numeric(host):
        tell(Finding(Check.NAME, Found.NUMERIC, (host,)))
        return (host,)
    found: tuple[str, ...] | None = None
    with trio.move_on_after(NAME_S):
        found = (await probe.resolve(host))[:_MOST_HOSTS]
    tell(name(host, found))
    return found or ()


def name(host: str, found: tuple[str, ...] | None) -> Finding:
    """What asking for a name came to; None: no answer in time."""
    if found is None:
        return Finding(Check.NAME, Found.NAME_LATE, (host,))
    if not found:
        return Finding(Check.NAME, Found.NAME_UNKNOWN, (host,))
    loop = all(ipaddress.ip_address(each).is_loopback for each in found) and host != "localhost"
    return Finding(Check.NAME, Found.NAME_LOOPBACK if loop else Found.NAMED, (host, *found))


def _lacks_zone(hosts: tuple[str, ...]) -> bool:
    return all(_is_local_v6(host) and "%" not in host for host in hosts)


def _is_local_v6(host: str) -> bool:
    address = ipaddress.ip_address(host)
    return address.version == 6 and address.is_link_local


def _zoned(hosts: tuple[str, ...], interfaces: tuple[Interface, ...]) -> tuple[str, ...]:
    """A link-local address is looked for behind each interface where none is told."""
    found: list[str] = []
    for host in hosts:
        if _lacks_zone((host,)):
            outer = [each.name for each in interfaces if each.kind is not Kind.LOOPBACK]
            found += [f"{host}%{name}" for name in outer[:_MOST_HOSTS]] or [host]
        else:
            found.append(host)
    return tuple(found)


async def _knock_all(probe: Probe, hosts: tuple[str, ...], port: int) -> list[_Spot]:
    """Every address side by side; the first that is open ends it."""
    spots: dict[str, _Spot] = {host: _Spot(host, Reply(Knock.SILENT, KNOCK_S), None) for host in hosts}
    async with trio.open_nursery() as nursery:

        async def knock(host: str) -> None:
            spots[host] = await _knock(probe, host, port)
            if spots[host].reply.knock is Knock.OPEN:
                nursery.cancel_scope.cancel()

        for host in hosts:
            nursery.start_soon(knock, host)
    return list(spots.values())


async def _knock(probe: Probe, host: str, port: int) -> _Spot:
    """The port, and where it does not answer soon, another one: silence there as well says more."""
    others: list[Reply] = []
    replies: list[Reply] = []
    async with trio.open_nursery() as nursery:

        async def second() -> None:
            await trio.sleep(_SECOND_KNOCK_AFTER_S)
            others.append(await probe.knock(host, _OTHER_PORT, KNOCK_S - _SECOND_KNOCK_AFTER_S))

        nursery.start_soon(second)
        replies.append(await probe.knock(host, port, KNOCK_S))
        if replies[0].knock in (Knock.OPEN, Knock.REFUSED, Knock.RESET, Knock.FORBIDDEN):
            nursery.cancel_scope.cancel()
    return _Spot(host, replies[0], others[0] if others else None)


def route(host: str, way: Way | None, interfaces: tuple[Interface, ...]) -> Finding:
    """By which interface a packet to `host` leaves."""
    bare = host.partition("%")[0]
    own = {each for interface in interfaces for each in interface.addresses}
    if bare in own or ipaddress.ip_address(bare).is_loopback:
        return Finding(Check.ROUTE, Found.HERE, (host,))
    if way is None:
        return Finding(Check.ROUTE, Found.NO_ROUTE, (host,))
    about = (way.interface or "?", way.source)
    if way.kind is Kind.VPN:
        return Finding(Check.ROUTE, Found.BY_TUNNEL, about)
    if way.kind is Kind.VIRTUAL:
        return Finding(Check.ROUTE, Found.BY_VIRTUAL, about)
    if way.gateway is not None:
        return Finding(Check.ROUTE, Found.BY_GATEWAY, (*about, way.gateway))
    return Finding(Check.ROUTE, Found.DIRECT, about)


def reached(
    reply: Reply, other: Reply | None, neighbour: Neighbour, way: Way | None, system: System
) -> tuple[Finding, Finding]:
    """Whether the computer is there, and whether its port is open; `other` is what a second port said, if asked."""
    elsewhere = other is not None and other.knock in (Knock.OPEN, Knock.REFUSED, Knock.RESET)
    match reply.knock:
        case Knock.OPEN:
            return _answers(reply), Finding(Check.PORT, Found.OPEN)
        case Knock.REFUSED:
            return _answers(reply), Finding(Check.PORT, Found.REFUSED)
        case Knock.RESET:
            return _answers(reply), Finding(Check.PORT, Found.RESET)
        case Knock.FORBIDDEN:
            return _unreached(Found.FORBIDDEN)
        case Knock.UNREACHABLE:
            shut = Finding(Check.PORT, Found.REJECTED)
        case Knock.SILENT:
            shut = Finding(Check.PORT, Found.DROPPED, value=reply.after_s)
        case _:
            assert_never(reply.knock)
    if elsewhere and other is not None:
        return _answers(other), shut
    if neighbour is Neighbour.PRESENT:
        return Finding(Check.REACHABLE, Found.PRESENT), shut
    sought = reply.knock is Knock.UNREACHABLE and reply.after_s >= _SEEKING_S
    if neighbour is Neighbour.ABSENT or (sought and way is not None and way.gateway is None):
        return _unreached(Found.ABSENT)
    if reply.knock is Knock.SILENT:
        return Finding(Check.REACHABLE, Found.SILENT, value=reply.after_s), _needs_reach()
    return _unreached(Found.LOCAL_NETWORK if system is System.MACOS else Found.NO_WAY)


def _answers(reply: Reply) -> Finding:
    return Finding(Check.REACHABLE, Found.ANSWERS, value=1000 * reply.after_s)


def _unreached(found: Found) -> tuple[Finding, Finding]:
    return Finding(Check.REACHABLE, found), _needs_reach()


def _needs_reach() -> Finding:
    return Finding(Check.PORT, Found.NEEDS, (Check.REACHABLE.value,))


async def handshake(probe: Probe, host: str, port: int) -> Finding:
    """Who answers at an open port."""
    await probe.ready()
    with trio.move_on_after(MEET_S):
        met = await probe.meet(host, port)
        return Finding(Check.HANDSHAKE, met.found, programs=met.programs)
    return Finding(Check.HANDSHAKE, Found.MUTE)
