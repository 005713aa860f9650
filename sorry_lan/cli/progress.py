"""A bar on standard error for people who wait at a terminal; nothing at all anywhere else."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Final, Self, TextIO

_CELLS: Final = 30
_EVERY_S: Final = 0.1


class Bar:
    """Drawn over itself in one row, and gone at the end; a context manager."""

    def __init__(self, stream: TextIO | None, environment: Mapping[str, str]) -> None:
        # A terminal that cannot go back in a row would get a heap of bars.
        plain = environment.get("TERM", "").lower() in {"", "dumb"} and sys.platform != "win32"
        self._stream = stream if stream is not None and stream.isatty() and not plain else None
        self._drawn = 0
        self._due_s = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _wrong: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._drawn:
            self._write(f"\r{'':{self._drawn}}\r")

    def show(self, done: int, of: int, text: str) -> None:
        """So much is done; `text` says it in words."""
        now_s = time.monotonic()
        if self._stream is None or (now_s < self._due_s and done < of):
            return
        self._due_s = now_s + _EVERY_S
        full = _CELLS * done // of
        # A row that the terminal has to break cannot be drawn over.
        row = f"[{'#' * full}{'.' * (_CELLS - full)}] {text}"[: _columns(self._stream) - 1]
        drawn, self._drawn = self._drawn, max(self._drawn, len(row))
        # A signal may end this after any line: what may stand there is known before it does.
        self._write(f"\r{row:{drawn}}")
        self._drawn = len(row)

    def _write(self, text: str) -> None:
        with suppress(OSError):
            if self._stream is not None:
                self._stream.write(text)
                self._stream.flush()


def _columns(stream: TextIO) -> int:
    with suppress(OSError):
        return os.get_terminal_size(stream.fileno()).columns or 80
    return 80
