"""Whom to keep links to, as the table says last: one task a peer, or one for any of them; replaced at a bounded pace.

How a peer is dialled is redial.py's matter.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import trio

from sorry_lan.net.redial import Links, keep_linked, keep_one_linked
from sorry_lan.table.commands import WantedPeer
from sorry_lan.wire import limits

_HEAD_START_S: Final = 0.2
"""Both ends dial; the larger key waits a moment, so that mostly one link is made and not two."""
_PAUSE_S: Final = limits.REDIAL_MS / 1000
"""Whoever tells us where others listen, again and again, is not to make us dial more often than we do by ourselves."""


class Seeking:
    """What the links of a client with link key `own` look for; `spawn` runs a task beside them."""

    def __init__(self, links: Links, own: bytes, spawn: Callable[[Callable[[], Awaitable[None]]], None]) -> None:
        self._links = links
        self._own = own
        self._spawn = spawn
        self._wanted: tuple[tuple[WantedPeer, ...], bool] = ((), False)
        self._applied: tuple[tuple[WantedPeer, ...], bool] = self._wanted
        self._resting = False
        self._each: dict[bytes, tuple[WantedPeer, trio.CancelScope]] = {}
        self._any_of = trio.CancelScope()

    def seek(self, peers: tuple[WantedPeer, ...], *, one: bool) -> None:
        """From now on keep a link to each of exactly these, or to one of them; soon, if that was said just now."""
        self._wanted = peers, one
        if not self._resting:
            self._resting = True
            self._apply()
            self._spawn(self._rest)

    def stop(self) -> None:
        """Look for nobody, at once."""
        self._wanted = (), False
        self._apply()

    async def _rest(self) -> None:
        await trio.sleep(_PAUSE_S)
        while self._wanted is not self._applied:
            self._apply()
            await trio.sleep(_PAUSE_S)
        self._resting = False

    def _apply(self) -> None:
        peers, one = self._applied = self._wanted
        self._any_of.cancel()
        if one:
            self._any_of = trio.CancelScope()
            self._spawn(partial(_within, self._any_of, partial(keep_one_linked, self._links, peers)))
        wanted = {} if one else {peer.pk: peer for peer in peers if peer.pk != self._own}
        for pk, (peer, scope) in tuple(self._each.items()):
            if wanted.get(pk) != peer:
                scope.cancel()
                del self._each[pk]
        for pk, peer in wanted.items():
            if pk not in self._each:
                scope = trio.CancelScope()
                self._each[pk] = (peer, scope)
                head_start_s = _HEAD_START_S if pk < self._own else 0.0
                self._spawn(partial(_within, scope, partial(keep_linked, self._links, peer, head_start_s)))


async def _within(scope: trio.CancelScope, work: Callable[[], Awaitable[None]]) -> None:
    with scope:
        await work()
