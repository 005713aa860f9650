"""Tables with real keys and chains, and clients that play them in memory through one or more ledgers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from random import Random

from sorry_lan.fair.chain import Chain
from sorry_lan.fair.engine import engine_digest
from sorry_lan.fair.entry import Body, Reveal, sign_entry
from sorry_lan.fair.genesis import consent_signature, encode_terms, game_id
from sorry_lan.fair.record import Accepted, Change, Duty, Ledger
from sorry_lan.rules.moves import Move
from sorry_lan.rules.profile import Rules, to_uints
from sorry_lan.wire.keys import SecretKey
from sorry_lan.wire.messages import Consent, Signed
from sorry_lan.wire.terms import DOCUMENT_VERSION, PROTO, SeatKind, Terms, TermsSeat

NAMES = ("Ada", "Bob", "Cleo", "Dov")
ONE_PAWN = Rules(pawns=1)
"""Short games for tests that need a whole one."""


def seed(*parts: object) -> bytes:
    """32 bytes that stand for randomness in tests."""
    return sha256(repr(parts).encode()).digest()


@lru_cache(maxsize=512)
def key_of(name: str, seat: int) -> SecretKey:
    return SecretKey(seed("key", name, seat))


@lru_cache(maxsize=512)
def chain_of(name: str, seat: int) -> Chain:
    return Chain(seed("root", name, seat), key_of(name, seat).public, seed("nonce", name, seat))


def human_line(name: str, seat: int) -> TermsSeat:
    key = key_of(name, seat)
    anchor = chain_of(name, seat).anchor
    return TermsSeat(int(SeatKind.HUMAN), seat, key.public, seed("nonce", name, seat), anchor, seat, NAMES[seat], 0)


def bot_line(seat: int) -> TermsSeat:
    return TermsSeat(int(SeatKind.BOT), seat, bytes(32), bytes(32), bytes(32), seat, f"Bot {seat}", 0)


def terms_of(name: str = "t", kinds: str = "hh", rules: Rules = ONE_PAWN, first: int | None = None) -> Terms:
    """`kinds` has one letter a seat: h for a human, b for an easy bot."""
    seats = tuple(human_line(name, seat) if kind == "h" else bot_line(seat) for seat, kind in enumerate(kinds))
    return Terms(DOCUMENT_VERSION, PROTO, to_uints(rules), 0, engine_digest(), seats, first, None)


def with_seat(terms: Terms, index: int, line: TermsSeat) -> Terms:
    return replace(terms, seats=(*terms.seats[:index], line, *terms.seats[index + 1 :]))


@dataclass
class Table:
    """One table, all its people, and a ledger of one of them."""

    name: str
    terms: Terms
    bytes: bytes = field(init=False)
    game_id: bytes = field(init=False)
    ledger: Ledger = field(init=False)

    def __post_init__(self) -> None:
        self.bytes = encode_terms(self.terms)
        self.game_id = game_id(self.bytes)
        self.ledger = self.replica()

    def replica(self) -> Ledger:
        return Ledger(self.bytes, self.terms, self.game_id)

    def key(self, seat: int) -> SecretKey:
        return key_of(self.name, seat)

    def consents(self) -> tuple[Consent, ...]:
        return tuple(Consent(seat, consent_signature(self.key(seat), self.bytes)) for seat in self.ledger.humans)

    def sign(self, body: Body) -> Signed:
        return sign_entry(self.key(body.seat), self.game_id, body)

    def reveal(self, seat: int, k: int | None = None) -> Signed:
        step = self.ledger.k if k is None else k
        return self.sign(Reveal(step, seat, chain_of(self.name, seat).share(step)))

    def move(self, move: Move | None = None) -> Signed:
        """The seat on turn's MOVE; its first choice unless another is named."""
        return self.sign(self.ledger.move_entry(self.ledger.open.choices[0] if move is None else move))

    def ack(self, seat: int) -> Signed:
        return self.sign(self.ledger.ack_entry(seat))

    def shares(self) -> tuple[Change, ...]:
        """Everybody opens the share of the open step."""
        changes: tuple[Change, ...] = ()
        for seat in self.ledger.humans:
            changes += self.ledger.accept(self.reveal(seat))
        return changes

    def acks(self) -> tuple[Change, ...]:
        """Everybody who still has to acknowledge the open step does."""
        changes: tuple[Change, ...] = ()
        for seat in self.ledger.final_needs():
            changes += self.ledger.accept(self.ack(seat))
        return changes

    def step(self, pick: Callable[[Sequence[Move]], Move] | None = None) -> None:
        """One whole step; `pick` chooses among the choices of a person."""
        self.shares()
        decide = [seat for seat in self.ledger.humans if self.ledger.duty(seat) is Duty.DECIDE]
        if decide:
            self.ledger.accept(self.move(None if pick is None else pick(self.ledger.open.choices)))
        self.acks()

    def to_turn(self, wanted: Callable[[Table], bool], limit: int = 400) -> None:
        """Play until the open step's card is known and `wanted` holds."""
        rng = Random(1)
        for _ in range(limit):
            self.shares()
            if self.ledger.k and wanted(self):
                return
            self.step(rng.choice)
        raise LookupError("never came up")

    def to_decision(self) -> None:
        """Play until a person has a real choice."""
        self.to_turn(lambda table: len(table.ledger.open.choices) > 1 and table.ledger.open.mover is not None)

    def to_end(self, number: int = 0) -> None:
        rng = Random(number)
        while not self.ledger.over_final:
            self.step(rng.choice)

    def to_win(self, number: int = 0) -> None:
        """Play until the win is counted and its acknowledgements are missing."""
        rng = Random(number)
        while True:
            self.shares()
            if self.ledger.open.mover is not None:
                self.ledger.accept(self.move(rng.choice(self.ledger.open.choices)))
            if self.ledger.over is not None:
                return
            self.acks()


def table(name: str = "t", kinds: str = "hh", rules: Rules = ONE_PAWN, first: int | None = None) -> Table:
    return Table(name, terms_of(name, kinds, rules, first))


def whats(changes: Sequence[Change]) -> list[Accepted]:
    return [change.what for change in changes]
