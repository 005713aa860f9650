"""Where this user's files live. Names only; makes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sorry_lan.store.disk import StoreError
from sorry_lan.store.folders import Base, folder_of
from sorry_lan.table.notices import StoreProblem, StoreTrouble


def state_folder(environment: Mapping[str, str]) -> Path:
    """`$XDG_STATE_HOME/sorry-lan`, else `~/.local/state/sorry-lan`; StoreError NO_HOME where neither is known."""
    found = folder_of(Base.STATE, environment)
    if found is None:
        raise _no_home(Base.STATE.value)
    return found


def identity_folder(environment: Mapping[str, str], chosen: str | None) -> Path:
    """The folder of `--identity` (`~` meant as the home folder), else the user's own; StoreError NO_HOME as above."""
    if chosen is None:
        return state_folder(environment) / "identity"
    try:
        return Path(chosen).expanduser().absolute()
    except (RuntimeError, OSError) as wrong:
        raise _no_home(chosen) from wrong


def _no_home(what: str) -> StoreError:
    return StoreError(StoreProblem(StoreTrouble.NO_HOME, what, "no home folder is known"))
