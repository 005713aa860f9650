"""One proposed continuation at a time: our consent, the others', and how it is taken back ([T-36] to [T-38])."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sorry_lan.fair import genesis
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.table.agreement import Agreement
from sorry_lan.table.commands import CancelTimer, JournalKind, SetTimer, Sync
from sorry_lan.table.desk import known
from sorry_lan.table.events import LinkId, Timer
from sorry_lan.table.links import Link
from sorry_lan.table.play import Game
from sorry_lan.table.saved import Promise
from sorry_lan.wire import limits
from sorry_lan.wire.codec import pack
from sorry_lan.wire.keys import NO_GAME, Context, verify
from sorry_lan.wire.messages import ConsentGiven, Withdraw
from sorry_lan.wire.terms import SeatKind, Terms

CONSENT_KEY: Final = 1
"""Timer.CONSENT with this key belongs to a continuation; a lobby's has key 0."""


class Signing:
    """What we signed of one game's continuations, and what became of it."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._desk = game.desk
        self.proposal: Agreement | None = None
        self.proposer = -1
        self._void: list[Agreement] = []

    def by_us(self) -> bool:
        """Whether the proposal is our own."""
        return self.proposal is not None and self.proposer in self._game.hands

    def knows(self, table: bytes) -> bool:
        """Whether we signed this table, withdrawn or not."""
        return self.signed(table) is not None

    def signed(self, table: bytes) -> Agreement | None:
        """Our agreement to this table, withdrawn or not."""
        return next((one for one in (self.proposal, *self._void) if one is not None and one.table == table), None)

    def consent(self, agreement: Agreement, proposer: int) -> None:
        """Sign; from here on nothing of the old game is signed or counted."""
        self.proposal, self.proposer = agreement, proposer
        self._game.frozen = True
        self._desk.journal(self._game.id, JournalKind.CONSENT, pack(Promise(agreement.game_id)), Sync.NOW)
        agreement.sign(self._desk, self._game.everybody())
        self._desk.do(SetTimer(Timer.CONSENT, CONSENT_KEY, limits.CONSENT_MS))

    def heard(self, link: Link, given: ConsentGiven) -> None:
        """Somebody signed; RemoteFault BAD_SIGNATURE where it did not."""
        proposal = self.proposal
        if proposal is None or given.table_hash != proposal.game_id:
            link.consents = [*link.consents, given][-2 * limits.MAX_SEATS :]
        elif proposal.heard(given):
            self._desk.cast(given, self._game.everybody(but=[link.id]))

    def complete(self) -> bool:
        """Whether all have signed."""
        return self.proposal is not None and self.proposal.complete()

    def withdraw(self) -> Agreement:
        """Take our consents back; the agreement that is void now."""
        proposal = known(self.proposal)
        self.say_withdrawn(proposal.game_id, self._game.everybody())
        self._void.append(proposal)
        self.proposal = None
        self._game.frozen = False
        self._desk.do(CancelTimer(Timer.CONSENT, CONSENT_KEY))
        return proposal

    def say_withdrawn(self, child: bytes, links: Sequence[LinkId]) -> None:
        """Tell these links that none of our seats stands by this table."""
        for seat, hand in sorted(self._game.hands.items()):
            sig = hand.person.key.sign(Context.TABLE, NO_GAME, b"withdraw" + child)
            self._desk.cast(Withdraw(seat, child, sig), links)

    def stop(self) -> None:
        """The game is over, or goes on elsewhere."""
        self._desk.do(CancelTimer(Timer.CONSENT, CONSENT_KEY))


def check_withdrawal(message: Withdraw, terms: Terms) -> None:
    """RemoteFault NOT_A_SEAT, BAD_SIGNATURE unless a human seat of `terms` signed this."""
    if message.seat not in genesis.humans(terms):
        raise RemoteFault(Err.NOT_A_SEAT, "a withdrawal by nobody who signs")
    key = terms.seats[message.seat].pk
    if not verify(key, Context.TABLE, NO_GAME, b"withdraw" + message.game_id, message.sig):
        raise RemoteFault(Err.BAD_SIGNATURE, "a withdrawal that its seat did not sign")


def seat_kinds(terms: Terms, was: Terms) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The seats that became stand-ins, and those that returned."""
    pairs = list(enumerate(zip(terms.seats, was.seats, strict=True)))
    left = tuple(seat for seat, (new, old) in pairs if new.kind == SeatKind.STAND_IN != old.kind)
    back = tuple(seat for seat, (new, old) in pairs if old.kind == SeatKind.STAND_IN != new.kind)
    return left, back
