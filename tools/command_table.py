"""Compares the tables of commands and flags in docs/play.md with cli/arguments.py; `--write` writes them.

Run from the repository's root: python -m tools.command_table [--write]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from sorry_lan.cli.arguments import COMMANDS, FLAGS, GLOBAL, Command, Flag, Takes
from tools.blocks import compare, filled

GUIDE = Path(__file__).resolve().parent.parent / "docs" / "play.md"


def command_lines() -> Iterator[str]:
    """Every command with what it does and its own flags."""
    yield "| command | does | its flags |"
    yield "|---|---|---|"
    for command in COMMANDS.values():
        yield f"| `{_called(command)}` | {command.about} | {_listed(command.flags)} |"
    yield f"| every command | | {_listed(GLOBAL)} |"


def flag_lines() -> Iterator[str]:
    """Every flag with what follows it and what it does."""
    yield "| flag | does |"
    yield "|---|---|"
    for flag in FLAGS.values():
        yield f"| `{_written(flag)}` | {flag.about} |"


BLOCKS = {"commands": command_lines, "flags": flag_lines}


def generated(text: str) -> str:
    """`text` of the guide with each generated block as it should be."""
    return filled(text, BLOCKS)


def main(arguments: list[str]) -> int:
    """0 if the guide is as generated, or was written."""
    return compare(GUIDE, BLOCKS, "python -m tools.command_table", arguments)


def _called(command: Command) -> str:
    return f"{command.name} {command.operand}" if command.operand else command.name


def _listed(flags: tuple[str, ...]) -> str:
    return " ".join(f"`{flag}`" for flag in flags) or "none"


def _written(flag: Flag) -> str:
    return flag.name if flag.takes is Takes.NOTHING else f"{flag.name} {flag.placeholder}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
