"""A disk that fails on demand, and short ways to make journals."""

from __future__ import annotations

import errno
from pathlib import Path

from sorry_lan.store.disk import Disk
from sorry_lan.store.journal import Journals
from sorry_lan.table.commands import AppendJournal, JournalKind, Sync

GAME = bytes(range(32))


class FaultyDisk(Disk):
    """The real disk, but call number `fail_at` (of open, write, truncate, sync, rename, sync_folder) fails, once."""

    def __init__(self, fail_at: int = -1, number: int = errno.EIO, torn: int = 0) -> None:
        self.calls = 0
        self.fail_at = fail_at
        self.number = number
        self.torn = torn
        self.log: list[str] = []

    def _count(self, name: str) -> bool:
        self.log.append(name)
        failing = self.calls == self.fail_at
        self.calls += 1
        return failing

    def _check(self, name: str) -> None:
        if self._count(name):
            raise OSError(self.number, "planted")

    def open(self, path: Path, flags: int) -> int:
        self._check("open")
        return super().open(path, flags)

    def write(self, descriptor: int, data: bytes) -> int:
        if self._count("write"):
            super().write(descriptor, data[: self.torn])
            raise OSError(self.number, "planted")
        return super().write(descriptor, data)

    def truncate(self, descriptor: int, size: int) -> None:
        self._check("truncate")
        super().truncate(descriptor, size)

    def sync(self, descriptor: int) -> None:
        self._check("sync")
        super().sync(descriptor)

    def rename(self, old: Path, new: Path) -> None:
        self._check("rename")
        super().rename(old, new)

    def sync_folder(self, folder: Path) -> None:
        self._check("sync_folder")
        super().sync_folder(folder)


def append(payload: bytes, game: bytes | None = GAME, kind: JournalKind = JournalKind.OWN_ENTRY) -> AppendJournal:
    return AppendJournal(game, kind, payload, Sync.NOW)


def written(folder: Path, *payloads: bytes, game: bytes | None = GAME) -> Path:
    """A journal of `payloads`, synced and closed; its path."""
    journals = Journals(folder, Disk())
    journals.add(append(payload, game) for payload in payloads)
    journals.close()
    return journals.path(game)
