"""What may stand behind each flag and command, where that is a known list, files or folders: for completion.

The lists are those that options.py checks against; what is not here may be anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, unique
from typing import Final

from sorry_lan.bots.levels import LEVELS
from sorry_lan.cli.arguments import ALIASES, COMMANDS, FLAGS
from sorry_lan.rules.board import Colour
from sorry_lan.rules.profile import PROFILES, SWITCHES, allowed_values
from sorry_lan.ui import languages
from sorry_lan.ui.taste import Confirm, Pace
from sorry_lan.wire.limits import MAX_SEATS, MIN_SEATS

SHELLS: Final = ("bash", "zsh", "fish")


@unique
class Kind(Enum):
    """Values that a shell finds by itself, or by a function of the script."""

    ANYTHING = "anything"
    FILE = "file"
    FOLDER = "folder"
    CODE = "code"


_BY_PLACEHOLDER: Final[Mapping[str, Kind]] = {"FILE": Kind.FILE, "DIR": Kind.FOLDER, "WORDS": Kind.CODE}

_LISTS: Final[Mapping[str, tuple[str, ...]]] = {
    "--rules": tuple(PROFILES),
    "--rule": tuple(f"{switch}={value}" for switch in SWITCHES for value in allowed_values(switch)),
    "--seats": tuple(map(str, range(MIN_SEATS, MAX_SEATS + 1))),
    "--players": tuple(map(str, range(MIN_SEATS, MAX_SEATS + 1))),
    "--bots": tuple(map(str, range(MAX_SEATS))),
    "--colour": tuple(colour.label for colour in Colour),
    "--auto": LEVELS,
    "--confidence": ("95", "99"),
    "--on-away": ("wait", "continue"),
    "--speed": tuple(pace.value for pace in Pace if pace is not Pace.NONE),
    "--confirm": tuple(confirm.value for confirm in Confirm),
    "--language": languages.languages(),
}

_OPERANDS: Final[Mapping[str, tuple[str, ...] | Kind]] = {
    "[PROFILE]": tuple(PROFILES),
    "SHELL": SHELLS,
    "FILE": Kind.FILE,
    "[WHERE]": Kind.CODE,
    "BOT...": ("random", *LEVELS),
}


def behind(flag: str) -> tuple[str, ...] | Kind:
    """What may stand behind a flag that takes a value."""
    return _LISTS.get(flag) or _BY_PLACEHOLDER.get(FLAGS[flag].placeholder, Kind.ANYTHING)


def operand(command: str) -> tuple[str, ...] | Kind:
    """What may stand behind a command; an empty list where nothing does."""
    placeholder = COMMANDS[command].operand
    return _OPERANDS.get(placeholder, Kind.ANYTHING) if placeholder else ()


def spellings(flag: str) -> tuple[str, ...]:
    """A flag and its other names."""
    return (flag, *(alias for alias, name in ALIASES.items() if name == flag))
