"""The TABLE document: its bytes, its game id, the rules between its fields, the consents under it ([T-1] to [T-10]).

Judges a document from itself alone; whether it is the one that was agreed in a lobby is for the table to say.
This version plays first tables with easy bots: stand-ins and continuations are refused by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sorry_lan.bots.choose import OFFERED
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.rules.board import Colour
from sorry_lan.rules.profile import Rules, from_uints
from sorry_lan.wire import limits
from sorry_lan.wire.codec import pack, unpack
from sorry_lan.wire.digest import sized, tagged_hash
from sorry_lan.wire.keys import NO_GAME, Context, SecretKey, check_public, verify
from sorry_lan.wire.messages import Consent
from sorry_lan.wire.terms import PROTO, Option, SeatKind, Terms, TermsSeat

_NOBODY = bytes(32)
"""Key, nonce and anchor of a seat without a person."""


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
            PARENT_DIFFERS for a continuation; SCHEMA for everything else.
    """
    if terms.parent is not None:
        raise RemoteFault(Err.PARENT_DIFFERS, "a continuation, which this version does not play")
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
    _check_order(terms.seats)
    _check_clients(terms.seats, seated)
    persons = [terms.seats[index] for index in seated]
    _distinct([seat.pk for seat in persons], "key")
    _distinct([seat.nonce for seat in persons], "nonce")
    _distinct([seat.anchor for seat in persons], "anchor")
    _distinct([seat.name for seat in terms.seats], "name")


_ALL_OPTIONS = int(Option.NO_HINTS | Option.NO_WATCHERS | Option.NO_FREE_CHAT)


def _check_human(seat: TermsSeat, seated: tuple[int, ...]) -> None:
    check_public(seat.pk)
    if seat.level:
        raise RemoteFault(Err.SCHEMA, "a person with a bot's level")
    if seat.client not in seated:
        raise RemoteFault(Err.SCHEMA, "a client that is no person's seat")


def _check_bot(seat: TermsSeat, index: int) -> None:
    if seat.kind == SeatKind.STAND_IN:
        raise RemoteFault(Err.SCHEMA, "a stand-in, which a first table does not have")
    if (seat.pk, seat.nonce, seat.anchor) != (_NOBODY, _NOBODY, _NOBODY):
        raise RemoteFault(Err.SCHEMA, "a bot with a key, a nonce or an anchor")
    if seat.client != index:
        raise RemoteFault(Err.SCHEMA, "a bot at somebody's client")
    if seat.level not in OFFERED:
        raise RemoteFault(Err.SCHEMA, "a bot of a level that this version does not have")


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
