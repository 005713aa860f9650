"""Ctrl-C at a real terminal: in a running game it asks first, and the second one ends the program."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from sorry_lan.store.games import GameState, kept_games

CTRL_C = b"\x03"
QUESTION = "Leave the running game?"
_OWN_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)
_PATIENCE_S = 60


class Terminal:
    """A program with a terminal of its own, so that Ctrl-C is a key and nothing else."""

    def __init__(self, *words: str) -> None:
        self._ours, theirs = pty.openpty()
        command = [sys.executable, "-c", _OWN_TERMINAL, sys.executable, "-m", "sorry_lan", *words]
        self.process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
        os.close(theirs)
        self._unread = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _wrong: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def type(self, keys: bytes) -> None:
        os.write(self._ours, keys)

    def until(self, text: str) -> str:
        """Everything that is printed up to `text`."""
        seen = self._unread
        give_up_s = time.monotonic() + _PATIENCE_S
        while text not in seen:
            assert select.select([self._ours], [], [], give_up_s - time.monotonic())[0], seen
            seen += os.read(self._ours, 4096).decode()
        seen, _text, self._unread = seen.partition(text)
        return seen

    def ended(self) -> tuple[int, str]:
        """Exit code and the rest of the output."""
        rest = self._unread
        try:
            while data := os.read(self._ours, 4096):
                rest += data.decode()
        except OSError:  # Linux's way to say that the other end of a terminal has gone
            pass
        return self.process.wait(_PATIENCE_S), rest


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[Terminal]:
    """Two people at one keyboard, the first of whom is asked to draw."""
    words = ("play", "--plain", "--name", "Ada", "--name", "Zoe", "--identity", str(tmp_path))
    with Terminal(*words) as terminal:
        terminal.until("Press Enter to draw")
        yield terminal


def test_the_second_ctrl_c_of_a_running_game_ends_with_130(playing: Terminal, tmp_path: Path) -> None:
    playing.type(CTRL_C)
    playing.until(QUESTION)
    playing.until("ends the program at once.")
    playing.type(CTRL_C)
    code, rest = playing.ended()
    assert code == 130
    assert "Traceback" not in rest
    (game,) = kept_games(tmp_path / "games")
    assert (game.state, game.can_go_on) == (GameState.INTERRUPTED, True)


@pytest.mark.parametrize(("word", "state"), [(b"q", GameState.LEFT), (b"leave", GameState.LEFT_FOR_GOOD)])
def test_a_word_leaves_for_now_or_for_good(playing: Terminal, tmp_path: Path, word: bytes, state: GameState) -> None:
    playing.type(CTRL_C)
    playing.until(QUESTION)
    playing.type(word + b"\n")
    code, rest = playing.ended()
    assert code == 0
    assert "Bye." in rest
    (game,) = kept_games(tmp_path / "games")
    assert game.state is state


def test_who_stays_plays_on_and_the_next_ctrl_c_asks_again(playing: Terminal) -> None:
    playing.type(CTRL_C)
    playing.until(QUESTION)
    playing.type(b"\n")
    assert " drew " not in playing.until("You stay.")
    playing.type(b"\n")
    playing.until(" drew ")
    playing.type(CTRL_C)
    playing.until(QUESTION)
    playing.type(CTRL_C)
    assert playing.ended()[0] == 130


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_other_signals_ask_nothing(playing: Terminal, number: signal.Signals, code: int) -> None:
    playing.process.send_signal(number)
    found, rest = playing.ended()
    assert found == code
    assert QUESTION not in rest


def test_in_the_lobby_the_first_ctrl_c_ends_with_130(tmp_path: Path) -> None:
    with Terminal("host", "--plain", "--name", "Ada", "--port", "0", "--identity", str(tmp_path)) as terminal:
        terminal.until("The table is open")
        terminal.until("Still open")
        terminal.type(CTRL_C)
        code, rest = terminal.ended()
    assert code == 130
    assert QUESTION not in rest


def test_a_program_is_asked_nothing(tmp_path: Path) -> None:
    words = ("play", "--json", "--name", "Ada", "--name", "Zoe", "--identity", str(tmp_path))
    with Terminal(*words) as terminal:
        terminal.until('"type":"prompt"')
        terminal.type(CTRL_C)
        code, rest = terminal.ended()
    assert code == 130
    assert QUESTION not in rest
