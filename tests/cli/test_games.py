"""`games`: a line for each saved game, for people and for programs, and what can be done about it."""

from __future__ import annotations

import json
import os
import pwd
import zlib
from pathlib import Path

import pytest

from sorry_lan.cli.arguments import parse
from sorry_lan.cli.dispatch import run as run_line
from sorry_lan.cli.games import game_text, run, state_text
from sorry_lan.store.games import GameState, KeptGame
from tests.store.test_kept_games import game_id, journal
from tests.table.build import seed_bytes

DAMAGED = "a" * 64


@pytest.fixture
def home(tmp_path: Path) -> Path:
    games = tmp_path / "games"
    games.mkdir()
    os.utime(journal(games), (2_000_000_000, 2_000_000_000))
    (games / f"{DAMAGED}.journal").write_bytes(b"")
    os.utime(games / f"{DAMAGED}.journal", (5, 5))
    identity_of(tmp_path, 1)
    return tmp_path


def identity_of(folder: Path, number: int) -> None:
    """The identity of a person of the table tests."""
    body = b"sorry-lan identity\n\x01" + seed_bytes("key", number) + seed_bytes("root", number)
    (folder / "identity").write_bytes(body + zlib.crc32(body).to_bytes(4, "big"))


def test_people_read_who_played_how_far_and_how_to_go_on(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_line(["games", "--identity", str(home)]) == 0
    whole, damaged = capsys.readouterr().out.splitlines()
    short = game_id().hex()[:8]
    assert whole.startswith(f"{short}  2033-05-1")
    assert whole.endswith(f"Interrupted; go on with: sorry-lan resume {short}")
    assert "Bob and Eve, step " in whole
    assert "damaged" in damaged


def test_a_game_of_another_identity_is_not_offered(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    identity_of(home, 2)
    assert run(parse(["games", "--json", "--identity", str(home)]), {}) == 0
    whole = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (whole["state"], whole["can_go_on"]) == ("foreign", False)
    assert whole["text"].endswith("Played with another identity; only that one can go on with it.")


def test_a_damaged_identity_is_one_sentence_and_9(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "identity").write_bytes(b"x")
    assert run(parse(["games", "--identity", str(home)]), {}) == 9
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


def test_programs_read_objects(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(parse(["games", "--json", "--identity", str(home)]), {}) == 0
    whole, damaged = map(json.loads, capsys.readouterr().out.splitlines())
    assert (whole["game"], whole["state"], whole["can_go_on"]) == (game_id().hex(), "interrupted", True)
    assert sorted(player["name"] for player in whole["players"]) == ["Bob", "Eve"]
    assert whole["k"] > 0
    assert (damaged["state"], damaged["can_go_on"], damaged["players"]) == ("damaged", False, [])


@pytest.mark.parametrize("changed_s", [1e12, -1e12, 9e18])
def test_a_file_from_a_year_that_no_calendar_has_is_listed_all_the_same(changed_s: float) -> None:
    assert game_text(KeptGame(game_id(), Path("x"), changed_s, GameState.WON, None)).split()[1] == "?"


def test_no_games_are_said_to_be_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(parse(["games", "--identity", str(tmp_path)]), {}) == 0
    assert capsys.readouterr().out == "There are no saved games here.\n"


def test_a_folder_that_nobody_knows_is_9(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    assert run(parse(["games"]), {}) == 9
    assert "sorry-lan: " in capsys.readouterr().err


def test_each_state_has_its_sentence() -> None:
    texts = {state_text(KeptGame(game_id(), Path("x"), 0, state, None)) for state in GameState}
    assert len(texts) == len(GameState)
