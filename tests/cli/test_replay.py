"""`replay`: what is shown of a file, to whom, and the exit code that is the verdict."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from sorry_lan.cli.dispatch import run as run_line
from sorry_lan.cli.options import Manner
from sorry_lan.cli.replay import run
from sorry_lan.fair.transcript import Ending, encode_file
from tests.cli.test_verify import WHOLE
from tests.fair.build import table
from tests.fair.next_table import frames
from tests.ui.schema import check_line


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "2026-11-29-fridays-table.sorry"
    path.write_bytes(WHOLE)
    return path


class Terminal(io.TextIOWrapper):
    """A standard stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def typed(monkeypatch):
    """Sit at a terminal and type; what was printed."""

    def at_terminal(text: str, path) -> tuple[int, list[str]]:
        out = io.BytesIO()
        monkeypatch.setattr(sys, "stdin", Terminal(io.BytesIO(text.encode()), encoding="utf-8"))
        monkeypatch.setattr(sys, "stdout", Terminal(out, encoding="utf-8"))
        code = run(str(path), Manner.PLAIN)
        sys.stdout.flush()
        return code, out.getvalue().decode().splitlines()

    return at_terminal


def test_without_a_terminal_the_whole_game_is_printed(game, capsys):
    assert run_line(["replay", str(game), "--plain"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].startswith("All ")
    assert lines[1].startswith("0. The game begins: ")
    assert lines[-1] == "The end is confirmed by all."
    assert (err, "\x1b" in out) == ("", False)


def test_at_a_terminal_lines_are_answered_until_q(game, typed):
    code, lines = typed("\n\n5\nq\n\n", game)
    assert code == 0
    assert [text.split(".")[0] for text in lines if text[0].isdigit()] == ["0", "1", "5"]
    assert lines[-1] == "Bye."


def test_at_a_terminal_the_end_of_input_quits(game, typed):
    code, lines = typed("\n", game)
    assert code == 0
    assert [text.split(".")[0] for text in lines if text[0].isdigit()] == ["0"]


def test_a_line_that_is_no_text_and_one_without_end_are_only_unknown(game, monkeypatch):
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", Terminal(io.BytesIO(b"\xff\n" + b"9" * 9000 + b"\nq\n"), encoding="utf-8"))
    monkeypatch.setattr(sys, "stdout", Terminal(out, encoding="utf-8"))
    assert run(str(game), Manner.PLAIN) == 0
    sys.stdout.flush()
    assert out.getvalue().decode().splitlines()[-1] == "Bye."


def test_json_is_the_vocabulary_of_a_running_table_and_the_verdict_last(game, capsys):
    assert run_line(["replay", str(game), "--json"]) == 0
    *told, last = capsys.readouterr().out.splitlines()
    lines = [check_line(line) for line in told]
    assert [line["type"] for line in lines[:3]] == ["hello", "started", "lot"]
    assert lines[1]["title"] == "2026-11-29-fridays-table"
    assert [line["type"] for line in lines[-2:]] == ["won", "confirmed"]
    assert [line["k"] for line in lines if line["type"] == "played"] == list(range(1, lines[-2]["k"] + 1))
    verdict = json.loads(last)
    assert (verdict["type"], verdict["holds"], verdict["steps"]) == ("verdict", True, lines[-2]["k"] + 1)


def test_a_damaged_file_is_shown_as_far_as_it_holds_and_is_6(game, capsys):
    data = bytearray(WHOLE)
    data[len(data) // 2] ^= 1
    game.write_bytes(data)
    assert run(str(game), Manner.PLAIN) == 6
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("NO, this file does not hold: ")
    up_to = int(lines[0].rsplit(" ", 1)[1].rstrip("."))
    assert [int(text.split(".")[0]) for text in lines if text[0].isdigit()] == list(range(up_to + 1))
    assert run(str(game), Manner.JSON) == 6
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["k"] for line in lines if line["type"] == "played"] == list(range(1, up_to + 1))
    assert lines[-1]["holds"] is False


def test_a_win_that_not_all_confirmed_is_10_and_a_file_without_steps_says_only_what_it_is(game, capsys):
    made = table("cli", "hh")
    made.to_win()
    last = made.ledger.counted_record()
    *whole, end = frames([made], Ending.WON)
    end = replace(end, k=last.k + 1, head=made.ledger.applied_of(last.k).head)
    game.write_bytes(encode_file([*whole, last, end]))
    assert run(str(game), Manner.PLAIN) == 10
    assert "is not confirmed by " in capsys.readouterr().out.splitlines()[-1]
    game.write_bytes(encode_file(frames([table("cli", "hh")])))
    assert run(str(game), Manner.PLAIN) == 0
    assert "not finished" in capsys.readouterr().out.splitlines()[0]


def test_with_ascii_names_come_as_visible_escapes(tmp_path, capsys):
    made = table("Zoë", "hh")
    made.terms = replace(made.terms, seats=(replace(made.terms.seats[0], name="Zoë"), made.terms.seats[1]))
    made.__post_init__()
    made.to_end()
    path = tmp_path / "x.sorry"
    path.write_bytes(encode_file(frames([made], Ending.WON)))
    assert run_line(["replay", str(path)]) == 0
    assert "Zoë (Red)" in capsys.readouterr().out
    assert run_line(["replay", str(path), "--ascii", "--language", "de"]) == 0
    out = capsys.readouterr().out
    assert out.isascii()
    assert "Zo\\xeb (Rot)" in out
    assert run_line(["replay", str(path)]) == 0


def test_what_is_no_game_file_is_2(tmp_path, capsys):
    path = tmp_path / "x"
    path.write_bytes(b"\x7fELF")
    assert run(str(path), Manner.PLAIN) == 2
    assert capsys.readouterr().out == "This is not a game file of sorry-lan.\n"
    assert run(str(path), Manner.JSON) == 2
    assert [json.loads(line)["type"] for line in capsys.readouterr().out.splitlines()] == ["hello", "verdict"]
    assert run(str(tmp_path / "no\x1b"), Manner.PLAIN) == 2
    assert capsys.readouterr().err.startswith("sorry-lan: There is no file ")
    assert run(str(tmp_path), Manner.JSON) == 2
    assert [json.loads(line)["type"] for line in capsys.readouterr().out.splitlines()] == ["hello", "error"]


def test_a_reader_that_stops_early_does_not_change_the_verdict(game):
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "sorry_lan", "replay", str(game)]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_file_is_needed(capsys):
    assert run_line(["replay"]) == 2
    assert "replay needs a file behind it." in capsys.readouterr().err
