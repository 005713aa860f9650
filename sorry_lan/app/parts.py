"""Small parts around a runner: the games folder, the links of a table that has none, a value worked out meanwhile."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

import trio

from sorry_lan.faults import Err
from sorry_lan.store.disk import Disk
from sorry_lan.store.games import file_name, save_game
from sorry_lan.table.commands import SaveFile, WantedPeer


class GamesShelf:
    """The folder where transcripts and evidence go."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._disk = Disk()

    def save(self, command: SaveFile) -> str:
        """Blocks; the path. StoreError where it cannot be written."""
        today = dt.datetime.now(tz=dt.UTC).astimezone().date()
        name = file_name(today, command.title, command.game, command.kind)
        return str(save_game(self._disk, self._folder, name, command.content))


T = TypeVar("T")


class Later(Generic[T]):
    """A value that a thread works out while other things go on; `run` it beside them, once."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._found: list[T] = []
        self._there = trio.Event()

    async def run(self) -> None:
        """Work; whoever cancels this does not wait for the thread."""
        self._found.append(await trio.to_thread.run_sync(self._work, abandon_on_cancel=True))
        self._there.set()

    async def get(self) -> T:
        """The value, once it is there."""
        await self._there.wait()
        return self._found[0]


class NoLinks:
    """The links of a table without any."""

    def send(self, link: int, payload: bytes) -> None:
        """Nobody is there."""

    def close(self, link: int, code: Err, text: str) -> None:
        """Nobody is there."""

    def seek(self, peers: tuple[WantedPeer, ...]) -> None:
        """Nobody is to be found."""

    def admit(self, keys: frozenset[bytes], game: bytes | None) -> None:
        """Nobody comes."""
