"""What our people are offered: how the game could go on now, and whether they said yes ([T-30], [T-40]).

Signs and proposes nothing: that is continuing.py's, once there is a yes.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sorry_lan.rules.board import HOME
from sorry_lan.table.absence import GONE, Absences
from sorry_lan.table.commands import SetTimer
from sorry_lan.table.events import Timer
from sorry_lan.table.news import OfferedToGoOn, OfferVoid
from sorry_lan.table.plan import Plan, plan_of
from sorry_lan.table.play import Game
from sorry_lan.table.readiness import Readiness
from sorry_lan.table.settings import Offers
from sorry_lan.table.view import GoingOn
from sorry_lan.wire import limits
from sorry_lan.wire.terms import Why

_GRACE_MS: Final = 10_000


class Offering:
    """One game's offers; `plan` is what could be done now, `agreed` what our people said yes to."""

    def __init__(self, game: Game, ready: Readiness, own: Collection[int]) -> None:
        """`own` are our seats, those that we lost among them."""
        self._game = game
        self._desk = game.desk
        self._ready = ready
        self._own = own
        self.absences = Absences(game.desk, game.ledger, game.presences, game.trouble)
        self.plan: Plan | None = None
        self.agreed: Plan | None = None
        self._told: Plan | None = None
        self._since_us = 0
        self._reasons: frozenset[Why] = frozenset()
        """Why the seats are left out that the plan leaves out."""

    def look(self) -> Plan | None:
        """After any event: what could be done now, of which our people are told; None where the game goes on."""
        plan = self.plan = self._plan() if self._game.hands else self._way_back()
        self._drop_what_is_void()
        if plan is not None:
            self._answer_by_itself(plan)
            self._tell(plan)
        return plan

    def answered(self, *, yes: bool) -> None:
        """Our people say yes or no to what is offered now; a no takes an earlier yes back."""
        self.agreed = self.plan if yes else None

    @property
    def ripe(self) -> bool:
        """Whether to act: who is linked and only owes something may wait for another itself, and gets ten seconds."""
        if Why.OWED not in self._reasons:
            return True
        rest_us = self._since_us + _GRACE_MS * 1000 - self._desk.now_us
        if rest_us > 0:
            self._desk.do(SetTimer(Timer.AGREE, 0, -(-rest_us // 1000)))
        return rest_us <= 0

    @property
    def goes_on(self) -> bool:
        """Whether our people said yes to going on, and somebody who would play there can be reached."""
        plan = self.agreed
        if plan is None or plan.saves:
            return False
        return any(self._game.presences.reach[seat][0] not in GONE for seat in plan.humans if seat not in self._own)

    def picture(self) -> GoingOn | None:
        """What people are shown."""
        plan = self.plan
        if plan is None or self._game.over:
            return None
        missing = [seat for seat in sorted(plan.humans) if seat not in self._own and not self._ready.has(seat)]
        return GoingOn(
            tuple(sorted(plan.without)),
            tuple(sorted(plan.back)),
            plan.why,
            plan.saves,
            tuple(self._asking()),
            self.agreed is not None,
            tuple(missing),
        )

    # -- what could be done --------------------------------------------------------------------------------------

    def _plan(self) -> Plan | None:
        game, without = self._game, self.absences.without()
        chain_ends = game.ledger.k >= limits.CHAIN_LENGTH
        if chain_ends or any(why is not Why.OWED for why in without.values()):
            # Whoever owes something because another is gone, or has none left, can't help it, and says so by its SEAT.
            without = {seat: why for seat, why in without.items() if why is not Why.OWED or not self._excused(seat)}
        self._reasons = frozenset(without.values())
        return plan_of(
            frozenset(game.ledger.humans),
            without,
            self._ready.returning(),
            chain_ends=chain_ends,
            resumed=game.mute is not None,
        )

    def _excused(self, seat: int) -> bool:
        """Whether somebody who owes something would go on with us, and does not keep back what it has."""
        k, now = self._game.ledger.k, self._game.ledger.open
        link = self._desk.linked(self._game.presences.client_of(seat))
        said = None if link is None or now.contested else link.status
        keeps_back = (said is not None and said.k == k) and (
            (said.reveals >> seat & 1 and seat not in now.shares) or (said.acks >> seat & 1 and seat not in now.acks)
        )
        return self._ready.has(seat) and not keeps_back

    def _way_back(self) -> Plan | None:
        """What those who were left out can ask for."""
        pawns = self._game.ledger.position.pawns
        back = self._ready.whole(seat for seat in self._own if any(loc != HOME for loc in pawns[seat]))
        humans = frozenset(self._game.ledger.humans)
        return Plan(frozenset(), back, Why.RETURN, humans | back) if back else None

    # -- what our people say -------------------------------------------------------------------------------------

    def _drop_what_is_void(self) -> None:
        """Our people's yes was to other seats than are away now."""
        if self.agreed is not None and (self.plan is None or not self.plan.same_seats(self.agreed)):
            self.agreed = None
        if self.plan is None and self._told is not None:
            self._told = None
            self._desk.tell(OfferVoid())

    def _answer_by_itself(self, plan: Plan) -> None:
        if self.agreed is not None or plan.back & self._game.shunned:
            return
        offers = self._desk.settings.offers
        asked = bool(self._asking()) or bool(plan.back)
        # Where one of the last two has left, nothing but saving is left to decide.
        clear = plan.why is Why.CHAIN_END or (plan.saves and plan.why is Why.LEFT)
        if clear or offers is Offers.MAKE or (offers is Offers.AGREE and asked):
            self.agreed = plan

    def _tell(self, plan: Plan) -> None:
        if not self._game.hands or (self._told is not None and self._told.same_seats(plan)):
            return
        self._told, self._since_us = plan, self._desk.now_us
        by = min(self._asking(), default=None)
        self._desk.tell(OfferedToGoOn(by, tuple(sorted(plan.without)), tuple(sorted(plan.back)), plan.why))

    def _asking(self) -> list[int]:
        return [seat for seat in self._game.ledger.humans if self._ready.has(seat)]
