"""From one table to the next: what a continuation takes up, and whether a document is one ([T-30] to [T-34], [T-41]).

Pure functions of ledgers and documents; who wants what is the table's matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sorry_lan.fair import genesis
from sorry_lan.fair.entry import Kind, decode_body, encode_snapshot, state_digest
from sorry_lan.fair.open_step import Record
from sorry_lan.fair.record import Ledger
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.wire import limits
from sorry_lan.wire.terms import Parent, SeatKind, Terms, TermsSeat, Why

_NOBODY = bytes(32)
FEWEST = 2
"""Humans that remain in a continuation, except at the chain's end ([T-41])."""


def view_of(ledger: Ledger, why: Why) -> Parent | None:
    """What a continuation made now takes up; None before step 0 of a first table is counted ([T-34]), and after a win.

    A step is counted when its outcome is fixed and no second move is known; the card of a step that is not counted, but
    whose shares are all known, is pending, as is one that an earlier table left pending until step 1 is counted.
    """
    now, inherited = ledger.open, None if ledger.terms.parent is None else ledger.terms.parent.pending
    standing = ledger.standing
    if now.applied is not None and not now.contested:
        standing = now.applied.after
    if standing.position.winner is not None or (standing.k == 0 and ledger.terms.parent is None):
        return None
    pending, pile = None, standing.pile
    if inherited is not None and standing.k <= 1:
        pending = inherited
    elif standing.k == now.k and now.drawn is not None:
        pending, pile = int(now.drawn.card), now.drawn.pile
    snapshot = encode_snapshot(standing.position, pile)
    return Parent(ledger.game_id, standing.k, standing.head, state_digest(snapshot), snapshot, pending, int(why))


def went_on_behind(ledger: Ledger, parent: Parent) -> bool:
    """Whether `ledger` knows all that a continuation takes up, and more: others went on who did not see as much."""
    now, last = ledger.open, parent.k - 1
    if last < 0 or last > ledger.k or (last == ledger.k and now.applied is None):
        return False
    if ledger.applied_of(last).head != parent.head:
        return False
    card = ledger.applied_of(parent.k).card if parent.k < ledger.k else now.card if parent.k == ledger.k else None
    return parent.pending is None or (card is not None and int(card) == parent.pending)


def tail_of(ledger: Ledger, view: Parent) -> tuple[Record, ...]:
    """The frames behind the final steps 0 to k - 2 in a file that goes on with this continuation ([X-10]).

    The last counted step without its acknowledgements, of which two clients may hold different ones, and the shares of
    a card that became pending in this game.
    """
    frames = []
    if view.k:
        last = ledger.record(view.k - 1) if view.k - 1 < ledger.k else ledger.open.record()
        frames.append(Record(last.k, tuple(e for e in last.entries if decode_body(e.body).KIND != Kind.ACK)))
    inherited = None if ledger.terms.parent is None else ledger.terms.parent.pending
    if view.pending is not None and (inherited is None or view.k > 1):
        # A late answer may have come since: only what made the card is told.
        step = ledger.record(view.k) if view.k < ledger.k else ledger.open.record()
        frames.append(Record(view.k, tuple(e for e in step.entries if decode_body(e.body).KIND == Kind.REVEAL)))
    return tuple(frames)


def next_terms(
    old: Terms, view: Parent, lines: Mapping[int, TermsSeat], without: Sequence[int] | frozenset[int]
) -> Terms:
    """The document of a continuation: `lines` are new lines of its humans, `without` seats that become stand-ins."""
    seats = []
    for index, line in enumerate(old.seats):
        if index in lines:
            seats.append(lines[index])
        elif index in without:
            seats.append(stand_in(line, index))
        else:
            seats.append(line)
    return replace(old, seats=tuple(seats), first=None, parent=view)


def stand_in(line: TermsSeat, index: int) -> TermsSeat:
    """The line of a seat that somebody left."""
    return replace(
        line, kind=SeatKind.STAND_IN, client=index, pk=_NOBODY, nonce=_NOBODY, anchor=_NOBODY,
        level=genesis.STAND_IN_LEVEL,
    )  # fmt: skip


def last_keys(line: Sequence[Terms]) -> tuple[bytes, ...]:
    """The key that each seat had when it was last human, oldest table first in `line`; 32 zero bytes for a bot."""
    return tuple(_NOBODY if seat is None else seat.pk for seat in _last_human(line))


def last_clients(line: Sequence[Terms]) -> tuple[int, ...]:
    """The client that each seat had when it was last human, oldest table first in `line`; its own index for a bot."""
    return tuple(index if seat is None else seat.client for index, seat in enumerate(_last_human(line)))


def _last_human(line: Sequence[Terms]) -> list[TermsSeat | None]:
    """For each seat its line at the last table where it was human; None where it never was."""
    last: list[TermsSeat | None] = [None] * len(line[0].seats)
    for terms in line:
        last = [seat if seat.kind == SeatKind.HUMAN else was for seat, was in zip(terms.seats, last, strict=True)]
    return last


def check_continuation(terms: Terms, line: Sequence[Terms]) -> None:
    """Whether `terms` may follow the last of `line`, the tables so far; what its parent claims is judged elsewhere.

    Raises:
        RemoteFault: PARENT_DIFFERS for anything that [T-30], [T-31], [T-41] or [T-42] forbids; further as check_terms.
    """
    genesis.check_terms(terms)
    old, parent = line[-1], terms.parent
    if parent is None:
        raise RemoteFault(Err.PARENT_DIFFERS, "no continuation")
    same = (terms.version, terms.proto, terms.rules, terms.options, terms.engine, len(terms.seats))
    if same != (old.version, old.proto, old.rules, old.options, old.engine, len(old.seats)):
        raise RemoteFault(Err.PARENT_DIFFERS, "a continuation under other terms")
    if parent.k == 0 and old.parent is None:
        raise RemoteFault(Err.PARENT_DIFFERS, "a first table without a counted step is void")
    lasts = zip(last_keys(line), last_clients(line), strict=True)
    for index, (new, was, last) in enumerate(zip(terms.seats, old.seats, lasts, strict=True)):
        _check_line(index, new, was, last)
        back = new.kind == SeatKind.HUMAN and was.kind == SeatKind.STAND_IN
        # That its pawns are not all Home is part of what makes the snapshot a position of this table.
        if back and (parent.why != Why.RETURN or parent.pending is not None):
            raise RemoteFault(Err.PARENT_DIFFERS, "a seat returns though nobody asked for it, or within a step")
    if parent.why == Why.CHAIN_END and not (parent.k == limits.CHAIN_LENGTH and _kinds(terms) == _kinds(old)):
        # Else one seat alone could sign itself out of a game, and all others with it, whenever it likes.
        raise RemoteFault(Err.PARENT_DIFFERS, "the chains are not at their end, or not all go on")
    if len(genesis.humans(terms)) < FEWEST and parent.why != Why.CHAIN_END:
        raise RemoteFault(Err.PARENT_DIFFERS, "fewer than two people go on")


def _kinds(terms: Terms) -> tuple[int, ...]:
    return tuple(seat.kind for seat in terms.seats)


def _check_line(index: int, new: TermsSeat, was: TermsSeat, last: tuple[bytes, int]) -> None:
    if (new.colour, new.name) != (was.colour, was.name):
        raise RemoteFault(Err.PARENT_DIFFERS, f"seat {index} has another name or colour")
    if was.kind == SeatKind.BOT and new != was:
        raise RemoteFault(Err.PARENT_DIFFERS, f"bot {index} changed")
    if new.kind == SeatKind.BOT and was.kind != SeatKind.BOT:
        raise RemoteFault(Err.PARENT_DIFFERS, f"seat {index} became a bot")
    if new.kind != SeatKind.HUMAN:
        return
    key, client = last
    if new.pk != key:
        raise RemoteFault(Err.PARENT_DIFFERS, f"seat {index} has another key")
    if new.client != client:
        raise RemoteFault(Err.PARENT_DIFFERS, f"seat {index} is at another client")
    if was.kind == SeatKind.HUMAN and (new.nonce == was.nonce or new.anchor == was.anchor):
        raise RemoteFault(Err.PARENT_DIFFERS, f"seat {index} uses its nonce or anchor again")
