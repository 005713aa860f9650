"""Lines from commands that print and end: any encoding, any reader, even none."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress


class OutputFailed(Exception):  # noqa: N818 - says what is the case
    """Standard output takes nothing more, though its reader may still be there; the text says why."""


def prepare() -> None:
    """From now on every standard stream is there, and nothing printed can fail for want of a sign in the encoding."""
    # A closed one would also give its number to the next file or socket that is opened.
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115 - a device, open to the end
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - as above
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - as above
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def ascii_only() -> None:
    """From now on standard output and error hold nothing but ASCII; other signs come as visible escapes."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="ascii", errors="backslashreplace")


@contextmanager
def printing() -> Iterator[None]:
    """What goes wrong with standard output inside is told apart from bugs.

    Raises:
        BrokenPipeError: its reader has gone; OutputFailed: anything else.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as wrong:
        raise OutputFailed(wrong.strerror or str(wrong)) from wrong


def say(lines: Iterable[str]) -> None:
    """Lines to standard output; raises as for `printing`."""
    text = "".join(f"{line}\n" for line in lines)
    if sys.stdout is not None:
        with printing():
            sys.stdout.write(text)
            sys.stdout.flush()


def complain(line: str) -> None:
    """One line to standard error, if there is one."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(f"sorry-lan: {line}\n")
            sys.stderr.flush()
