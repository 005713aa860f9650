"""Lines from commands that print and end: any encoding, any reader, even none."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress


def prepare() -> None:
    """From now on nothing that is printed can fail for want of a sign in the encoding."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def say(lines: Iterable[str]) -> None:
    """Lines to standard output; BrokenPipeError where its reader has gone."""
    if sys.stdout is not None:
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()


def complain(line: str) -> None:
    """One line to standard error, if there is one."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(f"sorry-lan: {line}\n")
            sys.stderr.flush()
