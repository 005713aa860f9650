"""The folders in which a user's programs keep things: XDG base directories, or what macOS and Windows have instead.

The XDG variables count everywhere; without them each system has its own custom (docs/platforms.md). Asks no disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, unique
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Final

from sorry_lan.store.system import HERE, System, home_of_this_user

PROGRAM: Final = "sorry-lan"


@unique
class Base(Enum):
    """A kind of folder, by the variable of the XDG rules that names it."""

    STATE = "XDG_STATE_HOME"
    CONFIG = "XDG_CONFIG_HOME"


_BELOW_HOME: Final[Mapping[tuple[Base, System], tuple[str, ...]]] = {
    (Base.STATE, System.UNIX): (".local", "state"),
    (Base.CONFIG, System.UNIX): (".config",),
    (Base.STATE, System.MACOS): ("Library", "Application Support"),
    (Base.CONFIG, System.MACOS): ("Library", "Application Support"),
    (Base.STATE, System.WINDOWS): ("AppData", "Local"),
    (Base.CONFIG, System.WINDOWS): ("AppData", "Roaming"),
}
_VARIABLES: Final[Mapping[tuple[Base, System], str]] = {
    (Base.STATE, System.WINDOWS): "LOCALAPPDATA",
    (Base.CONFIG, System.WINDOWS): "APPDATA",
}


def folder_of(base: Base, environment: Mapping[str, str], system: System = HERE) -> Path | None:
    """This program's folder of a kind; None where neither a variable nor a home folder is known."""
    kind = PureWindowsPath if system is System.WINDOWS else PurePosixPath
    # The XDG rules: a relative path in these variables is to be ignored.
    for name in (base.value, _VARIABLES.get((base, system), base.value)):
        given = kind(environment.get(name, ""))
        if given.is_absolute():
            return Path(str(given / PROGRAM))
    # Not "~": that would take an empty or relative HOME for a folder.
    for home in (environment.get("USERPROFILE" if system is System.WINDOWS else "HOME"), home_of_this_user()):
        if kind(home or "").is_absolute():
            return Path(str(kind(home or "", *_BELOW_HOME[base, system], PROGRAM)))
    return None


def user_name(environment: Mapping[str, str]) -> str:
    """What the environment calls this user, "" where it does not: USER on Unix and macOS, USERNAME on Windows."""
    return next(filter(None, (environment.get(name, "") for name in ("USER", "LOGNAME", "USERNAME"))), "")
