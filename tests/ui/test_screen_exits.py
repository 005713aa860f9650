"""Every way out of the full screen, on a real pseudo terminal: the exit code, and the terminal as it was (U50)."""

from __future__ import annotations

import shlex
import signal
import sys
from pathlib import Path

import pytest

from tests.cli.test_verify import WHOLE
from tests.ui.tty import SOON_S, Left, Tty, play

ON_SCREEN = "Ada's table"


@pytest.fixture
def game(tmp_path: Path) -> list[str]:
    return play(tmp_path)


def left(words: list[str], *steps: bytes | signal.Signals | str) -> Left:
    """Run, wait for the game, do the steps (keys, signals, texts to wait for), and look at the end."""
    with Tty(words) as tty:
        tty.sees(ON_SCREEN)
        for step in steps:
            if isinstance(step, str):
                tty.sees(step)
            elif isinstance(step, signal.Signals):
                tty.kill(step)
            else:
                tty.key(step)
        return tty.end()


ASKED = "Leave the running game?"


@pytest.mark.parametrize(
    ("steps", "code"),
    [
        pytest.param((b"\x03", ASKED, b"n"), 0, id="for now"),
        pytest.param((b"\x03", ASKED, b"g"), 0, id="for good"),
        pytest.param((b"\x03", ASKED, b"\x03"), 130, id="Ctrl-C twice"),
        pytest.param((signal.SIGINT, ASKED, signal.SIGINT), 130, id="SIGINT twice"),
        pytest.param((b"\x03", ASKED, signal.SIGINT), 130, id="Ctrl-C, then SIGINT"),
        pytest.param((b"\x04",), 0, id="end of input"),
        pytest.param((signal.SIGTERM,), 143, id="SIGTERM"),
        pytest.param((signal.SIGHUP,), 129, id="SIGHUP"),
        pytest.param((signal.SIGTERM, signal.SIGTERM, signal.SIGINT), 143, id="SIGTERM and more"),
    ],
)
def test_each_way_out_has_its_code_and_leaves_the_terminal_as_it_was(
    game: list[str], steps: tuple[bytes | signal.Signals | str, ...], code: int
) -> None:
    end = left(game, *steps)
    assert (end.code, end.clean) == (code, True), end


@pytest.mark.parametrize("where", ["key", "drawing", "task"])
def test_a_bug_anywhere_is_one_sentence_with_the_log_on_a_terminal_in_order(tmp_path: Path, where: str) -> None:
    words = play(tmp_path, module="tests.ui.broken")
    end = left([*words[:3], where, *words[3:]], b"x")
    assert (end.code, end.clean) == (70, True), end
    assert "sorry-lan: This is a bug in sorry-lan. Please report it with the log in /" in end.after
    assert "Traceback" not in end.after
    log = Path(end.after.rpartition(" ")[2])
    assert "ZeroDivisionError: planted" in log.read_text()


def test_a_window_that_is_closed_ends_the_program(game: list[str]) -> None:
    with Tty(game) as tty:
        tty.sees(ON_SCREEN)
        tty.vanish()
        assert tty.process.wait(SOON_S) == 129


def test_a_window_that_is_closed_ends_the_program_even_where_hang_ups_are_ignored(game: list[str]) -> None:
    with Tty(["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *game]) as tty:
        tty.sees(ON_SCREEN)
        tty.vanish()
        assert tty.process.wait(SOON_S) == 0


def test_after_the_end_the_normal_screen_says_how_to_go_on(game: list[str]) -> None:
    assert "sorry-lan resume" in left(game, b"\x03", ASKED, b"n").after


def test_trouble_before_there_is_a_table_stands_on_the_normal_screen(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "sorry_lan", "join", "127.0.0.1:1", "--open", "--identity", str(tmp_path)]
    with Tty(words) as tty:
        end = tty.end()
    assert (end.code, end.clean) == (4, True), end
    assert "127.0.0.1:1 answers, but nobody hosts a table at that port." in end.after


def test_a_dumb_terminal_gets_text_without_one_escape(game: list[str]) -> None:
    with Tty(game, environment={"TERM": "dumb"}) as tty:
        tty.sees("The game begins")
        tty.key(b"\x04")
        assert tty.end().code == 0
        assert b"\x1b" not in tty.raw


def test_ctrl_z_gives_the_terminal_back_and_fg_takes_the_game_up_again(game: list[str]) -> None:
    with Tty(["bash", "--norc", "--noprofile", "-i"], environment={"PS1": "ready> ", "HISTFILE": ""}) as tty:
        tty.sees("ready>")
        tty.key(shlex.join(game).encode() + b"; echo code=$?\r")
        tty.sees(ON_SCREEN)
        before = len(tty.raw)
        tty.key(b"\x1a")
        tty.until(lambda: b"Stopped" in tty.raw[before:])
        given_back = tty.raw[before:].partition(b"Stopped")[0]
        for switched_off in (b"\x1b[?1049l", b"\x1b[?2004l", b"\x1b[?25h"):
            assert switched_off in given_back
        tty.key(b"echo still $((6 * 7)) here\r")
        tty.sees("still 42 here")
        before = len(tty.raw)
        tty.key(b"fg\r")
        tty.until(lambda: b"\x1b[?1049h" in tty.raw[before:])
        tty.sees(ON_SCREEN)
        tty.key(b"\x03")
        tty.sees(ASKED)
        tty.key(b"n")
        tty.sees("go on with: sorry-lan resume")
        tty.key(b"exit\r")
        assert tty.end().clean


def test_a_kept_game_is_replayed_on_the_screen_and_its_verdict_stands_there_afterwards(tmp_path: Path) -> None:
    kept = tmp_path / "a.sorry"
    kept.write_bytes(WHOLE)
    with Tty([sys.executable, "-m", "sorry_lan", "replay", str(kept)]) as tty:
        tty.sees("Step 0 of")
        tty.press(b"\x1b[C", "Step 1 of")
        tty.key(b"q")
        end = tty.end()
    assert (end.code, end.clean) == (0, True)
    assert end.after.startswith("All ")


def test_a_replay_that_is_interrupted_says_so(tmp_path: Path) -> None:
    kept = tmp_path / "a.sorry"
    kept.write_bytes(WHOLE)
    with Tty([sys.executable, "-m", "sorry_lan", "replay", str(kept)]) as tty:
        tty.sees("Step 0 of")
        tty.key(b"\x03")
        end = tty.end()
    assert (end.code, end.clean) == (130, True)
