"""Entries: what a seat signs in a step, the slot it fills, the ids and heads that chain the steps ([F-11] to [F-14]).

Ids and heads are made of unsigned bodies: a signer can make many signatures of one body. Judges no entry (record.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, unique
from hashlib import sha256
from typing import Annotated, ClassVar, Final, NamedTuple, cast

from sorry_lan.faults import Err, RemoteFault
from sorry_lan.rules.board import Colour
from sorry_lan.rules.position import Position
from sorry_lan.wire import limits
from sorry_lan.wire.codec import Value, decode, encode, from_value, to_value, unpack
from sorry_lan.wire.digest import sized, tagged_hash, u32
from sorry_lan.wire.keys import Context, SecretKey, signed_bytes
from sorry_lan.wire.messages import Signed
from sorry_lan.wire.schema import B32, U8, Many, SeatIndex, Uint

_NO_MOVE: Final = bytes(32)
"""Stands for the move's id in step 0, which has none."""

StepNumber = Annotated[int, Uint(limits.CHAIN_LENGTH - 1)]
MovedStep = Annotated[int, Uint(limits.CHAIN_LENGTH - 1, 1)]
Action = Annotated[tuple[U8, ...], Many(0, 5)]


@unique
class Kind(IntEnum):
    """The first element of a body."""

    REVEAL = 1
    MOVE = 2
    ACK = 3
    LEAVE = 4


@unique
class Leaving(IntEnum):
    """Why a seat leaves: it means to come back, or not."""

    FOR_NOW = 0
    FOR_GOOD = 1


@dataclass(frozen=True, slots=True)
class Reveal:
    """A seat opens its share of step `k`."""

    KIND: ClassVar[Kind] = Kind.REVEAL
    k: StepNumber
    seat: SeatIndex
    share: B32


@dataclass(frozen=True, slots=True)
class MoveEntry:
    """The seat to play answers the card of step `k` at `head`; `state` is the digest of the position it leads to."""

    KIND: ClassVar[Kind] = Kind.MOVE
    k: MovedStep
    seat: SeatIndex
    head: B32
    action: Action
    state: B32


@dataclass(frozen=True, slots=True)
class Ack:
    """A seat has counted step `k`, after which the head is `head`."""

    KIND: ClassVar[Kind] = Kind.ACK
    k: StepNumber
    seat: SeatIndex
    head: B32


@dataclass(frozen=True, slots=True)
class Leave:
    """A seat says goodbye while step `k` is open; part of no record and no transcript."""

    KIND: ClassVar[Kind] = Kind.LEAVE
    k: StepNumber
    seat: SeatIndex
    reason: Annotated[int, Uint(1)]


Body = Reveal | MoveEntry | Ack | Leave
_BODIES: Final[dict[int, type[Body]]] = {kind.KIND: kind for kind in (Reveal, MoveEntry, Ack, Leave)}


class Slot(NamedTuple):
    """Where at most one body of a seat may ever stand; ascending slots are the order of a record.

    `kind` is the kind of the body, and 5 for a LEAVE for good: the two reasons to leave have a slot each.
    """

    kind: int
    k: int
    seat: int


def slot(body: Body) -> Slot:
    """The slot that `body` fills."""
    kind = body.KIND + body.reason if isinstance(body, Leave) else body.KIND
    return Slot(int(kind), body.k, body.seat)


def encode_body(body: Body) -> bytes:
    """CMP [kind, k, seat, ...]; LocalMisuse where a field does not fit."""
    return encode((int(body.KIND), *cast("tuple[Value, ...]", to_value(body))))


def decode_body(data: bytes) -> Body:
    """The body in `data`; RemoteFault BAD_FRAME, NOT_CANONICAL or SCHEMA."""
    value = decode(data)
    if type(value) is not tuple or not value or type(value[0]) is not int or value[0] not in _BODIES:
        raise RemoteFault(Err.SCHEMA, "an entry is an array that begins with its kind")
    return from_value(_BODIES[value[0]], value[1:])


def sign_entry(key: SecretKey, game_id: bytes, body: Body) -> Signed:
    """`body` as it travels, signed for this game; the caller has made sure that its slot is free."""
    data = encode_body(body)
    return Signed(data, key.sign(Context.ENTRY, game_id, data))


def entry_id(game_id: bytes, body: bytes) -> bytes:
    """32 bytes that name an entry, whatever its signature."""
    return sha256(signed_bytes(Context.ENTRY, game_id, body)).digest()


def head_start(game_id: bytes) -> bytes:
    """head_0, before anything happened."""
    return tagged_hash("head", game_id)


def head_after_lot(head: bytes, secret: bytes) -> bytes:
    """head_1, after step 0 with its joint secret."""
    return head_next(head, 0, secret, _NO_MOVE)


def head_next(head: bytes, k: int, secret: bytes, move_id: bytes) -> bytes:
    """head_{k+1} after step `k` with its joint secret and the id of its move (entry_id or auto_id)."""
    return tagged_hash("step", head, u32(k), secret, move_id)


def auto_id(action: tuple[int, ...], state: bytes) -> bytes:
    """The id of an action that every client computes and nobody signs; `state` is the digest after it."""
    return tagged_hash("auto", sized(encode(action)), state)


def encode_snapshot(position: Position, pile: tuple[int, ...]) -> bytes:
    """CMP [turn, 0 or 1 + winner, rows of locations by seat, cards left by ascending code]: the whole public state."""
    over = 0 if position.winner is None else 1 + position.winner
    return encode((position.turn, over, position.pawns, pile))


@dataclass(frozen=True, slots=True)
class _Snapshot:
    turn: SeatIndex
    over: Annotated[int, Uint(limits.MAX_SEATS)]
    pawns: Annotated[tuple[Annotated[tuple[U8, ...], Many(1, 4)], ...], Many(limits.MIN_SEATS, limits.MAX_SEATS)]
    pile: Annotated[tuple[U8, ...], Many(11, 11)]


def decode_snapshot(data: bytes, colours: tuple[Colour, ...], barred: int) -> tuple[Position, tuple[int, ...]]:
    """Position and pile in `data`, not yet judged; RemoteFault BAD_FRAME, NOT_CANONICAL or SCHEMA."""
    shown = unpack(_Snapshot, data)
    winner = shown.over - 1 if shown.over else None
    return Position(colours, shown.pawns, shown.turn, winner, barred), shown.pile


def state_digest(snapshot: bytes) -> bytes:
    """32 bytes that two clients with one state share."""
    return tagged_hash("state", sized(snapshot))
