"""Tables in this network: announcing one, and finding those of others, by multicast DNS on every interface that is up.

What the threads of station.py hear comes back into trio by run_sync_soon.
A sighting is only a hint: every table is asked by a connection before it is told, and again every other second.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import trio

from sorry_lan.net.card import card_record, fit, read_card
from sorry_lan.net.dial import Unreached, connect
from sorry_lan.net.frames import close_bounded
from sorry_lan.net.interfaces import Interface, Kind
from sorry_lan.net.station import CLOSE_S, Station, tried
from sorry_lan.net.where import Address
from sorry_lan.table.notices import Card, Fit, FoundTable, Problem, Program, Silence

log = logging.getLogger(__name__)

TABLES: Final = "_sorry-lan._tcp.local."
"""The service type of tables."""
_POLL_S: Final = 1.0
"""How soon an interface that comes or goes is noticed, and a card that changed is sent."""
_ASK_AGAIN_S: Final = 3.0
"""The library asks less and less often; somebody who looks at a list wants to see what opened a moment ago."""
_PROBE_S: Final = 1.2
_PROBE_LIMIT_S: Final = 1.2
_STAGGER_S: Final = 0.03
_MOST_TABLES: Final = 64
"""Announcements cost nothing: who floods them is not to make us open connections without end."""
_FORGET: Final = 100
"""So many probes in vain, two minutes, and a table is forgotten until it is announced again."""


@dataclass(frozen=True, slots=True)
class _Heard:
    """One announcement as resolved: the addresses it tells, IPv6 link-local ones with their zone."""

    card: Card
    port: int
    hosts: tuple[str, ...]


async def announce(name: str, port: int, card: Callable[[], Card | None]) -> None:
    """Announce `card()` at `port`, whatever becomes of it and of the interfaces, until cancelled; then say good-bye.

    `name` is unique in the network, of letters, digits and "-". Nothing is announced while there is no card.
    """
    station = Station(name, TABLES)

    def keep() -> None:
        station.follow()
        now = card()
        if now is not None:
            station.publish(card_record(now), port)

    try:
        while True:
            await tried(keep)
            await trio.sleep(_POLL_S)
    finally:
        with trio.CancelScope(shield=True), trio.move_on_after(CLOSE_S):
            await tried(station.close)


class Lookout:
    """Looks for tables while it runs; `tables` are those that answered at their last probe."""

    def __init__(self, ours: Program) -> None:
        self.ours = ours
        """Whom the programs of others must fit; may become known in more detail while it looks."""
        self._station = Station("", TABLES)
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

            def heard(name: str, change: str) -> None:
                with suppress(trio.RunFinishedError):
                    token.run_sync_soon(self._told, nursery, name, change)

            due_s = trio.current_time()
            try:
                while True:
                    asked = trio.current_time() >= due_s
                    await tried(partial(self._keep, heard, "ask" if asked else ""))
                    if asked:
                        due_s = trio.current_time() + _ASK_AGAIN_S
                    await trio.sleep(_POLL_S)
            finally:
                with trio.CancelScope(shield=True), trio.move_on_after(CLOSE_S):
                    await tried(self._station.close)

    def _keep(self, heard: Callable[[str, str], None], ask: str) -> None:
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
            told = self._station.resolve(name)
            card = None if told is None else read_card(told.record)
            if told is not None and card is not None:
                found.append(_Heard(card, told.port, told.hosts))

        await tried(work)
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
