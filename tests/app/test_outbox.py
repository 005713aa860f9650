# ruff: noqa: ARG001 - a clock among the arguments makes time virtual; nothing is asked of it
from __future__ import annotations

import threading
from collections.abc import Iterable

import trio
import trio.testing

from sorry_lan.app.outbox import Outbox
from sorry_lan.faults import Err
from sorry_lan.store.disk import StoreError
from sorry_lan.table.commands import (
    AppendJournal,
    CancelTimer,
    Command,
    FileKind,
    Finish,
    JournalKind,
    SaveFile,
    SendFrame,
    SetTimer,
    Sync,
)
from sorry_lan.table.events import DiskFailed, DiskWorks, Timer
from sorry_lan.table.notices import StoreProblem, StoreTrouble


def record(n: int, sync: Sync = Sync.NOW) -> AppendJournal:
    return AppendJournal(None, JournalKind.OWN_ENTRY, bytes([n]), sync)


def send(n: int) -> SendFrame:
    return SendFrame(1, bytes([n]))


class SlowJournal:
    """A journal whose flushes a test lets go one by one, or fails; the log tells what happened in which order."""

    def __init__(self, log: list[str]) -> None:
        self.log = log
        self.free = threading.Event()
        self.free.set()
        self.failures = 0
        self.flushes = 0

    def add(self, appends: Iterable[AppendJournal]) -> None:
        self.log.append("add " + ",".join(str(append.payload[0]) for append in appends))

    def flush(self, sync: Sync) -> None:
        self.free.wait()
        self.flushes += 1
        if self.failures:
            self.failures -= 1
            raise StoreError(StoreProblem(StoreTrouble.FULL, "/x", "planted"))
        self.log.append(sync.value)


class Desk:
    """An outbox and everything it does, in order."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.journal = SlowJournal(self.log)
        self.outbox = Outbox(self.journal, self.carry_out, self.tell)

    def carry_out(self, command: Command) -> None:
        match command:
            case SendFrame(payload=payload):
                self.log.append(f"send {payload[0]}")
            case _:
                self.log.append(type(command).__name__)

    def tell(self, what: DiskFailed | DiskWorks) -> None:
        self.log.append(type(what).__name__)

    async def idle(self) -> None:
        """Until nothing moves, worker threads included."""
        await trio.testing.wait_all_tasks_blocked(0.02)


async def test_what_needs_no_disk_is_done_at_once() -> None:
    desk = Desk()
    desk.outbox.put([send(1), send(2)])
    assert desk.log == ["send 1", "send 2"]


async def test_nothing_behind_a_record_leaves_before_the_record_is_synced() -> None:
    desk = Desk()
    desk.journal.free.clear()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(desk.outbox.run)
        desk.outbox.put([send(1), record(1), send(2), Finish(Err.GOODBYE)])
        await desk.idle()
        desk.outbox.put([send(3)])
        assert desk.log == ["send 1", "add 1"]
        desk.journal.free.set()
        await desk.idle()
        nursery.cancel_scope.cancel()
    assert desk.log == ["send 1", "add 1", "now", "send 2", "Finish", "send 3"]


async def test_records_that_wait_share_one_sync_and_the_order_of_the_rest_stays() -> None:
    desk = Desk()
    desk.journal.free.clear()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(desk.outbox.run)
        desk.outbox.put([record(1), send(1)])
        await desk.idle()
        desk.outbox.put([record(2), send(2), record(3, Sync.LATER)])
        desk.outbox.put([send(3), record(4), send(4)])
        desk.journal.free.set()
        await desk.idle()
        nursery.cancel_scope.cancel()
    assert desk.log == ["add 1", "now", "send 1", "add 2,3,4", "now", "send 2", "send 3", "send 4"]


async def test_records_for_later_alone_are_written_without_a_sync() -> None:
    desk = Desk()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(desk.outbox.run)
        desk.outbox.put([record(1, Sync.LATER), send(1)])
        await desk.idle()
        nursery.cancel_scope.cancel()
    assert desk.log == ["add 1", "later", "send 1"]


async def test_a_failing_disk_is_told_once_and_holds_back_only_what_others_would_hear(
    autojump_clock: trio.testing.MockClock, inline_threads: None
) -> None:
    desk = Desk()
    desk.journal.failures = 3
    async with trio.open_nursery() as nursery:
        nursery.start_soon(desk.outbox.run)
        desk.outbox.put([record(1), send(1), SetTimer(Timer.STATUS, 0, 1), send(2)])
        await trio.sleep(0.5)
        desk.outbox.put([CancelTimer(Timer.STATUS, 0), send(3)])
        assert desk.log == ["add 1", "SetTimer", "DiskFailed", "CancelTimer"]
        await trio.sleep(5)
        nursery.cancel_scope.cancel()
    assert desk.log[4:] == ["now", "DiskWorks", "send 1", "send 2", "send 3"]
    assert desk.journal.flushes == 4


async def test_people_can_leave_though_the_disk_never_works_again(
    autojump_clock: trio.testing.MockClock, inline_threads: None
) -> None:
    desk = Desk()
    desk.journal.failures = 1000
    async with trio.open_nursery() as nursery:
        nursery.start_soon(desk.outbox.run)
        desk.outbox.put([record(1), send(1)])
        await trio.sleep(1.5)
        desk.outbox.put([SaveFile(b"g", "t", FileKind.TRANSCRIPT, b"t"), Finish(Err.GOODBYE)])
        nursery.cancel_scope.cancel()
    assert desk.log == ["add 1", "DiskFailed", "SaveFile", "Finish"]


async def test_a_flush_that_has_begun_is_finished_even_when_the_program_ends() -> None:
    desk = Desk()
    desk.journal.free.clear()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(desk.outbox.run)
        desk.outbox.put([record(1), send(1)])
        await desk.idle()
        nursery.cancel_scope.cancel()
        desk.journal.free.set()
    assert desk.log[:2] == ["add 1", "now"]
