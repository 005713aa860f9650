from __future__ import annotations

import errno
import fcntl
import os
import stat
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from sorry_lan.store.disk import Disk, IdentityInUse, StoreError
from sorry_lan.store.identity import Identity, open_identity
from sorry_lan.table.notices import StoreTrouble
from sorry_lan.wire.limits import UINT_MAX
from tests.store.build import FaultyDisk


def used(folder: Path) -> Identity:
    """An identity opened and released again."""
    identity = open_identity(folder, Disk())
    identity.release()
    return identity


def trouble(folder: Path, disk: Disk | None = None) -> StoreTrouble:
    with pytest.raises(StoreError) as caught:
        open_identity(folder, disk or Disk())
    assert str(folder) in caught.value.problem.path
    return caught.value.problem.trouble


def test_an_identity_stays_the_same_and_its_boots_are_counted(tmp_path: Path) -> None:
    first, second = used(tmp_path / "a" / "b"), used(tmp_path / "a" / "b")
    assert (first.seed, first.root) == (second.seed, second.root)
    assert first.seed != first.root
    assert (first.boot, second.boot) == (1, 2)


def test_two_folders_are_two_identities(tmp_path: Path) -> None:
    assert used(tmp_path / "a").seed != used(tmp_path / "b").seed


def test_all_files_are_for_their_user_only(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    used(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {
        "identity": 0o600,
        "boot": 0o600,
        "lock": 0o600,
    }


def test_an_identity_that_others_may_read_is_closed_to_them(tmp_path: Path) -> None:
    used(tmp_path)
    (tmp_path / "identity").chmod(0o644)
    used(tmp_path)
    assert stat.S_IMODE((tmp_path / "identity").stat().st_mode) == 0o600


def test_secrets_are_not_in_the_repr(tmp_path: Path) -> None:
    identity = used(tmp_path)
    assert repr(identity.seed) not in repr(identity)
    assert repr(identity.root) not in repr(identity)


def test_a_second_start_is_refused_with_the_first_ones_number(tmp_path: Path) -> None:
    identity = open_identity(tmp_path, Disk())
    with pytest.raises(IdentityInUse) as caught:
        open_identity(tmp_path, Disk())
    assert caught.value.problem.pid == os.getpid()
    assert caught.value.problem.trouble is StoreTrouble.IN_USE
    identity.release()
    used(tmp_path)


def test_another_process_that_dies_gives_the_identity_back(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from sorry_lan.store.disk import Disk;"
        "from sorry_lan.store.identity import open_identity;"
        "open_identity(Path(sys.argv[1]), Disk()); print('ready', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"ready\n"
        with pytest.raises(IdentityInUse) as caught:
            open_identity(tmp_path, Disk())
        assert caught.value.problem.pid == other.pid
        other.kill()
        other.wait()
    assert used(tmp_path).boot == 2


def test_a_lock_without_a_number_still_locks(tmp_path: Path) -> None:
    identity = open_identity(tmp_path, Disk())
    (tmp_path / "lock").write_bytes(b"?")
    with pytest.raises(IdentityInUse) as caught:
        open_identity(tmp_path, Disk())
    assert caught.value.problem.pid is None
    identity.release()


@pytest.mark.parametrize("name", ["identity", "boot"])
def test_a_file_with_any_byte_changed_or_cut_is_refused_and_kept(tmp_path: Path, name: str) -> None:
    used(tmp_path)
    path = tmp_path / name
    whole = path.read_bytes()
    broken = [whole[:at] + bytes((whole[at] ^ 1,)) + whole[at + 1 :] for at in range(len(whole))]
    for data in (*broken, *(whole[:cut] for cut in range(len(whole))), whole + b"x"):
        path.write_bytes(data)
        assert trouble(tmp_path) is StoreTrouble.DAMAGED
        assert path.read_bytes() == data
    path.write_bytes(whole)
    used(tmp_path)


def test_an_identity_file_of_a_later_version_is_named_as_such(tmp_path: Path) -> None:
    used(tmp_path)
    path = tmp_path / "identity"
    body = bytearray(path.read_bytes()[:-4])
    body[len(b"sorry-lan identity\n")] = 2
    path.write_bytes(bytes(body) + zlib.crc32(body).to_bytes(4, "big"))
    with pytest.raises(StoreError, match="version 2"):
        open_identity(tmp_path, Disk())


@pytest.mark.parametrize(("last", "whole"), [(UINT_MAX - 1, True), (UINT_MAX, False), (2**64 - 1, False)])
def test_a_boot_counter_at_its_end_is_damaged(tmp_path: Path, last: int, *, whole: bool) -> None:
    used(tmp_path)
    body = last.to_bytes(8, "big")
    (tmp_path / "boot").write_bytes(body + zlib.crc32(body).to_bytes(4, "big"))
    if whole:
        assert used(tmp_path).boot == UINT_MAX
    else:
        assert trouble(tmp_path) is StoreTrouble.DAMAGED


def test_a_folder_or_pipe_in_the_identitys_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "identity").mkdir()
    assert trouble(tmp_path) is StoreTrouble.NOT_READABLE
    (tmp_path / "identity").rmdir()
    os.mkfifo(tmp_path / "identity")
    assert trouble(tmp_path) is StoreTrouble.DAMAGED


def test_a_link_in_the_identitys_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "identity").symlink_to(tmp_path / "elsewhere")
    assert trouble(tmp_path) is StoreTrouble.NOT_READABLE


def test_a_file_in_the_folders_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    assert trouble(tmp_path / "a") is StoreTrouble.NOT_WRITABLE
    assert trouble(tmp_path / "a" / "b") is StoreTrouble.NOT_WRITABLE


def test_a_lock_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    (tmp_path / "lock").mkdir()
    assert trouble(tmp_path) is StoreTrouble.NOT_WRITABLE


def _trouble_of(folder: Path, disk: Disk) -> StoreTrouble | None:
    try:
        open_identity(folder, disk).release()
    except StoreError as wrong:
        return wrong.problem.trouble
    return None


def test_a_full_disk_at_any_call_is_said_and_leaves_no_half_identity(tmp_path: Path) -> None:
    fail_at = 0
    while True:
        folder = tmp_path / str(fail_at)
        disk = FaultyDisk(fail_at, errno.ENOSPC, torn=5)
        found = _trouble_of(folder, disk)
        if found is None:
            break
        assert found is StoreTrouble.FULL
        assert {path.name for path in folder.iterdir()} <= {"lock", "identity", "boot"}
        used(folder)
        fail_at += 1
    assert fail_at == 2 * 5


def test_a_lock_that_the_file_system_does_not_know_is_an_error_about_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(_lock: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, "no locks here")

    monkeypatch.setattr(fcntl, "flock", unsupported)
    assert trouble(tmp_path) is StoreTrouble.NOT_WRITABLE
