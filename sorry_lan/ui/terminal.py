"""The terminal of the full-screen client: output that never blocks, input that notices its end, and a last way out.

A thread writes, so that a terminal which has stopped does not stop the game. Knows no screen; screen.py draws.
"""

from __future__ import annotations

import os
import select
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TextIO

from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.output import ColorDepth, Output, create_output
from prompt_toolkit.output.vt100 import Vt100_Output

from sorry_lan.ui.palette import Depth

if sys.platform != "win32":
    import termios

    from prompt_toolkit.input.vt100 import Vt100Input

BEHIND_BYTES: Final = 32 * 1024
"""While so much waits for the terminal nothing new is drawn: an old picture is of no use, and memory is finite."""
MOST_COLUMNS: Final = 600
MOST_ROWS: Final = 300
"""A window of 65,535 rows can be claimed with one call; nobody looks at more than this."""
_NO_TITLES: Final = ("linux", "eterm-color")
_MOUSE: Final = (1000, 1006)
"""Clicks, with coordinates above 223. Not the movements: each would be a key."""
LAST_WORDS: Final = (
    b"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?2004l\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
)
"""All that a screen may have switched on, switched off: clicks, pasting, colours, the cursor, the other screen."""


_DEPTHS: Final = {
    Depth.COLOURS: ColorDepth.DEPTH_8_BIT,
    Depth.SIXTEEN: ColorDepth.DEPTH_4_BIT,
    Depth.ONE_BIT: ColorDepth.DEPTH_1_BIT,
}

_Attributes = list[int | list[bytes | int]]


class TerminalTrouble(Exception):  # noqa: N818 - a sentence for people
    """There is no terminal a screen can be shown on; the text says why."""


class Writer:
    """Bytes to a descriptor, in order, by a thread of their own; `put` never waits.

    `waiting` counts bytes that the terminal has not taken yet. After an error (the terminal is gone: the input side
    notices) everything is dropped.
    """

    __slots__ = ("_drained", "_fd", "_gone", "_queue", "_state", "_stopping", "_thread", "_waiting")

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._queue: deque[bytes] = deque()
        self._waiting = 0
        self._gone = False
        self._stopping = False
        self._state = threading.Condition()
        self._drained: Callable[[], None] = _nothing
        # A daemon: a terminal that has stopped must not keep the process alive.
        self._thread = threading.Thread(target=self._write_all, name="terminal", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """Bytes that were put and not yet written."""
        return self._waiting

    def put(self, data: bytes) -> None:
        """Queue bytes."""
        with self._state:
            if data and not self._gone:
                self._queue.append(data)
                self._waiting += len(data)
                self._state.notify_all()

    def when_drained(self, drained: Callable[[], None]) -> None:
        """Call `drained` from the thread each time that nothing waits any more."""
        self._drained = drained

    def drain(self, at_most_s: float) -> bool:
        """Wait until nothing waits; whether that came about in time."""
        with self._state:
            return self._state.wait_for(lambda: not self._waiting, at_most_s)

    def close(self, at_most_s: float) -> bool:
        """Write what waits, for a limited time, and end the thread; what could not be written is dropped."""
        written = self.drain(at_most_s)
        with self._state:
            self._stopping = True
            self._queue.clear()
            self._state.notify_all()
        return written

    def _write_all(self) -> None:
        while (data := self._next()) is not None:
            with memoryview(data) as rest:
                done = self._write(rest)
            with self._state:
                self._waiting -= len(data)
                if not done:
                    self._gone = True
                    self._queue.clear()
                    self._waiting = 0
                drained = not self._waiting
                self._state.notify_all()
            if drained:
                self._drained()

    def _next(self) -> bytes | None:
        with self._state:
            self._state.wait_for(lambda: self._queue or self._stopping)
            return self._queue.popleft() if self._queue else None

    def _write(self, rest: memoryview) -> bool:
        """Whether all could be written; after `close` no further write begins, for the descriptor may be another's."""
        while rest and not self._stopping:
            try:
                rest = rest[os.write(self._fd, rest) :]
            except BlockingIOError:  # whoever started us left the descriptor so
                select.select([], [self._fd], [])
            except OSError:
                return False
        return not rest


class PatientOutput(Vt100_Output):
    """The library's output through a Writer; mouse clicks without movements, the window's title put back."""

    def __init__(self, stdout: TextIO, writer: Writer, term: str, depth: Depth) -> None:
        super().__init__(
            stdout, lambda: window_size(stdout), term=term, default_color_depth=_DEPTHS[depth], enable_cpr=False
        )
        self._writer = writer
        self._encoding = stdout.encoding or "ascii"

    def flush(self) -> None:
        """Hand over what was written."""
        data, self._buffer = "".join(self._buffer), []
        self._writer.put(data.encode(self._encoding, "replace"))

    def enable_mouse_support(self) -> None:
        """Clicks only."""
        self.write_raw("".join(f"\x1b[?{mode}h" for mode in _MOUSE))

    def disable_mouse_support(self) -> None:
        """No clicks."""
        self.write_raw("".join(f"\x1b[?{mode}l" for mode in reversed(_MOUSE)))

    def enter_alternate_screen(self) -> None:
        """The other screen; the window's title is kept aside."""
        if self.term not in _NO_TITLES:
            self.write_raw("\x1b[22;2t")
        super().enter_alternate_screen()

    def quit_alternate_screen(self) -> None:
        """The normal screen, and the title that the window had."""
        super().quit_alternate_screen()
        if self.term not in _NO_TITLES:
            self.write_raw("\x1b[23;2t")


if sys.platform != "win32":

    class PatientInput(Vt100Input):
        """The library's input, which does not notice a terminal that has gone where the hang-up signal is ignored."""

        _gone = False

        def read_keys(self) -> list[KeyPress]:
            """The keys that wait."""
            keys = super().read_keys()
            self._gone = self._gone or (not keys and _hung_up(self.fileno()))
            return keys

        @property
        def closed(self) -> bool:
            """Whether there is nothing more to come."""
            return self._gone or super().closed


class Terminal:
    """Input and output of one terminal."""

    def __init__(self, source: Input, output: Output, writer: Writer | None, streams: tuple[TextIO, TextIO]) -> None:
        """`writer` is None where the system has its own way of drawing (Windows)."""
        self.input = source
        self.output = output
        self._writer = writer
        self._stdin, self._stdout = streams
        self._before = _attributes(self._stdin)

    def behind(self) -> bool:
        """Whether the terminal has not taken what was drawn before."""
        return self._writer is not None and self._writer.waiting > BEHIND_BYTES

    def when_drained(self, drained: Callable[[], None]) -> None:
        """Call `drained`, from another thread, each time that the terminal has caught up."""
        if self._writer is not None:
            self._writer.when_drained(drained)

    def drain(self, at_most_s: float) -> bool:
        """Wait until all is written, for a limited time; whether it is."""
        return self._writer is None or self._writer.drain(at_most_s)

    def close(self, lines: tuple[str, ...], at_most_s: float) -> None:
        """Write the lines to the normal screen and stop; a terminal that takes nothing gets the bare reset."""
        for line in lines:
            self.output.write(line)
            self.output.write_raw("\r\n")
        self.output.flush()
        if self._writer is not None and not self._writer.close(at_most_s):
            self.rescue()

    def rescue(self) -> None:
        """The last way out: put the terminal in order without waiting for anything, from anywhere."""
        with suppress(OSError, ValueError):
            _write_at_once(self._stdout.fileno(), LAST_WORDS)
        _restore(self._stdin, self._before)


def open_terminal(stdin: TextIO, stdout: TextIO, term: str, depth: Depth) -> Terminal:
    """The terminal of these two streams; TerminalTrouble where there is none that could show a screen."""
    try:
        if sys.platform == "win32":
            return Terminal(create_input(stdin), create_output(stdout), None, (stdin, stdout))
        source = PatientInput(stdin)
        writer = Writer(stdout.fileno())
        try:
            return Terminal(source, PatientOutput(stdout, writer, term, depth), writer, (stdin, stdout))
        except BaseException:
            writer.close(0)
            raise
    except Exception as wrong:  # the library has an exception of its own for each kind of console that is none
        raise TerminalTrouble(str(wrong) or type(wrong).__name__) from wrong


def window_size(stdout: TextIO) -> Size:
    """Rows and columns; 80x24 where the terminal does not know, and no more than a screen can need."""
    try:
        size = os.get_terminal_size(stdout.fileno())
    except (OSError, ValueError):
        return Size(rows=24, columns=80)
    return Size(rows=min(size.lines or 24, MOST_ROWS), columns=min(size.columns or 80, MOST_COLUMNS))


def _hung_up(fd: int) -> bool:
    poll = select.poll()
    poll.register(fd, 0)
    return bool(poll.poll(0))


def _write_at_once(fd: int, data: bytes) -> None:
    """Write what the terminal takes now; another thread may stand waiting in a write of its own."""
    blocking = os.get_blocking(fd)
    os.set_blocking(fd, False)
    try:
        os.write(fd, data)
    finally:
        os.set_blocking(fd, blocking)


def _attributes(stdin: TextIO) -> _Attributes | None:
    if sys.platform != "win32":
        with suppress(OSError, ValueError, termios.error):
            return termios.tcgetattr(stdin.fileno())
    return None


def _restore(stdin: TextIO, before: _Attributes | None) -> None:
    if sys.platform != "win32" and before is not None:
        with suppress(OSError, ValueError, termios.error):
            termios.tcsetattr(stdin.fileno(), termios.TCSANOW, before)


def _nothing() -> None:
    """Nobody waits for the terminal."""
