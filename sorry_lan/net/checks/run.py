"""All checks of the doctor, side by side where they can be, and every one of them over within a bounded time."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import trio

from sorry_lan.net.checks import here, multicast
from sorry_lan.net.checks.peer import examine_peer
from sorry_lan.net.checks.probe import Probe
from sorry_lan.net.interfaces import Interface
from sorry_lan.table.diagnosis import Check, Diagnosis, Finding, Found, Tool

log = logging.getLogger(__name__)

ALL_S: Final = 9.0
"""With starting up, a diagnosis stands there within ten seconds, whatever does not answer."""
_ANYWHERE: Final = ("192.0.2.1", "2001:db8::1")
"""Addresses that nobody has (RFC 5737, RFC 3849): the way to them is the way to everywhere; nothing is sent."""
_OF_PEER: Final = (Check.NAME, Check.ROUTE, Check.REACHABLE, Check.PORT, Check.HANDSHAKE)

Heard = Callable[[Finding], None]


async def diagnose(probe: Probe, host: str | None, peer: str | None, port: int, heard: Heard) -> Diagnosis:
    """Check this computer, and the way to `host` (as an address or a name; None: no other computer) at `port`.

    `peer` is the other computer as it was named; `heard` is told each finding as soon as it is known.
    """
    examination = _Examination(probe, heard)
    with trio.move_on_after(ALL_S):
        await examination.run(host, port)
    return examination.diagnosis(peer, port)


class _Examination:
    """What is known so far."""

    __slots__ = ("_found", "_heard", "_probe", "_tool")

    def __init__(self, probe: Probe, heard: Heard) -> None:
        self._probe = probe
        self._heard = heard
        self._found: dict[Check, Finding] = {}
        self._tool: Tool | None = None

    def _tell(self, finding: Finding) -> None:
        self._found[finding.check] = finding
        self._heard(finding)

    async def run(self, host: str | None, port: int) -> None:
        before_s = self._probe.asleep_s()
        if host is None:
            for check in _OF_PEER:
                self._tell(Finding(check, Found.NO_PEER))
        interfaces = await self._probe.interfaces()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._guarded, partial(self._network, interfaces), Check.NETWORK)
            nursery.start_soon(self._guarded, self._firewall, Check.FIREWALL)
            nursery.start_soon(self._guarded, partial(self._multicast, interfaces), Check.SENDING, Check.HEARING)
            if host is not None:
                peer = partial(examine_peer, self._probe, host, port, interfaces, self._tell)
                nursery.start_soon(self._guarded, peer, *_OF_PEER)
        self._tell(here.clock(before_s, self._probe.asleep_s()))

    async def _guarded(self, work: Callable[[], Awaitable[None]], *checks: Check) -> None:
        """A check that goes wrong is one that tells nothing; the others tell all the same."""
        try:
            await work()
        except Exception as wrong:
            log.exception("a check failed")
            for check in checks:
                if check not in self._found:
                    self._tell(Finding(check, Found.FAILED, (type(wrong).__name__,)))

    async def _network(self, interfaces: tuple[Interface, ...]) -> None:
        ways = [await self._probe.way(each) for each in _ANYWHERE]
        default = next((way for way in ways if way is not None), None)
        self._tell(here.network(interfaces, default, wsl=self._probe.wsl))

    async def _firewall(self) -> None:
        found = await self._probe.firewalls()
        self._tool = here.tool_in_charge(found)
        self._tell(here.firewall(found))

    async def _multicast(self, interfaces: tuple[Interface, ...]) -> None:
        echoes = await self._probe.echoes(interfaces)
        self._tell(multicast.sending(echoes))
        self._tell(multicast.hearing(echoes))

    def diagnosis(self, peer: str | None, port: int) -> Diagnosis:
        """What is not known by now comes too late."""
        found = tuple(self._found.get(check, Finding(check, Found.LATE)) for check in Check)
        return Diagnosis(peer, port, self._probe.system, self._tool, found)
