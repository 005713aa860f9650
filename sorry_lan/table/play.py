"""A game in play: open shares, draw, decide, acknowledge; each step as the replica says ([F-16] to [F-30]).

A share leaves only when the step before it is final: acknowledge first, reveal second. Catching up is sync.py's,
what is done with proof of a fault trouble.py's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import assert_never, cast

from sorry_lan.fair import genesis
from sorry_lan.fair.entry import Ack, Kind, Leave, Leaving, MoveEntry, Reveal, decode_body, slot
from sorry_lan.fair.open_step import Accepted, Change
from sorry_lan.fair.record import Ledger
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.rules.engine import choices, effects
from sorry_lan.rules.moves import Decline, Move
from sorry_lan.table.agreement import client_keys
from sorry_lan.table.commands import CancelTimer, JournalKind, SetTimer, Sync
from sorry_lan.table.desk import Desk, known
from sorry_lan.table.duties import Duties
from sorry_lan.table.events import LinkId, Timer
from sorry_lan.table.hand import Hand
from sorry_lan.table.links import Link
from sorry_lan.table.mute import Mute, Passed
from sorry_lan.table.news import (
    CardDrawn,
    GameStarted,
    GoesOn,
    LotCast,
    Played,
    SaidGoodbye,
    TakenUp,
    Won,
)
from sorry_lan.table.phases import IN_PLAY, Turn
from sorry_lan.table.presence import Presences
from sorry_lan.table.relay import ANSWERS, QUESTIONS, Relay
from sorry_lan.table.result import Result
from sorry_lan.table.saved import Header, SavedGame
from sorry_lan.table.story import Story
from sorry_lan.table.trouble import Trouble
from sorry_lan.table.view import FirstBy, Phase
from sorry_lan.table.whereabouts import Whereabouts
from sorry_lan.wire import limits
from sorry_lan.wire.codec import encode_message, pack
from sorry_lan.wire.messages import Entry, Signed, TableAgreed, Want
from sorry_lan.wire.terms import Terms


@dataclass(frozen=True, slots=True)
class Deal:
    """A table that all have signed: `terms` is the checked document in `agreed`, `hands` are our seats."""

    agreed: TableAgreed
    terms: Terms
    hands: Mapping[int, Hand]


class Game:
    """One game id at this client, from its complete table to the end and beyond."""

    def __init__(self, desk: Desk, deal: Deal, title: str, story: Story | None = None) -> None:
        """`story` is what was played at earlier tables."""
        agreed, terms, hands = deal.agreed, deal.terms, deal.hands
        self.story = story or Story()
        self.desk = desk
        self.title = title
        self.ledger = Ledger(agreed.table, terms, genesis.game_id(agreed.table))
        self.hands = hands
        self.agreed = agreed
        self.clients = client_keys(terms) - {desk.settings.people[0].key.public}
        self.trouble = Trouble(desk, self.ledger, title, agreed.consents, self.story.chapters)
        self.presences = Presences(desk, terms, frozenset(hands), self.trouble.blamed)
        self.duties = Duties(self.ledger, hands, self._signs, self._publish)
        self.mute: Mute | None = None
        """After a restart, until all others said what we had signed."""
        self.asked = Passed()
        """The questions of seats what they had signed."""
        self.answered = Passed()
        """The answers of one seat to another."""
        self.questions, self.answers = Relay(QUESTIONS), Relay(ANSWERS)
        """How many questions of one seat are answered and passed on, and how much of its answers is."""
        self.whereabouts = Whereabouts(desk, self.ledger.game_id, self.clients)
        self.result = Result(desk, self.ledger, agreed, self.story, title)
        self.shares_checked = 0
        self.turn_number = 1
        self.announced_links: int | None = None
        """The seats that we last said we are linked with."""
        self.followers = self.story.keys() - self.clients - {desk.settings.people[0].key.public}
        """Link keys of those who played at an earlier table: they may look on, and return."""
        self.shunned: frozenset[int] = frozenset()
        """Seats that cheated at an earlier table, or held a share back there: no program lets them back in."""
        self.frozen = False
        """Whether we have consented to go on elsewhere: nothing of this game is signed meanwhile ([T-38])."""
        self.promised: tuple[bytes, ...] = ()
        """Continuations that a former process of ours consented to."""
        self.waits_for_tail = False
        """Whether a table is followed that goes on from here: its last steps come without acknowledgements."""
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
        if self.ledger.terms.parent is not None:
            return FirstBy.PARENT
        return FirstBy.LOT if self.ledger.terms.first is None else FirstBy.AGE

    @property
    def ended(self) -> bool:
        """Whether it was won, and its file written."""
        return self.result.ended

    @property
    def over(self) -> bool:
        """Whether nothing more is played here: won, or saved."""
        return self.result.over

    def begin(self) -> None:
        """The table is complete: put it on the disk, then let all others know."""
        desk = self.desk
        self.write_header()
        desk.cast(self.agreed, self.everybody())
        if not desk.watches:
            desk.meet_again(self.clients, self.id, also=self.followers)
        desk.turn(Turn.TABLE_AGREED if self.hands or desk.watches else Turn.LEFT_OUT)
        if not self.story.chapters:
            desk.tell(GameStarted(self.id))
        self.whereabouts.remember()

    def write_header(self) -> None:
        """First record of the game's journal."""
        tail = self.story.tail()
        header = Header(self.agreed.table, self.agreed.consents, self.title, tail)
        self.desk.journal(self.id, JournalKind.HEADER, pack(header), Sync.NOW)

    def take_up(self, saved: SavedGame) -> None:
        """Go on with what was saved; from here on nothing is signed until everybody said what we had signed."""
        desk, ledger = self.desk, self.ledger
        desk.resumed = True
        with suppress(RemoteFault):
            # A step that does not hold was not written by us: it and all behind it come from the others.
            for record in saved.records:
                ledger.accept_record(record)
        for signed in saved.own:
            known(self.hands.get(decode_body(signed.body).seat)).adopt(signed)
            with suppress(RemoteFault):
                ledger.accept(signed)
        steps = [ledger.applied_of(k) for k in range(1, ledger.k)]
        self.turn_number += sum(step.position.turn != step.seat for step in steps)
        self.shares_checked = ledger.k * len(ledger.humans) + len(ledger.open.shares)
        self.whereabouts.restore(saved.peers)
        self.mute = Mute(self.clients) if self.hands else None
        self.promised = saved.promised
        self.result.restore(saved.end)
        desk.turn(Turn.TAKEN_UP if self.hands else Turn.LEFT_OUT)
        desk.meet_again(self.clients, self.id, self.whereabouts.addresses, self.followers)
        desk.tell(TakenUp(self.id, ledger.k))
        desk.do(SetTimer(Timer.MUTE, 0, limits.AWAY_SHOWN_MS))
        if ledger.over_final:
            self.result.finish()
        elif ledger.over is not None:
            desk.do(SetTimer(Timer.FINISH, 0, limits.LINGER_MS))

    def speak_again(self) -> None:
        """Everybody said what we had signed, or it does not matter any more: play from where the open step stands."""
        self.mute = None
        desk, now = self.desk, self.ledger.open
        desk.do(CancelTimer(Timer.MUTE, 0))
        if desk.phase is not Phase.RESUMING:
            return
        if self.ended:
            desk.turn(Turn.ENDED)
            return
        if now.secret is None:
            desk.turn(Turn.AT_SHARES if now.k else Turn.AT_LOT)
        else:
            desk.turn(Turn.AT_MOVE if now.applied is None else Turn.AT_ACKS)
        desk.tell(GoesOn())

    def links(self, but: Iterable[LinkId] = ()) -> list[LinkId]:
        """The links of this game's clients."""
        left_out = frozenset(but)
        return [link for link in self.desk.links_of(self.clients) if link not in left_out]

    def knows(self, client: bytes) -> bool:
        """Whether this link key plays here, or played at an earlier table."""
        return client in self.clients or client in self.followers

    def everybody(self, but: Iterable[LinkId] = ()) -> list[LinkId]:
        """The links of all who play or ever played here."""
        left_out = frozenset(but)
        return [link for link in self.desk.links_of(self.clients | self.followers) if link not in left_out]

    def forget(self) -> None:
        """Stop the timers: another game begins."""
        for timer in (Timer.FINISH, Timer.LINGER):
            self.desk.do(CancelTimer(timer, 0))
        self.presences.forget()

    # -- what comes ----------------------------------------------------------------------------------------------

    def take(self, link: Link | None, signed: Signed) -> None:
        """An entry of this game; RemoteFault where bringing it was against the rules ([F-15])."""
        try:
            changes = self.ledger.accept(signed)
        except RemoteFault as fault:
            self._wrong(fault, signed)
            if fault.code is Err.EQUIVOCATION and decode_body(signed.body).seat not in self.hands:
                self._changed(self.ledger.instead(signed), link)
            return
        self._adopt(changes)
        self._changed(changes, link)
        if link is None:
            return
        if link.asked_k == self.ledger.k and changes[0].what is Accepted.DUPLICATE and _is_move(signed):
            # It acknowledged another head, and holds the very move that we hold.
            self.trouble.diverged(f"one move of step {link.asked_k} leads to two heads", None)

    def _adopt(self, changes: tuple[Change, ...]) -> None:
        """An entry of ours comes from outside: before anything else is signed it is on our disk again ([S-8])."""
        for change in changes:
            hand = None if change.seat is None else self.hands.get(change.seat)
            if hand is None or change.signed is None or change.what not in _FILLS_A_SLOT:
                continue
            if hand.adopt(change.signed):
                self.desk.journal(self.id, JournalKind.OWN_ENTRY, pack(change.signed), Sync.NOW)

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
                case Accepted.ACKED:
                    self._pass_on(change, source)
                case Accepted.LEFT:
                    self._pass_on(change, source)
                    left = self.ledger.left[known(change.seat)]
                    self.desk.tell(SaidGoodbye(left.seat, left.reason == Leaving.FOR_GOOD))
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
        not known to be linked. What made a step final long ago is not passed on: catching up would be a flood.
        """
        if change.signed is None or change.seat is None or not self.hands:
            return
        entry = Entry(self.id, change.signed.body, change.signed.sig)
        if source is None:
            self.desk.cast(entry, self.links())
            return
        if self._is_past(change, source):
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

    def _is_past(self, change: Change, source: Link) -> bool:
        """Whether all had this when the step became final; of a MOVE the word of one link for it is not enough."""
        if change.what is Accepted.LEFT:
            return False
        if change.what is Accepted.MOVED:
            return change.k < self.ledger.k
        # Who says nothing of this game plays at one that goes on from it.
        return source.status is None or source.status.k > change.k

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
            self.result.finish()
        else:
            self._turn(Turn.STEP_FINAL)

    def settle(self) -> None:
        """Close the counted step though not all acknowledged it, as Ledger.settle(): the next one is open elsewhere."""
        self.ledger.settle()
        self._turn(Turn.STEP_FINAL)

    def leave(self, reason: Leaving) -> None:
        """Our people say good-bye: the others need not wait, and what is final is kept."""
        if self.over or not self.hands:
            return
        for hand in self.hands.values():
            body = Leave(self.ledger.k, hand.seat, reason)
            signed = hand.sign(self.id, body)
            self.desk.journal(self.id, JournalKind.OWN_ENTRY, pack(signed), Sync.NOW)
            self.desk.cast(Entry(self.id, signed.body, signed.sig), self.links())
        self.result.keep()

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
        self.duties.advance()
        self._pass_moves()

    def _signs(self) -> bool:
        return self.desk.disk_works and not self.frozen and self.desk.phase in IN_PLAY

    def _publish(self, hand: Hand, body: Reveal | MoveEntry | Ack) -> None:
        """Sign, write, apply, send, in this order ([F-16])."""
        signed = hand.sign(self.id, body)
        self.desk.journal(self.id, JournalKind.OWN_ENTRY, pack(signed), Sync.NOW)
        self._pass_moves()
        self._changed(self.ledger.accept_own(body, signed), None)


_FILLS_A_SLOT = frozenset((Accepted.NEW_SHARE, Accepted.MOVED, Accepted.ACKED, Accepted.HELD))


def _is_move(signed: Signed) -> bool:
    return slot(decode_body(signed.body)).kind == Kind.MOVE
