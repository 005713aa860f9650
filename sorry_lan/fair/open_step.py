"""The step in play: its shares, its move, its acknowledgements, and when it is final ([F-21] to [F-25]).

Judges entries of this one step that are well signed and whose slot was free; the rest is record.py's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, unique
from typing import Annotated, assert_never

from sorry_lan.bots.choose import EASY, choose
from sorry_lan.fair import genesis, step
from sorry_lan.fair.chain import opens
from sorry_lan.fair.draw import joint_secret
from sorry_lan.fair.entry import Ack, Kind, MoveEntry, Reveal, Slot, entry_id, slot
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import IllegalMove
from sorry_lan.rules.moves import Move, Sorry, Swap, from_action
from sorry_lan.wire import limits
from sorry_lan.wire.messages import Signed
from sorry_lan.wire.schema import Counter, Many
from sorry_lan.wire.terms import SeatKind, Terms

Played = Reveal | MoveEntry | Ack
"""What a step is made of."""


@unique
class Accepted(Enum):
    """What an entry did; the meaning of each is told at Change."""

    NEW_SHARE = "new share"
    CARD_KNOWN = "card known"
    MOVED = "moved"
    ACKED = "acked"
    STEP_FINAL = "step final"
    LEFT = "left"
    HELD = "held"
    HEAD_DIFFERS = "head differs"
    REFUSED = "refused"
    DUPLICATE = "duplicate"
    TOO_EARLY = "too early"
    OLD = "old"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that happened in step `k`, and the entry of `seat` that did it.

    NEW_SHARE, MOVED, ACKED: a valid entry took effect (MOVED has no `signed` where a bot moved).
    CARD_KNOWN: all shares are there; in step 0 the lot is cast. STEP_FINAL: `k` is closed. LEFT: `seat` says goodbye.
    HELD: well signed, to be judged when what it needs has come. REFUSED: an entry that had been held is wrong, `fault`
    tells; who brought the latest entry has no part in it. HEAD_DIFFERS: an ACK of another head than ours, which proves
    nothing by itself. DUPLICATE, TOO_EARLY, OLD: nothing happened.
    """

    what: Accepted
    k: int
    seat: int | None = None
    signed: Signed | None = None
    fault: RemoteFault | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """The entries of step `k`, ascending by slot: shares, the move of a human seat, acknowledgements."""

    k: Counter
    entries: Annotated[tuple[Signed, ...], Many(1, limits.MAX_RECORD_ENTRIES)]


@dataclass(frozen=True, slots=True)
class Agreed:
    """What stands for the whole game: the table, and the seats with a key."""

    game_id: bytes
    terms: Terms
    humans: tuple[int, ...]


class OpenStep:
    """One step; only its Ledger changes it.

    Attributes:
        seen: every well-signed body by slot, whatever came of it; no other may ever fill that slot.
        refused: the slots among them whose body is wrong by itself: a bad share, an illegal action.
        shares, move, acks: the valid ones, by seat. opened: the shares' 32 bytes.
        secret, drawn: known when all shares are; step 0 draws nothing.
        applied: the outcome, once the action is fixed. contested: the seat to play signed two moves.
    """

    def __init__(self, agreed: Agreed, standing: step.Standing, last: Mapping[int, bytes]) -> None:
        """`last` is each human seat's latest share, or its anchor."""
        self.k = standing.k
        self.seen: dict[Slot, Signed] = {}
        self.refused: set[Slot] = set()
        self.shares: dict[int, Signed] = {}
        self.opened: dict[int, bytes] = {}
        self.secret: bytes | None = None
        self.lot: step.Lot | None = None
        self.drawn: step.Drawn | None = None
        self.move: Signed | None = None
        self.applied: step.Applied | None = None
        self.acks: dict[int, Signed] = {}
        self.contested = False
        self._agreed = agreed
        self._standing = standing
        self._last = last
        self._rules = genesis.rules_of(agreed.terms)
        self._held: list[MoveEntry | Ack] = []

    @property
    def card(self) -> Card | None:
        """The card, once known; step 0 has none."""
        return None if self.drawn is None else self.drawn.card

    @property
    def choices(self) -> tuple[Move, ...]:
        """What the card may be answered with, once known."""
        return () if self.drawn is None else self.drawn.choices

    @property
    def mover(self) -> int | None:
        """The seat on turn if it signs its moves: it does not acknowledge them too."""
        turn = self._standing.position.turn
        return turn if self.k and turn in self._agreed.humans else None

    @property
    def missing_acks(self) -> tuple[int, ...]:
        """Human seats that have not acknowledged the outcome we computed."""
        return tuple(seat for seat in self._agreed.humans if seat != self.mover and seat not in self.acks)

    @property
    def final(self) -> bool:
        """Whether everybody is bound to one outcome. A second move changes nothing then: nobody can acknowledge it."""
        return self.applied is not None and not self.missing_acks

    def entries(self) -> tuple[Signed, ...]:
        """All that is known and not refused, ascending by slot: what a peer that asks is told."""
        return tuple(self.seen[where] for where in sorted(self.seen) if where not in self.refused)

    def record(self) -> Record:
        """The valid entries so far."""
        acks = [self.acks[seat] for seat in sorted(self.acks)]
        move = [] if self.move is None else [self.move]
        return Record(self.k, (*(self.shares[seat] for seat in sorted(self.shares)), *move, *acks))

    def take(self, body: Played, signed: Signed) -> list[Change]:
        """Judge one entry, and then whatever had waited for it.

        Raises:
            RemoteFault: BAD_SHARE, ILLEGAL_ACTION (with evidence) and DIVERGED, which use up the slot; SCHEMA for an
                ACK of the seat that moves.
        """
        if isinstance(body, Ack) and body.seat == self.mover:
            raise RemoteFault(Err.SCHEMA, "a move is its own acknowledgement")
        self.seen[slot(body)] = signed
        match body:
            case Reveal():
                changes = [self._reveal(body, signed)]
                if len(self.shares) == len(self._agreed.humans):
                    changes += self._draw()
                    changes += self._judge_held()
            case MoveEntry():
                changes = [self._move(body, signed)]
                changes += self._judge_held()
            case Ack():
                changes = [self._ack(body, signed)]
            case _:
                assert_never(body)
        return changes

    def holds_better(self, body: Played) -> bool:
        """Whether a body is right whose slot is filled with a wrong one of the same signer."""
        if isinstance(body, Reveal):
            seat = self._agreed.terms.seats[body.seat]
            opened = opens(seat.pk, seat.nonce, self.k, body.share, self._last[body.seat])
            return body.seat not in self.shares and opened
        if isinstance(body, Ack):
            return self.applied is not None and body.seat in self.missing_acks and body.head == self.applied.head
        return False

    def _judge_held(self) -> list[Change]:
        """What waited, now that the card or the outcome is known: moves before acknowledgements."""
        held, self._held = sorted(self._held, key=slot), []
        changes = []
        for body in held:
            signed = self.seen[slot(body)]
            try:
                changes.append(self._move(body, signed) if isinstance(body, MoveEntry) else self._ack(body, signed))
            except RemoteFault as fault:
                changes.append(Change(Accepted.REFUSED, self.k, body.seat, signed, fault))
        return [change for change in changes if change.what is not Accepted.HELD]

    def _hold(self, body: MoveEntry | Ack, signed: Signed) -> Change:
        self._held.append(body)
        return Change(Accepted.HELD, self.k, body.seat, signed)

    def _reveal(self, body: Reveal, signed: Signed) -> Change:
        seat = self._agreed.terms.seats[body.seat]
        if not opens(seat.pk, seat.nonce, self.k, body.share, self._last[body.seat]):
            self.refused.add(slot(body))
            raise RemoteFault(Err.BAD_SHARE, f"seat {body.seat}'s share of step {self.k} does not open its chain")
        self.refused.discard(slot(body))
        self.shares[body.seat] = signed
        self.opened[body.seat] = body.share
        return Change(Accepted.NEW_SHARE, self.k, body.seat, signed)

    def _draw(self) -> list[Change]:
        secret = self.secret = joint_secret(self._agreed.game_id, self.k, self.opened)
        standing, seats = self._standing, self._agreed.terms.seats
        known = [Change(Accepted.CARD_KNOWN, self.k)]
        parent = self._agreed.terms.parent
        if not self.k:
            first = self._agreed.terms.first if parent is None else standing.position.turn
            self.lot = step.cast_lot(secret, first, len(seats))
            if parent is None:
                self.applied = step.begin(standing, self._rules, secret, self.lot)
            else:
                self.applied = step.begin_again(standing, secret)
            return known
        if self.k == 1 and parent is not None and parent.pending is not None:
            drawn = step.pending(standing, self._rules, Card(parent.pending))
        else:
            drawn = step.draw(standing, self._rules, secret)
        self.drawn = drawn
        turn = standing.position.turn
        if turn in self._agreed.humans:
            return known
        level = EASY if seats[turn].kind == SeatKind.STAND_IN else seats[turn].level
        move = choose(standing.position, self._rules, drawn.card, level, secret)
        result = step.outcome(standing, self._rules, drawn, move)
        self.applied = step.count(standing, secret, drawn, result, step.computed_id(result))
        return [*known, Change(Accepted.MOVED, self.k, turn)]

    def _move(self, body: MoveEntry, signed: Signed) -> Change:
        if self.secret is None or self.drawn is None:
            return self._hold(body, signed)
        where = slot(body)
        wrong = self._why_illegal(body, self.drawn)
        if wrong is not None:
            self.refused.add(where)
            raise RemoteFault(Err.ILLEGAL_ACTION, wrong, ((signed.body, signed.sig),))
        result = step.outcome(self._standing, self._rules, self.drawn, from_action(body.action))
        if result.state != body.state:
            # Only another engine tells wrong from right here, so everybody must get to judge it.
            raise RemoteFault(Err.DIVERGED, f"seat {body.seat} computed another position after step {self.k}")
        self.move = signed
        move_id = entry_id(self._agreed.game_id, signed.body)
        self.applied = step.count(self._standing, self.secret, self.drawn, result, move_id)
        return Change(Accepted.MOVED, self.k, body.seat, signed)

    def _why_illegal(self, body: MoveEntry, drawn: step.Drawn) -> str | None:
        """The rule that the action breaks, or None; says nothing of its digest."""
        if body.seat != self._standing.position.turn:
            return f"it is not seat {body.seat}'s turn in step {self.k}"
        if body.head != self._standing.head:
            return f"seat {body.seat} moved at another head in step {self.k}"
        try:
            move = from_action(body.action)
            if isinstance(move, Swap | Sorry) and move.seat >= len(self._agreed.terms.seats):
                return "the move names a seat that nobody has"
            step.outcome(self._standing, self._rules, drawn, move)
        except IllegalMove as broken:
            return str(broken)
        except ValueError:
            return "these numbers are no action"
        return None

    def _ack(self, body: Ack, signed: Signed) -> Change:
        if self.applied is None:
            return self._hold(body, signed)
        if body.head != self.applied.head:
            return Change(Accepted.HEAD_DIFFERS, self.k, body.seat, signed)
        self.acks[body.seat] = signed
        return Change(Accepted.ACKED, self.k, body.seat, signed)


def is_played(where: Slot) -> bool:
    """Whether the slot is one of a step, not of a goodbye."""
    return where.kind <= Kind.ACK
