"""Standard input and output of a text client: lines in, lines out, and never a wait that stops the network.

A thread waits for each read and each write. Knows no table; what lines mean is plain.py's and json_session.py's matter.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, unique
from queue import SimpleQueue
from typing import Final, TextIO

import trio

LINE_BYTES: Final = 4096
"""A typed line is a number, a move or 200 bytes of chat; JSON adds its escapes. Longer ones are dropped unread."""
_READ_BYTES: Final = 4096
_MOST_WAITING: Final = 4 * 1024 * 1024
"""Bytes of output that may wait for a terminal that has stopped; above that it counts as gone."""


@unique
class Charset(Enum):
    """What output may hold."""

    AS_STREAM = "as-stream"
    ASCII = "ascii"


@unique
class Garbled(Enum):
    """A line that cannot be handed on."""

    UNDECODABLE = "undecodable"
    OVERLONG = "overlong"


class LineSplitter:
    """Bytes in, whole lines out, none longer than LINE_BYTES."""

    __slots__ = ("_encoding", "_pending", "_skipping")

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding
        self._pending = b""
        self._skipping = False

    def feed(self, data: bytes) -> list[str | Garbled]:
        """The lines that `data` completes."""
        found: list[str | Garbled] = []
        *ends, self._pending = (self._pending + data).split(b"\n")
        for line in ends:
            if self._skipping:
                self._skipping = False
            else:
                found.append(self._decoded(line))
        if len(self._pending) > LINE_BYTES:
            self._pending = b""
            if not self._skipping:
                found.append(Garbled.OVERLONG)
            self._skipping = True
        return found

    def finish(self) -> list[str | Garbled]:
        """The last line, where the input ended without a line break."""
        rest, self._pending = self._pending, b""
        return [self._decoded(rest)] if rest and not self._skipping else []

    def _decoded(self, line: bytes) -> str | Garbled:
        if len(line) > LINE_BYTES:
            return Garbled.OVERLONG
        try:
            return line.rstrip(b"\r").decode(self._encoding)
        except UnicodeDecodeError:
            return Garbled.UNDECODABLE


class Keyboard:
    """The lines of a file descriptor; a missing or broken one has simply ended."""

    __slots__ = ("_ended", "_fd", "_limiter", "_splitter")

    def __init__(self, fd: int | None, encoding: str) -> None:
        self._fd = fd
        self._splitter = LineSplitter(encoding)
        self._ended = False
        self._limiter = trio.CapacityLimiter(1)

    async def more(self) -> list[str | Garbled] | None:
        """The lines that came with the next bytes, perhaps none; None once the input has ended."""
        if self._ended:
            return None
        data = await self._read()
        if data:
            return self._splitter.feed(data)
        self._ended = True
        return self._splitter.finish()

    async def _read(self) -> bytes:
        if self._fd is None:
            return b""
        try:
            await self._comes()
            # os.read, not sys.stdin: an abandoned thread inside a Python buffer would hold its lock at exit.
            return await trio.to_thread.run_sync(
                os.read, self._fd, _READ_BYTES, abandon_on_cancel=True, limiter=self._limiter
            )
        except OSError:  # the terminal has gone, or there never was one
            return b""

    async def _comes(self) -> None:
        """Wait for bytes before a thread is sent for them: one that is left behind would take what others read next."""
        if sys.platform != "win32" and self._fd is not None:
            with suppress(PermissionError):  # a file on a disk is not waited for
                await trio.lowlevel.wait_readable(self._fd)


class Printer:
    """Lines to a file descriptor, in order, encoded so that nothing can fail; written by a thread of its own.

    `gone` is set once nobody reads them any more; what is put after that is dropped.
    """

    __slots__ = ("_encoding", "_fd", "_queue", "_thread", "_told", "_waiting", "gone")

    def __init__(self, fd: int | None, encoding: str) -> None:
        self._fd = fd
        self._encoding = encoding
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._waiting = 0
        self._told: Callable[[], None] = _nobody
        self.gone = threading.Event()
        if fd is None:
            self.gone.set()
        # A daemon: a terminal that has stopped must not keep the program alive.
        self._thread = threading.Thread(target=self._write_all, name="printer", daemon=True)
        self._thread.start()

    def put(self, lines: tuple[str, ...]) -> None:
        """Queue lines; never waits."""
        if not lines or self.gone.is_set():
            return
        data = "".join(f"{line}\n" for line in lines).encode(self._encoding, "backslashreplace")
        self._waiting += len(data)
        self._queue.put(data)
        if self._waiting > _MOST_WAITING:
            self._stop()

    def when_gone(self, told: Callable[[], None]) -> None:
        """Call `told`, from any thread, once nobody reads any more; at once where that is so already."""
        self._told = told
        if self.gone.is_set():
            told()

    def close(self, at_most_s: float) -> None:
        """Wait until everything queued is written, for a limited time. Nothing may be put afterwards."""
        self._queue.put(None)
        self._thread.join(at_most_s)

    def _write_all(self) -> None:
        while (data := self._queue.get()) is not None:
            if self._fd is None or self.gone.is_set():
                continue
            self._waiting -= len(data)  # an estimate for the bound, so a race of two threads does no harm
            try:
                while data:
                    data = data[os.write(self._fd, data) :]
            except OSError:
                self._stop()

    def _stop(self) -> None:
        if not self.gone.is_set():
            self.gone.set()
            self._told()


def _nobody() -> None:
    """Nobody waits for the end of the reader."""


@dataclass(frozen=True, slots=True)
class Streams:
    """The descriptors and encodings of standard input and output; None where there is no such stream."""

    keyboard_fd: int | None
    keyboard_encoding: str
    printer_fd: int | None
    printer_encoding: str


def streams(stdin: TextIO | None, stdout: TextIO | None, charset: Charset) -> Streams:
    """Where to read and write; a stream that is closed or has no descriptor is None."""
    out = "ascii" if charset is Charset.ASCII else _encoding(stdout)
    return Streams(_fd(stdin), _encoding(stdin), _fd(stdout), out)


def _fd(stream: TextIO | None) -> int | None:
    if stream is None:
        return None
    try:
        return stream.fileno()
    except (OSError, ValueError):
        return None


def _encoding(stream: TextIO | None) -> str:
    return (stream.encoding if stream is not None else None) or "ascii"
