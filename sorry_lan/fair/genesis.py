"""The TABLE document: its bytes, its game id, the rules between its fields, the consents under it ([T-1] to [T-10]).

Judges a document from itself alone; whether it is the one that was agreed in a lobby is for the table to say.
Of a continuation it checks what the document says of itself; continuation.py compares it with its parent.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sorry_lan.fair.entry import decode_snapshot, head_start, state_digest
from sorry_lan.fair.step import Standing, opening
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.rules.board import Colour
from sorry_lan.rules.cards import CARDS, full_deck
from sorry_lan.rules.position import problems
from sorry_lan.rules.profile import Rules, from_uints
from sorry_lan.wire import limits
from sorry_lan.wire.codec import pack, unpack
from sorry_lan.wire.digest import sized, tagged_hash
from sorry_lan.wire.keys import NO_GAME, Context, SecretKey, check_public, verify
from sorry_lan.wire.messages import Consent
from sorry_lan.wire.terms import PROTO, Option, Parent, SeatKind, Terms, TermsSeat

NOBODY = bytes(32)
"""Key, nonce and anchor of a seat without a person."""
STAND_IN_LEVEL = 1
"""What the document says of every stand-in; it plays as the easy bot does ([F-31])."""


def encode_terms(terms: Terms) -> bytes:
    """CMP of the document; LocalMisuse where a field does not fit."""
    return pack(terms)


def decode_terms(data: bytes) -> Terms:
    """The document in `data`, of the right shape and no more; RemoteFault BAD_FRAME, NOT_CANONICAL or SCHEMA."""
    if len(data) > limits.MAX_TABLE:
        raise RemoteFault(Err.SCHEMA, f"a table of more than {limits.MAX_TABLE} bytes")
    return unpack(Terms, data)


def game_id(table: bytes) -> bytes:
    """The 32 bytes that name the game and are the hash of its table."""
    return tagged_hash("game", sized(table))


def humans(terms: Terms) -> tuple[int, ...]:
    """The seats with a key, ascending."""
    return tuple(index for index, seat in enumerate(terms.seats) if seat.kind == SeatKind.HUMAN)


def colours_of(terms: Terms) -> tuple[Colour, ...]:
    """The colour of each seat, ascending."""
    return tuple(Colour(seat.colour) for seat in terms.seats)


def rules_of(terms: Terms) -> Rules:
    """The rules in force; RemoteFault SCHEMA where the fourteen numbers are none."""
    return _rules(terms.rules)


@lru_cache(maxsize=16)
def _rules(numbers: tuple[int, ...]) -> Rules:
    try:
        return from_uints(numbers)
    except ValueError as wrong:
        raise RemoteFault(Err.SCHEMA, str(wrong)) from wrong


def check_terms(terms: Terms) -> None:
    """Every rule between the fields of one document.

    Raises:
        RemoteFault: DUPLICATE for a key, nonce, anchor, colour or name that two seats have; VERSION for another proto;
            SCHEMA for everything else, a parent whose snapshot is no position of this table among it.
    """
    if terms.proto != PROTO:
        raise RemoteFault(Err.VERSION, f"game protocol {terms.proto} instead of {PROTO}")
    if terms.options & ~_ALL_OPTIONS:
        raise RemoteFault(Err.SCHEMA, "an option that does not exist")
    rules_of(terms)
    seated = humans(terms)
    if not seated:
        raise RemoteFault(Err.SCHEMA, "a table without a person")
    if terms.first is not None and terms.first not in seated:
        raise RemoteFault(Err.SCHEMA, "a first player who is no person")
    for index, seat in enumerate(terms.seats):
        if seat.kind == SeatKind.HUMAN:
            _check_human(seat, seated)
        else:
            _check_bot(seat, index)
    if terms.parent is None and any(seat.kind == SeatKind.STAND_IN for seat in terms.seats):
        raise RemoteFault(Err.SCHEMA, "a stand-in, which a first table does not have")
    _check_order(terms.seats)
    _check_clients(terms.seats, seated)
    persons = [terms.seats[index] for index in seated]
    _distinct([seat.pk for seat in persons], "key")
    _distinct([seat.nonce for seat in persons], "nonce")
    _distinct([seat.anchor for seat in persons], "anchor")
    _distinct([seat.name for seat in terms.seats], "name")
    if terms.parent is not None:
        _check_parent(terms, terms.parent)


_ALL_OPTIONS = int(Option.NO_HINTS | Option.NO_WATCHERS | Option.NO_FREE_CHAT)


def _check_human(seat: TermsSeat, seated: tuple[int, ...]) -> None:
    check_public(seat.pk)
    if seat.level:
        raise RemoteFault(Err.SCHEMA, "a person with a bot's level")
    if seat.client not in seated:
        raise RemoteFault(Err.SCHEMA, "a client that is no person's seat")


def _check_bot(seat: TermsSeat, index: int) -> None:
    if (seat.pk, seat.nonce, seat.anchor) != (NOBODY, NOBODY, NOBODY):
        raise RemoteFault(Err.SCHEMA, "a bot with a key, a nonce or an anchor")
    if seat.client != index:
        raise RemoteFault(Err.SCHEMA, "a bot at somebody's client")
    if seat.kind == SeatKind.STAND_IN and seat.level != STAND_IN_LEVEL:
        raise RemoteFault(Err.SCHEMA, "a stand-in of another level")


def _check_parent(terms: Terms, parent: Parent) -> None:
    if terms.first is not None:
        raise RemoteFault(Err.SCHEMA, "a continuation goes on with whose turn it is")
    if parent.k > limits.CHAIN_LENGTH:
        raise RemoteFault(Err.SCHEMA, "more steps than a game can have")
    if parent.pending is not None and parent.pending not in tuple(CARDS):
        raise RemoteFault(Err.SCHEMA, "a pending card that does not exist")
    if state_digest(parent.snapshot) != parent.state:
        raise RemoteFault(Err.SCHEMA, "a snapshot with another digest")
    if opening_of(terms).position.winner is not None:
        raise RemoteFault(Err.SCHEMA, "a game that is over does not go on")


def barred(terms: Terms) -> int:
    """Bit mask of the stand-ins."""
    return sum(1 << index for index, seat in enumerate(terms.seats) if seat.kind == SeatKind.STAND_IN)


def opening_of(terms: Terms) -> Standing:
    """Where step 0 of this table begins; RemoteFault SCHEMA for a snapshot that is no position of it."""
    head = head_start(game_id(encode_terms(terms)))
    rules, colours = rules_of(terms), colours_of(terms)
    if terms.parent is None:
        return opening(rules, colours, head)
    position, pile = decode_snapshot(terms.parent.snapshot, colours, barred(terms))
    found = problems(position, rules)
    most = full_deck(rules)
    if found or len(pile) != len(most) or any(n > whole for n, whole in zip(pile, most, strict=True)):
        raise RemoteFault(Err.SCHEMA, "a snapshot that is no position of this game")
    return Standing(0, head, position, pile)


def _check_order(seats: Sequence[TermsSeat]) -> None:
    colours = [seat.colour for seat in seats]
    _distinct(colours, "colour")
    if colours != sorted(colours):
        raise RemoteFault(Err.SCHEMA, "seats ascend by colour")


def _check_clients(seats: Sequence[TermsSeat], seated: tuple[int, ...]) -> None:
    # A client's links use the key of one of its own seats, so the seat it names must name itself.
    if any(seats[seats[index].client].client != seats[index].client for index in seated):
        raise RemoteFault(Err.SCHEMA, "a client's seat that belongs to another client")


def _distinct(values: Sequence[object], what: str) -> None:
    if len(set(values)) != len(values):
        raise RemoteFault(Err.DUPLICATE, f"two seats with one {what}")


def consent_signature(key: SecretKey, table: bytes) -> bytes:
    """One seat's signature under exactly these bytes."""
    return key.sign(Context.TABLE, NO_GAME, table)


def consent_holds(terms: Terms, table: bytes, consent: Consent) -> bool:
    """Whether `consent` is that of a human seat of `terms`, under exactly the bytes `table`."""
    if consent.seat not in humans(terms):
        return False
    return verify(terms.seats[consent.seat].pk, Context.TABLE, NO_GAME, table, consent.sig)


def consents_complete(terms: Terms, table: bytes, consents: Sequence[Consent]) -> bool:
    """Whether exactly the human seats consented, ascending, each with a signature that holds."""
    return tuple(consent.seat for consent in consents) == humans(terms) and all(
        consent_holds(terms, table, consent) for consent in consents
    )
