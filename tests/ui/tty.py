"""A program on a pseudo terminal: what it shows, what it left switched on, and how it ended."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import pyte

TOP: Final = Path(__file__).parents[2]
SOON_S: Final = 120.0
"""Nothing takes so long, however busy the machine; most takes a tenth of a second."""
_ON_IT: Final = 'exec "$@" <>"$0" >&0 2>&1'
"""The first terminal that the leader of a session opens becomes the one that controls it."""
_MODE: Final = re.compile(rb"\x1b\[\?([\d;]+)([hl])")


@dataclass(frozen=True)
class Left:
    """How a program left its terminal: all False and 0 is a clean one.

    `code` is None where the program had to be killed; `after` is what stands on the normal screen.
    """

    code: int | None
    keyboard_changed: bool
    modes_on: frozenset[int]
    cursor_hidden: bool
    after: str

    @property
    def clean(self) -> bool:
        """Whether the terminal is as it was."""
        return not (self.keyboard_changed or self.modes_on or self.cursor_hidden)


class Tty:
    """The program `words` on a terminal of its own, which is its controlling one."""

    def __init__(
        self,
        words: Sequence[str],
        rows: int = 24,
        columns: int = 80,
        environment: Mapping[str, str] | None = None,
        pass_fds: tuple[int, ...] = (),
    ) -> None:
        self.ours, self._theirs = pty.openpty()
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self._fed = 0
        self.resize(rows, columns)
        self._before = termios.tcgetattr(self._theirs)
        settings = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PYTHONPATH": _path()}
        with _hearing():
            self.process = subprocess.Popen(
                ["sh", "-c", _ON_IT, os.ttyname(self._theirs), *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=TOP,
                env={**os.environ, **settings, **(environment or {})},
                pass_fds=pass_fds,
                start_new_session=True,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for fd in (self.ours, self._theirs):
            if fd >= 0:
                os.close(fd)

    def resize(self, rows: int, columns: int) -> None:
        """Change the size of the window, as a person does who drags its corner."""
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    def key(self, data: bytes) -> None:
        """Type."""
        os.write(self.ours, data)

    def kill(self, number: signal.Signals) -> None:
        """Send a signal to the program."""
        self.process.send_signal(number)

    def read(self, at_most_s: float) -> bytes:
        """What the program writes next, if anything in that time."""
        if not select.select([self.ours], [], [], at_most_s)[0]:
            return b""
        try:
            data = os.read(self.ours, 65536)
        except OSError:
            return b""
        self.raw += data
        return data

    def text(self) -> str:
        """What stands on the screen."""
        self._stream.feed(self.raw[self._fed :])
        self._fed = len(self.raw)
        return "\n".join(line.rstrip() for line in self.screen.display)

    def until(self, seen: Callable[[], bool]) -> None:
        """Read until something is the case; AssertionError with the screen where it does not come about."""
        end = time.monotonic() + SOON_S
        while not seen():
            assert time.monotonic() < end, f"not seen in time:\n{self.text()}"
            assert self.read(0.05) or self.process.poll() is None or seen(), f"ended too early:\n{self.raw[-3000:]!r}"

    def sees(self, text: str) -> None:
        """Read until a text stands on the screen."""
        self.until(lambda: text in self.text())

    def press(self, data: bytes, text: str) -> None:
        """Type until a text stands on the screen: a key that comes too soon after a question counts for nothing."""
        end = time.monotonic() + SOON_S
        while text not in self.text() and time.monotonic() < end:
            self.key(data)
            again = time.monotonic() + 0.4
            while text not in self.text() and time.monotonic() < again:
                self.read(0.05)
        assert text in self.text(), self.text()

    def end(self) -> Left:
        """Read to the end of the program and look at what it left."""
        end = time.monotonic() + SOON_S
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.05)
        code = self.process.poll()
        while self.read(0):
            pass
        modes: dict[int, bool] = {}
        for numbers, switch in _MODE.findall(self.raw):
            for number in numbers.split(b";"):
                modes[int(number)] = switch == b"h"
        after = self.raw.rpartition(b"\x1b[?1049l")[2].decode(errors="replace")
        return Left(
            code,
            termios.tcgetattr(self._theirs) != self._before,
            frozenset(mode for mode in (1000, 1002, 1003, 1006, 1015, 1049, 2004) if modes.get(mode)),
            not modes.get(25, True),
            re.sub(r"\x1b(\[[0-9;?]*[a-zA-Z]|\][^\x07]*\x07)", "", after).replace("\r", "").strip(),
        )

    def vanish(self) -> None:
        """Close the window: nobody reads, and the kernel hangs up."""
        os.close(self.ours)
        os.close(self._theirs)
        self.ours = self._theirs = -1


def _path() -> str:
    """Where the program finds its modules: this tree before all else."""
    return os.pathsep.join(filter(None, [str(TOP), os.environ.get("PYTHONPATH")]))


@contextmanager
def _hearing() -> Iterator[None]:
    """Whoever started the tests may have done so in the background of a shell: then interrupts are ignored, by all."""
    deaf = [number for number in (signal.SIGINT, signal.SIGHUP) if signal.getsignal(number) is signal.SIG_IGN]
    for number in deaf:
        signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        for number in deaf:
            signal.signal(number, signal.SIG_IGN)


def play(folder: Path, *flags: str, module: str = "sorry_lan") -> list[str]:
    """The command line of a game with bots."""
    return [sys.executable, "-m", module, "play", "--name", "Ada", "--bots", "3", "--identity", str(folder), *flags]
