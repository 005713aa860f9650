"""The calls that differ between systems, with the other systems put in as fakes."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from sorry_lan.store import system
from sorry_lan.store.system import (
    LOCKED_BYTE,
    System,
    lock,
    lock_by_byte,
    open_flags,
    read_at_start,
    sync_folder_of,
    sync_fully,
    system_of,
)


class Msvcrt:
    """What Windows offers for locks, answering with `wrong` where there is one."""

    LK_NBLCK = 2

    def __init__(self, wrong: int | None = None) -> None:
        self.wrong = wrong
        self.locked: list[tuple[int, int, int]] = []

    def locking(self, descriptor: int, mode: int, count: int, /) -> None:
        if self.wrong is not None:
            raise OSError(self.wrong, os.strerror(self.wrong))
        self.locked.append((os.lseek(descriptor, 0, os.SEEK_CUR), mode, count))


@pytest.fixture
def descriptor(tmp_path: Path):
    opened = os.open(tmp_path / "file", os.O_RDWR | os.O_CREAT)
    yield opened
    os.close(opened)


def test_systems_are_told_by_their_platform() -> None:
    assert [system_of(name) for name in ("linux", "darwin", "win32", "freebsd14")] == [
        System.UNIX,
        System.MACOS,
        System.WINDOWS,
        System.UNIX,
    ]


def test_only_flags_that_a_system_has_are_asked_for() -> None:
    unix = SimpleNamespace(O_RDWR=2, O_NOFOLLOW=0x100, O_CLOEXEC=0x200)
    windows = SimpleNamespace(O_RDWR=2, O_BINARY=0x8000, O_NOINHERIT=0x80)
    assert open_flags(unix, "O_RDWR", "O_NOFOLLOW") == 0x302
    assert open_flags(windows, "O_RDWR", "O_NOFOLLOW", "O_NONBLOCK") == 0x8082


def test_on_windows_one_byte_far_behind_the_end_is_locked(descriptor: int) -> None:
    os.write(descriptor, b"123\n")
    fake = Msvcrt()
    lock_by_byte(fake, descriptor)
    assert fake.locked == [(LOCKED_BYTE, Msvcrt.LK_NBLCK, 1)]
    assert os.fstat(descriptor).st_size == 4
    assert os.lseek(descriptor, 0, os.SEEK_CUR) == 0


@pytest.mark.parametrize("code", [errno.EACCES, errno.EDEADLK])
def test_on_windows_a_lock_that_somebody_holds_is_the_same_error_as_elsewhere(descriptor: int, code: int) -> None:
    with pytest.raises(BlockingIOError):
        lock_by_byte(Msvcrt(code), descriptor)


def test_on_windows_any_other_error_of_a_lock_stays_what_it_is(descriptor: int) -> None:
    with pytest.raises(OSError, match="No locks") as caught:
        lock_by_byte(Msvcrt(errno.ENOLCK), descriptor)
    assert not isinstance(caught.value, BlockingIOError)


def test_a_lock_keeps_another_process_out_until_the_file_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    other = (
        "import os, sys; from sorry_lan.store.system import lock\n"
        "try: lock(os.open(sys.argv[1], os.O_RDWR)); print('mine')\n"
        "except BlockingIOError: print('taken')"
    )

    def asked() -> str:
        command = [sys.executable, "-c", other, str(path)]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.strip()

    held = os.open(path, os.O_RDWR | os.O_CREAT)
    lock(held)
    assert asked() == "taken"
    os.close(held)
    assert asked() == "mine"


def test_where_a_drive_can_be_emptied_too_it_is(descriptor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda _fd: synced.append("file"))
    sync_fully(lambda _fd: synced.append("drive"), descriptor)
    assert synced == ["drive"]


def test_a_drive_that_cannot_be_emptied_is_synced_as_elsewhere(
    descriptor: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cannot(_fd: int) -> None:
        raise OSError(errno.ENOTSUP, "not this drive")

    synced: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda _fd: synced.append("file"))
    sync_fully(cannot, descriptor)
    assert synced == ["file"]


def test_macos_is_asked_to_empty_the_drive(descriptor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", lambda fd, command: asked.append((fd, command)))
    system.sync(descriptor)
    assert asked == [(descriptor, 51)]


def test_windows_opens_no_folder(tmp_path: Path) -> None:
    sync_folder_of(System.WINDOWS, str(tmp_path / "not there"))
    with pytest.raises(FileNotFoundError):
        sync_folder_of(System.UNIX, str(tmp_path / "not there"))


def test_reading_the_start_of_a_file_moves_nothing(descriptor: int) -> None:
    os.write(descriptor, b"abcdef")
    os.lseek(descriptor, 2, os.SEEK_SET)
    assert read_at_start(descriptor, 4) == b"abcd"
    assert os.lseek(descriptor, 0, os.SEEK_CUR) == 2
    assert read_at_start(descriptor, 99) == b"abcdef"
