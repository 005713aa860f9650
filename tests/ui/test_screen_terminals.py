"""The full screen on terminals that are old, stand still, or change their size all the time."""

from __future__ import annotations

import random
import socket
import sys
from pathlib import Path

import pytest

from sorry_lan.ui.terminal import BEHIND_BYTES
from tests.ui.tty import SOON_S, Tty, play

SIZES = 25


@pytest.mark.parametrize("term", ["linux", "xterm-256color", "vt100"])
def test_the_first_picture_covers_whatever_stood_there_also_where_there_is_no_other_screen(
    tmp_path: Path, term: str
) -> None:
    # The terminal of these tests has only one screen, like the oldest.
    words = ["sh", "-c", 'for i in $(seq 60); do echo "old old old old old $i"; done; exec "$@"', "sh", *play(tmp_path)]
    with Tty(words, environment={"TERM": term}) as tty:
        tty.sees("Ada's table")
        tty.sees("Ctrl-C")
        assert "old" not in tty.text()
        tty.key(b"\x04")
        end = tty.end()
        assert (end.code, end.clean) == (0, True)
        tty.text()
        assert "Ada's table" not in tty.text()
        assert (b"\x1b]2;" in tty.raw) is (term != "linux")
        assert (b";5;" in tty.raw) is (term == "xterm-256color")


def test_a_window_dragged_to_any_size_never_stops_the_game(tmp_path: Path) -> None:
    sizes = random.Random(4)
    with Tty(play(tmp_path)) as tty:
        tty.sees("Ada's table")
        wanted = [(1, 1), (300, 500), (1, 500), (300, 1), (20, 60), (40, 120)]
        wanted += [(sizes.randint(1, 60), sizes.randint(1, 200)) for _ in range(SIZES - len(wanted))]
        for rows, columns in wanted:
            before = len(tty.raw)
            tty.resize(rows, columns)
            tty.until(lambda start=before: len(tty.raw) > start)
        assert b"too small" not in tty.raw.lower()
        tty.resize(24, 80)
        tty.screen.reset()
        tty.sees("YOUR TURN, Ada")
        tty.press(b"\r", "Ada (Red) drew")
        tty.key(b"\x04")
        assert tty.end().clean


def test_a_terminal_that_stands_still_stops_nothing_and_shows_the_newest_picture_afterwards() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Tty([sys.executable, "-m", "tests.ui.standin", str(port)]) as tty:
            tty.sees("stand-in 80x24")
            peer, _address = listening.accept()
            peer.settimeout(SOON_S)
            with peer:
                # From here nobody reads the terminal: a picture every 20 ms soon fills all that waits for it.
                beats = 0
                while beats < 30:
                    got = len(peer.recv(4096))
                    assert got, "the program ended"
                    beats += got
                tty.key(b"h")
                assert peer.recv(4096)
                tty.sees("> h")
                tty.key(b"q")
                end = tty.end()
            assert (end.code, end.clean) == (0, True)
            assert len(tty.raw) > BEHIND_BYTES
