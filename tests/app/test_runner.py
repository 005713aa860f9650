# ruff: noqa: ARG001 - a clock among the arguments makes time virtual; nothing is asked of it
from __future__ import annotations

import ast
import gc
import threading
import time
import weakref
from collections.abc import Callable, Iterable

import pytest
import trio
import trio.testing

from sorry_lan.app.inbox import Inbox
from sorry_lan.app.runner import Around, Runner
from sorry_lan.faults import Err, LocalMisuse
from sorry_lan.store.disk import StoreError
from sorry_lan.table.commands import (
    AdmitPeers,
    AppendJournal,
    CancelTimer,
    CloseLink,
    Command,
    FileKind,
    Finish,
    JournalKind,
    SaveFile,
    SeekPeers,
    SendFrame,
    SetTimer,
    ShowView,
    Sync,
    WantedPeer,
)
from sorry_lan.table.events import (
    Direction,
    DiskFailed,
    DiskWorks,
    Event,
    Happening,
    LeaveAsked,
    LinkDown,
    LinkPeer,
    LinkUp,
    Opened,
    Timer,
    TimerFired,
)
from sorry_lan.table.news import LobbyChanged, News
from sorry_lan.table.notices import FileNotSaved, FileSaved, Notice, StoreProblem, StoreTrouble
from sorry_lan.table.view import Phase, View
from sorry_lan.wire import limits
from sorry_lan.wire.codec import decode_message
from sorry_lan.wire.messages import Intent, Ping

VIEW = View(Phase.LOBBY, None, None, ())
FULL = StoreProblem(StoreTrouble.FULL, "/x", "planted")


class Script:
    """A table that answers each kind of happening with commands given beforehand."""

    def __init__(self, answers: dict[type, list[Command]], work_s: float = 0) -> None:
        self.answers = answers
        self.work_s = work_s
        self.threads: set[int] = set()
        self.events: list[Event] = []

    @property
    def thinks(self) -> bool:
        return self.work_s > 0

    def handle(self, event: Event) -> Iterable[Command]:
        self.events.append(event)
        self.threads.add(threading.get_ident())
        time.sleep(self.work_s)
        return self.answers.get(type(event.what), [])


class Everything:
    """Journal, shelf, links and face in one, with one log."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.notices: list[Notice] = []
        self.flush_failures = 0
        self.save_fails = False

    def add(self, appends: Iterable[AppendJournal]) -> None:
        self.log.append(f"add {len(list(appends))}")

    def flush(self, sync: Sync) -> None:
        if self.flush_failures:
            self.flush_failures -= 1
            raise StoreError(FULL)
        self.log.append(sync.value)

    def save(self, command: SaveFile) -> str:
        if self.save_fails:
            raise StoreError(FULL)
        return f"/games/{command.content.decode()}"

    def send(self, link: int, payload: bytes) -> None:
        self.log.append(f"send {link} {payload!r}")

    def close(self, link: int, code: Err, text: str) -> None:
        self.log.append(f"close {link} {code.name} {text}")

    def seek(self, peers: tuple[WantedPeer, ...]) -> None:
        self.log.append(f"seek {len(peers)}")

    def admit(self, keys: frozenset[bytes], game: bytes | None) -> None:
        self.log.append(f"admit {len(keys)} {game!r}")

    def show(self, view: View, news: tuple[News, ...]) -> None:
        self.log.append(f"show {view.phase.value} {len(news)}")

    def notice(self, notice: Notice) -> None:
        self.notices.append(notice)

    async def run(self, tell: Callable[[Happening], None]) -> None:
        tell(LeaveAsked())
        await trio.lowlevel.checkpoint()


def runner(table: Script, around: Everything, *first: Happening) -> Runner:
    inbox = Inbox()
    for happening in first:
        inbox.tell(happening)
    return Runner(table, Around(around, around, around, around), inbox)


class Knot:
    """What only a look through everything finds."""

    def __init__(self) -> None:
        self.myself = self


async def test_a_new_game_takes_the_memory_of_the_one_before() -> None:
    admit = AdmitPeers(frozenset(), b"g")
    gc.disable()
    try:
        before = weakref.ref(Knot())
        await runner(Script({Opened: [admit], LeaveAsked: [Finish(Err.GOODBYE)]}), Everything(), Opened()).run()
        assert before() is None
    finally:
        gc.enable()


async def test_every_command_reaches_its_part_in_order_and_the_reason_of_the_end_comes_back() -> None:
    around = Everything()
    table = Script(
        {
            Opened: [
                SeekPeers((WantedPeer(b"k", ()),)),
                AdmitPeers(frozenset((b"k",)), b"g"),
                SetTimer(Timer.AWAY, 0, 9_000),
                CancelTimer(Timer.AWAY, 0),
                AppendJournal(None, JournalKind.NONCE, b"n", Sync.NOW),
                SendFrame(3, b"x"),
                ShowView(VIEW, (LobbyChanged(),)),
                CloseLink(3, Err.RATE, "why"),
            ],
            LeaveAsked: [Finish(Err.REMOVED)],
        }
    )
    assert await runner(table, around, Opened()).run() is Err.REMOVED
    assert around.log == [
        "seek 1", "admit 1 b'g'", "add 1", "now", "send 3 b'x'", "show lobby 1", "close 3 RATE why",
    ]  # fmt: skip


async def test_events_bring_time_and_fresh_entropy(autojump_clock: trio.testing.MockClock) -> None:
    table = Script({Opened: [SetTimer(Timer.STATUS, 4, 1500)], TimerFired: [Finish(Err.GOODBYE)]})

    class Silent(Everything):
        async def run(self, tell: Callable[[Happening], None]) -> None:  # noqa: ARG002
            await trio.sleep_forever()

    await runner(table, Silent(), Opened()).run()
    first, second = table.events
    assert second.what == TimerFired(Timer.STATUS, 4)
    assert second.now_us - first.now_us == pytest.approx(1_500_000, abs=5)
    assert len(first.entropy) == 32
    assert first.entropy != second.entropy


async def test_a_table_that_thinks_does_so_in_a_thread_while_links_hear_of_us(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STATUS_MS", 10)
    peer = LinkPeer(bytes(32), "Bob", bytes(16), 1, Intent.LOBBY, None, "192.0.2.9", None, Direction.INCOMING)
    around = Everything()
    table = Script({LeaveAsked: [Finish(Err.GOODBYE)]}, work_s=0.2)
    await runner(table, around, LinkUp(3, peer), LinkUp(4, peer), LinkDown(4, None)).run()
    assert threading.get_ident() not in table.threads
    assert [type(event.what) for event in table.events] == [LinkUp, LinkUp, LinkDown, LeaveAsked]
    pings = [line for line in around.log if line.startswith("send 3")]
    assert len(pings) > 10
    assert 0 < len([line for line in around.log if line.startswith("send 4")]) < len(pings)
    assert decode_message(ast.literal_eval(pings[0].removeprefix("send 3 "))).TYPE == Ping.TYPE


async def test_a_table_that_does_not_think_stays_on_the_loop() -> None:
    table = Script({LeaveAsked: [Finish(Err.GOODBYE)]})
    await runner(table, Everything(), Opened()).run()
    assert table.threads == {threading.get_ident()}


async def test_files_are_saved_beside_the_game_and_before_the_end() -> None:
    for fails in (False, True):
        around = Everything()
        around.save_fails = fails
        table = Script({Opened: [SaveFile(b"g", "t", FileKind.TRANSCRIPT, b"t"), Finish(Err.GOODBYE)]})
        await runner(table, around, Opened()).run()
        expected = FileNotSaved(FileKind.TRANSCRIPT, FULL) if fails else FileSaved(FileKind.TRANSCRIPT, "/games/t")
        assert around.notices == [expected]


async def test_the_table_hears_of_a_failing_disk_and_of_its_recovery(
    autojump_clock: trio.testing.MockClock, inline_threads: None
) -> None:
    around = Everything()
    around.flush_failures = 2
    table = Script(
        {
            Opened: [AppendJournal(None, JournalKind.NONCE, b"n", Sync.NOW), SendFrame(1, b"x")],
            DiskFailed: [ShowView(VIEW, ())],
            DiskWorks: [Finish(Err.GOODBYE)],
        }
    )
    await runner(table, around, Opened()).run()
    assert around.log == ["add 1", "show lobby 0", "now", "send 1 b'x'"]
    assert [type(event.what) for event in table.events if not isinstance(event.what, LeaveAsked)] == [
        Opened,
        DiskFailed,
        DiskWorks,
    ]


async def test_a_bug_in_the_table_ends_the_run() -> None:
    class Broken(Script):
        def handle(self, event: Event) -> Iterable[Command]:  # noqa: ARG002
            raise LocalMisuse("planted")

    with pytest.RaisesGroup(pytest.RaisesExc(LocalMisuse), flatten_subgroups=True):
        await runner(Broken({}), Everything(), Opened()).run()


async def test_events_behind_the_end_are_not_handled_any_more() -> None:
    table = Script({Opened: [Finish(Err.GOODBYE)]})
    await runner(table, Everything(), Opened(), LeaveAsked(), LeaveAsked()).run()
    assert [type(event.what) for event in table.events] == [Opened]
