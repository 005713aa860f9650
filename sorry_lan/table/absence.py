"""Without which seats the game may go on: each client by its own clock, and by what was signed ([T-40]).

A person decides whether it does; nobody is removed by a clock.
"""

from __future__ import annotations

from sorry_lan.fair.entry import Leaving
from sorry_lan.fair.record import Ledger
from sorry_lan.table.desk import Desk
from sorry_lan.table.news import NobodyMoves
from sorry_lan.table.presence import Presences
from sorry_lan.table.trouble import Trouble
from sorry_lan.table.view import Presence
from sorry_lan.wire import limits
from sorry_lan.wire.messages import Stage
from sorry_lan.wire.terms import Why

Debt = tuple[int, int]
"""What a seat is waited for: the step, and its stage; whatever moves starts the clock anew."""
GONE = frozenset((Presence.RECONNECTING, Presence.AWAY))
"""How a seat is shown that nobody we are linked with can reach."""


class Absences:
    """The remote seats of one game, as watched from here."""

    def __init__(self, desk: Desk, ledger: Ledger, presences: Presences, trouble: Trouble) -> None:
        self._desk = desk
        self._ledger = ledger
        self._presences = presences
        self._trouble = trouble
        self._gone: dict[int, int] = {}
        """Since when each seat that can't be reached can't be (microseconds)."""
        self._owing: dict[int, tuple[Debt, int]] = {}
        """What each seat that could be reached owes, and since when; a link that breaks and comes back is no excuse."""
        self._nudged: set[int] = set()

    def beat(self) -> None:
        """Once a second: whoever is waited for is waited for a second longer, or no more, or for something else."""
        for seat in self._presences.remote:
            self._watch(seat)
            if self._to_play(seat) and self._waited_ms(self._debt_since(seat)) >= limits.NUDGE_MS:
                if seat not in self._nudged:
                    self._nudged.add(seat)
                    self._desk.tell(NobodyMoves(seat))
            else:
                self._nudged.discard(seat)

    def _watch(self, seat: int) -> None:
        debt, gone = self._debt(seat), self._is_gone(seat)
        if gone:
            self._gone.setdefault(seat, self._desk.now_us)
        else:
            self._gone.pop(seat, None)
        if debt is not None and self._owing.get(seat, (None, 0))[0] == debt:
            return
        if debt is None or gone:
            self._owing.pop(seat, None)
        else:
            self._owing[seat] = (debt, self._desk.now_us)

    def woke(self) -> None:
        """This computer slept: what it did not see is no absence."""
        self._gone.clear()
        self._owing.clear()

    def _waited_ms(self, since_us: int | None) -> int:
        return 0 if since_us is None else (self._desk.now_us - since_us) // 1000

    def _debt_since(self, seat: int) -> int | None:
        """Since when the seat owes what it owes now, if its clock runs."""
        debt, since_us = self._owing.get(seat, (None, 0))
        return since_us if debt is not None and debt == self._debt(seat) else None

    def _missed(self, seat: int) -> Why | None:
        """Why the clock of a seat has run out, if it has; who is to play gets ten minutes."""
        if self._is_gone(seat) and self._waited_ms(self._gone.get(seat)) >= limits.ABSENCE_MS:
            return Why.UNREACHABLE
        since_us = self._owing.get(seat, (None, None))[1]
        if self._waited_ms(since_us) < limits.ABSENCE_MS or self._debt_since(seat) is None:
            return None
        if not self._to_play(seat):
            return Why.OWED
        return Why.UNREACHABLE if self._waited_ms(since_us) >= limits.IDLE_OFFER_MS else None

    def why(self, seat: int) -> Why | None:
        """Why the others may go on without this seat, or None while they may not."""
        if seat in self._trouble.blamed:
            return Why.FAULT
        left = self._ledger.left.get(seat)
        if left is not None and (left.reason == Leaving.FOR_GOOD or self._is_gone(seat)):
            return Why.LEFT
        if seat in self._trouble.apart:
            return Why.UNREACHABLE
        return self._missed(seat)

    def without(self) -> dict[int, Why]:
        """Every seat that the game may go on without; a client goes as a whole, for its links use one key."""
        if not (self._trouble.blamed or self._trouble.apart or self._ledger.has_left or self._run_out()):
            return {}
        found = {seat: why for seat in self._presences.remote if (why := self.why(seat)) is not None}
        gone = {self._presences.client_of(seat): why for seat, why in found.items()}
        return {
            seat: found.get(seat, gone[client])
            for seat in self._presences.remote
            if (client := self._presences.client_of(seat)) in gone
        }

    def _run_out(self) -> bool:
        """Whether any clock could have run out: cheap, for this is asked after every event."""
        since = [*self._gone.values(), *(since_us for _, since_us in self._owing.values())]
        return bool(since) and self._waited_ms(min(since)) >= limits.ABSENCE_MS

    def _is_gone(self, seat: int) -> bool:
        """Whether it can't be reached, or is linked and plays elsewhere, or has saved this game and plays no more."""
        link = self._desk.linked(self._presences.client_of(seat))
        away = link is not None and (link.status is None or link.status.stage == Stage.OVER)
        return away or self._presences.reach[seat][0] in GONE

    def _debt(self, seat: int) -> Debt | None:
        if self._ledger.over is not None or not self._owes(seat):
            return None
        now = self._ledger.open
        return (now.k, 0 if now.secret is None else 1 + (now.applied is not None))

    def _owes(self, seat: int) -> bool:
        now = self._ledger.open
        if now.secret is None:
            return seat not in now.shares
        return seat in now.missing_acks if now.applied is not None else seat == self._ledger.position.turn

    def _to_play(self, seat: int) -> bool:
        """Whether it is waited for because it is its turn, and not because it can't be reached."""
        now = self._ledger.open
        on_turn = now.k > 0 and now.applied is None and seat == self._ledger.position.turn
        return on_turn and self._ledger.over is None and self._owes(seat) and not self._is_gone(seat)
