"""The identity folder: the secrets of one person at one machine, its boot counter, and the lock of its one process.

Never makes a new identity where a damaged one lies ([F-16]); [W-18] says which keys are made of these secrets.
"""

from __future__ import annotations

import os
import stat
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from sorry_lan.store.disk import (
    PRIVATE_FILE,
    Disk,
    IdentityInUse,
    damaged,
    make_folder,
    read_plain,
    reading,
    save_whole,
    writing,
)
from sorry_lan.store.system import lock as take_lock
from sorry_lan.store.system import open_flags, read_at_start
from sorry_lan.table.notices import StoreProblem, StoreTrouble
from sorry_lan.wire.keys import person_key
from sorry_lan.wire.limits import MAX_SEATS, UINT_MAX

_MAGIC = b"sorry-lan identity\n"
_VERSION = 1
_SECRET = 32
_IDENTITY_SIZE = len(_MAGIC) + 1 + 2 * _SECRET + 4
_BOOT_SIZE = 8 + 4


@dataclass(frozen=True, slots=True)
class Identity:
    """An identity in use by this process; `boot` counts the starts. Secrets are neither shown nor logged."""

    folder: Path
    seed: bytes = field(repr=False)
    root: bytes = field(repr=False)
    boot: int
    lock: int = field(repr=False)

    def release(self) -> None:
        """Give the lock back; the identity is not to be used after that."""
        os.close(self.lock)


def open_identity(folder: Path, disk: Disk) -> Identity:
    """Lock `folder`, read or make its identity, and raise its boot counter on the disk. Blocks.

    Raises:
        IdentityInUse: another process has it.
        StoreError: the folder or a file in it cannot be made, read or written, or is damaged.
    """
    make_folder(folder)
    lock = _locked(folder / "lock")
    try:
        seed, root = _secrets(folder / "identity", disk)
        boot = _raised_boot(folder / "boot", disk)
    except BaseException:
        os.close(lock)
        raise
    return Identity(folder, seed, root, boot, lock)


def own_keys(folder: Path) -> tuple[bytes, ...]:
    """The public keys of every person this identity can seat; none where there is no identity. Blocks; locks nothing.

    Raises:
        StoreError: the identity cannot be read, or is damaged.
    """
    path = folder / "identity"
    try:
        seed, _root = _parsed(path, read_plain(path, _IDENTITY_SIZE + 1))
    except FileNotFoundError:
        return ()
    return tuple(person_key(seed, person).public for person in range(MAX_SEATS))


def _locked(path: Path) -> int:
    """The descriptor whose life is the lock: the system takes it back whatever way the process ends."""
    with writing(path):
        lock = os.open(path, open_flags(os, "O_RDWR", "O_CREAT", "O_NOFOLLOW"), PRIVATE_FILE)
    try:
        with writing(path):
            try:
                take_lock(lock)
            except BlockingIOError as wrong:
                holder = _holder(lock)
                raise IdentityInUse(
                    StoreProblem(StoreTrouble.IN_USE, str(path.parent), "another process uses it", holder)
                ) from wrong
            os.ftruncate(lock, 0)
            os.write(lock, b"%d\n" % os.getpid())
    except BaseException:
        os.close(lock)
        raise
    return lock


def _holder(lock: int) -> int | None:
    text = read_at_start(lock, 20).strip()
    return int(text) if text.isdigit() else None


def _secrets(path: Path, disk: Disk) -> tuple[bytes, bytes]:
    try:
        data = _read(path, _IDENTITY_SIZE + 1)
    except FileNotFoundError:
        secrets = os.urandom(2 * _SECRET)
        body = _MAGIC + bytes((_VERSION,)) + secrets
        save_whole(disk, path, body + zlib.crc32(body).to_bytes(4, "big"))
        return secrets[:_SECRET], secrets[_SECRET:]
    return _parsed(path, data)


def _parsed(path: Path, data: bytes) -> tuple[bytes, bytes]:
    """Seed and root of an identity file; StoreError DAMAGED for anything else."""
    body, checksum = data[:-4], data[-4:]
    if len(data) != _IDENTITY_SIZE or not body.startswith(_MAGIC):
        raise damaged(path, "this is no identity file")
    if zlib.crc32(body).to_bytes(4, "big") != checksum:
        raise damaged(path, "the identity file was changed")
    if body[len(_MAGIC)] != _VERSION:
        raise damaged(path, f"an identity file of version {body[len(_MAGIC)]}; this program reads {_VERSION}")
    secrets = body[len(_MAGIC) + 1 :]
    return secrets[:_SECRET], secrets[_SECRET:]


def _raised_boot(path: Path, disk: Disk) -> int:
    """One more than the file says, and the file then says so; a lost file begins at 1, which peers notice."""
    boot = 1
    with suppress(FileNotFoundError):
        data = _read(path, _BOOT_SIZE + 1)
        if len(data) != _BOOT_SIZE or zlib.crc32(data[:8]).to_bytes(4, "big") != data[8:]:
            raise damaged(path, "this is no boot counter")
        boot = int.from_bytes(data[:8], "big") + 1
        if boot > UINT_MAX:
            raise damaged(path, "this boot counter has no next number")
    body = boot.to_bytes(8, "big")
    save_whole(disk, path, body + zlib.crc32(body).to_bytes(4, "big"))
    return boot


def _read(path: Path, most: int) -> bytes:
    """As `read_plain`, and from then on for the user's eyes only."""
    data = read_plain(path, most)
    with reading(path):
        if stat.S_IMODE(path.lstat().st_mode) & 0o077:
            path.chmod(PRIVATE_FILE)
    return data
