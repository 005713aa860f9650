"""What our own seats have to sign now, and what their people may be asked; the guard is hand.py's ([F-19], [F-20]).

Signs nothing by itself: `publish` of the game does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import assert_never

from sorry_lan.bots.choose import choose
from sorry_lan.fair.entry import Ack, MoveEntry, Reveal
from sorry_lan.fair.record import Duty, Ledger
from sorry_lan.rules.moves import Decline, Move
from sorry_lan.table.events import DrawAsked, SeatDecided
from sorry_lan.table.hand import Hand
from sorry_lan.table.settings import Auto


class Duties:
    """The seats `hands` of one game; `signs` says whether this client signs anything at the moment."""

    def __init__(
        self,
        ledger: Ledger,
        hands: Mapping[int, Hand],
        signs: Callable[[], bool],
        publish: Callable[[Hand, Reveal | MoveEntry | Ack], None],
    ) -> None:
        self._ledger = ledger
        self._hands = hands
        self._signs = signs
        self._publish = publish

    def advance(self) -> None:
        """Sign everything that is due and needs no person."""
        while self._signs() and any(self._does(hand) for hand in self._hands.values()):
            pass

    def asked(self, wish: DrawAsked | SeatDecided) -> None:
        """A person turns a card over, or plays a move; ignored unless that is what it was asked."""
        hand, now = self._hands.get(wish.seat), self._ledger.open
        if hand is None:
            return
        match wish:
            case DrawAsked():
                if self.may_draw(hand):
                    hand.drawn_k = now.k
            case SeatDecided(k=k, card=card, move=move):
                if self.may_decide(hand) and (k, card) == (now.k, now.card) and move in now.choices:
                    self._publish(hand, self._ledger.move_entry(move))
            case _:
                assert_never(wish)

    def may_draw(self, hand: Hand) -> bool:
        """Whether the person of this seat is asked to draw: it is its turn and its share waits for that."""
        return self._signs() and self._ledger.duty(hand.seat) is Duty.REVEAL and self._waits_for_person(hand)

    def may_decide(self, hand: Hand) -> bool:
        """Whether the person of this seat is asked to choose."""
        return self._signs() and self._ledger.duty(hand.seat) is Duty.DECIDE

    def _waits_for_person(self, hand: Hand) -> bool:
        k = self._ledger.k
        on_turn = k > 0 and hand.seat == self._ledger.position.turn
        return on_turn and hand.person.auto is Auto.NOTHING and hand.drawn_k != k

    def _does(self, hand: Hand) -> bool:
        body = self._due(hand)
        if body is not None:
            self._publish(hand, body)
        return body is not None

    def _due(self, hand: Hand) -> Reveal | MoveEntry | Ack | None:
        ledger, duty = self._ledger, self._ledger.duty(hand.seat)
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
        ledger, now = self._ledger, self._ledger.open
        if ledger.forced(hand.seat):
            return Decline()
        if hand.person.auto is not Auto.ALL or now.card is None or now.secret is None:
            return None
        return choose(ledger.position, ledger.rules, now.card, hand.person.auto_level, now.secret)
