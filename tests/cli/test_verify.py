"""`verify`: which files are judged, what is printed, and the exit code that is the verdict."""

from __future__ import annotations

import json
import os

import pytest

from sorry_lan.cli.options import Manner
from sorry_lan.cli.verify import Unreadable, read_game, run
from sorry_lan.fair.transcript import EndFrame, Ending, TableFrame, encode_file
from sorry_lan.wire.limits import MAX_JOURNAL
from tests.fair.build import table


def transcript(kinds: str = "hh") -> bytes:
    made = table("cli", kinds)
    made.to_end()
    end = EndFrame(made.ledger.k, made.ledger.head, Ending.WON)
    return encode_file([TableFrame(made.bytes, made.consents()), *made.ledger.records, end])


WHOLE = transcript()


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "game.sorry"
    path.write_bytes(WHOLE)
    return path


def test_a_game_that_holds_is_0_and_the_verdict_comes_first(game, capsys):
    assert run(str(game), Manner.PLAIN) == 0
    out, err = capsys.readouterr()
    assert out.startswith("All ")
    assert "every player had a hand in each" in out.splitlines()[0]
    assert err == ""


def test_a_changed_byte_is_6(game, capsys):
    data = bytearray(WHOLE)
    data[len(data) // 2] ^= 1
    game.write_bytes(data)
    assert run(str(game), Manner.PLAIN) == 6
    assert capsys.readouterr().out.startswith("NO, this file does not hold: ")


@pytest.mark.parametrize("cut", [1, 33, 200, len(WHOLE) // 2])
def test_a_cut_file_is_6_and_says_how_far_it_holds(game, capsys, cut):
    game.write_bytes(WHOLE[:-cut])
    assert run(str(game), Manner.PLAIN) == 6
    first = capsys.readouterr().out.splitlines()[0]
    assert "cut short" in first
    assert "It holds up to step " in first or "No step" in first


def test_something_else_is_2(game, capsys):
    game.write_bytes(b"\x7fELF" * 100)
    assert run(str(game), Manner.PLAIN) == 2
    assert "not a game file" in capsys.readouterr().out


def test_the_file_of_a_later_format_is_2_and_says_so(game, capsys):
    game.write_bytes(b"sorry-lan transcript 2\n" + WHOLE[23:])
    assert run(str(game), Manner.PLAIN) == 2
    assert "another format" in capsys.readouterr().out


def test_two_runs_say_the_same_and_the_file_is_left_alone(game, capsys):
    game.chmod(0o400)
    before = game.stat()
    run(str(game), Manner.PLAIN)
    one = capsys.readouterr().out
    run(str(game), Manner.PLAIN)
    assert capsys.readouterr().out == one
    after = game.stat()
    assert (after.st_mtime_ns, after.st_size) == (before.st_mtime_ns, before.st_size)


def refusal(path) -> str:
    with pytest.raises(Unreadable) as caught:
        read_game(str(path))
    return str(caught.value)


def test_a_missing_file_a_folder_an_empty_file_and_a_pipe_are_one_sentence_each(tmp_path):
    assert refusal(tmp_path / "no") == f"There is no file {tmp_path}/no."
    assert "is a folder" in refusal(tmp_path)
    (tmp_path / "empty").touch()
    assert refusal(tmp_path / "empty").endswith("empty is empty.")
    os.mkfifo(tmp_path / "pipe")
    assert "not a plain file" in refusal(tmp_path / "pipe")
    assert "cannot be read" in refusal(tmp_path / "empty" / "x")
    assert "cannot be read" in refusal("a\0b")


def test_a_file_larger_than_any_game_is_not_read_to_its_end(tmp_path):
    with (tmp_path / "huge").open("wb") as huge:
        huge.truncate(1 << 30)
    assert "larger than any game" in refusal(tmp_path / "huge")
    with (tmp_path / "largest").open("wb") as largest:
        largest.truncate(MAX_JOURNAL)
    assert len(read_game(str(tmp_path / "largest"))) == MAX_JOURNAL


def test_what_cannot_be_read_goes_to_standard_error_with_2(tmp_path, capsys):
    assert run(str(tmp_path / "no\x1b[2J"), Manner.PLAIN) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("sorry-lan: There is no file ")
    assert err.rstrip("\n").isprintable()


def test_json_is_one_object(game, capsys):
    assert run(str(game), Manner.JSON) == 0
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert (found["type"], found["holds"], found["outcome"], found["finding"]) == ("verdict", True, "holds", "won")
    assert len(found["players"]) == 2
    drawn = sum(sum(player["drawn"].values()) for player in found["players"])
    assert drawn == found["steps"] - 1
    assert found["text"].startswith("All ")


def test_json_of_no_game_and_of_no_file(tmp_path, game, capsys):
    game.write_bytes(b"x")
    assert run(str(game), Manner.JSON) == 2
    assert json.loads(capsys.readouterr().out)["holds"] is False
    assert run(str(tmp_path), Manner.JSON) == 2
    assert json.loads(capsys.readouterr().out)["type"] == "error"
