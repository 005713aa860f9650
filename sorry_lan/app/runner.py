"""The only loop: an event in, Table.handle, its commands carried out.

Brings time and entropy to the pure core. Knows no game and no wire; wiring.py chose the parts.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol, assert_never

import trio

from sorry_lan.app.inbox import Inbox
from sorry_lan.app.outbox import Journal, Outbox
from sorry_lan.app.timers import Timers
from sorry_lan.faults import Err, LocalMisuse
from sorry_lan.store.disk import StoreError
from sorry_lan.table.commands import (
    AdmitPeers,
    AppendJournal,
    CancelTimer,
    CloseLink,
    Command,
    Finish,
    SaveFile,
    SeekPeers,
    SendFrame,
    SetTimer,
    ShowView,
    WantedPeer,
)
from sorry_lan.table.events import Event, Happening, LinkDown, LinkId, LinkUp, Woke
from sorry_lan.table.news import News
from sorry_lan.table.notices import FileNotSaved, FileSaved, Notice
from sorry_lan.table.view import View
from sorry_lan.wire import limits
from sorry_lan.wire.codec import encode_message
from sorry_lan.wire.messages import Ping

_SLICE: Final = 16
"""After so many events in a row everybody else has a turn: what the first ones sent is not to wait for the last."""


class Handler(Protocol):
    """A table."""

    @property
    def thinks(self) -> bool:
        """Whether handling the next event may take long; it goes to a thread then."""

    def handle(self, event: Event) -> Iterable[Command]:
        """What is to be done about `event`."""


class Face(Protocol):
    """What people or programs see of a table; neither `show` nor `notice` may wait."""

    def show(self, view: View, news: tuple[News, ...]) -> None:
        """A new picture, and what happened since the last one."""

    def notice(self, notice: Notice) -> None:
        """Something beside the picture."""

    async def run(self, tell: Callable[[Happening], None]) -> None:
        """Tell what people do, until cancelled or until nobody is there any more."""


class ForegroundFace(Face, Protocol):
    """A face that is asked first when somebody presses Ctrl-C."""

    def interrupted(self) -> bool:
        """Whether the interrupt led to a question; if not, it ends the program. Must not wait."""


class Net(Protocol):
    """The links; see net/mesh.py."""

    def send(self, link: LinkId, payload: bytes) -> None:
        """Queue a frame."""

    def close(self, link: LinkId, code: Err, text: str) -> None:
        """Say BYE and close."""

    def seek(self, peers: tuple[WantedPeer, ...]) -> None:
        """Keep links to exactly these."""

    def admit(self, keys: frozenset[bytes], game: bytes | None) -> None:
        """These need no code."""


class Shelf(Protocol):
    """Where files of games go."""

    def save(self, command: SaveFile) -> str:
        """Blocks; the path. StoreError where it cannot be written."""


@dataclass(frozen=True, slots=True)
class Around:
    """What a table's commands act on."""

    journal: Journal
    shelf: Shelf
    net: Net
    face: Face


class Runner:
    """One table from Opened to Finish; all that happens to it comes through `inbox`."""

    def __init__(self, table: Handler, around: Around, inbox: Inbox) -> None:
        self._table = table
        self._shelf = around.shelf
        self._net = around.net
        self._face = around.face
        self._inbox = inbox
        self._timers = Timers(self._inbox.tell)
        self._outbox = Outbox(around.journal, self._carry_out, self._inbox.tell)
        self._finished = trio.Event()
        self._code = Err.GOODBYE
        self._game: bytes | None = None
        self._links: set[LinkId] = set()
        self._files: trio.MemorySendChannel[SaveFile]
        self._files, self._files_in = trio.open_memory_channel[SaveFile](64)

    def tell(self, happening: Happening) -> None:
        """Let something happen to the table."""
        self._inbox.tell(happening)

    async def run(self) -> Err:
        """Handle events until the table finishes; why it did. Files that were to be saved are saved by then."""
        async with trio.open_nursery() as saving:
            saving.start_soon(self._save_all)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._handle_all)
                nursery.start_soon(self._timers.run)
                nursery.start_soon(self._outbox.run)
                nursery.start_soon(self._face.run, self._inbox.tell)
                await self._finished.wait()
                nursery.cancel_scope.cancel()
            self._files.close()
        return self._code

    async def _handle_all(self) -> None:
        awake_s = time.time() - trio.current_time()
        while True:
            happenings = await self._inbox.take()
            gap_s = time.time() - trio.current_time()
            if gap_s - awake_s > limits.SUSPEND_GAP_MS / 1000:
                # The monotonic clock stood still while the wall's went on: this computer slept.
                happenings.appendleft(Woke())
            awake_s = gap_s
            for number, happening in enumerate(happenings, 1):
                now_us = int(trio.current_time() * 1_000_000)
                self._note(happening)
                event = Event(now_us, os.urandom(32), happening)
                thinks = self._table.thinks
                self._outbox.put(await self._thought_over(event) if thinks else self._table.handle(event))
                if self._finished.is_set():
                    return
                if number % _SLICE == 0:
                    await trio.lowlevel.checkpoint()

    def _note(self, happening: Happening) -> None:
        match happening:
            case LinkUp(link=link):
                self._links.add(link)
            case LinkDown(link=link):
                self._links.discard(link)
            case _:
                pass

    async def _thought_over(self, event: Event) -> Iterable[Command]:
        """Handle it in a thread: bots think, and meanwhile every link hears from us and the screen goes on."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._sign_of_life)
            commands = await trio.to_thread.run_sync(self._table.handle, event)
            nursery.cancel_scope.cancel()
        return commands

    async def _sign_of_life(self) -> None:
        """What the table's own timer does when it is not busy."""
        while True:
            await trio.sleep(limits.STATUS_MS / 1000)
            for link in sorted(self._links):
                self._net.send(link, encode_message(Ping(int(trio.current_time() * 1_000_000))))

    def _carry_out(self, command: Command) -> None:
        match command:
            case SendFrame(link=link, payload=payload):
                self._net.send(link, payload)
            case ShowView(view=view, news=news):
                self._face.show(view, news)
            case SetTimer():
                self._timers.start(command)
            case CancelTimer():
                self._timers.cancel(command)
            case CloseLink(link=link, code=code, text=text):
                self._net.close(link, code, text)
            case SeekPeers(peers=peers):
                self._net.seek(peers)
            case AdmitPeers(keys=keys, game=game):
                self._net.admit(keys, game)
                self._tidy(game)
            case SaveFile():
                self._files.send_nowait(command)
            case Finish(code=code):
                self._code = code
                self._finished.set()
            case AppendJournal():
                raise LocalMisuse("a record goes to the disk, not past it")
            case _:
                assert_never(command)

    def _tidy(self, game: bytes | None) -> None:
        """With a new game the one before is gone, but its parts know each other: Python would keep megabytes for long.

        Costs some 20 ms, once a game, before the first card.
        """
        if game != self._game:
            self._game = game
            gc.collect()

    async def _save_all(self) -> None:
        async for command in self._files_in:
            with trio.CancelScope(shield=True):
                self._face.notice(await trio.to_thread.run_sync(partial(self._saved, command)))

    def _saved(self, command: SaveFile) -> Notice:
        try:
            return FileSaved(command.kind, self._shelf.save(command))
        except StoreError as wrong:
            return FileNotSaved(command.kind, wrong.problem)
