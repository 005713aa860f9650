"""The few calls to the system that the store makes, behind one small class, so that tests can fail each of them.

Owns the translation of OSError into StoreError. Knows no formats.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sorry_lan.store.system import HERE, open_flags, read_at_start, sync, sync_folder_of
from sorry_lan.table.notices import StoreProblem, StoreTrouble

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700
_FULL = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))


class StoreError(Exception):
    """A file or folder of ours cannot be used; `problem` is the value that people are shown."""

    def __init__(self, problem: StoreProblem) -> None:
        super().__init__(f"{problem.trouble.value}: {problem.path}: {problem.reason}")
        self.problem = problem


class IdentityInUse(StoreError):  # noqa: N818 - says what is the case, as RemoteFault does
    """Another process holds the identity's lock."""


def damaged(path: Path, reason: str) -> StoreError:
    """The error for a file that is not what we wrote."""
    return StoreError(StoreProblem(StoreTrouble.DAMAGED, str(path), reason))


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """OSError inside becomes StoreError NOT_WRITABLE or FULL about `path`."""
    try:
        yield
    except OSError as wrong:
        trouble = StoreTrouble.FULL if wrong.errno in _FULL else StoreTrouble.NOT_WRITABLE
        raise StoreError(StoreProblem(trouble, str(path), wrong.strerror or str(wrong))) from wrong


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """OSError inside becomes StoreError NOT_READABLE about `path`."""
    try:
        yield
    except OSError as wrong:
        raise StoreError(StoreProblem(StoreTrouble.NOT_READABLE, str(path), wrong.strerror or str(wrong))) from wrong


class Disk:
    """The real system. Every method raises OSError."""

    def open(self, path: Path, flags: int) -> int:
        """A descriptor; a created file is 0600, and a link is never followed."""
        return os.open(path, flags | open_flags(os, "O_NOFOLLOW"), PRIVATE_FILE)

    def read(self, descriptor: int, most: int) -> bytes:
        """The file's first bytes, `most` at most."""
        return read_at_start(descriptor, most)

    def write(self, descriptor: int, data: bytes) -> int:
        """How many bytes were taken."""
        return os.write(descriptor, data)

    def truncate(self, descriptor: int, size: int) -> None:
        """Cut the file at `size` bytes; the next write follows there."""
        os.ftruncate(descriptor, size)
        os.lseek(descriptor, size, os.SEEK_SET)

    def sync(self, descriptor: int) -> None:
        """Return when what was written would survive a power cut."""
        sync(descriptor)

    def close(self, descriptor: int) -> None:
        """Give the descriptor back."""
        os.close(descriptor)

    def rename(self, old: Path, new: Path) -> None:
        """Put `old` in the place of `new` in one step."""
        old.replace(new)

    def sync_folder(self, folder: Path) -> None:
        """Return when the names in `folder` would survive a power cut."""
        sync_folder_of(HERE, str(folder))


def make_folder(folder: Path) -> None:
    """Make `folder` and its parents, private to the user; StoreError if that cannot be."""
    with writing(folder):
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)


def write_all(disk: Disk, descriptor: int, data: bytes) -> None:
    """Write every byte of `data`; OSError where the system takes none."""
    rest = data
    while rest:
        taken = disk.write(descriptor, rest)
        if taken <= 0:
            raise OSError(errno.EIO, "the system took no bytes")
        rest = rest[taken:]


def save_whole(disk: Disk, path: Path, content: bytes) -> None:
    """Put a file with exactly `content` at `path`, 0600 and synced: a reader finds the old one or the new one.

    Raises:
        StoreError: it could not be written; what stood at `path` stands there still.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    with writing(path):
        temporary.unlink(missing_ok=True)
        descriptor = disk.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            try:
                write_all(disk, descriptor, content)
                disk.sync(descriptor)
            finally:
                disk.close(descriptor)
            disk.rename(temporary, path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
        disk.sync_folder(path.parent)


def read_plain(path: Path, most: int) -> bytes:
    """The first bytes of a plain file, `most` at most. Changes nothing.

    Raises:
        FileNotFoundError: there is none; StoreError: NOT_READABLE, or DAMAGED for what is neither file nor folder.
    """
    try:
        # Non-blocking, because opening a pipe that somebody put there would wait for ever.
        descriptor = os.open(path, open_flags(os, "O_RDONLY", "O_NOFOLLOW", "O_NONBLOCK"))
    except FileNotFoundError:
        raise
    except OSError as wrong:
        raise StoreError(StoreProblem(StoreTrouble.NOT_READABLE, str(path), wrong.strerror or str(wrong))) from wrong
    try:
        with reading(path):
            # A folder says so itself when it is read.
            if not stat.S_ISREG(mode := os.fstat(descriptor).st_mode) and not stat.S_ISDIR(mode):
                raise damaged(path, "not a plain file")
            return read_at_start(descriptor, most)
    finally:
        os.close(descriptor)
