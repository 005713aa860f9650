"""Players of a game that broke off find each other though their addresses have changed, by multicast DNS.

Each announces where it listens, under a name that only those can make who know the game, and that tells nothing else.
What is found is only a hint: whoever answers there has to prove its key as ever.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

import trio

from sorry_lan.net.discovery import called_hosts
from sorry_lan.net.station import CLOSE_S, Station, tried
from sorry_lan.net.where import Address

PLAYERS: Final = "_sorry-lan-seat._tcp.local."
"""The service type of players."""
_EVERY_S: Final = 2.0
"""How often those who are missing are asked for; also the time that their old addresses have before that."""


def player_name(game: bytes, pk: bytes) -> str:
    """Under which name the client with this link key announces where it listens for this game."""
    return hashlib.sha256(b"sorry-lan/1 seat " + game + pk).hexdigest()[:32]


class Missing(Protocol):
    """What the links have to do with it."""

    def linked(self, pk: bytes) -> bool:
        """Whether there is a link to `pk` that is not being closed."""

    def seen(self, pk: bytes, addresses: tuple[Address, ...]) -> None:
        """`pk` may listen at these as well."""


async def reunite(game: bytes, own: bytes, port: int | None, others: tuple[bytes, ...], links: Missing) -> None:
    """Until cancelled: announce where the client `own` listens, and look for those of `others` without a link."""
    station = Station(player_name(game, own), PLAYERS)
    on: list[frozenset[str]] = [frozenset()]

    def keep() -> None:
        on[0] = frozenset(host for each in station.follow() for host in each.addresses)
        if port is not None:
            station.publish({}, port)

    try:
        while True:
            await tried(keep)
            await trio.sleep(_EVERY_S)
            for pk in others:
                if not links.linked(pk):
                    await _ask_for(station, player_name(game, pk), partial(links.seen, pk), on[0])
    finally:
        with trio.CancelScope(shield=True), trio.move_on_after(CLOSE_S):
            await tried(station.close)


async def _ask_for(
    station: Station, name: str, seen: Callable[[tuple[Address, ...]], None], own: frozenset[str]
) -> None:
    """Ask for one player, and tell where it says that it listens."""
    found: list[tuple[Address, ...]] = []

    def work() -> None:
        told = station.resolve(f"{name}.{PLAYERS}")
        if told is not None:
            found.append(tuple(Address(host, told.port) for host in called_hosts(told.hosts, own)))

    await tried(work)
    for addresses in found:
        seen(addresses)
