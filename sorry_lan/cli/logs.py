"""The log file: where it is, that it holds no secrets, and what goes into it when the program fails.

Without --log nothing is logged but a crash, which goes to the user's state folder.
"""

from __future__ import annotations

import logging
import os
import re
import time
import traceback
from collections.abc import Mapping
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from sorry_lan import __version__
from sorry_lan.store.disk import StoreError
from sorry_lan.store.paths import state_folder
from sorry_lan.ui.catalogue import _
from sorry_lan.wire.words import WORDS

CRASH_LOG: Final = "sorry-lan.log"
_MOST_BYTES: Final = 1_000_000
_HIDDEN: Final = "[hidden]"

_WORD: Final = "|".join(WORDS)
_CODE: Final = re.compile(rf"\b(?:{_WORD})(?:[- ](?:{_WORD})){{2}}\b", re.IGNORECASE)
_KEY: Final = re.compile(r"\b[0-9a-fA-F]{64,}\b")
_BYTES: Final = re.compile(r"b(['\"])(?:\\.|(?!\1).){16,}\1")
_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


class LogTrouble(Exception):  # noqa: N818 - a sentence for people
    """The log cannot be written; the text says why."""


def redacted(text: str) -> str:
    """The text without join codes, keys and long byte strings, and without signs that move a cursor."""
    for secret in (_CODE, _KEY, _BYTES):
        text = secret.sub(_HIDDEN, text)
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class _Redacting(logging.Formatter):
    """Takes the secrets out of whole records, traces included."""

    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record))

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802, ARG002 - logging's
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created))


def start_log(path: str) -> None:
    """Log to `path` from now on; LogTrouble where it cannot be opened."""
    try:
        handler = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    except OSError as wrong:
        raise LogTrouble(_("The log {path} cannot be written: {why}.").format(path=path, why=wrong.strerror)) from wrong
    _attach(handler)
    logging.getLogger("sorry_lan").info("sorry-lan %s", __version__)


def note_crash(error: BaseException, path: str | None, environment: Mapping[str, str]) -> str | None:
    """Put the trace into the log, `path` or the user's own; where it stands, or None where no log can be written."""
    text = redacted("".join(traceback.format_exception(error)))
    if path is not None:
        logging.getLogger("sorry_lan").error("%s", text)
        return path
    try:
        folder = state_folder(environment)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return _append(folder / CRASH_LOG, text)
    except (OSError, StoreError):
        return None


def _append(path: Path, text: str) -> str:
    handler = RotatingFileHandler(
        path, maxBytes=_MOST_BYTES, backupCount=1, encoding="utf-8", errors="backslashreplace"
    )
    _attach(handler)
    logging.getLogger("sorry_lan").error("sorry-lan %s\n%s", __version__, text)
    handler.close()
    return os.fspath(path)


def _attach(handler: logging.Handler) -> None:
    handler.setFormatter(_Redacting("%(asctime)s %(levelname)s %(name)s %(message)s"))
    log = logging.getLogger("sorry_lan")
    log.setLevel(logging.DEBUG)
    log.propagate = False
    log.addHandler(handler)
