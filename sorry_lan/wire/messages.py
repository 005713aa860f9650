"""All message types of the wire, one frozen class per rule of protocol/messages.cddl ([W-20] and on).

States what travels, in the order in which it travels; knows neither bytes (wire/codec.py) nor what a message means.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, unique
from typing import Annotated, ClassVar

from sorry_lan.wire import limits
from sorry_lan.wire.schema import (
    B16,
    B32,
    B33,
    U8,
    U16,
    Bin,
    Counter,
    Many,
    Name,
    PlayerName,
    SeatIndex,
    SeatMask,
    Signature,
    Text,
    Uint,
)

PROTOCOL_NAME = "sorry-lan"
VERSION_MIN = 1
VERSION_MAX = 1

ByeText = Annotated[str, Text(0, limits.MAX_BYE_TEXT)]
TableBytes = Annotated[bytes, Bin(1, limits.MAX_TABLE)]
BodyBytes = Annotated[bytes, Bin(1, limits.MAX_BODY)]
SeatColour = Annotated[int, Uint(3)]


@unique
class Intent(IntEnum):
    """What a caller wants of the one it called."""

    LOBBY = 0
    GAME = 1
    WATCH = 2


@unique
class LobbyKind(IntEnum):
    """Who is to sit on a seat of a lobby."""

    HUMAN = 0
    BOT = 1
    OPEN = 3


@unique
class Stage(IntEnum):
    """Where a client stands in its open step (STATUS)."""

    SHARES = 0
    MOVE = 1
    ACKS = 2
    CONSENTED_ELSEWHERE = 3
    DIVERGED = 4
    OVER = 5


@dataclass(frozen=True, slots=True)
class Signed:
    """One signed entry as it travels: the exact bytes that were signed, and the signature."""

    body: BodyBytes
    sig: Signature


@dataclass(frozen=True, slots=True)
class Consent:
    """One seat's signature under a table."""

    seat: SeatIndex
    sig: Signature


@dataclass(frozen=True, slots=True)
class PeerAddress:
    """Where a client's listener may be reached."""

    pk: B32
    addresses: Annotated[tuple[Annotated[str, Text(1, limits.MAX_ADDRESS)], ...], Many(0, limits.MAX_ADDRESSES)]


@dataclass(frozen=True, slots=True)
class LobbySeat:
    """One seat of a lobby as its host sees it; `client` is the link key of the client it belongs to."""

    kind: Annotated[int, Uint(3)]
    pk: B32
    client: B32
    colour: SeatColour
    name: Annotated[str, Name(low=0)]
    age: U8 | None
    ready: bool
    level: Annotated[int, Uint(3)]


@dataclass(frozen=True, slots=True)
class Hello:
    """First frame of both ends. The fields up to `app` never change, so that other versions can say who they are."""

    TYPE: ClassVar[int] = 1
    protocol: Annotated[str, Text(1, 9)]
    vmin: U8
    vmax: U8
    app: Annotated[str, Text(1, limits.MAX_APP)]
    pk: B32
    nonce: B32
    pake: B33 | None
    instance: B16
    boot: Counter
    intent: Annotated[int, Uint(2)]
    game: B32 | None
    engine: B32
    name: PlayerName
    port: U16 | None


@dataclass(frozen=True, slots=True)
class HelloHead:
    """What a HELLO of any version begins with; enough to tell two people that their programs differ."""

    protocol: Annotated[str, Text(1, 9)]
    vmin: U8
    vmax: U8
    app: Annotated[str, Text(1, limits.MAX_APP)]


@dataclass(frozen=True, slots=True)
class Auth:
    """Proof of the key, and of the join code where one is used."""

    TYPE: ClassVar[int] = 2
    sig: Signature
    confirm: B32 | None


@dataclass(frozen=True, slots=True)
class Ping:
    """Are you there?"""

    TYPE: ClassVar[int] = 3
    n: Counter


@dataclass(frozen=True, slots=True)
class Pong:
    """I am."""

    TYPE: ClassVar[int] = 4
    n: Counter


@dataclass(frozen=True, slots=True)
class Bye:
    """The link ends, and why."""

    TYPE: ClassVar[int] = 5
    code: Counter
    text: ByeText


@dataclass(frozen=True, slots=True)
class Peers:
    """The host tells each client where the others listen."""

    TYPE: ClassVar[int] = 6
    peers: Annotated[tuple[PeerAddress, ...], Many(0, 4)]


@dataclass(frozen=True, slots=True)
class Chat:
    """A line of talk; unsigned, worth nothing but its words."""

    TYPE: ClassVar[int] = 7
    seat: U8
    text: Annotated[str, Text(1, limits.MAX_CHAT)]


@dataclass(frozen=True, slots=True)
class SeatOffer:
    """SEAT: what a person offers to sit down with; the last one of a key counts."""

    TYPE: ClassVar[int] = 20
    pk: B32
    colour: SeatColour
    name: PlayerName
    age: U8 | None
    ready: bool
    nonce: B32
    anchor: B32
    parent: B32 | None
    sig: Signature | None


@dataclass(frozen=True, slots=True)
class Lobby:
    """LOBBY: the table as the host sees it."""

    TYPE: ClassVar[int] = 21
    rev: Counter
    title: Annotated[str, Text(1, limits.MAX_TITLE)]
    rules: Annotated[bytes, Bin(1, limits.MAX_RULES)]
    options: U8
    seats: Annotated[tuple[LobbySeat, ...], Many(1, limits.MAX_SEATS)]


@dataclass(frozen=True, slots=True)
class Propose:
    """PROPOSE: these bytes shall be the table."""

    TYPE: ClassVar[int] = 22
    seat: U8
    table: TableBytes
    sig: Signature | None


@dataclass(frozen=True, slots=True)
class ConsentGiven:
    """CONSENT: one seat agrees to exactly these bytes."""

    TYPE: ClassVar[int] = 23
    seat: SeatIndex
    table_hash: B32
    sig: Signature


@dataclass(frozen=True, slots=True)
class Withdraw:
    """WITHDRAW: a consent is taken back."""

    TYPE: ClassVar[int] = 24
    seat: SeatIndex
    game_id: B32
    sig: Signature


@dataclass(frozen=True, slots=True)
class No:
    """NO: the last SEAT, PROPOSE or CONSENT is refused; the link stays."""

    TYPE: ClassVar[int] = 25
    code: Counter
    text: ByeText


@dataclass(frozen=True, slots=True)
class TableAgreed:
    """TABLE: the document with every human seat's consent."""

    TYPE: ClassVar[int] = 26
    table: TableBytes
    consents: Annotated[tuple[Consent, ...], Many(1, limits.MAX_SEATS)]


@dataclass(frozen=True, slots=True)
class Entry:
    """ENTRY: one signed entry of an open step."""

    TYPE: ClassVar[int] = 40
    game: B32
    body: BodyBytes
    sig: Signature


@dataclass(frozen=True, slots=True)
class Status:
    """STATUS: where I stand; the heartbeat of a game."""

    TYPE: ClassVar[int] = 41
    game: B32
    k: Counter
    stage: Annotated[int, Uint(5)]
    head: B32
    reveals: SeatMask
    acks: SeatMask
    has_move: bool
    links: SeatMask
    boots: Annotated[tuple[Counter, ...], Many(2, limits.MAX_SEATS)]


@dataclass(frozen=True, slots=True)
class Want:
    """WANT: send me these steps."""

    TYPE: ClassVar[int] = 42
    game: B32
    k: Counter
    count: Annotated[int, Uint(limits.MAX_WANT, 1)]


@dataclass(frozen=True, slots=True)
class StepRecord:
    """RECORD: one finished step, entries ascending by (kind, seat)."""

    TYPE: ClassVar[int] = 43
    game: B32
    k: Counter
    entries: Annotated[tuple[Signed, ...], Many(1, limits.MAX_RECORD_ENTRIES)]


@dataclass(frozen=True, slots=True)
class MineAsked:
    """MINE?: what have I signed?"""

    TYPE: ClassVar[int] = 44
    game: B32
    seat: SeatIndex
    challenge: B16


@dataclass(frozen=True, slots=True)
class Mine:
    """MINE: all I hold of that client's seats, signed by the one who answers."""

    TYPE: ClassVar[int] = 45
    game: B32
    body: Annotated[bytes, Bin(1, limits.MAX_MINE_BODY)]
    sig: Signature


@dataclass(frozen=True, slots=True)
class Fault:
    """FAULT: one or two signed bodies that prove a seat's misbehaviour."""

    TYPE: ClassVar[int] = 46
    game: B32
    first: Signed
    second: Signed | None


@dataclass(frozen=True, slots=True)
class Ways:
    """WAYS: where else a game can be watched, should this link break; sent to watchers only."""

    TYPE: ClassVar[int] = 140
    game: B32
    peers: Annotated[tuple[PeerAddress, ...], Many(0, 4)]


@dataclass(frozen=True, slots=True)
class Watchers:
    """WATCHERS: who watches through this client; sent to players only."""

    TYPE: ClassVar[int] = 141
    names: Annotated[tuple[PlayerName, ...], Many(0, limits.MAX_WATCHERS)]


Message = (
    Hello
    | Auth
    | Ping
    | Pong
    | Bye
    | Peers
    | Chat
    | SeatOffer
    | Lobby
    | Propose
    | ConsentGiven
    | Withdraw
    | No
    | TableAgreed
    | Entry
    | Status
    | Want
    | StepRecord
    | MineAsked
    | Mine
    | Fault
    | Ways
    | Watchers
)
EXTENSION_FROM = 128
"""Types from here on are ignored where unknown; unknown types below close the link ([W-21])."""
