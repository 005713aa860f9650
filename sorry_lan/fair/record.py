"""The deterministic replica of one game: entries in, changes out, finished steps kept ([F-15] to [F-29], [S-4]).

Only signed bytes that a stranger can check ever blame a seat. Sends, stores and times nothing, and signs nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import Enum, unique

from sorry_lan.fair import genesis, step
from sorry_lan.fair.draw import Pile
from sorry_lan.fair.entry import Ack, Body, Kind, Leave, MoveEntry, Slot, decode_body, slot
from sorry_lan.fair.open_step import Accepted, Agreed, Change, OpenStep, Played, Record, is_played
from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.rules.moves import Decline, Move, to_action
from sorry_lan.rules.position import Position
from sorry_lan.wire import limits
from sorry_lan.wire.codec import pack, unpack
from sorry_lan.wire.keys import Context, verify
from sorry_lan.wire.messages import Signed
from sorry_lan.wire.terms import Terms

__all__ = ["Accepted", "Change", "Duty", "Ledger", "OpenStep", "Record"]


@unique
class Duty(Enum):
    """What a seat has to sign now."""

    NOTHING = "nothing"
    REVEAL = "reveal"
    DECIDE = "decide"
    ACK = "ack"


class Ledger:
    """One game id from its table on. `accept` and `accept_record` are the only ways to change it.

    Attributes:
        table, terms, game_id, rules: what was agreed. humans: the seats with a key, ascending.
        standing: the state before the open step. open: the open step.
        lot: the check words and who begins, once cast.
    """

    def __init__(self, table: bytes, terms: Terms, game_id: bytes) -> None:
        """`terms` is the checked document in `table`, `game_id` its hash; LocalMisuse where it is another's."""
        if genesis.game_id(table) != game_id:
            raise LocalMisuse("a game id that is not its table's")
        self.table = table
        self.terms = terms
        self.game_id = game_id
        self.rules = genesis.rules_of(terms)
        self.humans = genesis.humans(terms)
        self._agreed = Agreed(game_id, terms, self.humans)
        self.standing = genesis.opening_of(terms)
        self.lot: step.Lot | None = None
        self._last = {seat: terms.seats[seat].anchor for seat in self.humans}
        self.open = OpenStep(self._agreed, self.standing, self._last)
        self._closed: OpenStep | None = None
        self._ahead: dict[Slot, tuple[Played, Signed]] = {}
        self._left: dict[int, Leave] = {}
        self.goodbyes: dict[int, Signed] = {}
        """What `left` was learned from, by seat."""
        self._contested: set[int] = set()
        self._applied: list[step.Applied] = []
        # As bytes: twenty games in one process keep some 35,000 entries.
        self._records: list[bytes] = []

    @property
    def k(self) -> int:
        """The open step: the number of final ones."""
        return self.standing.k

    @property
    def head(self) -> bytes:
        """head_k."""
        return self.standing.head

    @property
    def position(self) -> Position:
        """Before step k's action; in step 0 its turn means nothing yet."""
        return self.standing.position

    @property
    def pile(self) -> Pile:
        """Counts before step k's draw, ascending by card code."""
        return self.standing.pile

    @property
    def words(self) -> tuple[str, str, str] | None:
        """The check words, once the lot is cast."""
        return None if self.lot is None else self.lot.words

    @property
    def first(self) -> int | None:
        """The seat that begins, once the lot is cast."""
        return None if self.lot is None else self.lot.first

    @property
    def over(self) -> int | None:
        """The winner, as soon as the winning step is counted."""
        applied = self.open.applied
        return self.position.winner if applied is None else applied.position.winner

    @property
    def over_final(self) -> bool:
        """Whether every human seat has confirmed the end."""
        return self.position.winner is not None

    @property
    def left(self) -> Mapping[int, Leave]:
        """The latest goodbye of each seat that said one."""
        return self._left.copy()

    @property
    def has_left(self) -> bool:
        """Whether any seat said goodbye."""
        return bool(self._left)

    @property
    def records(self) -> tuple[Record, ...]:
        """Every final step, from 0 on."""
        return tuple(self.record(k) for k in range(self.k))

    def record(self, k: int) -> Record:
        """The final step `k`; LocalMisuse where it is none."""
        return unpack(Record, self.packed_record(k))

    def packed_record(self, k: int) -> bytes:
        """CMP of the final step `k`; LocalMisuse where it is none."""
        if not 0 <= k < self.k:
            raise LocalMisuse(f"step {k} is not final")
        return self._records[k]

    def counted_record(self) -> Record | None:
        """The open step with what came of it, if its outcome is known: a win that not all have confirmed."""
        return None if self.open.applied is None else self.open.record()

    def settle(self) -> None:
        """Close the counted step though not all acknowledged it: the game went on elsewhere, and this is a replay.

        LocalMisuse where the open step is not counted.
        """
        if self.open.applied is None:
            raise LocalMisuse("a step without an outcome")
        self._close()

    def held_of(self, seats: Collection[int]) -> tuple[Signed, ...]:
        """Every well-signed entry of these seats in the open step and the next, ascending by slot ([S-8])."""
        here = [(where, signed) for where, signed in self.open.seen.items() if where.seat in seats]
        next_step = [(where, signed) for where, (_, signed) in self._ahead.items() if where.seat in seats]
        return tuple(signed for _, signed in sorted(here + next_step, key=lambda held: held[0]))

    def applied_of(self, k: int) -> step.Applied:
        """What step `k` did, final or counted; LocalMisuse for any other."""
        if 0 <= k < self.k:
            return self._applied[k]
        if k != self.k or self.open.applied is None:
            raise LocalMisuse(f"step {k} is not counted")
        return self.open.applied

    def final_needs(self) -> tuple[int, ...]:
        """Seats whose acknowledgement the counted step waits for; empty while it is not counted."""
        return () if self.open.applied is None else self.open.missing_acks

    def duty(self, seat: int) -> Duty:
        """What `seat` has to sign now: NOTHING for a bot, after the end, and while the step stands still."""
        now = self.open
        if seat not in self.humans or self.over_final or self.k >= limits.CHAIN_LENGTH:
            return Duty.NOTHING
        if now.secret is None:
            return Duty.NOTHING if Slot(Kind.REVEAL, self.k, seat) in now.seen else Duty.REVEAL
        if now.applied is None:
            free = seat == self.position.turn and Slot(Kind.MOVE, self.k, seat) not in now.seen
            return Duty.DECIDE if free else Duty.NOTHING
        if now.contested or seat == now.mover or Slot(Kind.ACK, self.k, seat) in now.seen:
            return Duty.NOTHING
        return Duty.ACK

    def forced(self, seat: int) -> bool:
        """Whether the seat must decide and can only pass."""
        return self.duty(seat) is Duty.DECIDE and self.open.choices == (Decline(),)

    def move_entry(self, move: Move) -> MoveEntry:
        """What the seat on turn signs for `move`; LocalMisuse where it need not decide or may not do so."""
        seat, drawn = self.position.turn, self.open.drawn
        if drawn is None or self.duty(seat) is not Duty.DECIDE or move not in drawn.choices:
            raise LocalMisuse("not a move to sign now")
        result = step.outcome(self.standing, self.rules, drawn, move)
        return MoveEntry(self.k, seat, self.head, to_action(move), result.state)

    def ack_entry(self, seat: int) -> Ack:
        """What `seat` signs for the counted step; LocalMisuse where it has nothing to acknowledge."""
        applied = self.open.applied
        if applied is None or self.duty(seat) is not Duty.ACK:
            raise LocalMisuse("no acknowledgement to sign now")
        return Ack(self.k, seat, applied.head)

    def accept(self, signed: Signed) -> tuple[Change, ...]:
        """Take one entry, from whomever: cheap checks first, a signature costs a hundred times as much.

        Raises:
            RemoteFault: BAD_FRAME, NOT_CANONICAL, SCHEMA, NOT_A_SEAT, BAD_SIGNATURE, BAD_SHARE, DIVERGED without
                evidence; ILLEGAL_ACTION with the one MOVE, EQUIVOCATION with both bodies. Nothing changes then,
                but that the slot is used up and a second MOVE makes the step contested.
        """
        body = decode_body(signed.body)
        if body.seat not in self.humans:
            raise RemoteFault(Err.NOT_A_SEAT, f"seat {body.seat} has no key")
        if body.k > self._horizon():
            return (Change(Accepted.TOO_EARLY, body.k, body.seat, signed),)
        if isinstance(body, Leave):
            return (self._leave(body, signed),)
        known = self._known(slot(body))
        if known is not None:
            return (self._again(known, body, signed),)
        if body.k < self.k:
            return (Change(Accepted.OLD, body.k, body.seat, signed),)
        self._check_signature(body, signed)
        if body.k > self.k:
            # One slot a kind and human seat: at most three entries each wait here.
            self._ahead[slot(body)] = (body, signed)
            return (Change(Accepted.HELD, body.k, body.seat, signed),)
        return tuple(self._advance(self.open.take(body, signed)))

    def instead(self, signed: Signed) -> tuple[Change, ...]:
        """Take the second body of one slot, after `accept` proved that there are two, where only this one holds.

        A share that opens its chain, and an acknowledgement of the head that we computed: whoever signed another one
        first shall not keep us from the step that all others close with this one.
        """
        body = decode_body(signed.body)
        if isinstance(body, Leave) or body.k != self.k or not self.open.holds_better(body):
            return ()
        return tuple(self._advance(self.open.take(body, signed)))

    def accept_own(self, body: Played, signed: Signed) -> tuple[Change, ...]:
        """Take `body` of the open step, which a seat of this client signed just now: its signature needs no check.

        LocalMisuse where it is of another step or its slot is used; the rest as for `accept`.
        """
        if body.k != self.k or slot(body) in self.open.seen:
            raise LocalMisuse("not an entry that was due")
        return tuple(self._advance(self.open.take(body, signed)))

    def accept_record(self, record: Record) -> tuple[Change, ...]:
        """Take a whole step that somebody says is final, verified in full.

        Raises:
            RemoteFault: as for `accept`; DIVERGED where its acknowledgements are of another head than ours; SCHEMA
                where the entries are not just those that make the open step final. What was valid among them is kept.
        """
        if record.k != self.k:
            return (Change(Accepted.OLD if record.k < self.k else Accepted.TOO_EARLY, record.k),)
        slots = check_order(record)
        if Slot(Kind.ACK, self.k, -1 if self.open.mover is None else self.open.mover) in slots:
            # Taken one by one it could come behind the last one that is missing, where nobody looks at it.
            raise RemoteFault(Err.SCHEMA, "a move is its own acknowledgement")
        changes: list[Change] = []
        for signed in record.entries:
            changes += self.accept(signed)
        for change in changes:
            if change.k == record.k and change.fault is not None:
                raise change.fault
            if change.what is Accepted.HEAD_DIFFERS:
                raise RemoteFault(Err.DIVERGED, f"step {record.k} ends at another head")
        if self.k == record.k:
            raise RemoteFault(Err.SCHEMA, f"the record of step {record.k} is not complete")
        return tuple(changes)

    def _horizon(self) -> int:
        """The last step whose entries are taken: nothing follows a win."""
        if self.over_final:
            return self.k - 1
        return self.k + 1 if self.over is None else self.k

    def _known(self, where: Slot) -> Signed | None:
        if self._closed is not None and where.k == self._closed.k:
            # Entries that come once more by another link are mostly of the step just closed.
            return self._closed.seen.get(where)
        if where.k < self.k:
            return next((old for old in self.record(where.k).entries if slot(decode_body(old.body)) == where), None)
        if where.k == self.k:
            return self.open.seen.get(where)
        waiting = self._ahead.get(where)
        return None if waiting is None else waiting[1]

    def _again(self, known: Signed, body: Played, signed: Signed) -> Change:
        """A slot is filled twice: with one body, or with two that prove what their seat did."""
        if known.body == signed.body:
            return Change(Accepted.DUPLICATE, body.k, body.seat, signed)
        self._check_signature(body, signed)
        if isinstance(body, MoveEntry):
            self._contested.add(body.k)
            self.open.contested = self.k in self._contested
        elif isinstance(body, Ack) and body.k in self._contested:
            # Whoever saw two moves may have been led to two heads: the fault is the mover's alone.
            return Change(Accepted.OLD, body.k, body.seat, signed)
        what = f"seat {body.seat} signed two bodies for one slot of step {body.k}"
        raise RemoteFault(Err.EQUIVOCATION, what, ((known.body, known.sig), (signed.body, signed.sig)))

    def _check_signature(self, body: Body, signed: Signed) -> None:
        if not verify(self.terms.seats[body.seat].pk, Context.ENTRY, self.game_id, signed.body, signed.sig):
            raise RemoteFault(Err.BAD_SIGNATURE, f"not signed by seat {body.seat} for this game")

    def _leave(self, body: Leave, signed: Signed) -> Change:
        latest = self._left.get(body.seat)
        if latest is not None and (body.k, body.reason) <= (latest.k, latest.reason):
            return Change(Accepted.DUPLICATE if body == latest else Accepted.OLD, body.k, body.seat, signed)
        self._check_signature(body, signed)
        self._left[body.seat] = body
        self.goodbyes[body.seat] = signed
        return Change(Accepted.LEFT, body.k, body.seat, signed)

    def _advance(self, changes: list[Change]) -> list[Change]:
        """After something in the open step: close it if it is final, and judge what had waited for the next one."""
        if self.open.lot is not None:
            self.lot = self.open.lot
        while self.open.final:
            changes.append(self._close())
            waiting, self._ahead = self._ahead, {}
            for where in () if self.over_final else sorted(waiting):
                body, signed = waiting[where]
                try:
                    changes += self.open.take(body, signed)
                except RemoteFault as fault:
                    changes.append(Change(Accepted.REFUSED, body.k, body.seat, signed, fault))
        return changes

    def _close(self) -> Change:
        done = self.open
        applied = self.applied_of(done.k)
        self._records.append(pack(done.record()))
        self._applied.append(applied)
        self._last = done.opened
        self._closed = done
        self.standing = applied.after
        self.open = OpenStep(self._agreed, self.standing, self._last)
        self.open.contested = self.k in self._contested
        return Change(Accepted.STEP_FINAL, done.k)


def check_order(record: Record) -> list[Slot]:
    """The slots of its entries; RemoteFault SCHEMA unless they are of its own step, each once, ascending."""
    slots = [slot(decode_body(signed.body)) for signed in record.entries]
    if slots != sorted(set(slots)) or any(where.k != record.k or not is_played(where) for where in slots):
        raise RemoteFault(Err.SCHEMA, f"the entries of step {record.k} are not in order")
    return slots
