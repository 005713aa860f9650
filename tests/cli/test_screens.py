"""Whether there is a terminal for a screen, and what it can show."""

from __future__ import annotations

import io
import sys

import pytest

from sorry_lan.cli import screens
from sorry_lan.cli.options import Screen
from sorry_lan.cli.screens import screen


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
