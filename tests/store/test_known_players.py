"""Whom one has played with: what is noted, what is found again, and that a damaged file loses nothing."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from sorry_lan.store.disk import Disk, StoreError
from sorry_lan.store.known_players import MOST_BYTES, KnownPlayers, Player, folded, read_known, save_known
from sorry_lan.table.notices import StoreTrouble
from tests.store.build import FaultyDisk

BOB = Player(b"\x0b" * 32, "2026-11-30", "Bob")
NEW_BOB = Player(b"\xb0" * 32, "2026-12-01", "Bob")
CHLOE = Player(b"\x0c" * 32, "2026-12-02", "Chloé the 2nd")


def test_nobody_is_known_where_there_is_no_file(tmp_path: Path) -> None:
    assert read_known(tmp_path) == (KnownPlayers(), None)


def test_what_was_noted_is_found_again_with_what_people_wrote_into_it(tmp_path: Path) -> None:
    known = KnownPlayers().with_players((BOB, CHLOE))
    save_known(Disk(), tmp_path, known)
    assert read_known(tmp_path) == (known, None)
    path = tmp_path / "known_players"
    assert path.stat().st_mode & 0o777 == 0o600
    with path.open("a", encoding="utf-8") as file:
        file.write("\n# Bob's new laptop:")
    again, problem = read_known(tmp_path)
    assert problem is None
    save_known(Disk(), tmp_path, again.with_players((NEW_BOB,)))
    last, problem = read_known(tmp_path)
    assert (last.players, problem) == ((BOB, CHLOE, NEW_BOB), None)
    assert "# Bob's new laptop:\n" in path.read_text(encoding="utf-8")


def test_who_is_known_by_key_and_name() -> None:
    known = KnownPlayers().with_players((BOB, NEW_BOB, CHLOE))
    assert known.knows(BOB.key, "bob ")
    assert known.knows(NEW_BOB.key, "Bob")
    assert not known.knows(CHLOE.key, "Bob")
    assert known.knows_key(CHLOE.key)
    assert not known.knows_key(bytes(32))
    assert known.since("BOB") == "2026-11-30"
    assert known.since("Chloé the 2nd") == "2026-12-02"
    assert known.since("Dan") is None


def test_nobody_is_noted_twice_or_with_a_name_that_breaks_the_line() -> None:
    known = KnownPlayers().with_players((BOB, BOB, Player(bytes(32), "2026-12-01", "a\nb")))
    assert known.players == (BOB,)
    assert KnownPlayers((), "").with_players((BOB,)).text.startswith("0b0b")


@pytest.mark.parametrize("name", [" Eve", "   ", "Eve  ", "# Eve", "2026-11-30"])
def test_any_name_that_is_noted_is_read_again(tmp_path: Path, name: str) -> None:
    known = KnownPlayers().with_players((Player(BOB.key, BOB.since, name), CHLOE))
    save_known(Disk(), tmp_path, known)
    assert read_known(tmp_path) == (known, None)


@pytest.mark.parametrize(("one", "other"), [("Bob", "BOB"), ("Bob", " bob "), ("\ufb01", "FI"), ("\uff22ob", "bob")])
def test_names_that_people_take_for_the_same(one: str, other: str) -> None:
    assert folded(one) == folded(other)
    assert folded(one) != folded(one + "x")


@pytest.mark.parametrize("line", ["nonsense", f"{'0b' * 31} 2026-11-30 Bob", f"{'0b' * 32} 2026-11-30", "\x00"])
def test_a_damaged_file_is_told_of_and_what_can_be_read_counts(tmp_path: Path, line: str) -> None:
    path = tmp_path / "known_players"
    path.write_text(f"# mine\n\n{BOB.key.hex()} {BOB.since} {BOB.name}\n{line}\n", encoding="utf-8")
    known, problem = read_known(tmp_path)
    assert known.players == (BOB,)
    assert problem is not None
    assert (problem.trouble, problem.path, problem.reason) == (StoreTrouble.DAMAGED, str(path), "line 4")


def test_bytes_that_are_no_text_and_a_file_without_end_are_damage(tmp_path: Path) -> None:
    path = tmp_path / "known_players"
    path.write_bytes(b"\xff\xfe\n")
    assert read_known(tmp_path)[1] is not None
    path.write_bytes(b"#" * (MOST_BYTES + 1))
    known, problem = read_known(tmp_path)
    assert known == KnownPlayers()
    assert problem is not None
    assert problem.reason == "too long"


def test_what_is_no_file_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "known_players").mkdir()
    problem = read_known(tmp_path)[1]
    assert problem is not None
    assert problem.trouble is StoreTrouble.NOT_READABLE


@pytest.mark.parametrize("call", range(5))
def test_a_disk_that_fails_leaves_the_old_file(tmp_path: Path, call: int) -> None:
    before = KnownPlayers().with_players((BOB,))
    save_known(Disk(), tmp_path, before)
    with pytest.raises(StoreError) as wrong:
        save_known(FaultyDisk(call, errno.ENOSPC), tmp_path, before.with_players((CHLOE,)))
    assert wrong.value.problem.trouble is StoreTrouble.FULL
    after = read_known(tmp_path)[0]
    # Only where the new file is in place already, and its name not yet synced, may the new one be there.
    assert after == before or call == 4
    assert [path for path in tmp_path.iterdir() if path.suffix == ".new"] == []
