"""Small parts that a runner acts on: the games folder, and the links of a table that has none."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

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
