"""The table's commands on their way out, in order: nothing signed leaves before it is on the disk ([F-16]).

Journal records that wait are written and synced together, while the table goes on; what stands behind them waits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from enum import Enum, unique
from typing import Final, Protocol

import trio

from sorry_lan.store.disk import StoreError
from sorry_lan.table.commands import AppendJournal, CancelTimer, Command, Finish, SaveFile, SetTimer, ShowView, Sync
from sorry_lan.table.events import DiskFailed, DiskWorks

_RETRY_S: Final = 1.0


class Journal(Protocol):
    """Where records go; see store/journal.py."""

    def add(self, appends: Iterable[AppendJournal]) -> None:
        """Remember these for the next flush."""

    def flush(self, sync: Sync) -> None:
        """Blocks; StoreError keeps everything for another try."""


@unique
class _Disk(Enum):
    WORKS = "works"
    BUSY = "busy"
    FAILED = "failed"


class Outbox:
    """`put` commands; `carry_out` does one that is not a journal record and must not wait; `run` writes records."""

    __slots__ = ("_carry_out", "_disk", "_journal", "_queue", "_some", "_tell")

    def __init__(
        self,
        journal: Journal,
        carry_out: Callable[[Command], None],
        tell: Callable[[DiskFailed | DiskWorks], None],
    ) -> None:
        self._journal = journal
        self._carry_out = carry_out
        self._tell = tell
        self._queue: deque[Command] = deque()
        self._disk = _Disk.WORKS
        self._some = trio.Event()

    def put(self, commands: Iterable[Command]) -> None:
        """Take commands behind all earlier ones; what needs no disk is done before this returns."""
        self._queue.extend(commands)
        if self._disk is _Disk.WORKS:
            self._advance()
        elif self._disk is _Disk.FAILED:
            self._pass_local()

    def _advance(self) -> None:
        """Do everything up to the next record."""
        queue = self._queue
        while queue:
            if isinstance(queue[0], AppendJournal):
                self._some.set()
                return
            self._carry_out(queue.popleft())

    def _pass_local(self) -> None:
        """A broken disk holds back what others would hear, not what our own people see, nor the end of the program."""
        held: deque[Command] = deque()
        passed: list[Command] = []
        for command in self._queue:
            local = isinstance(command, ShowView | SetTimer | CancelTimer | SaveFile | Finish)
            (passed if local else held).append(command)
        self._queue = held
        for command in passed:
            self._carry_out(command)

    async def run(self) -> None:
        """Write records until cancelled; a flush that has begun is always finished."""
        while True:
            await self._some.wait()
            self._some = trio.Event()
            # Records may go to the disk ahead of commands that stand before them: only the other way round is wrong.
            # So all that wait share one sync, also those of later events.
            appends = [command for command in self._queue if isinstance(command, AppendJournal)]
            self._queue = deque(command for command in self._queue if not isinstance(command, AppendJournal))
            sync = Sync.NOW if any(append.sync is Sync.NOW for append in appends) else Sync.LATER
            self._journal.add(appends)
            self._disk = _Disk.BUSY
            await self._flush(sync)
            self._disk = _Disk.WORKS
            self._advance()

    async def _flush(self, sync: Sync) -> None:
        while True:
            with trio.CancelScope(shield=True):
                try:
                    await trio.to_thread.run_sync(self._journal.flush, sync)
                except StoreError:
                    if self._disk is not _Disk.FAILED:
                        self._disk = _Disk.FAILED
                        self._pass_local()
                        self._tell(DiskFailed())
                else:
                    if self._disk is _Disk.FAILED:
                        self._tell(DiskWorks())
                    return
            await trio.sleep(_RETRY_S)
