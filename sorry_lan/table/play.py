"""A game in play: open shares, draw, decide, acknowledge; each step as the replica says ([F-16] to [F-30]).

A share leaves only when the step before it is final: acknowledge first, reveal second. Catching up is sync.py's,
what is done with proof of a fault trouble.py's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never, cast

from sorry_lan.bots.choose import choose
from sorry_lan.fair.entry import Ack, Kind, MoveEntry, Reveal, decode_body, slot
from sorry_lan.fair.open_step import Accepted, Change
from sorry_lan.fair.record import Duty, Ledger
from sorry_lan.fair.transcript import EndFrame, Ending, encode_transcript
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.rules.engine import choices, effects
from sorry_lan.rules.moves import Decline, Move
from sorry_lan.table.agreement import Agreement, client_keys
from sorry_lan.table.commands import CancelTimer, FileKind, JournalKind, SaveFile, SetTimer, Sync
from sorry_lan.table.desk import Desk, known
from sorry_lan.table.events import DrawAsked, LinkId, SeatDecided, Timer
from sorry_lan.table.hand import Hand
from sorry_lan.table.links import Link
from sorry_lan.table.phases import IN_PLAY, Turn
from sorry_lan.table.presence import Presences
from sorry_lan.table.saved import Header
from sorry_lan.table.settings import Auto
from sorry_lan.table.trouble import Trouble
from sorry_lan.table.view import CardDrawn, Confirmed, FirstBy, GameStarted, LotCast, Played, Won
from sorry_lan.wire import limits
from sorry_lan.wire.codec import encode_message, pack
from sorry_lan.wire.messages import Entry, Signed, Want


class Game:
    """One game id at this client, from its complete table to the end and beyond."""

    def __init__(self, desk: Desk, agreement: Agreement, title: str) -> None:
        self.desk = desk
        self.title = title
        self.ledger = Ledger(agreement.table, agreement.terms, agreement.game_id)
        self.hands = agreement.hands
        self.agreed = agreement.message()
        self.clients = client_keys(agreement.terms) - {desk.settings.people[0].key.public}
        self.presences = Presences(desk, agreement.terms, frozenset(agreement.hands))
        self.shares_checked = 0
        self.turn_number = 1
        self.announced_links: int | None = None
        """The seats that we last said we are linked with."""
        self.ended = False
        """Whether the transcript was written: the end is final, or was waited for long enough."""
        self._confirmed = False
        self.trouble = Trouble(desk, self.ledger, self.agreed.consents)
        self._moves: list[tuple[Change, Link | None]] = []
        """What was moved in this event and by which link it came, still to be passed on."""
        self.passed_on = b""
        """The payload of the latest move, as every other seat will pass it on to us."""

    @property
    def id(self) -> bytes:
        """The game id."""
        return self.ledger.game_id

    @property
    def first_by(self) -> FirstBy:
        """How it was decided who begins."""
        return FirstBy.LOT if self.ledger.terms.first is None else FirstBy.AGE

    def begin(self) -> None:
        """The table is complete: put it on the disk, then let all others know."""
        desk = self.desk
        header = Header(self.agreed.table, self.agreed.consents, self.title, ())
        desk.journal(self.id, JournalKind.HEADER, pack(header), Sync.NOW)
        desk.cast(self.agreed, self.links())
        desk.meet_again(self.clients, self.id)
        desk.turn(Turn.TABLE_AGREED)
        desk.tell(GameStarted(self.id))

    def links(self, but: Iterable[LinkId] = ()) -> list[LinkId]:
        """The links of this game's clients."""
        left_out = frozenset(but)
        return [link for link in self.desk.links_of(self.clients) if link not in left_out]

    def forget(self) -> None:
        """Stop the timers: another game begins."""
        for timer in (Timer.FINISH, Timer.LINGER):
            self.desk.do(CancelTimer(timer, 0))
        self.presences.forget()

    # -- what comes ----------------------------------------------------------------------------------------------

    def take(self, link: Link, signed: Signed) -> None:
        """An entry of this game; RemoteFault where bringing it was against the rules ([F-15])."""
        try:
            changes = self.ledger.accept(signed)
        except RemoteFault as fault:
            self._wrong(fault, signed)
            return
        self._changed(changes, link)
        if link.asked_k == self.ledger.k and changes[0].what is Accepted.DUPLICATE and _is_move(signed):
            # It acknowledged another head, and holds the very move that we hold.
            self.trouble.diverged(f"one move of step {link.asked_k} leads to two heads", None)

    def _wrong(self, fault: RemoteFault, signed: Signed) -> None:
        if fault.evidence:
            self.trouble.proven(fault, self.links())
        elif fault.code is Err.DIVERGED:
            self.trouble.diverged(fault.detail, decode_body(signed.body).seat, signed)
        else:
            raise fault

    def _changed(self, changes: tuple[Change, ...], source: Link | None) -> None:
        for change in changes:
            match change.what:
                case Accepted.NEW_SHARE:
                    self.shares_checked += 1
                    self._pass_on(change, source)
                case Accepted.ACKED | Accepted.LEFT:
                    self._pass_on(change, source)
                case Accepted.MOVED:
                    self._moves.append((change, source))
                    self._moved(change.k)
                case Accepted.CARD_KNOWN:
                    self._card_known(change.k)
                case Accepted.STEP_FINAL:
                    self._final(change.k)
                case Accepted.HEAD_DIFFERS:
                    self._head_differs(change, source)
                case Accepted.REFUSED:
                    self._refused(change)
                case Accepted.HELD | Accepted.DUPLICATE | Accepted.TOO_EARLY | Accepted.OLD:
                    pass
                case _:
                    assert_never(change.what)

    def _pass_on(self, change: Change, source: Link | None) -> None:
        """Give a valid entry once to everybody who may not have it ([H-22]).

        A MOVE goes to all, so that no two can be played apart; shares and acknowledgements only where their author is
        not known to be linked.
        """
        if change.signed is None or change.seat is None:
            return
        entry = Entry(self.id, change.signed.body, change.signed.sig)
        if source is None:
            self.desk.cast(entry, self.links())
            return
        author = self.presences.client_of(change.seat)
        everywhere = change.what is Accepted.MOVED
        if everywhere:
            self.passed_on = encode_message(entry)
        to = [
            link
            for link in self.links(but=[source.id, *self.desk.links_of([author])])
            if everywhere or not self.presences.sees(self.desk.links[link], change.seat)
        ]
        self.desk.cast(entry, to)

    def _pass_moves(self) -> None:
        """Just before our acknowledgement, so that both leave together: a frame alone costs the others a wake-up."""
        moves, self._moves = self._moves, []
        for change, source in moves:
            self._pass_on(change, source)

    def _card_known(self, k: int) -> None:
        ledger, desk = self.ledger, self.desk
        if not k:
            self._turn(Turn.LOT_CAST)
            desk.tell(LotCast(known(ledger.words), known(ledger.first), self.first_by))
            return
        self._turn(Turn.CARD_KNOWN)
        # A bot's step may be counted, and one that was waited for even final, by the time it is told.
        drawn = ledger.applied_of(k) if ledger.k > k else known(ledger.open.drawn)
        seat = ledger.applied_of(k - 1).position.turn
        desk.tell(CardDrawn(k, seat, known(drawn.card), ledger.humans, sum(drawn.pile), drawn.reshuffled))

    def _moved(self, k: int) -> None:
        ledger, done, before = self.ledger, self.ledger.applied_of(k), self.ledger.applied_of(k - 1).position
        card = known(done.card)
        move = cast("Move", known(done.move))
        self._turn(Turn.COUNTED)
        forced = choices(before, ledger.rules, card) == (Decline(),)
        what = effects(before, ledger.rules, card, move)
        self.desk.tell(Played(k, known(done.seat), card, move, what, before, done.position, forced))
        self.turn_number += done.position.turn != done.seat
        if done.position.winner is not None:
            self.desk.tell(Won(done.position.winner, k))
            self.desk.do(SetTimer(Timer.FINISH, 0, limits.LINGER_MS))

    def _final(self, k: int) -> None:
        self.desk.journal(self.id, JournalKind.RECORD, self.ledger.packed_record(k), Sync.LATER)
        for link in self.desk.links.values():
            link.entries.give(limits.ENTRY_REFILL_PER_STEP)
        if self.ledger.over_final:
            self.desk.do(CancelTimer(Timer.FINISH, 0))
            self.finish()
        else:
            self._turn(Turn.STEP_FINAL)

    def finish(self) -> None:
        """The end is final, or was waited for long enough: write the transcript, and say whose word is missing."""
        ledger, last = self.ledger, self.ledger.counted_record()
        if ledger.over is None or self._confirmed or (self.ended and not ledger.over_final):
            return
        self._confirmed = ledger.over_final
        records = ledger.records if last is None else (*ledger.records, last)
        head = ledger.head if last is None else ledger.applied_of(last.k).head
        end = EndFrame(len(records), head, Ending.WON)
        content = encode_transcript(ledger.table, self.agreed.consents, records, end)
        self.desk.do(SaveFile(self.id, FileKind.TRANSCRIPT, content))
        self.desk.tell(Confirmed(ledger.final_needs()))
        self._turn(Turn.ENDED)
        self.ended = True

    def _turn(self, turn: Turn) -> None:
        """Follow the step, unless the game stands still or is over: late entries are counted all the same."""
        if self.desk.phase in IN_PLAY:
            self.desk.turn(turn)

    def _head_differs(self, change: Change, source: Link | None) -> None:
        """Somebody counted another outcome: two moves, which the other can show, or two engines ([F-25])."""
        if self.ledger.open.move is None:
            self.trouble.diverged(f"two heads of step {change.k}, whose move nobody signs", change.seat)
            return
        link = self.desk.linked(self.presences.client_of(known(change.seat))) or source
        if link is not None:
            link.asked_k = change.k
            self.desk.send(Want(self.id, change.k, 1), link.id)

    def _refused(self, change: Change) -> None:
        """An entry that waited turned out wrong; who brought it is long forgotten, what it proves is not."""
        fault = change.fault
        if fault is not None and change.signed is not None and (fault.evidence or fault.code is Err.DIVERGED):
            self._wrong(fault, change.signed)

    # -- what our seats do ---------------------------------------------------------------------------------------

    def advance(self) -> None:
        """Sign everything that is due and needs no person."""
        while self._signs() and any(self._does(hand) for hand in self.hands.values()):
            pass
        self._pass_moves()

    def asked(self, wish: DrawAsked | SeatDecided) -> None:
        """A person turns a card over, or plays a move; ignored unless that is what it was asked."""
        hand, now = self.hands.get(wish.seat), self.ledger.open
        if hand is None:
            return
        match wish:
            case DrawAsked():
                if self.may_draw(hand):
                    hand.drawn_k = now.k
            case SeatDecided(k=k, card=card, move=move):
                if self.may_decide(hand) and (k, card) == (now.k, now.card) and move in now.choices:
                    self._publish(hand, self.ledger.move_entry(move))
            case _:
                assert_never(wish)

    def may_draw(self, hand: Hand) -> bool:
        """Whether the person of this seat is asked to draw: it is its turn and its share waits for that."""
        return self._signs() and self.ledger.duty(hand.seat) is Duty.REVEAL and self._waits_for_person(hand)

    def may_decide(self, hand: Hand) -> bool:
        """Whether the person of this seat is asked to choose."""
        return self._signs() and self.ledger.duty(hand.seat) is Duty.DECIDE

    def _signs(self) -> bool:
        return self.desk.disk_works and self.desk.phase in IN_PLAY

    def _waits_for_person(self, hand: Hand) -> bool:
        k = self.ledger.k
        on_turn = k > 0 and hand.seat == self.ledger.position.turn
        return on_turn and hand.person.auto is Auto.NOTHING and hand.drawn_k != k

    def _does(self, hand: Hand) -> bool:
        body = self._due(hand)
        if body is not None:
            self._publish(hand, body)
        return body is not None

    def _due(self, hand: Hand) -> Reveal | MoveEntry | Ack | None:
        ledger, duty = self.ledger, self.ledger.duty(hand.seat)
        match duty:
            case Duty.NOTHING:
                return None
            case Duty.REVEAL:
                return None if self._waits_for_person(hand) else hand.reveal(ledger.k)
            case Duty.DECIDE:
                move = self._own_move(hand)
                return None if move is None else ledger.move_entry(move)
            case Duty.ACK:
                return ledger.ack_entry(hand.seat)
            case _:
                assert_never(duty)

    def _own_move(self, hand: Hand) -> Move | None:
        """What the seat plays without its person: a forced pass, or by itself where that was asked for."""
        ledger, now = self.ledger, self.ledger.open
        if ledger.forced(hand.seat):
            return Decline()
        if hand.person.auto is not Auto.ALL or now.card is None or now.secret is None:
            return None
        return choose(ledger.position, ledger.rules, now.card, hand.person.auto_level, now.secret)

    def _publish(self, hand: Hand, body: Reveal | MoveEntry | Ack) -> None:
        """Sign, write, apply, send, in this order ([F-16])."""
        signed = hand.sign(self.id, body)
        self.desk.journal(self.id, JournalKind.OWN_ENTRY, pack(signed), Sync.NOW)
        self._pass_moves()
        self._changed(self.ledger.accept_own(body, signed), None)


def _is_move(signed: Signed) -> bool:
    return slot(decode_body(signed.body)).kind == Kind.MOVE
