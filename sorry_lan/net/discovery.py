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
_MOST_WAITING: Final = 256
"""So many names may wait to be looked at; what is dropped is told again when the network is asked again."""
_AT_ONCE: Final = 16
"""So many names are looked at side by side: one that nobody answers for keeps its thread for 1.5 seconds."""
_FORGET: Final = 100
"""So many probes in vain, two minutes, and a table is forgotten until it is announced again."""


@dataclass(frozen=True, slots=True)
class _Heard:
    """One announcement as resolved: the addresses it tells, IPv6 link-local ones with their zone."""

    card: Card
    port: int
    hosts: tuple[str, ...]


@dataclass(slots=True, eq=False)
class _Watched:
    """A table that is asked again and again; it counts for as long as the Lookout holds it under its name."""

    name: str
    heard: _Heard
    scope: trio.CancelScope


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
        self._watched: dict[str, _Watched] = {}
        self._found: dict[str, FoundTable] = {}
        self._own: frozenset[str] = frozenset()
        self._changed = trio.Event()
        self._waiting: dict[str, None] = {}
        """Names that are to be resolved, in the order in which they were heard."""
        self._some = trio.Event()
        # Not those of everybody: whoever floods us with names is not to hold up anything but this.
        self._threads = trio.CapacityLimiter(_AT_ONCE)
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
                    token.run_sync_soon(self._told, name, change)

            for _each in range(_AT_ONCE):
                nursery.start_soon(self._resolve_all, nursery)
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

    def _told(self, name: str, change: str) -> None:
        """Called by trio itself, also when this has ended already: whatever it raised would end the program."""
        if change == "Removed":
            self._waiting.pop(name, None)
            watched = self._watched.pop(name, None)
            if watched is not None:
                watched.scope.cancel()
            self._lose(name)
            return
        if len(self._waiting) < _MOST_WAITING:
            self._waiting[name] = None
            self._some.set()
            self._some = trio.Event()

    async def _resolve_all(self, nursery: trio.Nursery) -> None:
        while True:
            while not self._waiting:
                await self._some.wait()
            name = next(iter(self._waiting))
            del self._waiting[name]
            await self._resolve(nursery, name)

    async def _resolve(self, nursery: trio.Nursery, name: str) -> None:
        found: list[_Heard] = []

        def work() -> None:
            told = self._station.resolve(name)
            card = None if told is None else read_card(told.record)
            if told is not None and card is not None:
                found.append(_Heard(card, told.port, told.hosts))

        await tried(work, self._threads)
        if not found:
            return
        watched = self._watched.get(name)
        if watched is not None:
            watched.heard = found[0]
            self._refresh(watched)
        elif len(self._watched) < _MOST_TABLES:
            watched = self._watched[name] = _Watched(name, found[0], trio.CancelScope())
            nursery.start_soon(self._watch, watched)

    def _counts(self, watched: _Watched) -> bool:
        """Whether it has not said good-bye: who is cancelled may have been woken already, and goes on."""
        return self._watched.get(watched.name) is watched

    async def _watch(self, watched: _Watched) -> None:
        """Ask one table again and again; one that refuses is gone, one that says nothing has a second chance."""
        in_vain = 0
        with watched.scope:
            while in_vain < _FORGET and self._counts(watched):
                problem = await self._probe(watched)
                in_vain = 0 if problem is None else in_vain + 1
                if self._counts(watched) and (problem is Problem.REFUSED or in_vain > 1):
                    self._lose(watched.name)
                await trio.sleep(_PROBE_S if in_vain != 1 else 0.0)
        if self._counts(watched):
            del self._watched[watched.name]

    async def _probe(self, watched: _Watched) -> Problem | None:
        heard, name = watched.heard, watched.name
        hosts = called_hosts(heard.hosts, self._own)
        last = self._found.get(name)
        addresses = [Address(host, heard.port) for host in hosts]
        addresses.sort(key=lambda each: last is not None and last.address != str(each))
        problem, won, latency_s = await _first(addresses)
        if won is None:
            return problem
        if self._counts(watched):
            self._found[name] = FoundTable(name, watched.heard.card, str(won), 1000 * latency_s, Fit.FITS)
            self._stir()
        return None

    def _refresh(self, watched: _Watched) -> None:
        """The card of a table that is listed has changed."""
        last, card = self._found.get(watched.name), watched.heard.card
        if last is not None and last.card != card:
            self._found[watched.name] = replace(last, card=card)
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
