"""`games --stats`: what people and programs read of all kept games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sorry_lan.cli import stats
from sorry_lan.cli.dispatch import run as run_line
from sorry_lan.fair.replay import Finding
from sorry_lan.store.disk import Disk
from sorry_lan.store.identity import open_identity
from sorry_lan.table.notices import StoreProblem, StoreTrouble
from sorry_lan.ui.texts_statistics import why_skipped_text
from tests.fair.build import key_of
from tests.store.test_statistics import transcript


@pytest.fixture
def home(tmp_path: Path) -> Path:
    open_identity(tmp_path, Disk()).release()
    (tmp_path / "games").mkdir()
    return tmp_path


@pytest.fixture
def played(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two games as Ada, and a damaged file."""
    for name in ("a", "b"):
        (home / "games" / f"{name}.sorry").write_bytes(transcript(name))
    (home / "games" / "cut.sorry").write_bytes(transcript("a")[:-1])
    monkeypatch.setattr(stats, "own_keys", lambda _folder: tuple(key_of(name, 0).public for name in ("a", "b")))
    return home


def test_people_read_games_wins_bumps_cards_and_what_was_left_out(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_line(["games", "--stats", "--identity", str(played)]) == 0
    games, ada, bumps, cards, legend, left_out = capsys.readouterr().out.splitlines()
    assert games == "2 games are kept here; 2 of them played to the end."
    assert ada.startswith("Ada: 2 games, ")
    assert ada.endswith(" of 2 won (by chance alone 1.0).")
    assert " pawns of others sent back to Start, " in bumps
    assert cards.count("(") == 11
    assert legend.startswith("In brackets")
    assert left_out.startswith("Left out: cut.sorry. NO, this file does not hold: the file is cut short.")


def test_programs_read_one_object(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_line(["games", "--stats", "--json", "--identity", str(played)]) == 0
    found = json.loads(capsys.readouterr().out)
    (person,), (skipped,) = found["people"], found["skipped"]
    assert (found["v"], found["type"], found["games"], found["finished"]) == (1, "statistics", 2, 2)
    assert (person["name"], person["games"], person["wins_by_chance"]) == ("Ada", 2, 1.0)
    assert sum(person["drawn"].values()) == pytest.approx(sum(person["expected"].values()), abs=0.01)
    assert skipped["path"].endswith("cut.sorry")


def test_games_of_other_people_are_nobodys_here(
    played: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(stats, "own_keys", lambda _folder: ())
    (played / "games" / "cut.sorry").unlink()
    assert run_line(["games", "--stats", "--identity", str(played)]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["None of them was played with the keys of this identity."]


def test_no_games_are_said_to_be_none(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_line(["games", "--stats", "--identity", str(home)]) == 0
    assert capsys.readouterr().out == "No finished or saved games are kept here yet.\n"


@pytest.mark.parametrize(
    ("why", "begins"),
    [
        (Finding.NO_FIRST_LINE, "This is not a game file"),
        (Finding.OTHER_FORMAT, "This is a game file of another format"),
        (Finding.OTHER_ENGINE, "This game was played with other rules or bots"),
        (Finding.CHECKSUM, "NO, this file does not hold: the checksum is wrong"),
        (StoreProblem(StoreTrouble.NOT_READABLE, "/x", "denied"), "/x cannot be read"),
    ],
)
def test_a_file_that_was_left_out_says_why(why: Finding | StoreProblem, begins: str) -> None:
    assert why_skipped_text(why).startswith(begins)


def test_a_damaged_identity_is_9(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "identity").write_bytes(b"x")
    assert run_line(["games", "--stats", "--identity", str(home)]) == 9
    assert capsys.readouterr().err.startswith("sorry-lan: ")
