from __future__ import annotations

import errno
import os
import stat
import zlib
from pathlib import Path

import pytest

from sorry_lan.faults import LocalMisuse
from sorry_lan.store.disk import Disk, StoreError
from sorry_lan.store.games import mended
from sorry_lan.store.journal import JournalRecord, Journals, decode_records, encode_record, read_journal
from sorry_lan.table.commands import JournalKind, Sync
from sorry_lan.table.notices import StoreTrouble
from sorry_lan.wire import limits
from sorry_lan.wire.codec import encode
from tests.store.build import GAME, FaultyDisk, append, written

PAYLOADS = (b"one", b"two" * 30, b"", b"four")


def payloads(path: Path) -> tuple[bytes, ...]:
    return tuple(record.payload for record in read_journal(path))


def test_what_was_appended_is_read_back_in_order(tmp_path: Path) -> None:
    assert payloads(written(tmp_path, *PAYLOADS)) == PAYLOADS


def test_a_record_keeps_its_kind(tmp_path: Path) -> None:
    journals = Journals(tmp_path, Disk())
    journals.add([append(b"x", kind=JournalKind.HEADER)])
    journals.close()
    assert read_journal(journals.path(GAME)) == (JournalRecord(JournalKind.HEADER, b"x"),)


def test_journals_are_private_files_below_the_identity(tmp_path: Path) -> None:
    of_game = written(tmp_path, b"x")
    own = written(tmp_path, b"y", game=None)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (of_game, own)] == [0o600, 0o600]
    assert own.parent == tmp_path
    assert of_game.parent.parent == tmp_path


def test_a_journal_that_is_not_there_has_no_records(tmp_path: Path) -> None:
    assert read_journal(tmp_path / "journal") == ()


def test_a_journal_cut_at_any_byte_keeps_every_whole_record_and_goes_on(tmp_path: Path) -> None:
    path = written(tmp_path, *PAYLOADS)
    whole = path.read_bytes()
    ends = [0]
    for payload in PAYLOADS:
        ends.append(ends[-1] + len(encode_record(JournalKind.OWN_ENTRY, payload)))
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        kept = PAYLOADS[: sum(end <= cut for end in ends[1:])]
        assert payloads(path) == kept
        written(tmp_path, b"next")
        assert payloads(path) == (*kept, b"next")


def test_damage_before_the_last_record_is_refused_and_the_file_kept(tmp_path: Path) -> None:
    path = written(tmp_path, *PAYLOADS)
    whole = path.read_bytes()
    last = len(encode_record(JournalKind.OWN_ENTRY, PAYLOADS[-1]))
    for at in range(len(whole) - last):
        broken = bytearray(whole)
        broken[at] ^= 1
        path.write_bytes(broken)
        with pytest.raises(StoreError) as caught:
            read_journal(path)
        assert caught.value.problem.trouble is StoreTrouble.DAMAGED
        with pytest.raises(StoreError):
            written(tmp_path, b"next")
        assert path.read_bytes() == broken


@pytest.mark.parametrize(
    "body", [encode((99, b"x")), encode((1, 2)), encode(7), b"\xc1", encode((JournalKind.HEADER, b"x", 1))]
)
def test_a_record_of_another_program_is_refused(tmp_path: Path, body: bytes) -> None:
    data = len(body).to_bytes(4, "big") + zlib.crc32(body).to_bytes(4, "big") + body
    with pytest.raises(StoreError, match="unknown record"):
        decode_records(data, tmp_path)


def test_a_file_longer_than_a_journal_can_be_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, b"x")
    with path.open("r+b") as file:
        file.truncate(limits.MAX_JOURNAL + 1)
    for use in (lambda: read_journal(path), lambda: written(tmp_path, b"y")):
        with pytest.raises(StoreError, match="longer"):
            use()


def test_a_full_journal_takes_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_JOURNAL", 100)
    journals = Journals(tmp_path, Disk())
    journals.add([append(bytes(60))])
    journals.flush(Sync.NOW)
    journals.add([append(bytes(60))])
    with pytest.raises(StoreError) as caught:
        journals.flush(Sync.NOW)
    assert caught.value.problem.trouble is StoreTrouble.FULL


def test_a_payload_that_no_record_holds_is_our_own_mistake(tmp_path: Path) -> None:
    with pytest.raises(LocalMisuse):
        Journals(tmp_path, Disk()).add([append(bytes(limits.MAX_BLOB + 1))])


def test_many_records_of_one_flush_cost_one_write_and_one_sync(tmp_path: Path) -> None:
    disk = FaultyDisk()
    journals = Journals(tmp_path, disk)
    journals.add([append(b"first")])
    journals.flush(Sync.NOW)
    disk.log.clear()
    journals.add(append(bytes([n])) for n in range(50))
    journals.flush(Sync.NOW)
    assert disk.log == ["write", "sync"]


def test_a_flush_for_later_writes_and_a_later_sync_covers_it(tmp_path: Path) -> None:
    disk = FaultyDisk()
    journals = Journals(tmp_path, disk)
    journals.add([append(b"a")])
    journals.flush(Sync.LATER)
    assert "sync" not in disk.log
    assert payloads(journals.path(GAME)) == (b"a",)
    journals.flush(Sync.NOW)
    assert disk.log[-1] == "sync"
    disk.log.clear()
    journals.flush(Sync.NOW)
    assert disk.log == []


def _trouble_of(journals: Journals, sync: Sync) -> StoreTrouble | None:
    try:
        journals.flush(sync)
    except StoreError as wrong:
        return wrong.problem.trouble
    return None


@pytest.mark.parametrize("torn", [0, 1, 9, 30])
@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC])
def test_whatever_call_fails_nothing_is_lost_or_doubled(tmp_path: Path, torn: int, number: int) -> None:
    fail_at = 0
    while True:
        folder = tmp_path / str(fail_at)
        disk = FaultyDisk(fail_at, number, torn)
        journals = Journals(folder, disk)
        failures = 0
        for payload in PAYLOADS:
            journals.add([append(payload), append(payload, game=None)])
            for sync in (Sync.LATER, Sync.NOW):
                found = _trouble_of(journals, sync)
                if found is not None:
                    failures += 1
                    assert (found is StoreTrouble.FULL) == (number == errno.ENOSPC)
                    journals.flush(sync)
        journals.close()
        assert payloads(journals.path(GAME)) == payloads(journals.path(None)) == PAYLOADS
        if not failures:
            break
        fail_at += 1
    assert fail_at > 20


def test_after_a_failed_sync_the_bytes_are_written_again_before_the_next(tmp_path: Path) -> None:
    disk = FaultyDisk()
    journals = Journals(tmp_path, disk)
    journals.add([append(b"a")])
    journals.flush(Sync.LATER)
    disk.fail_at = disk.calls
    with pytest.raises(StoreError):
        journals.flush(Sync.NOW)
    disk.log.clear()
    journals.flush(Sync.NOW)
    assert disk.log == ["open", "truncate", "write", "sync"]


def test_closing_syncs_what_was_left_for_later(tmp_path: Path) -> None:
    disk = FaultyDisk()
    journals = Journals(tmp_path, disk)
    journals.add([append(b"a")])
    journals.flush(Sync.LATER)
    journals.close()
    assert disk.log[-1] == "sync"


def test_a_disk_that_takes_no_bytes_is_an_error_and_not_an_endless_loop(tmp_path: Path) -> None:
    class Deaf(Disk):
        def write(self, descriptor: int, data: bytes) -> int:  # noqa: ARG002
            return 0

    journals = Journals(tmp_path, Deaf())
    journals.add([append(b"a")])
    with pytest.raises(StoreError):
        journals.flush(Sync.NOW)


def test_a_pipe_in_the_place_of_a_journal_is_damage_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreError) as caught:
        read_journal(tmp_path / "pipe")
    assert caught.value.problem.trouble is StoreTrouble.DAMAGED
    aside = mended(Disk(), tmp_path / "pipe")
    assert aside is not None
    assert aside.is_fifo()
    assert read_journal(tmp_path / "pipe") == ()


def test_however_many_games_follow_each_other_few_files_are_open_and_each_can_go_on(tmp_path: Path) -> None:
    class Counting(Disk):
        def __init__(self) -> None:
            self.open_now: set[int] = set()

        def open(self, path: Path, flags: int) -> int:
            descriptor = super().open(path, flags)
            self.open_now.add(descriptor)
            return descriptor

        def close(self, descriptor: int) -> None:
            self.open_now.remove(descriptor)
            super().close(descriptor)

    disk = Counting()
    journals = Journals(tmp_path, disk)
    games = [bytes((number,)) * 32 for number in range(20)]
    for number, game in enumerate(games):
        journals.add([append(b"begun", None), append(b"first", game)])
        journals.flush(Sync.LATER if number % 2 else Sync.NOW)
        assert len(disk.open_now) <= 5
    journals.add([append(b"second", game) for game in games])
    journals.flush(Sync.NOW)
    assert len(disk.open_now) <= 4
    assert {payloads(journals.path(game)) for game in games} == {(b"first", b"second")}
    assert payloads(journals.path(None)) == (b"begun",) * 20
    journals.close()
    assert not disk.open_now
