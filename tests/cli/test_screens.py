"""Whether there is a terminal for a screen, and what it can show."""

from __future__ import annotations

import io
import os
import pty
import signal
import sys

import pytest

from sorry_lan.app.guest import Guest
from sorry_lan.cli import bot_program, replay, screens
from sorry_lan.cli.logged_face import LoggedFace
from sorry_lan.cli.main import main
from sorry_lan.cli.options import Screen
from sorry_lan.cli.screens import screen
from sorry_lan.ui import terminal
from sorry_lan.ui.screen import ScreenFace
from tests.cli.test_verify import WHOLE


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stdin", "stdout", "term", "found"),
    [
        (Tty(), Tty(), "xterm-256color", Screen.THERE),
        (Tty(), Tty(), "linux", Screen.THERE),
        (Tty(), Tty(), "dumb", Screen.NONE),
        (Tty(), Tty(), "DUMB", Screen.NONE),
        (Tty(), Tty(), "", Screen.NONE),
        (io.StringIO(), Tty(), "xterm", Screen.NONE),
        (Tty(), io.StringIO(), "xterm", Screen.NONE),
        (None, Tty(), "xterm", Screen.NONE),
    ],
)
def test_a_screen_needs_a_terminal_on_both_sides_that_can_move_its_cursor(monkeypatch, stdin, stdout, term, found):
    monkeypatch.setattr(sys, "stdin", stdin)
    monkeypatch.setattr(sys, "stdout", stdout)
    assert screen({"TERM": term}) is found


def test_a_windows_console_needs_no_name(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Tty())
    monkeypatch.setattr(sys, "stdout", Tty())
    monkeypatch.setattr(screens.sys, "platform", "win32")
    assert screen({}) is Screen.THERE


@pytest.fixture
def on_a_terminal(monkeypatch):
    """Run a command line with a pseudo terminal as standard input and output; its exit code."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    ours, theirs = pty.openpty()
    stream = io.TextIOWrapper(os.fdopen(theirs, "r+b", buffering=0), encoding="utf-8", write_through=True)
    monkeypatch.setenv("TERM", "xterm-256color")

    def run(*words):
        monkeypatch.setattr(sys, "stdin", stream)
        monkeypatch.setattr(sys, "stdout", stream)
        return main(list(words))

    yield run
    stream.close()
    os.close(ours)
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


def test_a_table_runs_behind_a_screen_that_is_closed_whatever_happens(on_a_terminal, monkeypatch, tmp_path):
    seen = []

    def run_table(chosen, face, host):
        seen.append((chosen, face, host))
        raise ZeroDivisionError

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bot_program, "run_table", run_table)
    monkeypatch.setattr(ScreenFace, "close", lambda _face: seen.append("closed"))
    assert on_a_terminal("play", "--no-color", "--identity", str(tmp_path)) == 70
    ((_chosen, face, host), closed) = seen
    assert isinstance(face._face, LoggedFace)
    assert isinstance(host, Guest)
    assert closed == "closed"


def test_a_console_that_turns_out_to_be_none_gets_a_sentence_and_text(on_a_terminal, monkeypatch, tmp_path):
    def fails(*_):
        raise OSError("Found xterm, while expecting a Windows console.")

    monkeypatch.setattr(terminal, "PatientOutput", fails)
    monkeypatch.setattr(bot_program, "run_table", lambda *_: 42)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert on_a_terminal("play", "--identity", str(tmp_path)) == 42
    said = sys.stderr.getvalue()
    why = "Found xterm, while expecting a Windows console."
    assert said == f"sorry-lan: This terminal can show no screen ({why}), so this is text mode.\n"


@pytest.mark.parametrize("manner", ["--plain", "--json"])
def test_what_is_wrong_about_a_screen_is_told_in_every_manner(tmp_path, manner, capsys):
    assert main(["play", "--identity", str(tmp_path), manner, "--speed", "warp"]) == 2
    assert "--speed takes one of" in capsys.readouterr().err


def test_a_kept_game_without_a_screen_is_told_in_text(on_a_terminal, monkeypatch, tmp_path):
    def fails(*_):
        raise OSError("no console")

    monkeypatch.setattr(terminal, "PatientOutput", fails)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    paged = []
    monkeypatch.setattr(replay, "_page", paged.append)
    (tmp_path / "a.sorry").write_bytes(WHOLE)
    assert on_a_terminal("replay", str(tmp_path / "a.sorry")) == 0
    assert sys.stderr.getvalue() == "sorry-lan: This terminal can show no screen (no console), so this is text mode.\n"
    assert len(paged) == 1


def test_a_kept_game_runs_behind_a_screen_until_a_signal(on_a_terminal, monkeypatch, tmp_path):
    monkeypatch.setattr(screens, "run_alone", lambda _face, _host: 143)
    (tmp_path / "a.sorry").write_bytes(WHOLE)
    assert on_a_terminal("replay", str(tmp_path / "a.sorry"), "--no-animation") == 143
