"""What differs between operating systems for files: which system this is, flags of open(), locks, syncing.

Small functions that take the system, or its module, as a value: tests put another one in (docs/platforms.md).
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from enum import Enum, unique
from typing import Final, Protocol


@unique
class System(Enum):
    """The families whose files and signals differ."""

    UNIX = "unix"
    MACOS = "macos"
    WINDOWS = "windows"


def system_of(platform: str) -> System:
    """The family of a `sys.platform`."""
    return {"win32": System.WINDOWS, "darwin": System.MACOS}.get(platform, System.UNIX)


HERE: Final = system_of(sys.platform)


def open_flags(module: object, *names: str) -> int:
    """The flags of these names that the `os` module of this system has, in one number.

    Windows has neither links nor pipes in the way (O_NOFOLLOW, O_NONBLOCK), but changes line ends without O_BINARY.
    """
    flags = 0
    for name in (*names, "O_CLOEXEC", "O_NOINHERIT", "O_BINARY"):
        flags |= getattr(module, name, 0)
    return flags


class _Fcntl(Protocol):
    """The part of `fcntl` that is used here."""

    LOCK_EX: int
    LOCK_NB: int

    def flock(self, descriptor: int, operation: int, /) -> None: ...


class _Msvcrt(Protocol):
    """The part of `msvcrt` that is used here."""

    LK_NBLCK: int

    def locking(self, descriptor: int, mode: int, count: int, /) -> None: ...


LOCKED_BYTE: Final = 1 << 30
"""Windows forbids others to read what is locked, so a byte is locked that lies far behind all we write."""


def lock_by_flock(module: _Fcntl, descriptor: int) -> None:
    """Lock the whole file, until the descriptor is closed; BlockingIOError where another process has it."""
    module.flock(descriptor, module.LOCK_EX | module.LOCK_NB)


def lock_by_byte(module: _Msvcrt, descriptor: int) -> None:
    """Lock one byte behind the end of the file, until it is closed; BlockingIOError where another process has it."""
    os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
    try:
        module.locking(descriptor, module.LK_NBLCK, 1)
    except OSError as wrong:
        # What the C library says of a locked byte: EACCES at once, EDEADLOCK after it has tried for a while.
        if wrong.errno in (errno.EACCES, errno.EDEADLK):
            raise BlockingIOError(wrong.errno, wrong.strerror) from wrong
        raise
    finally:
        os.lseek(descriptor, 0, os.SEEK_SET)


def sync_fully(full: Callable[[int], object] | None, descriptor: int) -> None:
    """Return when what was written would survive a power cut.

    fsync on macOS leaves data in the drive's own cache; `full` empties that, too, and fails on drives that cannot.
    """
    if full is not None:
        try:
            full(descriptor)
        except OSError:
            pass
        else:
            return
    os.fsync(descriptor)


def sync_folder_of(system: System, folder: str) -> None:
    """Return when the names in `folder` would survive a power cut. Windows opens no folders, and keeps names safe."""
    if system is System.WINDOWS:
        return
    descriptor = os.open(folder, open_flags(os, "O_RDONLY", "O_DIRECTORY"))
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


if sys.platform == "win32":  # pragma: no cover - the branches below are one line each; docs/platforms.md
    import msvcrt

    def lock(descriptor: int) -> None:
        """Lock the file until its descriptor is closed; BlockingIOError where another process has it."""
        lock_by_byte(msvcrt, descriptor)

    def sync(descriptor: int) -> None:
        """Return when what was written would survive a power cut."""
        sync_fully(None, descriptor)

    def home_of_this_user() -> str | None:
        """What the user database says, if there is one."""
        return None
else:
    import fcntl
    import pwd

    def lock(descriptor: int) -> None:
        """Lock the file until its descriptor is closed; BlockingIOError where another process has it."""
        lock_by_flock(fcntl, descriptor)

    def sync(descriptor: int) -> None:
        """Return when what was written would survive a power cut."""
        command: int | None = getattr(fcntl, "F_FULLFSYNC", None)
        sync_fully(None if command is None else lambda fd: fcntl.fcntl(fd, command), descriptor)

    def home_of_this_user() -> str | None:
        """What the user database says, if this user is in it."""
        try:
            return pwd.getpwuid(os.getuid()).pw_dir
        except KeyError:
            return None


def read_at_start(descriptor: int, most: int) -> bytes:
    """The first bytes of a file, `most` at most; what is read or written next stands where it stood before."""
    before = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, 0, os.SEEK_SET)
    try:
        parts = []
        rest = most
        while rest and (part := os.read(descriptor, rest)):
            parts.append(part)
            rest -= len(part)
        return b"".join(parts)
    finally:
        os.lseek(descriptor, before, os.SEEK_SET)
