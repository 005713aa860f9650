"""The games folder: files that a person may keep and verify, and the journals of games that may go on.

A damaged journal is never changed and never overwritten: it is set aside, and what was whole of it begins a new one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from enum import Enum, unique
from pathlib import Path
from unicodedata import combining, normalize

from sorry_lan.fair import genesis
from sorry_lan.fair.entry import Leave, Leaving, decode_body
from sorry_lan.fair.transcript import Ending
from sorry_lan.faults import RemoteFault
from sorry_lan.store.disk import Disk, StoreError, make_folder, reading, save_whole, writing
from sorry_lan.store.journal import encode_record, read_journal, salvaged
from sorry_lan.table.commands import FileKind
from sorry_lan.table.notices import StoreTrouble
from sorry_lan.table.saved import JournalPair, NotAGame, SavedGame, lineage, parent_of, restore_line
from sorry_lan.table.story import story_of

_LONGEST_TITLE = 40
_ENDING = {FileKind.TRANSCRIPT: ".sorry", FileKind.EVIDENCE: "-evidence.sorry", FileKind.DUMP: "-dump.bin"}
_JOURNAL = ".journal"
_GAME_ID_DIGITS = 64


@unique
class GameState(Enum):
    """What became of a saved game."""

    INTERRUPTED = "interrupted"
    """It broke off: nobody here left it, and it is not over."""
    LEFT = "left"
    """Our people left it for now."""
    LEFT_FOR_GOOD = "left-for-good"
    SAVED = "saved"
    """Too few people remained to go on without the others."""
    WON = "won"
    DAMAGED = "damaged"
    """Its journal, or that of a game before it, holds no game."""
    FOREIGN = "foreign"
    """It broke off, but nobody of this identity ever sat there: the identity is another one than it was."""
    OTHER_ENGINE = "other-engine"
    """It broke off in a version whose bots or rules are others than ours."""


_ALIVE = frozenset((GameState.INTERRUPTED, GameState.LEFT, GameState.SAVED))


@dataclass(frozen=True, slots=True)
class KeptGame:
    """One journal of the folder that no later one goes on from; `changed_s` is the file's time, seconds of 1970."""

    game: bytes
    path: Path
    changed_s: float
    state: GameState
    saved: SavedGame | None

    @property
    def can_go_on(self) -> bool:
        """Whether resuming it makes sense."""
        return self.state in _ALIVE


def file_name(day: dt.date, title: str, game: bytes, kind: FileKind) -> str:
    """`2026-11-29-bobs-table-1a2b3c4d.sorry`: from a stranger's title only ASCII letters, digits and dashes remain.

    Letters lose their accents, so that Zoë's table is still hers.
    """
    plain = "".join(c for c in normalize("NFKD", title.lower()) if c != "'" and not combining(c))
    words = "".join(c if c.isascii() and c.isalnum() else " " for c in plain).split()
    short = "-".join(words)[:_LONGEST_TITLE].strip("-") or "table"
    return f"{day.isoformat()}-{short}-{game.hex()[:8]}{_ENDING[kind]}"


def save_game(disk: Disk, folder: Path, name: str, content: bytes) -> Path:
    """Write a file of the games folder whole; its path. Blocks. StoreError where it cannot be written."""
    make_folder(folder)
    path = folder / name
    save_whole(disk, path, content)
    return path


def kept_games(folder: Path) -> tuple[KeptGame, ...]:
    """Every game of the folder that nothing goes on from, the latest first. Blocks; changes nothing.

    Raises:
        StoreError: the folder cannot be read.
    """
    with reading(folder):
        paths = sorted(path for path in folder.glob(f"*{_JOURNAL}") if _game_of(path) is not None)
    found = {path.stem: _kept(path) for path in paths}
    older = {parent for game in found.values() if game.saved is not None for parent in _parents(game.saved)}
    leaves = [game for game in found.values() if game.game not in older]
    return tuple(sorted(leaves, key=lambda game: (-game.changed_s, game.game)))


def judged(games: Iterable[KeptGame], keys: Collection[bytes], engine: Callable[[], bytes]) -> tuple[KeptGame, ...]:
    """The same games; one that could go on says so only where these keys sat and this engine played.

    `keys` are all that the identity can seat, `engine` is asked for the digest only where it matters.
    """
    return tuple(replace(game, state=_judged(game, keys, engine)) for game in games)


def _judged(game: KeptGame, keys: Collection[bytes], engine: Callable[[], bytes]) -> GameState:
    if game.saved is None or not game.can_go_on:
        return game.state
    line = [genesis.decode_terms(saved.agreed.table) for saved in lineage(game.saved)]
    if not any(seat.pk in keys for terms in line for seat in terms.seats):
        return GameState.FOREIGN
    return game.state if line[-1].engine == engine() else GameState.OTHER_ENGINE


def _game_of(path: Path) -> bytes | None:
    try:
        return bytes.fromhex(path.stem) if len(path.stem) == _GAME_ID_DIGITS else None
    except ValueError:
        return None


def _parents(saved: SavedGame) -> Iterable[bytes]:
    parent = parent_of(saved.agreed)
    return () if parent is None else (parent,)


def _kept(path: Path) -> KeptGame:
    game = bytes.fromhex(path.stem)
    saved: SavedGame | None = None
    changed_s = 0.0
    try:
        with reading(path):
            changed_s = path.stat().st_mtime
        saved = restore_line(game, lambda wanted: _pairs(path.with_name(f"{wanted.hex()}{_JOURNAL}")))
        genesis.check_terms(genesis.decode_terms(saved.agreed.table))
        story_of(saved)
        state = _state(saved)
    except (StoreError, NotAGame, RemoteFault):
        state = GameState.DAMAGED
    return KeptGame(game, path, changed_s, state, saved)


def _pairs(path: Path) -> list[JournalPair]:
    return [(record.kind, record.payload) for record in read_journal(path)]


def _state(saved: SavedGame) -> GameState:
    if saved.end is not None:
        return GameState.WON if saved.end.how == Ending.WON else GameState.SAVED
    reasons = {body.reason for body in map(decode_body, (entry.body for entry in saved.own)) if isinstance(body, Leave)}
    if Leaving.FOR_GOOD in reasons:
        return GameState.LEFT_FOR_GOOD
    return GameState.LEFT if reasons else GameState.INTERRUPTED


def mended(disk: Disk, path: Path) -> Path | None:
    """Where a damaged journal is kept now, None where it is whole. What is whole of it begins the new one. Blocks.

    Raises:
        StoreError: something cannot be read or written; the journal is then still in its place.
    """
    try:
        read_journal(path)
    except StoreError as wrong:
        if wrong.problem.trouble is not StoreTrouble.DAMAGED:
            raise
    else:
        return None
    records = salvaged(path)
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    with writing(path):
        disk.rename(path, aside)
    save_whole(disk, path, b"".join(encode_record(record.kind, record.payload) for record in records))
    return aside
