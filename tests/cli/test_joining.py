"""`sorry-lan join` on a real terminal without a word of where: the page of the tables, and what comes of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sorry_lan.cli.tries import Tries
from sorry_lan.faults import Err
from sorry_lan.table.notices import (
    CodeUse,
    JoinProblem,
    NoTable,
    Notice,
    PortTaken,
    Problem,
    Silence,
    Stopped,
    StoreProblem,
    StoreTrouble,
)
from tests.cli.test_start import started

PAGE = "a address or code"


@contextmanager
def hosting(folder: Path, *flags: str) -> Iterator[int]:
    """A table that nobody announces; its port."""
    words = ["host", "--json", "--no-discovery", "--port", "0", "--identity", str(folder), "--seats", "2", *flags]
    with subprocess.Popen(
        [sys.executable, "-m", "sorry_lan", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as host:
        assert host.stdout is not None
        opened = next(line for line in map(json.loads, host.stdout) if line["type"] == "opened")
        try:
            yield int(opened["port"])
        finally:
            host.kill()


def test_escape_leads_back_to_where_people_came_from(tmp_path: Path) -> None:
    with started(folder=tmp_path) as tty:
        tty.sees("Host a game")
        tty.key(b"j")
        tty.sees(PAGE)
        tty.key(b"\x1b")
        tty.sees("Play here")
        tty.key(b"q")
        assert tty.end().code == 0
    with started("join", folder=tmp_path) as tty:
        tty.sees(PAGE)
        tty.key(b"\x1b")
        end = tty.end()
    assert (end.code, end.clean) == (0, True), end


def test_a_line_that_leads_nowhere_is_told_of_and_the_page_stays(tmp_path: Path) -> None:
    with started("join", folder=tmp_path) as tty:
        tty.sees(PAGE)
        tty.key(b"a")
        tty.sees("Address or code:")
        tty.key(b"192.168.001.20")
        tty.press(b"\r", "Did you mean 192.168.1.20?")
        tty.key(b"\x1b")
        tty.sees(PAGE)
        tty.key(b"a")
        tty.sees("Address or code:")
        tty.key(b"127.0.0.1:9")
        tty.press(b"\r", "or empty")
        tty.press(b"\r", "nobody hosts a table at that port")
        tty.sees("or empty")
        tty.key(b"\x1b")
        tty.sees(PAGE)
        tty.key(b"\x1b")
        end = tty.end()
    assert (end.code, end.clean) == (0, True), end
    assert "127.0.0.1" not in end.after


def test_a_wrong_code_can_be_mended_and_leads_to_the_table(tmp_path: Path) -> None:
    with (
        hosting(tmp_path / "bob", "--name", "Bob", "--code", "maple-otter-tulip") as port,
        started("join", folder=tmp_path / "ada") as tty,
    ):
        tty.sees(PAGE)
        tty.key(b"a")
        tty.sees("Address or code:")
        tty.key(f"127.0.0.1:{port}".encode())
        tty.press(b"\r", "or empty")
        tty.key(b"maple-otter-maple")
        tty.sees("maple-otter-maple")
        tty.press(b"\r", "The join code is not the one of the table")
        tty.sees("maple-otter-maple")
        for shorter in ("mapl", "map", "ma", "m", ""):
            tty.key(b"\x7f")
            tty.sees(f": maple-otter-{shorter}\n")
        tty.key(b"tulip")
        tty.sees("maple-otter-tulip")
        tty.press(b"\r", "Bob's table (lobby)")
        tty.key(b"\x03")
        end = tty.end()
    assert end.clean, end


def test_in_text_mode_a_wrong_code_is_asked_for_again(tmp_path: Path) -> None:
    again = "Type the join code, three words (only Enter leaves):"
    with hosting(tmp_path / "bob", "--name", "Bob", "--code", "maple-otter-tulip") as port:
        words = ("join", f"127.0.0.1:{port}", "--plain", "--name", "Ada")
        with started(*words, "--code", "maple-otter-maple", folder=tmp_path / "ada") as tty:
            tty.sees("The join code is not the one of the table")
            tty.sees(again)
            tty.key(b"maple otter tulip\n")
            tty.sees("Ada (Blue) sits down.")
            tty.key(b"\x03")
            assert tty.end().clean
        for given_up in (b"\n", b"\x04"):
            with started(*words, "--code", "maple-otter-maple", folder=tmp_path / "ada") as tty:
                tty.sees(again)
                tty.key(given_up)
                assert tty.end().code == 7


def test_h_hosts_a_table_with_the_same_flags(tmp_path: Path) -> None:
    with started("join", "--name", "Zoe", "--port", "0", folder=tmp_path) as tty:
        tty.sees(PAGE)
        tty.key(b"h")
        tty.sees("Zoe's table (lobby)")


def test_a_signal_ends_the_page(tmp_path: Path) -> None:
    with started("join", folder=tmp_path) as tty:
        tty.sees(PAGE)
        tty.key(b"\x03")
        end = tty.end()
    assert (end.code, end.clean) == (130, True), end


@pytest.mark.parametrize(
    ("notice", "again"),
    [
        (Stopped(JoinProblem(Problem.REFUSED, Err.TIMEOUT, "x:1")), True),
        (Stopped(NoTable(Silence.UNHEARD, 0, CodeUse.NEEDED)), True),
        (Stopped(JoinProblem(Problem.ELSEWHERE, Err.CONNECTED_ELSEWHERE, "x:1")), False),
        (Stopped(StoreProblem(StoreTrouble.IN_USE, "x", "")), False),
        (PortTaken(1, 2), False),
    ],
)
def test_what_can_be_tried_again(notice: Notice, again: bool) -> None:
    tries = Tries()
    tries.heard(notice)
    assert (tries.problem is not None) is again
