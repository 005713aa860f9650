"""Output that never blocks, input that notices its end, and the last way out: on pipes and a pseudo terminal."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import select
import struct
import termios
import threading
from collections.abc import Iterator
from typing import TextIO

import pytest

from sorry_lan.ui import terminal as terminal_module
from sorry_lan.ui.palette import Depth
from sorry_lan.ui.terminal import (
    BEHIND_BYTES,
    LAST_WORDS,
    MOST_COLUMNS,
    MOST_ROWS,
    TerminalTrouble,
    Writer,
    open_terminal,
    window_size,
)

SOON_S = 30


class Ends:
    """A pseudo terminal: `ours` is read and typed on by the test, the program has `stream` for both ways."""

    def __init__(self) -> None:
        self.ours, self.theirs = pty.openpty()
        self.stream = os.fdopen(self.theirs, "r+b", buffering=0)
        self.text = io.TextIOWrapper(self.stream, encoding="utf-8", write_through=True)
        self.threads = set(threading.enumerate())

    def size(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, wanted: bytes) -> bytes:
        found = b""
        while wanted not in found:
            assert select.select([self.ours], [], [], SOON_S)[0], found
            found += os.read(self.ours, 65536)
        return found


_opened: list[terminal_module.Terminal] = []


@pytest.fixture
def ends() -> Iterator[Ends]:
    both = Ends()
    yield both
    # A thread that still writes would write to whatever has this descriptor next.
    for terminal in _opened:
        terminal.close((), 0)
    _opened.clear()
    os.close(both.ours)
    for thread in set(threading.enumerate()) - both.threads:
        thread.join(SOON_S)
        assert not thread.is_alive()
    both.text.close()


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    source, sink = os.pipe()
    yield source, sink
    for fd in (source, sink):
        try:
            os.close(fd)
        except OSError:
            assert fd == source  # the test closed it


def test_what_is_put_comes_out_in_order(pipe: tuple[int, int]) -> None:
    source, sink = pipe
    writer = Writer(sink)
    for number in range(100):
        writer.put(b"%d " % number)
    assert writer.close(SOON_S)
    assert os.read(source, 65536) == b"".join(b"%d " % number for number in range(100))
    assert writer.waiting == 0


def test_a_reader_that_stops_stops_nobody_and_is_told_of_when_it_goes_on(pipe: tuple[int, int]) -> None:
    source, sink = pipe
    writer = Writer(sink)
    drained = threading.Event()
    writer.when_drained(drained.set)
    writer.put(bytes(1_000_000))
    assert not writer.drain(0)
    assert writer.waiting == 1_000_000
    left = 1_000_000
    while left:
        left -= len(os.read(source, 65536))
    assert drained.wait(SOON_S)
    assert writer.close(SOON_S)


def test_a_descriptor_that_does_not_block_loses_nothing(pipe: tuple[int, int]) -> None:
    source, sink = pipe
    os.set_blocking(sink, False)
    writer = Writer(sink)
    writer.put(bytes(1_000_000))
    left = 1_000_000
    while left:
        left -= len(os.read(source, 65536))
    assert writer.close(SOON_S)


def test_where_nobody_can_read_any_more_nothing_waits(pipe: tuple[int, int]) -> None:
    source, sink = pipe
    os.close(source)
    writer = Writer(sink)
    writer.put(b"lost")
    assert writer.drain(SOON_S)
    writer.put(b"lost as well")
    assert writer.waiting == 0
    assert writer.close(SOON_S)


def test_nothing_put_is_nothing_written(pipe: tuple[int, int]) -> None:
    _source, sink = pipe
    writer = Writer(sink)
    writer.put(b"")
    assert writer.waiting == 0
    assert writer.close(SOON_S)


def test_closing_gives_up_in_time_and_drops_the_rest(pipe: tuple[int, int]) -> None:
    _source, sink = pipe
    writer = Writer(sink)
    writer.put(bytes(1_000_000))
    assert not writer.close(0.01)


@pytest.mark.parametrize(
    ("set_to", "seen"), [((24, 80), (24, 80)), ((1, 1), (1, 1)), ((0, 0), (24, 80)), ((65535, 65535), (300, 600))]
)
def test_a_window_has_its_size_within_reason(ends: Ends, set_to: tuple[int, int], seen: tuple[int, int]) -> None:
    ends.size(*set_to)
    size = window_size(ends.text)
    assert (size.rows, size.columns) == seen
    assert (MOST_ROWS, MOST_COLUMNS) == (300, 600)


def test_what_is_no_terminal_counts_as_80_by_24() -> None:
    assert window_size(io.TextIOWrapper(io.BytesIO())) == (24, 80)


def opened(ends: Ends, term: str = "xterm-256color") -> terminal_module.Terminal:
    ends.size(24, 80)
    _opened.append(open_terminal(ends.text, ends.text, term, Depth.COLOURS))
    return _opened[-1]


def test_clicks_are_asked_for_without_the_movements_of_the_mouse(ends: Ends) -> None:
    terminal = opened(ends)
    terminal.output.enable_mouse_support()
    terminal.output.disable_mouse_support()
    terminal.close((), SOON_S)
    assert ends.read(b"1000l") == b"\x1b[?1000h\x1b[?1006h\x1b[?1006l\x1b[?1000l"


@pytest.mark.parametrize(("term", "keeps"), [("xterm-256color", True), ("linux", False)])
def test_the_title_of_the_window_is_kept_aside_where_there_is_one(ends: Ends, term: str, keeps: bool) -> None:
    terminal = opened(ends, term)
    terminal.output.enter_alternate_screen()
    terminal.output.set_title("ours")
    terminal.output.quit_alternate_screen()
    terminal.close((), SOON_S)
    written = ends.read(b"1049l" if not keeps else b"\x1b[23;2t")
    assert (b"\x1b[22;2t\x1b[?1049h" in written) is keeps
    assert (b"ours" in written) is keeps


def test_no_terminal_is_asked_where_its_cursor_stands(ends: Ends) -> None:
    assert not opened(ends).output.responds_to_cpr


def test_the_last_lines_are_written_without_what_could_move_a_cursor(ends: Ends) -> None:
    terminal = opened(ends)
    terminal.close(("Ada wins.", "\x1b[2J"), SOON_S)
    assert ends.read(b"[2J").replace(b"\r\r\n", b"\r\n") == b"Ada wins.\r\n?[2J\r\n"


def test_signs_that_the_encoding_lacks_become_question_marks(ends: Ends) -> None:
    latin = io.TextIOWrapper(os.fdopen(os.dup(ends.theirs), "wb", buffering=0), encoding="ascii")
    terminal = open_terminal(ends.text, latin, "xterm", Depth.COLOURS)
    terminal.close(("│ 7 │",), SOON_S)
    assert ends.read(b"\n").startswith(b"? 7 ?")
    latin.close()


def test_a_terminal_is_behind_while_more_waits_than_a_picture_and_says_when_it_has_caught_up(ends: Ends) -> None:
    terminal = opened(ends)
    caught_up = threading.Event()
    terminal.when_drained(caught_up.set)
    assert not terminal.behind()
    terminal.output.write_raw("x" * 4 * BEHIND_BYTES)
    terminal.output.flush()
    assert terminal.behind()
    left = 4 * BEHIND_BYTES
    while left:
        left -= len(os.read(ends.ours, 65536))
    assert caught_up.wait(SOON_S)
    assert terminal.drain(SOON_S)
    assert not terminal.behind()


def test_a_terminal_that_has_stopped_is_left_after_a_limited_time(ends: Ends) -> None:
    terminal = opened(ends)
    terminal.output.write_raw("x" * 4 * BEHIND_BYTES)
    terminal.output.flush()
    terminal.close(("never seen",), 0.01)


def test_the_last_way_out_switches_everything_off_and_puts_the_keyboard_back(ends: Ends) -> None:
    terminal = opened(ends)
    before = termios.tcgetattr(ends.theirs)
    with terminal.input.raw_mode():
        assert termios.tcgetattr(ends.theirs) != before
        terminal.rescue()
        assert termios.tcgetattr(ends.theirs) == before
    assert ends.read(LAST_WORDS[-8:]) == LAST_WORDS
    assert os.get_blocking(ends.theirs)


def test_the_last_way_out_of_a_terminal_that_takes_nothing_waits_for_nothing(ends: Ends) -> None:
    terminal = opened(ends)
    terminal.output.write_raw("x" * 4 * BEHIND_BYTES)
    terminal.output.flush()
    assert not terminal.drain(0.01)
    terminal.rescue()


def test_the_last_way_out_where_there_is_no_terminal_is_none(ends: Ends) -> None:
    nowhere = io.TextIOWrapper(io.BytesIO())
    terminal_module.Terminal(opened(ends).input, opened(ends).output, None, (nowhere, nowhere)).rescue()


def test_output_of_another_kind_is_neither_behind_nor_waited_for(ends: Ends) -> None:
    plain = opened(ends)
    terminal = terminal_module.Terminal(plain.input, plain.output, None, (ends.text, ends.text))
    terminal.when_drained(lambda: None)
    assert (terminal.behind(), terminal.drain(0)) == (False, True)
    terminal.close((), 0)


def test_a_terminal_that_goes_away_is_the_end_of_input_though_reading_fails_instead_of_ending(ends: Ends) -> None:
    terminal = opened(ends)
    os.write(ends.ours, b"a")
    with terminal.input.raw_mode():
        assert [press.key for press in terminal.input.read_keys()] == ["a"]
        assert terminal.input.read_keys() == []
        assert not terminal.input.closed
        os.close(ends.ours)
        assert terminal.input.read_keys() == []
        assert terminal.input.read_keys() == []
    assert terminal.input.closed
    ends.ours = os.dup(ends.theirs)


class NoConsoleScreenBufferError(Exception):
    """As the library calls it."""


def test_a_console_that_is_none_is_a_sentence(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> TextIO:
        raise NoConsoleScreenBufferError("Found xterm, while expecting a Windows console.")

    monkeypatch.setattr(terminal_module, "PatientOutput", fails)
    with pytest.raises(TerminalTrouble, match="expecting a Windows console"):
        opened(ends)


def test_trouble_without_words_is_told_by_its_kind(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> TextIO:
        raise NoConsoleScreenBufferError

    monkeypatch.setattr(terminal_module, "PatientOutput", fails)
    with pytest.raises(TerminalTrouble, match="NoConsoleScreenBufferError"):
        opened(ends)
