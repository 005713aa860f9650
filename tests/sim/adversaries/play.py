"""Cheats at the game itself: moves, shares, acknowledgements, and when they are sent."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from sorry_lan.fair.entry import (
    Ack,
    MoveEntry,
    Reveal,
    decode_body,
    encode_body,
    encode_snapshot,
    entry_id,
    state_digest,
)
from sorry_lan.fair.step import count, outcome
from sorry_lan.rules import fast
from sorry_lan.rules.moves import to_action
from sorry_lan.wire import limits
from sorry_lan.wire import messages as m
from tests.sim.adversaries.base import Adversary
from tests.sim.clock import MS


class _Cheat(Adversary):
    """Looks at entries of its own seats only."""

    def changed(self, message: Any) -> list[Any]:
        if not isinstance(message, m.Entry):
            return [message]
        body = decode_body(message.body)
        return self.entry(message, body) if self.mine(body) else [message]

    def entry(self, entry: m.Entry, body: Any) -> list[Any]:
        """What becomes of an entry of its own."""
        raise NotImplementedError


class TwoMoves(_Cheat):
    """A different move for different people, and acknowledgements to fit ([F-23], [F-24])."""

    name = "two-moves"
    may_stall = False

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.second: dict[int, m.Entry | None] = {}
        self.shown: dict[tuple[int, int], int] = {}

    def entry(self, entry: m.Entry, body: Any) -> list[Any]:
        if not isinstance(body, MoveEntry):
            return [entry]
        if body.k not in self.second:
            self.second[body.k] = self._other(body)
        other = self.second[body.k]
        if other is None:
            return [entry]
        return [(entry, other)[self.shown.setdefault((body.k, self.victim(self.link)), len(self.shown) % 2)]]

    def _other(self, body: MoveEntry) -> m.Entry | None:
        ledger, now = self.game.ledger, self.game.ledger.open
        if now.drawn is None or body.k != ledger.k:
            return None
        others = [move for move in now.drawn.choices if to_action(move) != body.action]
        if not others or not self.dice.chance(0.5):
            return None
        result = outcome(ledger.standing, ledger.rules, now.drawn, self.dice.pick(others))
        return self.signed(replace(body, action=to_action(result.move), state=result.state))


class TwoMovesToAll(TwoMoves):
    """Both moves to everybody at once: whoever gets both has the proof."""

    name = "two-moves-to-all"

    def entry(self, entry: m.Entry, body: Any) -> list[Any]:
        chosen = super().entry(entry, body)
        other = self.second.get(body.k) if isinstance(body, MoveEntry) else None
        if other is None:
            return chosen
        self.proves_itself = True
        return [entry, other]


class TwoHeads(TwoMoves):
    """Two moves, and the acknowledgement of whichever the other does not have, if a bot or another moves."""

    name = "two-heads"
    may_stall = False

    def entry(self, entry: m.Entry, body: Any) -> list[Any]:
        if isinstance(body, Ack) and self.dice.chance(0.1):
            return [entry, self.signed(replace(body, head=self.dice.raw(32)))]
        return super().entry(entry, body)


class OtherHead(_Cheat):
    """Acknowledges a head that nobody has ([F-25])."""

    name = "other-head"
    may_stall = False

    def entry(self, entry: m.Entry, body: Any) -> list[Any]:
        if isinstance(body, Ack) and body.k > 3:
            return [self.signed(replace(body, head=entry_id(entry.game, entry.body)))]
        return [entry]


class Illegal(_Cheat):
    """An action that the card does not allow ([F-22])."""

    name = "illegal"
    may_stall = False

    def entry(self, entry: m.Entry, body: Any) -> list[Any]:
        if not isinstance(body, MoveEntry) or body.k < 4:
            return [entry]
        action = ((2, 1, 7), (1, 1), (), (5, 1, 0, 1), (3, 1, 4), (6, 1, 3, 1), (2, 1, 12), (9, 9))[body.k % 8]
        if action == body.action:
            action = (2, 1, 6)
        return [self.signed(replace(body, action=action))]


class Declines(_Cheat):
    """Passes although it could move, with the very digest that would follow: only the rules say no ([F-22], R12)."""

    name = "declines"
    may_stall = False

    def entry(self, entry: m.Entry, body: Any) -> list[Any]:
        ledger = self.game.ledger
        drawn = ledger.open.drawn
        if not isinstance(body, MoveEntry) or not body.action or drawn is None:
            return [entry]
        if any(to_action(move) == () for move in drawn.choices):
            return [entry]
        before = ledger.position
        core = fast.core(ledger.rules, before.colours, before.barred)
        _, turn, _ = core.step(fast.flatten(before.pawns), before.turn, int(drawn.card), ())
        state = state_digest(encode_snapshot(replace(before, turn=turn), drawn.pile))
        return [self.signed(replace(body, action=(), state=state))]


class WrongMoveHead(_Cheat):
    """A move that cites another past ([F-13])."""

    name = "wrong-move-head"
    may_stall = False

    def entry(self, entry: m.Entry, body: Any) -> list[Any]:
        if isinstance(body, MoveEntry) and body.k > 3:
            return [self.signed(replace(body, head=self.dice.raw(32)))]
        return [entry]


class WrongDigest(_Cheat):
    """A legal move with another digest ([F-25])."""

    name = "wrong-digest"
    may_stall = False

    def entry(self, entry: m.Entry, body: Any) -> list[Any]:
        if isinstance(body, MoveEntry) and body.k > 3:
            return [self.signed(replace(body, state=b"!" * 32))]
        return [entry]


class WrongShare(_Cheat):
    """A share that opens nothing, or a later one ([F-3], [F-4])."""

    name = "wrong-share"

    def entry(self, entry: m.Entry, body: Any) -> list[Any]:
        if not isinstance(body, Reveal) or not 2 <= body.k < limits.CHAIN_LENGTH - 1:
            return [entry]
        hand = self.game.hands[body.seat]
        later = hand.reveal(body.k + 1).share
        share = (self.dice.raw(32), later, hand.reveal(body.k - 1).share)[body.k % 3]
        return [self.signed(replace(body, share=share))]


class EarlyShare(_Cheat):
    """Opens the next shares before the step is final; hurts nobody but itself ([F-21])."""

    name = "early-share"
    may_stall = False

    def entry(self, entry: m.Entry, body: Any) -> list[Any]:
        if isinstance(body, Ack | MoveEntry) and body.k + 3 < limits.CHAIN_LENGTH:
            hand = self.game.hands[body.seat]
            return [entry, *(self.signed(hand.reveal(body.k + further)) for further in (1, 2, 3))]
        return [entry]


class Withholds(_Cheat):
    """Keeps its shares from a step on ([F-20])."""

    name = "withholds-shares"
    stops_at: ClassVar[int] = 5

    def entry(self, entry: m.Entry, body: Any) -> list[Any]:
        if isinstance(body, Reveal) and body.k >= self.stops_at:
            return []
        return [entry]


class WithholdsFromOne(_Cheat):
    """Gives each of its entries to one client only: the others must get it from there ([H-22], [S-1])."""

    name = "tells-one"
    may_stall = False

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        # Where two never meet, what only one of them is told stays with it.
        self.may_stall = bool(self.world.plan.apart)

    def entry(self, entry: m.Entry, body: Any) -> list[Any]:
        links = self.links()
        return [entry] if not links or self.link == links[body.k % len(links)] else []


class WithholdsAcks(_Cheat):
    """Never acknowledges from a step on."""

    name = "withholds-acks"

    def entry(self, entry: m.Entry, body: Any) -> list[Any]:
        return [] if isinstance(body, Ack) and body.k >= 5 else [entry]


class OutOfTurn(_Cheat):
    """Moves when it is somebody else's turn, as that one might ([F-22])."""

    name = "out-of-turn"
    may_stall = False
    every_us = 10 * MS

    def entry(self, entry: m.Entry, body: Any) -> list[Any]:
        del body
        return [entry]

    def stir(self) -> None:
        ledger = None if self.game is None else self.game.ledger
        if ledger is None or ledger.open.drawn is None or ledger.open.applied is not None:
            return
        if self.game.hands and ledger.position.turn not in self.game.hands:
            result = outcome(ledger.standing, ledger.rules, ledger.open.drawn, ledger.open.drawn.choices[0])
            seat = next(iter(self.game.hands))
            self.cast(self.signed(MoveEntry(ledger.k, seat, ledger.head, to_action(result.move), result.state)))


class AcksOwnMove(_Cheat):
    """Acknowledges its own move ([F-24])."""

    name = "acks-own-move"
    may_stall = False

    def entry(self, entry: m.Entry, body: Any) -> list[Any]:
        ledger = self.game.ledger
        if isinstance(body, MoveEntry) and ledger.k == body.k and ledger.open.applied is not None:
            return [entry, self.signed(Ack(body.k, body.seat, ledger.open.applied.head))]
        return [entry]


class BothWays(TwoMoves):
    """Two moves, and to each side the acknowledgements and heads that go with its own."""

    name = "both-ways"

    def _other(self, body: MoveEntry) -> m.Entry | None:
        other = super()._other(body)
        if other is not None:
            self._heads(other)
        return other

    def _heads(self, other: m.Entry) -> None:
        ledger, now = self.game.ledger, self.game.ledger.open
        body = decode_body(other.body)
        for move in now.drawn.choices:
            if isinstance(body, MoveEntry) and to_action(move) == body.action:
                result = outcome(ledger.standing, ledger.rules, now.drawn, move)
                move_id = entry_id(self.game.id, encode_body(body))
                self.head = (body.k, count(ledger.standing, now.secret, now.drawn, result, move_id).head)

    def changed(self, message: Any) -> list[Any]:
        if isinstance(message, m.Status) and hasattr(self, "head") and message.k == self.head[0] + 1:
            return [replace(message, head=self.head[1])]
        return super().changed(message)


PLAY = (
    TwoMoves,
    TwoMovesToAll,
    TwoHeads,
    BothWays,
    OtherHead,
    Illegal,
    Declines,
    WrongMoveHead,
    WrongDigest,
    WrongShare,
    EarlyShare,
    Withholds,
    WithholdsFromOne,
    WithholdsAcks,
    OutOfTurn,
    AcksOwnMove,
)
