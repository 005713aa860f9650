"""sorry-lan without a command on a terminal: the screen that asks, and the command that follows, in one process."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from tests.ui.tty import Tty

ASKS = "Host a game"


def started(*flags: str, folder: Path, term: str = "xterm-256color") -> Tty:
    """The program with a state folder of its own."""
    place = {"HOME": str(folder), "XDG_STATE_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "USER": "Ada"}
    return Tty([sys.executable, "-m", "sorry_lan", *flags], environment=place | {"TERM": term})


@pytest.mark.parametrize(
    ("step", "code"),
    [
        pytest.param(b"q", 0, id="q"),
        pytest.param(b"\x1b", 0, id="Esc"),
        pytest.param(b"\x04", 0, id="end of input"),
        pytest.param(b"\x03", 130, id="Ctrl-C"),
        pytest.param(signal.SIGTERM, 143, id="SIGTERM"),
        pytest.param(signal.SIGHUP, 129, id="SIGHUP"),
    ],
)
def test_each_way_out_of_the_start_screen_leaves_the_terminal_as_it_was(
    tmp_path: Path, step: bytes | signal.Signals, code: int
) -> None:
    with started(folder=tmp_path) as tty:
        tty.sees(ASKS)
        if isinstance(step, bytes):
            tty.key(step)
        else:
            tty.kill(step)
        end = tty.end()
    assert (end.code, end.clean) == (code, True), end


def test_play_leads_into_a_game_that_still_hears_signals(tmp_path: Path) -> None:
    with started(folder=tmp_path) as tty:
        tty.sees(ASKS)
        tty.key(b"p")
        tty.sees("Ada's table")
        tty.kill(signal.SIGTERM)
        end = tty.end()
    assert (end.code, end.clean) == (143, True), end


def test_the_saved_games_are_listed_on_the_normal_screen(tmp_path: Path) -> None:
    with started(folder=tmp_path) as tty:
        tty.sees(ASKS)
        tty.key(b"g")
        end = tty.end()
    assert end.code == 0
    assert "There are no saved games here." in end.after


def test_flags_hold_for_the_command_as_well(tmp_path: Path) -> None:
    with started("--ascii", folder=tmp_path) as tty:
        tty.sees(ASKS)
        tty.key(b"p")
        tty.sees("Ada's table")
        assert tty.text().isascii()


@pytest.mark.parametrize(("flags", "term"), [((), "dumb"), (("--plain",), "xterm")])
def test_without_a_screen_the_help_is_printed(tmp_path: Path, flags: tuple[str, ...], term: str) -> None:
    with started(*flags, folder=tmp_path, term=term) as tty:
        end = tty.end()
        text = tty.raw.decode()
    assert end.code == 0
    assert "Examples:" in text
    assert "\x1b" not in text
