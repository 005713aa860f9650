"""The numbers of a folder of games: each game once, what was counted before not again, damaged files named."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

import pytest

from sorry_lan.fair.replay import Finding
from sorry_lan.fair.transcript import Ending, encode_file
from sorry_lan.store import statistics
from sorry_lan.store.disk import Disk, StoreError
from sorry_lan.store.identity import open_identity, own_keys
from sorry_lan.store.statistics import MEMORY, counted
from sorry_lan.table.notices import StoreTrouble
from sorry_lan.wire.keys import person_key
from tests.fair.build import table
from tests.fair.next_table import frames
from tests.store.build import FaultyDisk


@cache
def transcript(name: str) -> bytes:
    made = table(name, "hh")
    made.to_end()
    return encode_file(frames([made], Ending.WON))


@cache
def begun(name: str) -> bytes:
    made = table(name, "hh")
    for _ in range(4):
        made.step()
    return encode_file(frames([made]))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.sorry").write_bytes(transcript("a"))
    (tmp_path / "b.sorry").write_bytes(transcript("b"))
    return tmp_path


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Everything that is told anew."""
    seen: list[bytes] = []
    real = statistics.retold
    monkeypatch.setattr(statistics, "retold", lambda data: (seen.append(data), real(data))[1])
    return seen


def test_every_game_is_counted_and_other_files_are_not(folder: Path) -> None:
    (folder / "c-evidence.sorry").write_bytes(b"x")
    (folder / "notes.txt").write_bytes(b"x")
    found = counted(folder, Disk())
    assert len(found.games) == 2
    assert found.skipped == ()
    assert all(game.winner is not None and game.turns > 3 for game in found.games)


def test_what_was_counted_is_not_read_again_until_it_changes(folder: Path, reads: list[bytes]) -> None:
    first = counted(folder, Disk())
    assert len(reads) == 2
    assert counted(folder, Disk()) == first
    assert len(reads) == 2
    (folder / "b.sorry").write_bytes(transcript("c"))
    os.utime(folder / "b.sorry", ns=(5, 5))
    again = counted(folder, Disk())
    assert (len(reads), len(again.games)) == (3, 2)
    assert again != first
    (folder / "a.sorry").unlink()
    assert len(counted(folder, Disk()).games) == 1
    assert list(json.loads((folder / MEMORY).read_text())["files"]) == ["b.sorry"]


def test_a_game_that_was_saved_and_went_on_later_counts_once(folder: Path) -> None:
    for name in ("0.sorry", "z.sorry"):
        (folder / name).write_bytes(begun("a"))
    games = counted(folder, Disk()).games
    assert len(games) == 2
    assert all(game.winner is not None for game in games)


def test_damaged_files_are_named_with_their_reason_and_the_others_counted(folder: Path) -> None:
    (folder / "cut.sorry").write_bytes(transcript("a")[:-5])
    (folder / "huge.sorry").write_bytes(b"x")
    with (folder / "huge.sorry").open("r+b") as huge:
        huge.truncate(1 << 30)
    (folder / "link.sorry").symlink_to(folder / "a.sorry")
    found = counted(folder, Disk())
    assert len(found.games) == 2
    cut, huge, link = found.skipped
    assert (cut.path.name, cut.why) == ("cut.sorry", Finding.CUT_SHORT)
    assert huge.why is Finding.OTHER_FORMAT
    assert link.why.trouble is StoreTrouble.NOT_READABLE


def test_a_file_that_goes_while_it_is_counted_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = statistics.read_plain

    def too_late(path: Path, most: int) -> bytes:
        path.unlink(missing_ok=True)
        return real(path, most)

    monkeypatch.setattr(statistics, "read_plain", too_late)
    found = counted(folder, Disk())
    assert (found.games, [skipped.path.name for skipped in found.skipped]) == ((), ["a.sorry", "b.sorry"])


GOOD = [1, 1, "00", [0] * 11, 0, [["Ada", "00" * 32, [0] * 11, 0, 0]]]


def spoilt(at: int, value: object) -> list[object]:
    return [value if place == at else part for place, part in enumerate(GOOD)]


@pytest.mark.parametrize(
    "memory",
    [
        b"", b"\xff", b"[]", b"{}", b"[" * 100_000,
        *(json.dumps(value).encode() for value in (
            {"format": 2, "files": {}}, {"format": 1}, {"format": 1, "files": []}, {"format": 1, "files": {"a": 5}},
        )),
        *(json.dumps({"format": 1, "files": {"a.sorry": line}}).encode() for line in (
            GOOD[:-1], spoilt(0, -1), spoilt(0, "1"), spoilt(2, "x"), spoilt(3, [0]), spoilt(3, 0), spoilt(4, 1),
            spoilt(5, []), spoilt(5, [["Ada"]]), spoilt(5, GOOD[5] * 5), spoilt(5, 7),
            spoilt(5, [["Ada", "00", [0] * 11, 0, 0]]), spoilt(5, [[5, "00" * 32, [0] * 11, 0, 0]]),
        )),
    ],
)  # fmt: skip
def test_a_memory_that_is_not_ours_is_forgotten(folder: Path, reads: list[bytes], memory: bytes) -> None:
    (folder / MEMORY).write_bytes(memory)
    assert len(counted(folder, Disk()).games) == 2
    assert len(reads) == 2
    counted(folder, Disk())
    assert len(reads) == 2


def test_a_remembered_game_with_a_deck_of_no_cards_is_counted_anew(folder: Path, reads: list[bytes]) -> None:
    first = counted(folder, Disk())
    memory = json.loads((folder / MEMORY).read_text())
    memory["files"]["a.sorry"][3] = [0] * 11
    (folder / MEMORY).write_text(json.dumps(memory))
    assert counted(folder, Disk()) == first
    assert len(reads) == 4


def test_a_memory_that_cannot_be_written_is_not_missed(folder: Path) -> None:
    assert len(counted(folder, FaultyDisk(0)).games) == 2
    assert not (folder / MEMORY).exists()


def test_a_folder_that_is_not_there_has_no_games_and_gets_no_memory(tmp_path: Path) -> None:
    assert counted(tmp_path / "nowhere", Disk()).games == ()
    assert not (tmp_path / "nowhere").exists()


def test_the_own_keys_are_those_of_the_identity_and_reading_them_locks_nothing(tmp_path: Path) -> None:
    assert own_keys(tmp_path) == ()
    assert list(tmp_path.iterdir()) == []
    identity = open_identity(tmp_path, Disk())
    try:
        assert own_keys(tmp_path) == tuple(person_key(identity.seed, person).public for person in range(4))
    finally:
        identity.release()
    (tmp_path / "identity").write_bytes(b"x")
    with pytest.raises(StoreError):
        own_keys(tmp_path)
