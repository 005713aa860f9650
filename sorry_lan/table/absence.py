"""Without which seats the game may go on: each client by its own clock, and by what was signed ([T-40]).

A person decides whether it does; nobody is removed by a clock.
"""

from __future__ import annotations

from sorry_lan.fair.entry import Leaving
from sorry_lan.fair.record import Ledger
from sorry_lan.table.desk import Desk
from sorry_lan.table.events import LinkId
from sorry_lan.table.news import NobodyMoves
from sorry_lan.table.presence import Presences
from sorry_lan.table.trouble import Trouble
from sorry_lan.table.view import Presence
from sorry_lan.wire import limits
from sorry_lan.wire.terms import Why

Cause = tuple[Why, int, int, LinkId | None]
"""Why a seat is waited for, with the step, its stage and the link, so that whatever moves starts the clock anew."""
_GONE = frozenset((Presence.RECONNECTING, Presence.AWAY))


class Absences:
    """The remote seats of one game, as watched from here."""

    def __init__(self, desk: Desk, ledger: Ledger, presences: Presences, trouble: Trouble) -> None:
        self._desk = desk
        self._ledger = ledger
        self._presences = presences
        self._trouble = trouble
        self._since: dict[int, tuple[Cause, int]] = {}
        """For each seat that is waited for: why, and since when (microseconds)."""
        self._nudged: set[int] = set()

    def beat(self) -> None:
        """Once a second: whoever is waited for is waited for a second longer, or no more, or for something else."""
        now_us = self._desk.now_us
        for seat in self._presences.remote:
            cause = self._cause(seat)
            if cause is None:
                self._since.pop(seat, None)
            elif self._since.get(seat, (None, 0))[0] != cause:
                self._since[seat] = (cause, now_us)
            if cause is None or self._waited_ms(seat) < limits.NUDGE_MS or not self._to_play(seat, cause):
                self._nudged.discard(seat)
            elif seat not in self._nudged:
                self._nudged.add(seat)
                self._desk.tell(NobodyMoves(seat))

    def woke(self) -> None:
        """This computer slept: what it did not see is no absence."""
        self._since.clear()

    def _waited_ms(self, seat: int) -> int:
        return (self._desk.now_us - self._since[seat][1]) // 1000

    def _missed(self, seat: int) -> Why | None:
        """Why the clock of a seat has run out, if it has; who is to play gets ten minutes."""
        cause = self._cause(seat)
        if cause is None or self._since.get(seat, (None, 0))[0] != cause:
            return None
        if self._to_play(seat, cause):
            return Why.UNREACHABLE if self._waited_ms(seat) >= limits.IDLE_OFFER_MS else None
        return cause[0] if self._waited_ms(seat) >= limits.ABSENCE_MS else None

    def why(self, seat: int) -> Why | None:
        """Why the others may go on without this seat, or None while they may not."""
        if seat in self._trouble.blamed:
            return Why.FAULT
        left = self._ledger.left.get(seat)
        if left is not None and (left.reason == Leaving.FOR_GOOD or self._presences.reach[seat][0] in _GONE):
            return Why.LEFT
        if seat in self._trouble.apart:
            return Why.UNREACHABLE
        return self._missed(seat)

    def without(self) -> dict[int, Why]:
        """Every seat that the game may go on without; a client goes as a whole, for its links use one key."""
        found = {seat: why for seat in self._presences.remote if (why := self.why(seat)) is not None}
        gone = {self._presences.client_of(seat): why for seat, why in found.items()}
        return {
            seat: found.get(seat, gone[client])
            for seat in self._presences.remote
            if (client := self._presences.client_of(seat)) in gone
        }

    def _cause(self, seat: int) -> Cause | None:
        if self._presences.reach[seat][0] in _GONE:
            return (Why.UNREACHABLE, 0, 0, None)
        if self._ledger.over is not None or not self._owes(seat):
            return None
        link = self._desk.linked(self._presences.client_of(seat))
        now = self._ledger.open
        stage = 0 if now.secret is None else 1 + (now.applied is not None)
        return (Why.OWED, now.k, stage, None if link is None else link.id)

    def _owes(self, seat: int) -> bool:
        now = self._ledger.open
        if now.secret is None:
            return seat not in now.shares
        return seat in now.missing_acks if now.applied is not None else seat == self._ledger.position.turn

    def _to_play(self, seat: int, cause: Cause) -> bool:
        """Whether it is waited for because it is its turn, and not because it can't be reached."""
        now = self._ledger.open
        return cause[0] is Why.OWED and now.k > 0 and now.applied is None and seat == self._ledger.position.turn
