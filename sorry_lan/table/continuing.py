"""The next table after somebody left, was caught or returns: what is offered, who proposes, whom we follow ([T-30] on).

Every client judges by its own view; a proposal that differs from it is refused and the old game stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from sorry_lan.fair import genesis
from sorry_lan.fair.continuation import check_continuation, last_keys, next_terms, view_of
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.table.agreement import Agreement
from sorry_lan.table.commands import CancelTimer, SetTimer
from sorry_lan.table.desk import known
from sorry_lan.table.events import LinkId, Timer
from sorry_lan.table.following import Following
from sorry_lan.table.links import Link
from sorry_lan.table.mute import Passed
from sorry_lan.table.news import OfferVoid
from sorry_lan.table.offering import Offering
from sorry_lan.table.plan import Plan
from sorry_lan.table.play import Game
from sorry_lan.table.readiness import Readiness
from sorry_lan.table.relay import OFFERS, Relay
from sorry_lan.table.signing import Signing, check_withdrawal
from sorry_lan.table.sync import status_of
from sorry_lan.wire import limits
from sorry_lan.wire.keys import NO_GAME, Context, verify
from sorry_lan.wire.messages import ConsentGiven, No, Peers, Propose, SeatOffer, Status, Withdraw
from sorry_lan.wire.terms import Parent, SeatKind, Terms, Why

_TURN_MS: Final = 5_000
"""How long the lowest seat has to propose before the next one does."""


class Continuing:
    """How one game may go on at another table; `following` is the way there."""

    def __init__(self, game: Game, line: Sequence[Terms]) -> None:
        """`line` are the documents of all tables up to this game's own."""
        self._game = game
        self._desk = game.desk
        self._line = tuple(line)
        self._keys = last_keys(line)
        terms = game.ledger.terms
        here = () if self._desk.watches else self._desk.settings.people
        people = {person.key.public: index for index, person in enumerate(here)}
        self._own = {
            seat: people[key]
            for seat, key in enumerate(self._keys)
            if key in people and (seat in game.hands or terms.seats[seat].kind == SeatKind.STAND_IN)
        }
        """Our seats, those that we lost among them, and whose they are."""
        self._ready = Readiness(self._desk, game.id, line, self._own)
        self.offering = Offering(game, self._ready, self._own)
        self.signing = Signing(game)
        self.following = Following(game, self.signing, self._line)
        self._held: dict[int, Propose] = {}
        """Proposals, by seat, that wait until we are as far, or our people agree."""
        self._passed = Passed()
        """Offers and proposals that we passed on: what everybody refuses would go round for ever."""
        self._relay = Relay(OFFERS)
        self._in_line = False
        """Whether we wait for lower seats to propose, and whether they had their time."""
        self._my_turn = False
        self._paused = False
        """After a proposal failed, for a second: nothing spins."""

    # -- what can be done ----------------------------------------------------------------------------------------

    def look(self) -> None:
        """After any event, before our seats sign anything more: agree, offer, propose, answer what was held."""
        if self._game.over:
            return
        self.following.look()
        plan = self.offering.look()
        if plan is None or self.offering.agreed is None or self.signing.proposal is not None:
            return
        self._ready.offer(self._game.everybody())
        if plan.saves:
            if self.offering.ripe:
                self._game.result.save(plan.without)
            return
        for seat, message in sorted(self._held.items()):
            self._judge(seat, message, None)
        if self._free() and self.offering.ripe and self._may_propose(plan):
            self._propose(plan)

    def _free(self) -> bool:
        return self.signing.proposal is None and not self._paused and bool(self._game.hands)

    def answered(self, *, yes: bool) -> None:
        """Our people say yes or no to what is offered now; a no takes back what we signed for an earlier yes."""
        self.offering.answered(yes=yes)
        if not yes and self.signing.proposal is not None:
            self._withdraw()

    def fired(self, timer: Timer, key: int) -> None:
        """A clock of ours ran out."""
        if timer is Timer.PROPOSE:
            # Key 1: a failed proposal is a second old; key 0: the lower seats had their time to propose.
            self._paused = self._paused and not key
            self._my_turn = self._my_turn or not key
        elif timer is Timer.CONSENT and self.signing.proposal is not None:
            self._withdraw()
            self._desk.tell(OfferVoid())

    def repeat(self, links: Sequence[LinkId]) -> None:
        """Say again on these links what we offer, and what a former process of ours no longer stands by."""
        self._ready.repeat(links)
        for child in self._game.promised:
            self.signing.say_withdrawn(child, links)

    # -- proposing -----------------------------------------------------------------------------------------------

    def _may_propose(self, plan: Plan) -> bool:
        """Whether everybody who will play is ready, all linked stand where we do, and it is our turn to propose."""
        game, view = self._game, view_of(self._game.ledger, plan.why)
        others = plan.humans - game.hands.keys()
        if view is None or not all(self._ready.has(seat) for seat in others):
            return False
        if not (self._at_rest(view) if plan.back else self._in_step(others)):
            return False
        rank = sum(seat < min(game.hands) for seat in others)
        if rank and not self._in_line:
            self._in_line = True
            self._desk.do(SetTimer(Timer.PROPOSE, 0, _TURN_MS * rank))
        return not rank or self._my_turn

    def _at_rest(self, view: Parent) -> bool:
        """Whether the last step is final and our share of the next is not out: nobody can count on meanwhile.

        Who returns sees final steps only.
        """
        ledger = self._game.ledger
        return view.k == ledger.k and not any(seat in ledger.open.shares for seat in self._game.hands)

    def _in_step(self, others: frozenset[int]) -> bool:
        """Whether the last word of every linked client that stays says what we hold ourselves.

        A step with two moves is not counted by anybody, so it doesn't matter which of them each acknowledged.
        """
        game, counted = self._game, not self._game.ledger.open.contested
        ours = _stand(status_of(game), counted=counted)
        for seat in others:
            link = self._desk.linked(game.presences.client_of(seat))
            if link is not None and (link.status is None or _stand(link.status, counted=counted) != ours):
                return False
        return True

    def _propose(self, plan: Plan) -> None:
        game = self._game
        view = known(view_of(game.ledger, plan.why))
        lines = {seat: self._ready.line(seat) for seat in plan.humans}
        terms = next_terms(game.ledger.terms, view, lines, plan.without)
        table = genesis.encode_terms(terms)
        seat = min(game.hands)
        sig = game.hands[seat].person.key.sign(Context.TABLE, NO_GAME, b"propose" + table)
        self._desk.cast(Propose(seat, table, sig), game.everybody())
        self.signing.consent(Agreement(table, terms, self._ready.sitters), seat)
        self.following.complete()

    def _judge(self, seat: int, message: Propose, link: Link | None) -> None:
        """Sign a proposal, keep it until we are as far or our people agree, or say why not."""
        terms, signing = genesis.decode_terms(message.table), self.signing
        self._held.pop(seat, None)
        try:
            check_continuation(terms, self._line)
            ready = self._is_ours(terms)
        except RemoteFault as fault:
            if link is not None:
                self._desk.send(No(fault.code, fault.detail[: limits.MAX_BYE_TEXT]), link.id)
            return
        if not ready:
            self._held[seat] = message
        elif signing.proposal is None:
            signing.consent(Agreement(message.table, terms, self._ready.sitters), seat)
            self.following.complete()
        elif seat < signing.proposer:
            # Of two proposals the lower seat's stands: the other is withdrawn, and everybody offers anew ([T-36]).
            self._withdraw()

    def _is_ours(self, terms: Terms) -> bool:
        """Whether to sign now; False where it may become right.

        RemoteFault PARENT_DIFFERS where it is not our view, STALE_TABLE where it does not seat all as they offered.
        """
        game, parent = self._game, known(terms.parent)
        view = view_of(game.ledger, Why(parent.why))
        if view is None or parent.k > view.k:
            return False
        if parent != view:
            raise RemoteFault(Err.PARENT_DIFFERS, "another view of the game than ours")
        seated = self._ready.seats_us(terms)
        self._ready.check_others(terms)
        humans, now = frozenset(genesis.humans(terms)), frozenset(game.ledger.humans)
        agreed = self.offering.agreed
        # Our people's yes goes only to seats that we ourselves saw missing ([T-40]).
        return seated and agreed is not None and (now - humans, humans - now) == (agreed.without, agreed.back)

    def _withdraw(self) -> None:
        """Take our consent back; after that everybody needs fresh nonces, and nobody hurries."""
        void = self.signing.withdraw()
        self._ready.forget(void.terms.seats[seat].nonce for seat in void.humans)
        self._in_line, self._my_turn, self._paused = False, False, True
        self._desk.do(SetTimer(Timer.PROPOSE, 1, limits.STATUS_MS))

    # -- what comes ----------------------------------------------------------------------------------------------

    def heard(self, link: Link, message: SeatOffer | Propose | ConsentGiven | No | Peers | Withdraw) -> None:
        """A message about going on; RemoteFault as told at each, and RATE."""
        link.spend(1, self._desk.now_us)
        match message:
            case SeatOffer():
                self._seat(link, message)
            case Propose():
                self._proposal(link, message)
            case ConsentGiven():
                self.signing.heard(link, message)
                self.following.complete()
            case No():
                self._no(link)
            case Withdraw():
                self._withdrawal(link, message)
            case Peers():
                # Where the others listened in the lobby; their links tell better.
                pass
            case _:
                assert_never(message)

    def _seat(self, link: Link, offer: SeatOffer) -> None:
        """Somebody is ready to go on at another table, or to come back; RemoteFault as Readiness.heard."""
        if not self._ready.heard(offer, link.peer.pk):
            return
        proposal = self.signing.proposal if self.signing.by_us() else None
        lines = () if proposal is None else proposal.terms.seats
        if any(line.pk == offer.pk and line.nonce != offer.nonce for line in lines):
            # It will not sign the nonce that our proposal has of it.
            self._withdraw()
        self._pass_on(link, self._keys.index(offer.pk), known(offer.sig), offer)

    def _proposal(self, link: Link, message: Propose) -> None:
        """Somebody proposes the next table; RemoteFault NOT_A_SEAT, BAD_SIGNATURE, or for bytes that are no table."""
        game = self._game
        parent = genesis.decode_terms(message.table).parent
        if parent is None or parent.game != game.id:
            # Of a game that we have left, or have not come to.
            return
        if message.seat not in game.ledger.humans:
            raise RemoteFault(Err.NOT_A_SEAT, "a proposal by somebody who does not play")
        if message.seat in game.hands or self._held.get(message.seat) == message or self.signing.knows(message.table):
            return
        key = game.ledger.terms.seats[message.seat].pk
        if message.sig is None or not verify(key, Context.TABLE, NO_GAME, b"propose" + message.table, message.sig):
            raise RemoteFault(Err.BAD_SIGNATURE, "a proposal that its seat did not sign")
        self._pass_on(link, message.seat, message.sig, message)
        self._judge(message.seat, message, link)

    def _pass_on(self, link: Link, seat: int, sig: bytes, message: SeatOffer | Propose) -> None:
        """To everybody else, once: what the same seat signed before went to them already."""
        if not self._passed.has((seat,), sig) and self._relay.may(seat, 1, self._desk.now_us):
            self._passed.add((seat,), sig)
            self._desk.cast(message, self._game.everybody(but=[link.id]))

    def _no(self, link: Link) -> None:
        """Somebody who would have to sign our proposal refuses it."""
        proposal = self.signing.proposal
        if proposal is not None and self.signing.by_us() and link.peer.pk in proposal.clients():
            self._withdraw()

    def _withdrawal(self, link: Link, message: Withdraw) -> None:
        """A signer takes its consent back, so this table will never be; RemoteFault NOT_A_SEAT, BAD_SIGNATURE."""
        proposal = self.signing.proposal
        held = [seat for seat, other in self._held.items() if genesis.game_id(other.table) == message.game_id]
        ours = proposal is not None and proposal.game_id == message.game_id
        if not held and not ours:
            return
        terms = proposal.terms if ours and proposal is not None else genesis.decode_terms(self._held[held[0]].table)
        check_withdrawal(message, terms)
        self._desk.cast(message, self._game.everybody(but=[link.id]))
        for seat in held:
            del self._held[seat]
        if ours:
            self._withdraw()

    def beat(self) -> None:
        """Once a second: watch who is away, and fetch what is missing to follow."""
        if not self._game.over:
            self.offering.absences.beat()
            if self.offering.agreed is not None and self.signing.proposal is None:
                self._ready.repeat(self._game.everybody())
        self.following.ask()

    def stop(self) -> None:
        """The game goes on elsewhere, or is over."""
        self.signing.stop()
        for timer, key in ((Timer.PROPOSE, 0), (Timer.PROPOSE, 1), (Timer.AGREE, 0)):
            self._desk.do(CancelTimer(timer, key))


def _stand(status: Status, *, counted: bool) -> tuple[object, ...]:
    """What a STATUS says of the open step, without what is not counted."""
    return (status.k, status.head, status.reveals, counted and (status.acks, status.has_move))
