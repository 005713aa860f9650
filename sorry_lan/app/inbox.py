"""What waits to happen to the table, in order of arrival: bounded for links, open for own people and timers.

Decides nothing about the order of different sources.
"""

from __future__ import annotations

from collections import deque
from typing import Final

import trio

from sorry_lan.table.events import Happening

_ROOM: Final = 512
"""Above this links wait before they read on; a peer cannot fill our memory faster than the table works."""


class Inbox:
    """Many tasks put, one task takes."""

    __slots__ = ("_items", "_some", "_waiting")

    def __init__(self) -> None:
        self._items: deque[Happening] = deque()
        self._some = trio.Event()
        self._waiting = trio.lowlevel.ParkingLot()

    def tell(self, happening: Happening) -> None:
        """Add at once; for people, timers and the disk, who are few and slow."""
        self._items.append(happening)
        self._some.set()

    async def put(self, happening: Happening) -> None:
        """Add, once there is room; for links."""
        while len(self._items) >= _ROOM:
            await self._waiting.park()
        self.tell(happening)

    async def take(self) -> deque[Happening]:
        """All that waits, at least one, oldest first."""
        await self._some.wait()
        items, self._items = self._items, deque()
        self._some = trio.Event()
        self._waiting.unpark_all()
        return items
