"""The TABLE document: what every seat signs before the first card, and what a continuation carries on ([T-1] and on).

States the shape only; the rules between its fields are checked in fair/genesis.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag, unique
from typing import Annotated

from sorry_lan.wire import limits
from sorry_lan.wire.schema import B32, U8, Bin, Counter, Many, PlayerName, SeatIndex, Uint

DOCUMENT_VERSION = 1
PROTO = 1
"""The game rules of the wire; pinned in the table."""


@unique
class SeatKind(IntEnum):
    """Who plays a seat."""

    HUMAN = 0
    BOT = 1
    STAND_IN = 2


class Option(IntFlag):
    """What a table forbids."""

    NONE = 0
    NO_HINTS = 1
    NO_WATCHERS = 2
    NO_FREE_CHAT = 4


@unique
class Why(IntEnum):
    """Why a continuation was made: the signers' statement, not checked."""

    LEFT = 0
    UNREACHABLE = 1
    OWED = 2
    FAULT = 3
    RETURN = 4
    CHAIN_END = 5
    SAVE = 6


@dataclass(frozen=True, slots=True)
class TermsSeat:
    """One seat line; key, nonce and anchor are 32 zero bytes for a bot or stand-in, `client` is then its own index."""

    kind: Annotated[int, Uint(2)]
    client: SeatIndex
    pk: B32
    nonce: B32
    anchor: B32
    colour: Annotated[int, Uint(3)]
    name: PlayerName
    level: Annotated[int, Uint(3)]


@dataclass(frozen=True, slots=True)
class Parent:
    """Where a continuation takes up: `k` steps of game `game` were counted, the board then was `snapshot`."""

    game: B32
    k: Counter
    head: B32
    state: B32
    snapshot: Annotated[bytes, Bin(1, limits.MAX_SNAPSHOT)]
    pending: U8 | None
    why: Annotated[int, Uint(6)]


@dataclass(frozen=True, slots=True)
class Terms:
    """The TABLE document; `rules` are the 14 integers of the rules array (R-1), `first` the youngest's seat or nil."""

    version: Annotated[int, Uint(DOCUMENT_VERSION, DOCUMENT_VERSION)]
    proto: U8
    rules: Annotated[tuple[Annotated[int, Uint(limits.UINT_MAX)], ...], Many(14, 14)]
    options: U8
    engine: B32
    seats: Annotated[tuple[TermsSeat, ...], Many(limits.MIN_SEATS, limits.MAX_SEATS)]
    first: SeatIndex | None
    parent: Parent | None
