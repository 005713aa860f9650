"""The command's first step: answers --version at once and leaves everything else to dispatch.py.

Imports nothing that a bare interpreter has not loaded: the version must cost no more than starting Python.
"""

from __future__ import annotations

import sys

from sorry_lan import __version__


def main(argv: list[str] | None = None) -> int:
    """Run one command line (sys.argv[1:] where None) and return the exit code of docs/play.md."""
    words = sys.argv[1:] if argv is None else argv
    if words in (["--version"], ["-V"]):
        sys.stdout.write(f"sorry-lan {__version__}\n")
        return 0
    from sorry_lan.cli.dispatch import run  # noqa: PLC0415 - loads the parser and more, which --version must not pay for

    return run(words)
