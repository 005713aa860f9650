"""A game as its journal holds it: a pure value, made of the records of one file after the other ([F-16], [S-7]).

Judges nothing that was signed; a Ledger does that when the game is taken up again. Reads no files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Annotated, assert_never

from sorry_lan.fair import genesis
from sorry_lan.fair.entry import decode_body
from sorry_lan.fair.open_step import Record
from sorry_lan.fair.transcript import EndFrame
from sorry_lan.faults import LocalMisuse, RemoteFault
from sorry_lan.table.commands import JournalKind
from sorry_lan.wire import limits
from sorry_lan.wire.codec import unpack
from sorry_lan.wire.messages import Consent, PeerAddress, Peers, Signed, TableAgreed, TableBytes
from sorry_lan.wire.schema import B32, Many, Text

JournalPair = tuple[JournalKind, bytes]
"""Kind and payload of one journal record."""


class NotAGame(Exception):  # noqa: N818 - says what is the case
    """The records hold no game: the table is missing, or something in them is not what we wrote."""


@dataclass(frozen=True, slots=True)
class Header:
    """First record of a game: its table, the consents, the lobby's title, and what stands in the parent's open step.

    `tail` is the parent's last counted step without acknowledgements, and the shares of its pending card, where there
    are such; empty for a first table.
    """

    table: TableBytes
    consents: Annotated[tuple[Consent, ...], Many(1, limits.MAX_SEATS)]
    title: Annotated[str, Text(0, limits.MAX_TITLE)]
    tail: Annotated[tuple[Record, ...], Many(0, 2)]


@dataclass(frozen=True, slots=True)
class Promise:
    """Our seats consented to the table with this game id as a continuation of the journal's game."""

    child: B32


@dataclass(frozen=True, slots=True)
class SavedGame:
    """What one client wrote of one game, oldest first; `parent` is the game that it goes on from.

    Attributes:
        agreed: the table with every consent. title: of its lobby.
        tail: see Header. records: the final steps from 0 on, without gaps.
        own: every entry that our seats signed, in the order of signing.
        promised: continuations of this game that our seats consented to.
        peers: where the other clients were last seen, by link key.
        end: how the game ended for this client, if it did.
    """

    agreed: TableAgreed
    title: str
    tail: tuple[Record, ...] = ()
    records: tuple[Record, ...] = ()
    own: tuple[Signed, ...] = ()
    promised: tuple[bytes, ...] = ()
    peers: tuple[PeerAddress, ...] = ()
    end: EndFrame | None = None
    parent: SavedGame | None = None

    @property
    def game_id(self) -> bytes:
        """The game id."""
        return genesis.game_id(self.agreed.table)


def restore(records: Iterable[JournalPair]) -> SavedGame:
    """The game that the records of one journal hold, oldest first, without its parent; NotAGame where they hold none.

    A step that was written twice, or again after a gap, counts once: the first steps without a gap are taken.
    """
    header: Header | None = None
    steps: list[Record] = []
    own: dict[bytes, Signed] = {}
    promised: list[bytes] = []
    peers: tuple[PeerAddress, ...] = ()
    end: EndFrame | None = None
    try:
        for kind, payload in records:
            match kind:
                case JournalKind.HEADER:
                    header = header or unpack(Header, payload)
                case JournalKind.RECORD:
                    record = unpack(Record, payload)
                    if record.k == len(steps):
                        steps.append(record)
                case JournalKind.OWN_ENTRY:
                    signed = unpack(Signed, payload)
                    decode_body(signed.body)
                    own.setdefault(signed.body, signed)
                case JournalKind.PEERS:
                    peers = unpack(Peers, payload).peers
                case JournalKind.CONSENT:
                    promised.append(unpack(Promise, payload).child)
                case JournalKind.END:
                    end = unpack(EndFrame, payload)
                case JournalKind.NONCE:
                    raise NotAGame("a record of the identity's own journal")
                case _:
                    assert_never(kind)
    except RemoteFault as wrong:
        raise NotAGame(str(wrong)) from wrong
    if header is None:
        raise NotAGame("no table")
    agreed = TableAgreed(header.table, header.consents)
    return SavedGame(
        agreed,
        header.title,
        header.tail,
        tuple(steps),
        tuple(own.values()),
        tuple(promised),
        peers,
        end,
    )


def restore_line(game: bytes, journal: Callable[[bytes], Iterable[JournalPair]]) -> SavedGame:
    """The game and all that it goes on from; `journal` reads the records of a game by its id.

    Raises:
        NotAGame: one of them is missing or holds none.
    """
    line: list[SavedGame] = []
    wanted: bytes | None = game
    while wanted is not None:
        alone = restore(journal(wanted))
        if alone.game_id != wanted:
            raise NotAGame("the table of another game")
        line.append(alone)
        wanted = parent_of(alone.agreed)
    found = line.pop()
    while line:
        found = replace(line.pop(), parent=found)
    return found


def parent_of(agreed: TableAgreed) -> bytes | None:
    """The game that a table goes on from, None for a first one; NotAGame for bytes that are no table."""
    try:
        parent = genesis.decode_terms(agreed.table).parent
    except RemoteFault as wrong:
        raise NotAGame(str(wrong)) from wrong
    return None if parent is None else parent.game


def lineage(saved: SavedGame) -> tuple[SavedGame, ...]:
    """The first table's game, each that followed, and this one; LocalMisuse where an ancestor is missing."""
    line = [saved]
    while (wanted := parent_of(line[-1].agreed)) is not None:
        parent = line[-1].parent
        if parent is None or parent.game_id != wanted:
            raise LocalMisuse("a saved game without the one that it goes on from")
        line.append(parent)
    return tuple(reversed(line))
