"""Keeping a link to one peer: dial while there is none, at the pace of [H-26], never behind an attempt that hangs.

What a link is and which of two stays is the mesh's matter.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from typing import Final, Protocol

import trio

from sorry_lan.faults import RemoteFault
from sorry_lan.net.addresses import is_numeric, zoned
from sorry_lan.net.dial import Unreached, connect_any
from sorry_lan.net.frames import close_bounded
from sorry_lan.net.handshake import LinkLost, SetupRefused
from sorry_lan.net.roster import redial_delay_s
from sorry_lan.net.where import Address, BadAddress, parse_address
from sorry_lan.table.commands import WantedPeer
from sorry_lan.wire import limits

log = logging.getLogger(__name__)

_REDIAL_S: Final = limits.REDIAL_MS / 1000
_SETUP_S: Final = limits.LINK_DEAD_MS / 1000
"""An end that lets a set-up wait for so long counts as dead on a link too; TCP would wait for seconds after a cut."""


class Links(Protocol):
    """What the links of this client have to do with it."""

    def linked(self, pk: bytes) -> bool:
        """Whether there is a link to `pk` that is not being closed."""

    def any_linked(self) -> bool:
        """Whether there is any link that is not being closed."""

    def over(self) -> bool:
        """Whether nothing is to be dialled any more."""

    async def change(self) -> None:
        """Wait until a link comes or goes, or `stir` is called."""

    def stir(self) -> None:
        """Let all that wait for a change look again."""

    def places(self, pk: bytes) -> tuple[Address, ...]:
        """Where `pk` was seen of late, beside the addresses that it is known by."""

    async def call_again(self, stream: trio.SocketStream, pk: bytes, address: Address) -> None:
        """TLS, HELLO and AUTH on a connection, and the link, if `pk` answers; the stream is closed on every failure.

        Unreached, LinkLost, RemoteFault or SetupRefused where it does not.
        """


async def keep_linked(links: Links, peer: WantedPeer, head_start_s: float) -> None:
    """Dial `peer` whenever there is no link to it, until `links.over`; the first time after `head_start_s`.

    Not even a peer that lets us in and hangs up at once is dialled more than twice a second.
    """
    addresses = tuple(_addresses(peer))
    seeker = _Seeker(links, peer.pk, addresses)
    await trio.sleep(head_start_s)
    async with trio.open_nursery() as attempts:
        gone_s = trio.current_time()
        slow = 0
        dialled_s = gone_s - _REDIAL_S
        while not links.over():
            if links.linked(peer.pk):
                await links.change()
                gone_s, slow = trio.current_time(), 0
                continue
            early_s = dialled_s + _REDIAL_S - trio.current_time()
            if early_s > 0:
                await seeker.wait(early_s)
                continue
            dialled_s = trio.current_time()
            if addresses or links.places(peer.pk):
                attempts.start_soon(seeker.dial)
            away_s = trio.current_time() - gone_s
            delay_s = redial_delay_s(away_s, slow, int.from_bytes(os.urandom(2), "big") / 0xFFFF)
            slow += away_s >= limits.REDIAL_FAST_FOR_MS / 1000
            await seeker.wait(max(delay_s, _REDIAL_S))


async def keep_one_linked(links: Links, peers: tuple[WantedPeer, ...]) -> None:
    """While there is no link at all, dial these one after the other, until `links.over`: any of them shows the game."""
    seekers = [_Seeker(links, peer.pk, tuple(_addresses(peer))) for peer in peers]
    gone_s = trio.current_time()
    slow = 0
    while not links.over():
        if links.any_linked():
            await links.change()
            gone_s, slow = trio.current_time(), 0
            continue
        for seeker in seekers:
            if not links.any_linked():
                await seeker.dial()
        away_s = trio.current_time() - gone_s
        delay_s = redial_delay_s(away_s, slow, int.from_bytes(os.urandom(2), "big") / 0xFFFF)
        slow += away_s >= limits.REDIAL_FAST_FOR_MS / 1000
        with trio.move_on_after(delay_s):
            while not links.any_linked():
                await links.change()


class _Seeker:
    """The attempts at one peer: several may wait for a connection, but once one has it nothing more is dialled."""

    __slots__ = ("_addresses", "_links", "_pk", "_setting_up")

    def __init__(self, links: Links, pk: bytes, addresses: tuple[Address, ...]) -> None:
        self._links = links
        self._pk = pk
        self._addresses = addresses
        self._setting_up = 0

    async def wait(self, delay_s: float) -> None:
        """Until the next attempt is due, or there is a link."""
        with trio.move_on_after(delay_s):
            while not self._links.linked(self._pk):
                await self._links.change()
        while self._setting_up and not self._links.linked(self._pk):
            await self._links.change()

    async def dial(self) -> None:
        """One attempt; why it failed is not of interest."""
        try:
            addresses = tuple(dict.fromkeys((*self._addresses, *self._links.places(self._pk))))
            stream = await connect_any(addresses, limits.REDIAL_GIVE_UP_MS / 1000)
        except Unreached as wrong:
            log.debug("a dial failed: %s", wrong.problem.value)
            return
        if self._links.linked(self._pk):
            await close_bounded(stream)
            return
        self._setting_up += 1
        try:
            with trio.move_on_after(_SETUP_S):
                await self._links.call_again(stream, self._pk, addresses[0])
        except (Unreached, LinkLost, RemoteFault) as wrong:
            log.debug("a dial failed: %s", type(wrong).__name__)
        except SetupRefused as refused:
            log.debug("a dial was refused: %s", refused.problem.code.name)
        finally:
            self._setting_up -= 1
            self._links.stir()


def _addresses(peer: WantedPeer) -> list[Address]:
    """The addresses that can be read, and those that need an interface with each of ours; the rest is left out.

    A name is left out too: others tell where a link came from, and names that nobody answers for would keep every
    thread of this process waiting, those that write the journal included.
    """
    found: list[Address] = []
    for text in peer.addresses:
        with suppress(BadAddress):
            address = parse_address(text, limits.DEFAULT_PORT)
            if is_numeric(address.host):
                found += zoned(address)
    return found
