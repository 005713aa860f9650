"""Tables in this network: announcing one, and finding those of others, by multicast DNS on every interface that is up.

Owns the zeroconf library, which lives in threads of its own; what is in it comes back into trio by run_sync_soon.
A sighting is only a hint: every table is asked by a connection before it is told, and again every other second.
"""

from __future__ import annotations

import ipaddress
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

import trio

from sorry_lan.net.addresses import ranked_hosts
from sorry_lan.net.card import card_record, fit, read_card
from sorry_lan.net.dial import Unreached, connect
from sorry_lan.net.frames import close_bounded
from sorry_lan.net.interfaces import Interface, Kind, up_interfaces
from sorry_lan.net.where import Address
from sorry_lan.table.notices import Card, Fit, FoundTable, Problem, Program, Silence

if TYPE_CHECKING:
    from zeroconf import IPVersion, ServiceBrowser, ServiceInfo, ServiceStateChange, Zeroconf

log = logging.getLogger(__name__)

_TYPE: Final = "_sorry-lan._tcp.local."
_POLL_S: Final = 1.0
"""How soon an interface that comes or goes is noticed, and a card that changed is sent."""
_ASK_AGAIN_S: Final = 3.0
"""The library asks less and less often; somebody who looks at a list wants to see what opened a moment ago."""
_PROBE_S: Final = 1.2
_PROBE_LIMIT_S: Final = 1.2
_STAGGER_S: Final = 0.03
_MOST_HOSTS: Final = 12
_MOST_TABLES: Final = 64
"""Announcements cost nothing: who floods them is not to make us open connections without end."""
_RESOLVE_MS: Final = 1500
_CLOSE_S: Final = 1.0
_FORGET: Final = 100
"""So many probes in vain, two minutes, and a table is forgotten until it is announced again."""


@dataclass(frozen=True, slots=True)
class _Heard:
    """One announcement as resolved: the addresses it tells, IPv6 link-local ones with their zone."""

    card: Card
    port: int
    hosts: tuple[str, ...]


class _Station:
    """zeroconf on what is up. Every method blocks; `resolve` may run beside the others, which take turns."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._zeroconf: Zeroconf | None = None
        self._on: tuple[Interface, ...] = ()
        self._info: ServiceInfo | None = None
        self._browser: ServiceBrowser | None = None

    def follow(self) -> tuple[Interface, ...]:
        """Be on exactly the interfaces that are up; those."""
        interfaces = up_interfaces()
        if interfaces == self._on:
            return interfaces
        choice: list[str | int] = [host for each in interfaces for host in each.addresses if ":" not in host]
        choice += [each.index for each in interfaces if _speaks_v6(each)]
        log.info("discovery on %s", ", ".join(each.name for each in interfaces) or "nothing")
        from zeroconf import Zeroconf  # noqa: PLC0415 - slow to load, and not everybody looks for tables

        if not choice:
            self.close()
        elif self._zeroconf is None:
            self._zeroconf = Zeroconf(choice, ip_version=_version(choice))
        else:
            self._zeroconf.update_interfaces(choice, _version(choice))
        self._on = interfaces
        return interfaces

    def publish(self, card: Card, port: int) -> None:
        """Announce this card, unless it is announced already."""
        if self._zeroconf is None:
            return
        from zeroconf import ServiceInfo  # noqa: PLC0415 - as above

        hosts = announced_hosts(self._on)
        info = ServiceInfo(
            _TYPE,
            f"{self._name}.{_TYPE}",
            port=port,
            properties=card_record(card),
            server=f"{self._name}.local.",
            parsed_addresses=list(hosts),
        )
        if self._info is None:
            # The name is random: nobody has to be asked whether it is free.
            self._zeroconf.register_service(info, cooperating_responders=True)
        elif info.text != self._info.text or set(info.parsed_addresses()) != set(self._info.parsed_addresses()):
            self._zeroconf.update_service(info)
        self._info = info

    def ask(self, heard: Callable[[str, ServiceStateChange], None]) -> None:
        """Ask the network anew; what is known already is told again."""
        if self._zeroconf is None:
            return
        from zeroconf import ServiceBrowser  # noqa: PLC0415 - as above

        def told(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
            _unused = zeroconf, service_type
            heard(name, state_change)

        if self._browser is not None:
            self._browser.cancel()
        self._browser = ServiceBrowser(self._zeroconf, _TYPE, handlers=[told])

    def resolve(self, name: str) -> _Heard | None:
        """What an announcement holds; None where nobody tells, or it is no table."""
        if self._zeroconf is None:
            return None
        info = self._zeroconf.get_service_info(_TYPE, name, _RESOLVE_MS)
        card = None if info is None else read_card(info.properties)
        if info is None or card is None or info.port is None:
            return None
        hosts = tuple(_named_zone(host) for host in info.parsed_scoped_addresses())
        return _Heard(card, info.port, hosts[:_MOST_HOSTS])

    def close(self) -> None:
        """Say good-bye and stop."""
        zeroconf, self._zeroconf = self._zeroconf, None
        self._info = self._browser = None
        self._on = ()
        if zeroconf is not None:
            zeroconf.close()


def _speaks_v6(interface: Interface) -> bool:
    """Loopback needs IPv6 only where it has nothing else."""
    six = any(":" in host for host in interface.addresses)
    return six and (interface.kind is not Kind.LOOPBACK or not any(":" not in host for host in interface.addresses))


def _version(choice: list[str | int]) -> IPVersion:
    """A system without IPv6 cannot even open a socket for it."""
    from zeroconf import IPVersion  # noqa: PLC0415 - as above

    four = any(isinstance(each, str) for each in choice)
    six = any(isinstance(each, int) for each in choice)
    return IPVersion.All if four and six else IPVersion.V6Only if six else IPVersion.V4Only


def announced_hosts(interfaces: tuple[Interface, ...]) -> tuple[str, ...]:
    """The addresses to announce: loopback's only where there is nothing else, for others would reach themselves."""
    hosts = [host for host, _tier in ranked_hosts(interfaces)]
    outer = [host for host in hosts if not ipaddress.ip_address(host).is_loopback]
    return tuple((outer or hosts)[:_MOST_HOSTS])


def _named_zone(host: str) -> str:
    """A link-local address with the name of its interface, as people know it, instead of the number."""
    bare, percent, zone = host.partition("%")
    if percent and zone.isdigit():
        with suppress(OSError):
            return f"{bare}%{socket.if_indextoname(int(zone))}"
    return host


async def announce(name: str, port: int, card: Callable[[], Card | None]) -> None:
    """Announce `card()` at `port`, whatever becomes of it and of the interfaces, until cancelled; then say good-bye.

    `name` is unique in the network, of letters, digits and "-". Nothing is announced while there is no card.
    """
    station = _Station(name)

    def keep() -> None:
        station.follow()
        now = card()
        if now is not None:
            station.publish(now, port)

    try:
        while True:
            await _tried(keep)
            await trio.sleep(_POLL_S)
    finally:
        with trio.CancelScope(shield=True), trio.move_on_after(_CLOSE_S):
            await _tried(station.close)


async def _tried(work: Callable[[], None]) -> None:
    """In a thread; what goes wrong with multicast is never the end of a game, and may be over in a second."""
    try:
        await trio.to_thread.run_sync(work, abandon_on_cancel=True)
    except Exception as wrong:  # noqa: BLE001 - the library raises whatever its sockets and its threads do
        log.warning("discovery: %r", wrong)


class Lookout:
    """Looks for tables while it runs; `tables` are those that answered at their last probe."""

    def __init__(self, ours: Program) -> None:
        self.ours = ours
        """Whom the programs of others must fit; may become known in more detail while it looks."""
        self._station = _Station("")
        self._heard: dict[str, _Heard] = {}
        self._scopes: dict[str, trio.CancelScope] = {}
        self._found: dict[str, FoundTable] = {}
        self._own: frozenset[str] = frozenset()
        self._changed = trio.Event()
        self._on: tuple[Interface, ...] | None = None

    @property
    def tables(self) -> tuple[FoundTable, ...]:
        """In the order in which they were found."""
        return tuple(replace(each, fit=fit(self.ours, each.card.program)) for each in self._found.values())

    @property
    def silence(self) -> Silence:
        """Why nothing may have been found."""
        if not self._on:
            return Silence.NO_NETWORK
        return Silence.ALONE if all(each.kind is Kind.LOOPBACK for each in self._on) else Silence.UNHEARD

    @property
    def places(self) -> tuple[str, ...]:
        """Where it looks: each interface with the address that people know it by."""
        outer_first = sorted(self._on or (), key=lambda each: each.kind is Kind.LOOPBACK)
        return tuple(f"{each.name} {min(each.addresses, key=lambda host: ':' in host)}" for each in outer_first)

    async def change(self) -> None:
        """Wait until the tables are others than now."""
        await self._changed.wait()

    async def run(self) -> None:
        """Look until cancelled."""
        token = trio.lowlevel.current_trio_token()
        async with trio.open_nursery() as nursery:

            def heard(name: str, change: ServiceStateChange) -> None:
                with suppress(trio.RunFinishedError):
                    token.run_sync_soon(self._told, nursery, name, change.name)

            due_s = trio.current_time()
            try:
                while True:
                    asked = trio.current_time() >= due_s
                    await _tried(partial(self._keep, heard, "ask" if asked else ""))
                    if asked:
                        due_s = trio.current_time() + _ASK_AGAIN_S
                    await trio.sleep(_POLL_S)
            finally:
                with trio.CancelScope(shield=True), trio.move_on_after(_CLOSE_S):
                    await _tried(self._station.close)

    def _keep(self, heard: Callable[[str, ServiceStateChange], None], ask: str) -> None:
        """In a thread: follow the interfaces, and ask where it is time or something came up."""
        before = self._on
        now = self._station.follow()
        if ask or now != before:
            self._station.ask(heard)
        self._on = now
        self._own = frozenset(host for each in now for host in each.addresses)

    def _told(self, nursery: trio.Nursery, name: str, change: str) -> None:
        if change == "Removed":
            scope = self._scopes.pop(name, None)
            if scope is not None:
                scope.cancel()
            self._heard.pop(name, None)
            self._lose(name)
            return
        nursery.start_soon(self._resolve, nursery, name)

    async def _resolve(self, nursery: trio.Nursery, name: str) -> None:
        found: list[_Heard] = []

        def work() -> None:
            heard = self._station.resolve(name)
            if heard is not None:
                found.append(heard)

        await _tried(work)
        if not found:
            return
        self._heard[name] = found[0]
        if name in self._scopes:
            self._refresh(name)
        elif len(self._scopes) < _MOST_TABLES:
            scope = self._scopes[name] = trio.CancelScope()
            nursery.start_soon(self._watch, name, scope)

    async def _watch(self, name: str, scope: trio.CancelScope) -> None:
        """Ask one table again and again; one that refuses is gone, one that says nothing has a second chance."""
        in_vain = 0
        with scope:
            while in_vain < _FORGET:
                problem = await self._probe(name)
                in_vain = 0 if problem is None else in_vain + 1
                if problem is Problem.REFUSED or in_vain > 1:
                    self._lose(name)
                await trio.sleep(_PROBE_S if in_vain != 1 else 0.0)
        if self._scopes.get(name) is scope:
            del self._scopes[name]
            self._heard.pop(name, None)

    async def _probe(self, name: str) -> Problem | None:
        heard = self._heard[name]
        hosts = called_hosts(heard.hosts, self._own)
        last = self._found.get(name)
        addresses = [Address(host, heard.port) for host in hosts]
        addresses.sort(key=lambda each: last is not None and last.address != str(each))
        problem, won, latency_s = await _first(addresses)
        if won is None:
            return problem
        self._found[name] = FoundTable(name, heard.card, str(won), 1000 * latency_s, Fit.FITS)
        self._stir()
        return None

    def _refresh(self, name: str) -> None:
        """The card of a table that is listed has changed."""
        last = self._found.get(name)
        card = self._heard[name].card
        if last is not None and last.card != card:
            self._found[name] = replace(last, card=card)
            self._stir()

    def _lose(self, name: str) -> None:
        if self._found.pop(name, None) is not None:
            self._stir()

    def _stir(self) -> None:
        self._changed.set()
        self._changed = trio.Event()


def called_hosts(hosts: tuple[str, ...], own: frozenset[str]) -> tuple[str, ...]:
    """The addresses to call, IPv4 first: what is ours as well (as container bridges are) leads to ourselves.

    Where all of them are ours, the table is on this computer.
    """
    bare = {host: host.partition("%")[0] for host in hosts}
    theirs = [host for host in hosts if bare[host] not in own] or list(hosts)
    return tuple(sorted(theirs, key=lambda host: (":" in host, bare[host].startswith("fe80"))))


async def _first(addresses: list[Address]) -> tuple[Problem, Address | None, float]:
    """Which of these takes a connection first, and after how many seconds; REFUSED only where all refused."""
    won: list[tuple[Address, float]] = []
    problems = set[Problem]()

    async def attempt(address: Address, delay_s: float, scope: trio.CancelScope) -> None:
        await trio.sleep(delay_s)
        began_s = trio.current_time()
        try:
            stream = await connect(address, _PROBE_LIMIT_S)
        except Unreached as wrong:
            problems.add(wrong.problem)
            return
        if not won:
            won.append((address, trio.current_time() - began_s))
            scope.cancel()
        with trio.CancelScope(shield=True):
            await close_bounded(stream)

    async with trio.open_nursery() as nursery:
        for number, address in enumerate(addresses):
            nursery.start_soon(attempt, address, number * _STAGGER_S, nursery.cancel_scope)
    if won:
        return Problem.LOST, won[0][0], won[0][1]
    return (Problem.REFUSED if problems == {Problem.REFUSED} else Problem.TIMED_OUT), None, 0.0
