"""Where this user's files live. Names only; makes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sorry_lan.store.disk import StoreError
from sorry_lan.store.folders import Base, folder_of
from sorry_lan.table.notices import StoreProblem, StoreTrouble


def state_folder(environment: Mapping[str, str]) -> Path:
    """`$XDG_STATE_HOME/sorry-lan`, else `~/.local/state/sorry-lan`; StoreError NO_HOME where neither is known."""
    return _known(Base.STATE, environment)


def config_folder(environment: Mapping[str, str]) -> Path:
    """`$XDG_CONFIG_HOME/sorry-lan`, else `~/.config/sorry-lan`; StoreError NO_HOME where neither is known."""
    return _known(Base.CONFIG, environment)


def identity_folder(environment: Mapping[str, str], chosen: str | None) -> Path:
    """The folder of `--identity` (`~` meant as the home folder), else the user's own; StoreError NO_HOME as above."""
    if chosen is None:
        return state_folder(environment) / "identity"
    try:
        return Path(chosen).expanduser().absolute()
    except (RuntimeError, OSError) as wrong:
        raise _no_home(chosen) from wrong


def _known(base: Base, environment: Mapping[str, str]) -> Path:
    found = folder_of(base, environment)
    if found is None:
        raise _no_home(base.value)
    return found


def _no_home(what: str) -> StoreError:
    return StoreError(StoreProblem(StoreTrouble.NO_HOME, what, "no home folder is known"))
