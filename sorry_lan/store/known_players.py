"""The people this identity has played with: which key each name had (`known_players` in the identity folder).

A line of text each, for people to read and to correct: key, since when, name. The identity's lock keeps others away.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from sorry_lan.store.disk import Disk, StoreError, damaged, read_plain, save_whole
from sorry_lan.table.notices import StoreProblem

_NAME: Final = "known_players"
_HEAD: Final = "# Whom you played with, for sorry-lan: key, since when, name.\n"
_LINE: Final = re.compile(r"(?P<key>[0-9a-f]{64}) (?P<since>\d{4}-\d\d-\d\d) (?P<name>.+)")
MOST_BYTES: Final = 1 << 20
"""Some ten thousand people."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody by this name had this key on that day ("2026-11-30"), the first one we met."""

    key: bytes
    since: str
    name: str


@dataclass(frozen=True, slots=True)
class KnownPlayers:
    """All of them, the oldest first; `text` is the file they came from, with what people wrote into it."""

    players: tuple[Player, ...] = ()
    text: str = _HEAD

    def knows(self, key: bytes, name: str) -> bool:
        """Whether this key has had this name before."""
        return any(player.key == key for player in self._called(name))

    def knows_key(self, key: bytes) -> bool:
        """Whether this key has been met, by whatever name."""
        return any(player.key == key for player in self.players)

    def since(self, name: str) -> str | None:
        """Since when somebody by this name is known, by any key; names that look alike are one."""
        return next((player.since for player in self._called(name)), None)

    def with_players(self, met: tuple[Player, ...]) -> KnownPlayers:
        """These noted as well, once each."""
        known = self
        for player in met:
            if not known.knows(player.key, player.name) and player.name.isprintable():
                line = f"{player.key.hex()} {player.since} {player.name}\n"
                end = "" if known.text.endswith("\n") or not known.text else "\n"
                known = replace(known, players=(*known.players, player), text=known.text + end + line)
        return known

    def _called(self, name: str) -> tuple[Player, ...]:
        return tuple(player for player in self.players if folded(player.name) == folded(name))


def folded(name: str) -> str:
    """What names that people take for the same have in common."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).strip()


def read_known(folder: Path) -> tuple[KnownPlayers, StoreProblem | None]:
    """Whom the file names, nobody where there is none; with a problem where it must not be written again. Blocks.

    Lines of a damaged file that can be read count all the same.
    """
    path = folder / _NAME
    try:
        data = read_plain(path, MOST_BYTES + 1)
    except FileNotFoundError:
        return KnownPlayers(), None
    except StoreError as wrong:
        return KnownPlayers(), wrong.problem
    if len(data) > MOST_BYTES:
        return KnownPlayers(), damaged(path, "too long").problem
    text = data.decode("utf-8", "replace")
    players: list[Player] = []
    problem = None
    for number, line in enumerate(text.splitlines(), 1):
        found = _LINE.fullmatch(line)
        if found is not None:
            players.append(Player(bytes.fromhex(found["key"]), found["since"], found["name"]))
        elif line.strip() and not line.startswith("#"):
            problem = problem or damaged(path, f"line {number}").problem
    return KnownPlayers(tuple(players), text), problem


def save_known(disk: Disk, folder: Path, known: KnownPlayers) -> None:
    """Put them on the disk, whole and synced; StoreError. Blocks."""
    save_whole(disk, folder / _NAME, known.text.encode())
