"""Where this user's files live (XDG base directories). Names only; makes nothing."""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping
from pathlib import Path

from sorry_lan.store.disk import StoreError
from sorry_lan.table.notices import StoreProblem, StoreTrouble

_PROGRAM = "sorry-lan"


def state_folder(environment: Mapping[str, str]) -> Path:
    """`$XDG_STATE_HOME/sorry-lan`, else `~/.local/state/sorry-lan`; StoreError NO_HOME where neither is known."""
    return _base(environment, "XDG_STATE_HOME", (".local", "state")) / _PROGRAM


def config_folder(environment: Mapping[str, str]) -> Path:
    """`$XDG_CONFIG_HOME/sorry-lan`, else `~/.config/sorry-lan`; StoreError NO_HOME where neither is known."""
    return _base(environment, "XDG_CONFIG_HOME", (".config",)) / _PROGRAM


def identity_folder(environment: Mapping[str, str], chosen: str | None) -> Path:
    """The folder of `--identity` (`~` meant as the home folder), else the user's own; StoreError NO_HOME as above."""
    if chosen is None:
        return state_folder(environment) / "identity"
    try:
        return Path(chosen).expanduser().absolute()
    except (RuntimeError, OSError) as wrong:
        raise _no_home(chosen) from wrong


def _base(environment: Mapping[str, str], variable: str, below_home: tuple[str, ...]) -> Path:
    given = environment.get(variable, "")
    # The XDG rules: a relative path in these variables is to be ignored.
    if os.path.isabs(given):  # noqa: PTH117 - Path("").is_absolute() says the same, with a detour
        return Path(given)
    home = environment.get("HOME", "")
    if os.path.isabs(home):  # noqa: PTH117 - as above
        return Path(home, *below_home)
    try:
        # Not "~": that would take an empty or relative HOME for a folder.
        return Path(pwd.getpwuid(os.getuid()).pw_dir, *below_home)
    except KeyError as wrong:
        raise _no_home(variable) from wrong


def _no_home(what: str) -> StoreError:
    return StoreError(StoreProblem(StoreTrouble.NO_HOME, what, "no home folder is known"))
