"""The log file: where it is, that it stays small and holds no secrets, and what goes into it when the program fails.

Tables write one by themselves into the user's state folder; other commands only what went wrong with them.
"""

from __future__ import annotations

import logging
import os
import platform
import re
import stat
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import IntEnum, unique
from pathlib import Path
from typing import Final, Protocol

from sorry_lan import __version__
from sorry_lan.store.folders import Base, folder_of
from sorry_lan.store.system import open_flags
from sorry_lan.ui.catalogue import _
from sorry_lan.wire.words import WORDS

OWN_LOG: Final = "sorry-lan.log"
MOST_BYTES: Final = 1_000_000
"""A log that is longer becomes the one before, FILE.1, and a new one begins: never more than two of this size."""
_HIDDEN: Final = "[hidden]"

_WORD: Final = "|".join(WORDS)
_CODE: Final = re.compile(rf"\b(?:{_WORD})(?:[^\w\n]{{1,4}}(?:{_WORD})){{2}}\b", re.IGNORECASE)
_KEY: Final = re.compile(r"\b(?:0x)?[0-9a-fA-F]{64,}\b")
_BYTES: Final = re.compile(r"b(['\"])(?:\\.|(?!\1).){16,}\1")
_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_LOG: Final = logging.getLogger("sorry_lan")


@unique
class Detail(IntEnum):
    """How much is written down."""

    USUAL = logging.INFO
    ALL = logging.DEBUG


class LogTrouble(Exception):  # noqa: N818 - a sentence for people
    """The log cannot be written; the text says why."""


def redacted(text: str) -> str:
    """The text without join codes, keys, shares and long byte strings, and without signs that move a cursor."""
    for secret in (_CODE, _KEY, _BYTES):
        text = secret.sub(_HIDDEN, text)
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def trace(error: BaseException) -> str:
    """Where an error came from, as a person who helps may see it."""
    return redacted("".join(traceback.format_exception(error)))


class BoundedLog(logging.Handler):
    """Whole records without secrets to a file of bounded size, which several processes may write; never fails.

    Raises OSError when it is made, if there can be no such file.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self._fd = self._opened()

    def format(self, record: logging.LogRecord) -> str:
        """One line that begins with time and process; the lines of a trace follow it."""
        when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created))
        return redacted(f"{when} {record.process} {record.levelname} {record.name} {super().format(record)}")

    def emit(self, record: logging.LogRecord) -> None:
        """Write the record; a full disk loses it, and nobody is disturbed."""
        with suppress(OSError):
            data = (self.format(record) + "\n").encode(errors="backslashreplace")
            self._make_room(len(data))
            os.write(self._fd, data)

    def close(self) -> None:
        """Give the file back."""
        with suppress(OSError):
            os.close(self._fd)
        super().close()

    def _opened(self) -> int:
        # Non-blocking, because opening a pipe that nobody reads would wait for ever.
        return os.open(self.path, open_flags(os, "O_WRONLY", "O_APPEND", "O_CREAT", "O_NONBLOCK"), 0o600)

    def _make_room(self, more: int) -> None:
        """Begin a new file where this one would become too long, or where another process has begun one."""
        mine = os.fstat(self._fd)
        if not stat.S_ISREG(mine.st_mode) or mine.st_size + more <= MOST_BYTES:
            return
        with suppress(OSError):
            # Another process may have done so already; its new file is not to be put aside.
            if os.path.samestat(mine, self.path.stat()):
                self.path.replace(self.path.with_name(self.path.name + ".1"))
        os.close(self._fd)
        self._fd = self._opened()
        if os.path.samestat(mine, os.fstat(self._fd)):
            # A system that renames no open file: what is told last matters more than what was told first.
            os.truncate(self.path, 0)


def start_log(path: str, detail: Detail) -> None:
    """Log to `path` from now on; LogTrouble where it cannot be opened."""
    try:
        handler = BoundedLog(Path(path))
    except OSError as wrong:
        raise LogTrouble(_("The log {path} cannot be written: {why}.").format(path=path, why=wrong.strerror)) from wrong
    _attach(handler, detail)


def start_own_log(environment: Mapping[str, str], detail: Detail) -> None:
    """Log to the user's own log from now on; a log that cannot be written stops nobody."""
    folder = folder_of(Base.STATE, environment)
    if folder is not None:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            _attach(BoundedLog(folder / OWN_LOG), detail)


def note_crash(error: BaseException, environment: Mapping[str, str]) -> str | None:
    """Put the trace into the log, the user's own where none is open; its path, or None where there can be none."""
    if _open_log() is None:
        start_own_log(environment, Detail.USUAL)
    _LOG.error("%s", trace(error))
    log = _open_log()
    return None if log is None else os.fspath(log.path)


def stop_logs() -> None:
    """Close what was opened."""
    for handler in [each for each in _LOG.handlers if isinstance(each, BoundedLog)]:
        _LOG.removeHandler(handler)
        handler.close()


class _OfThread(Protocol):
    """What the threading module tells about an error that nobody caught."""

    @property
    def exc_value(self) -> BaseException | None: ...


class _Unraisable(Protocol):
    """What the interpreter tells about an error that it could raise nowhere."""

    @property
    def exc_value(self) -> BaseException | None: ...


@contextmanager
def strays_logged() -> Iterator[None]:
    """Errors in threads, and those that can be raised nowhere, go to the log instead of across the screen."""

    def noted(told: _OfThread | _Unraisable) -> None:
        if told.exc_value is not None and not isinstance(told.exc_value, SystemExit):
            _LOG.error("nobody caught this\n%s", trace(told.exc_value))

    before = threading.excepthook, sys.unraisablehook
    threading.excepthook, sys.unraisablehook = noted, noted
    try:
        yield
    finally:
        threading.excepthook, sys.unraisablehook = before


def _open_log() -> BoundedLog | None:
    return next((handler for handler in _LOG.handlers if isinstance(handler, BoundedLog)), None)


def _attach(handler: BoundedLog, detail: Detail) -> None:
    stop_logs()
    _LOG.setLevel(detail)
    _LOG.propagate = False
    _LOG.addHandler(handler)
    _LOG.info("sorry-lan %s, Python %s, %s", __version__, platform.python_version(), sys.platform)
