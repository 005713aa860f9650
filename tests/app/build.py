"""Whole clients in one process: real sockets on loopback, real files, faces that remember."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import trio

from sorry_lan.app.wiring import Access, RunOptions, Sitting, play_table
from sorry_lan.rules.profile import PROFILES, Rules
from sorry_lan.table.events import Happening
from sorry_lan.table.news import News
from sorry_lan.table.notices import Notice, TableOpened
from sorry_lan.table.settings import Auto, ReadyWhen, Role
from sorry_lan.table.view import View
from sorry_lan.wire.terms import Option

NAMES = ("Ada", "Bob", "Chloe", "Dan")


@dataclass
class Memory:
    """A face that keeps what it is shown, and lets tests wait for it."""

    views: list[View] = field(default_factory=list)
    news: list[News] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    tell: Callable[[Happening], None] | None = None
    _changed: trio.Event = field(default_factory=trio.Event)

    def show(self, view: View, news: tuple[News, ...]) -> None:
        self.views = [view]
        self.news += news
        self._wake()

    def notice(self, notice: Notice) -> None:
        self.notices.append(notice)
        self._wake()

    def interrupted(self) -> bool:
        return False

    async def run(self, tell: Callable[[Happening], None]) -> None:
        self.tell = tell
        self._wake()
        await trio.sleep_forever()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    async def until(self, ready: Callable[[Memory], bool]) -> None:
        while not ready(self):
            await self._changed.wait()

    def say(self, happening: Happening) -> None:
        assert self.tell is not None
        self.tell(happening)

    @property
    def opened(self) -> TableOpened:
        return next(notice for notice in self.notices if isinstance(notice, TableOpened))


def options(folder: Path, index: int, seats: int = 2) -> RunOptions:
    """A host (index 0) or joiner who plays by itself."""
    return RunOptions(
        role=Role.JOINER if index else Role.HOST,
        folder=folder / str(index),
        people=(Sitting(NAMES[index], None, None),),
        title="Ada's table",
        rules=PROFILES["standard"],
        options=Option.NONE,
        seats=seats,
        bots=(),
        ready=ReadyWhen.AT_ONCE,
        auto=Auto.ALL,
        auto_level=0,
        access=Access.CODE,
        port=0,
    )


async def play_all(folder: Path, seats: int, faces: list[Memory], rules: Rules = PROFILES["standard"]) -> list[int]:
    """A whole game between `seats` clients; their exit codes."""
    codes = [-1] * seats

    async def client(index: int, wanted: RunOptions) -> None:
        codes[index] = await play_table(wanted, faces[index])

    async with trio.open_nursery() as nursery:
        nursery.start_soon(client, 0, replace(options(folder, 0, seats), rules=rules))
        await faces[0].until(lambda face: any(isinstance(notice, TableOpened) for notice in face.notices))
        opened = faces[0].opened
        for index in range(1, seats):
            joining = replace(
                options(folder, index, seats), address=f"127.0.0.1:{opened.port}", code=opened.code, access=Access.CODE
            )
            nursery.start_soon(client, index, joining)
    return codes
