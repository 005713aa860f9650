"""The command's first step: answers --version at once and leaves everything else to dispatch.py.

Imports nothing that a bare interpreter has not loaded: the version must cost no more than starting Python.
"""

from __future__ import annotations

import os
import sys

from sorry_lan import __version__

_INTERRUPTED = 130


def main(argv: list[str] | None = None) -> int:
    """Run one command line (sys.argv[1:] where None) and return the exit code of docs/play.md."""
    words = sys.argv[1:] if argv is None else argv
    if words in (["--version"], ["-V"]) and _printed(f"sorry-lan {__version__}\n"):
        return 0
    if argv is None:
        _end_at_once()
    from sorry_lan.cli.dispatch import run  # noqa: PLC0415 - loads the parser and more, which --version must not pay for

    return run(words)


def _printed(text: str) -> bool:
    """Whether standard output took the text; what to say where it did not is dispatch.py's matter."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except (OSError, AttributeError):
        return False
    return True


def _end_at_once() -> None:
    """Until a table runs there is nothing to put in order: a signal ends the process, without a trace of where it was.

    An exception would not do: the machinery of imports swallows some, and prints others.
    """
    try:
        import signal  # noqa: PLC0415 - every command but --version loads it
        from functools import partial  # noqa: PLC0415 - as above
    except KeyboardInterrupt:
        os._exit(_INTERRUPTED)
    for name, code in (("SIGINT", _INTERRUPTED), ("SIGTERM", 143), ("SIGHUP", 129), ("SIGBREAK", 129)):
        number = getattr(signal, name, None)
        # What is ignored stays ignored: nohup, and a shell's background.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, partial(_exit, code))


def _exit(code: int, _number: int, _frame: object) -> None:
    os._exit(code)
