"""Append-only journals: one a game, one for the identity; what is signed is on the disk before it is sent ([F-16]).

A record is u32 length, u32 CRC-32, CMP [kind, payload]. Says nothing of what a payload means: that is the table's.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, unique
from pathlib import Path

from sorry_lan.faults import RemoteFault
from sorry_lan.store.disk import Disk, StoreError, damaged, make_folder, read_plain, write_all, writing
from sorry_lan.table.commands import AppendJournal, JournalKind, Sync
from sorry_lan.table.notices import StoreProblem, StoreTrouble
from sorry_lan.wire import limits
from sorry_lan.wire.codec import decode, encode

_HEADER = 8
_KEPT_OPEN = 4
"""Files that stay open when all is synced: the identity's, the game's, and those of games just left or begun."""


@dataclass(frozen=True, slots=True)
class JournalRecord:
    """One record as it was appended."""

    kind: JournalKind
    payload: bytes


def encode_record(kind: JournalKind, payload: bytes) -> bytes:
    """The bytes of one record; LocalMisuse where the payload is too long for CMP."""
    body = encode((int(kind), payload))
    return len(body).to_bytes(4, "big") + zlib.crc32(body).to_bytes(4, "big") + body


def decode_records(data: bytes, path: Path) -> tuple[tuple[JournalRecord, ...], int]:
    """The whole records of `data`, and how many bytes they take; what is behind them is a torn tail.

    Raises:
        StoreError: DAMAGED, where something whole lies behind the broken place, so that no crash can have done it.
    """
    records, at = _whole(data, path)
    if at < len(data) and _whole_record_behind(data, at):
        raise damaged(path, f"broken at byte {at}, with whole records behind it")
    return records, at


def _whole(data: bytes, path: Path) -> tuple[tuple[JournalRecord, ...], int]:
    """The records up to the first broken one, and where that begins."""
    records: list[JournalRecord] = []
    at = 0
    while at < len(data) and (body := _body(data, at)) is not None:
        records.append(_record(body, path, at))
        at += _HEADER + len(body)
    return tuple(records), at


def _body(data: bytes, at: int) -> bytes | None:
    length = int.from_bytes(data[at : at + 4], "big")
    body = data[at + _HEADER : at + _HEADER + length]
    if not 1 <= length <= limits.MAX_FRAME or len(body) != length:
        return None
    return body if zlib.crc32(body).to_bytes(4, "big") == data[at + 4 : at + _HEADER] else None


def _whole_record_behind(data: bytes, at: int) -> bool:
    """Whether a whole record begins where the broken one could have ended: a changed length is no torn tail."""
    last = min(len(data), at + _HEADER + limits.MAX_FRAME + 1)
    return any(_body(data, later) is not None for later in range(at + 1, last))


def _record(body: bytes, path: Path, at: int) -> JournalRecord:
    try:
        kind, payload = _pair(body)
        return JournalRecord(JournalKind(kind), payload)
    except (RemoteFault, ValueError) as wrong:
        raise damaged(path, f"an unknown record at byte {at}") from wrong


def _pair(body: bytes) -> tuple[int, bytes]:
    match decode(body):
        case (int(kind), bytes(payload)):
            return kind, payload
        case _:
            raise ValueError("not a pair")


@unique
class _Known(Enum):
    """Whether a file's length has been looked at."""

    NOT_YET = "not-yet"
    YES = "yes"


class _File:
    """One journal file and what is still to be written to it; `size` is what is known to be good there."""

    __slots__ = ("_descriptor", "_disk", "_known", "_path", "size", "unsynced", "waiting")

    def __init__(self, disk: Disk, path: Path) -> None:
        self._disk = disk
        self._path = path
        self._descriptor: int | None = None
        self.waiting: list[bytes] = []
        self.unsynced: list[bytes] = []
        self.size = 0
        self._known = _Known.NOT_YET

    def add(self, record: bytes) -> None:
        self.waiting.append(record)

    @property
    def settled(self) -> bool:
        """Whether all that was added would survive a power cut."""
        return not self.waiting and not self.unsynced

    def flush(self, sync: Sync) -> None:
        """Write what waits, and sync it; OSError leaves it all waiting, for another try from the last synced byte."""
        try:
            if self._descriptor is None:
                self._descriptor = self._opened()
            if self.waiting:
                write_all(self._disk, self._descriptor, b"".join(self.waiting))
                self.unsynced += self.waiting
                self.waiting = []
            if sync is Sync.NOW and self.unsynced:
                self._disk.sync(self._descriptor)
                self.size += sum(map(len, self.unsynced))
                self.unsynced = []
        except OSError:
            # After a failed sync the system may call pages clean that never reached the disk, so syncing again proves
            # nothing: everything since the last good sync is written once more, to a file opened anew.
            self.waiting = self.unsynced + self.waiting
            self.unsynced = []
            self._give_back()
            raise

    def _opened(self) -> int:
        make_folder(self._path.parent)
        descriptor = self._disk.open(self._path, os.O_RDWR | os.O_CREAT)
        try:
            if self._known is _Known.NOT_YET:
                self.size = _recovered(self._disk, descriptor, self._path)
                self._disk.sync_folder(self._path.parent)
                # Only once: what a failed flush left behind `size` is written again, not taken for good.
                self._known = _Known.YES
            self._disk.truncate(descriptor, self.size)
        except BaseException:
            with suppress(OSError):
                self._disk.close(descriptor)
            raise
        return descriptor

    def _give_back(self) -> None:
        if self._descriptor is not None:
            descriptor, self._descriptor = self._descriptor, None
            with suppress(OSError):
                self._disk.close(descriptor)

    def close(self) -> None:
        try:
            if not self.settled:
                self.flush(Sync.NOW)
        finally:
            self._give_back()


def _recovered(disk: Disk, descriptor: int, path: Path) -> int:
    """Bytes of whole records in a file that may hold some from an earlier process."""
    data = disk.read(descriptor, limits.MAX_JOURNAL + 1)
    if len(data) > limits.MAX_JOURNAL:
        raise damaged(path, "longer than a journal can be")
    return decode_records(data, path)[1]


class Journals:
    """All journals of one identity. `add` only remembers; `flush` blocks, and may be tried again after an error.

    One thread at a time: while a flush runs, nobody adds.
    """

    __slots__ = ("_disk", "_files", "_folder")

    def __init__(self, folder: Path, disk: Disk) -> None:
        self._folder = folder
        self._disk = disk
        self._files: dict[bytes | None, _File] = {}  # the one used last stands last

    def path(self, game: bytes | None) -> Path:
        """Where the journal of `game` lies (None: the identity's own)."""
        if game is None:
            return self._folder / "journal"
        return self._folder / "games" / f"{game.hex()}.journal"

    def add(self, appends: Iterable[AppendJournal]) -> None:
        """Remember these for the next flush, in order; LocalMisuse where a payload is too long for a record."""
        for append in appends:
            record = encode_record(append.kind, append.payload)
            self._file(append.game).add(record)

    def _file(self, game: bytes | None) -> _File:
        file = self._files.pop(game, None) or _File(self._disk, self.path(game))
        self._files[game] = file
        return file

    def flush(self, sync: Sync) -> None:
        """Write all that was added; with Sync.NOW return only when it would survive a power cut.

        Raises:
            StoreError: something is not on the disk; all of it is kept and written by a later flush.
        """
        for game, file in self._files.items():
            path = self.path(game)
            if file.waiting and file.size + sum(map(len, file.unsynced + file.waiting)) > limits.MAX_JOURNAL:
                raise StoreError(StoreProblem(StoreTrouble.FULL, str(path), "a journal holds no more"))
            with writing(path):
                file.flush(sync)
        self._give_back_old()

    def _give_back_old(self) -> None:
        """Close the files of games that were over long ago: one game after another would use all descriptors up."""
        for game in tuple(self._files)[:-_KEPT_OPEN]:
            if self._files[game].settled:
                self._files.pop(game).close()

    def close(self) -> None:
        """Write and sync what is left, then give the files back; StoreError as for `flush`."""
        for game in tuple(self._files):
            with writing(self.path(game)):
                self._files.pop(game).close()


def salvaged(path: Path) -> tuple[JournalRecord, ...]:
    """The records of a journal before its first damage, whatever lies behind. Changes nothing; StoreError NOT_READABLE.

    None where even the records before it are not what we wrote.
    """
    try:
        return _whole(read_plain(path, limits.MAX_JOURNAL), path)[0]
    except StoreError as wrong:
        if wrong.problem.trouble is not StoreTrouble.DAMAGED:
            raise
        return ()


def read_journal(path: Path) -> tuple[JournalRecord, ...]:
    """The whole records of a journal file, a torn tail left out; none where there is no file. Changes nothing.

    Raises:
        StoreError: NOT_READABLE, or DAMAGED as for `decode_records`.
    """
    try:
        data = read_plain(path, limits.MAX_JOURNAL + 1)
    except FileNotFoundError:
        return ()
    if len(data) > limits.MAX_JOURNAL:
        raise damaged(path, "longer than a journal can be")
    return decode_records(data, path)[0]
