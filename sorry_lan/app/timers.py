"""The table's timers on trio's clock, which tests replace by a virtual one.

One timer runs for each (timer, key); setting it again starts it anew.
"""

from __future__ import annotations

from collections.abc import Callable

import trio

from sorry_lan.table.commands import CancelTimer, SetTimer
from sorry_lan.table.events import Timer, TimerFired


class Timers:
    """Tells TimerFired; `run` it beside the table."""

    __slots__ = ("_due_s", "_earlier", "_next_s", "_tell")

    def __init__(self, tell: Callable[[TimerFired], None]) -> None:
        self._tell = tell
        self._due_s: dict[tuple[Timer, int], float] = {}
        self._next_s = float("inf")
        self._earlier = trio.Event()

    def start(self, command: SetTimer) -> None:
        """Start or restart a timer."""
        due_s = trio.current_time() + command.delay_ms / 1000
        self._due_s[command.timer, command.key] = due_s
        if due_s < self._next_s:
            self._earlier.set()

    def cancel(self, command: CancelTimer) -> None:
        """Stop a timer, if it runs."""
        self._due_s.pop((command.timer, command.key), None)

    async def run(self) -> None:
        """Fire timers until cancelled, those that are due together in the order of their times."""
        while True:
            self._earlier = trio.Event()
            self._next_s = min(self._due_s.values(), default=float("inf"))
            with trio.move_on_at(self._next_s):
                await self._earlier.wait()
            now_s = trio.current_time()
            for name in sorted(self._due_s, key=self._due_s.__getitem__):
                if self._due_s[name] <= now_s:
                    del self._due_s[name]
                    self._tell(TimerFired(*name))
