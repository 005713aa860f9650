"""The numbers of every game file in a folder; what was counted once is kept beside the files and not counted again.

The memory (`.counts.json`) is only that: any doubt about it, and the files are read anew. Files are never changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sorry_lan.fair.counts import GameCounts, SeatCounts, counts_of
from sorry_lan.fair.replay import Finding
from sorry_lan.fair.retold import Untold, retold
from sorry_lan.rules.cards import CARDS
from sorry_lan.store.disk import Disk, StoreError, read_plain, reading, save_whole
from sorry_lan.table.notices import StoreProblem
from sorry_lan.wire.limits import MAX_JOURNAL, MAX_SEATS

MEMORY: Final = ".counts.json"
_FORMAT: Final = 1
_MOST_MEMORY: Final = 64 * 1024 * 1024
_KEY: Final = 32

Stamp = tuple[int, int]
"""Size and time (ns) of a file: where both are as they were, so is its content."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that is in no number, and why."""

    path: Path
    why: Finding | StoreProblem


@dataclass(frozen=True, slots=True)
class Counted:
    """Every game of the folder once, the longest file of each; and the files that tell none."""

    games: tuple[GameCounts, ...]
    skipped: tuple[Skipped, ...]


def counted(folder: Path, disk: Disk) -> Counted:
    """The numbers of all game files in `folder`, evidence left out. Blocks: some 20 ms a file that is new.

    Raises:
        StoreError: the folder cannot be read.
    """
    with reading(folder):
        paths = sorted(path for path in folder.glob("*.sorry") if not path.name.endswith("-evidence.sorry"))
    known = _remembered(folder / MEMORY)
    fresh: dict[str, tuple[Stamp, GameCounts]] = {}
    skipped: list[Skipped] = []
    for path in paths:
        try:
            stamp = _stamp(path)
            remembered = known.get(path.name)
            same = remembered is not None and remembered[0] == stamp
            fresh[path.name] = remembered if remembered is not None and same else (stamp, _count(path))
        except StoreError as wrong:
            skipped.append(Skipped(path, wrong.problem))
        except Untold as untold:
            skipped.append(Skipped(path, untold.finding))
    if fresh != known:
        # Nobody misses it: then the files are counted again.
        with suppress(StoreError):
            save_whole(disk, folder / MEMORY, _encoded(fresh))
    return Counted(_once(counts for _, counts in fresh.values()), tuple(skipped))


def _once(games: Iterator[GameCounts]) -> tuple[GameCounts, ...]:
    """Of the files of one game, as one that was saved and went on later, the longest."""
    best: dict[bytes, GameCounts] = {}
    for game in games:
        if game.root not in best or best[game.root].turns < game.turns:
            best[game.root] = game
    return tuple(best.values())


def _stamp(path: Path) -> Stamp:
    with reading(path):
        about = path.lstat()
    return about.st_size, about.st_mtime_ns


def _count(path: Path) -> GameCounts:
    with reading(path):
        data = read_plain(path, MAX_JOURNAL + 1)
    if len(data) > MAX_JOURNAL:
        raise Untold(Finding.OTHER_FORMAT)
    return counts_of(retold(data))


def _encoded(known: dict[str, tuple[Stamp, GameCounts]]) -> bytes:
    files = {
        name: [
            *stamp,
            game.root.hex(),
            game.deck,
            game.winner,
            [[seat.name, seat.key.hex(), seat.drawn, seat.given, seat.taken] for seat in game.seats],
        ]
        for name, (stamp, game) in known.items()
    }
    return json.dumps({"format": _FORMAT, "files": files}, separators=(",", ":")).encode()


def _remembered(path: Path) -> dict[str, tuple[Stamp, GameCounts]]:
    """What was counted before; nothing where the memory is not wholly as we write it."""
    try:
        found = json.loads(read_plain(path, _MOST_MEMORY))
        if found["format"] != _FORMAT:
            return {}
        return {str(name): _entry(*line) for name, line in found["files"].items()}
    except (OSError, StoreError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}


def _entry(size: object, time_ns: object, root: str, deck: object, *rest: object) -> tuple[Stamp, GameCounts]:
    winner, seats = rest
    if not isinstance(seats, list) or not 0 < len(seats) <= MAX_SEATS:
        raise TypeError("no seats")
    if winner is not None and _number(winner) >= len(seats):
        raise ValueError("a winner without a seat")
    if not any(_faces(deck)):
        raise ValueError("a deck without a card")
    game = GameCounts(
        bytes.fromhex(root),
        _faces(deck),
        None if winner is None else _number(winner),
        tuple(_seat(*line) for line in seats),
    )
    return (_number(size), _number(time_ns)), game


def _seat(name: object, key: object, drawn: object, given: object, taken: object) -> SeatCounts:
    if not isinstance(name, str) or not isinstance(key, str) or len(bytes.fromhex(key)) != _KEY:
        raise TypeError("no seat")
    return SeatCounts(name, bytes.fromhex(key), _faces(drawn), _number(given), _number(taken))


def _faces(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) != len(CARDS):
        raise TypeError("not one number for each face")
    return tuple(map(_number, value))


def _number(value: object) -> int:
    if type(value) is not int or value < 0:
        raise TypeError("no count")
    return value
