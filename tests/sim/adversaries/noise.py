"""Cheats on the wire: what no client would ever send, too much of what it would, and other people's words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from sorry_lan.fair.entry import Leave, Reveal, decode_body
from sorry_lan.faults import LocalMisuse
from sorry_lan.wire import limits
from sorry_lan.wire import messages as m
from sorry_lan.wire.codec import encode_message
from tests.sim.adversaries.base import Adversary
from tests.sim.clock import MS

HOSTILE = (
    b"",
    b"\xc1",
    b"\x93\x03",
    b"\x92\x03\xcc\x05",
    b"\x92\x03\xd3\xff\xff\xff\xff\xff\xff\xff\xff",
    b"\x81\x01\x02",
    b"\xdd\xff\xff\xff\xff",
    b"\x91" * 40,
    b"\x92\x63\x01",
    b"\x92\x03\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
    b"\x93\x07\x00\xa3\xff\xfe\xfd",
    b"\xdc\x00\x40" + b"\xdc\x00\x40" * 20,
    b"\x92\x03\xc0",
    b"\xd4\x01\x00",
)
"""Frames that no decoder may let through."""


class Garbage(Adversary):
    """Frames of no shape, and its own with a byte changed ([W-4] to [W-21])."""

    name = "garbage"
    may_stall = False
    every_us = 1500 * MS

    def stir(self) -> None:
        links = self.links()
        if not links:
            return
        link = self.dice.pick(links)
        if self.dice.chance(0.5):
            self.raw(link, self.dice.pick(HOSTILE))
            return
        data = bytearray(encode_message(m.Chat(0, "hello there")))
        if self.game is not None and self.game.ledger.open.seen:
            known = self.dice.pick(list(self.game.ledger.open.seen.values()))
            data = bytearray(encode_message(m.Entry(self.game.id, known.body, known.sig)))
        data[self.dice.under(len(data))] = self.dice.under(256)
        self.raw(link, bytes(data))


class Replays(Adversary):
    """Everything it ever heard or said, again and out of order ([F-15])."""

    name = "replays"
    may_stall = False
    every_us = 400 * MS

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.said: list[bytes] = []

    def meddle(self, link: int, payload: bytes) -> None:
        if payload[1] in (40, 41, 3) and len(self.said) < 300:
            self.said.append(payload)
        self.raw(link, payload)

    def stir(self) -> None:
        for link in self.links():
            for _ in range(self.dice.under(6)):
                if self.said:
                    self.raw(link, self.dice.pick(self.said))


class Floods(Adversary):
    """More valid entries than a game can need ([H-24])."""

    name = "floods"
    poured = 0
    may_stall = False
    every_us = 2000 * MS
    floods: ClassVar[int] = 3

    def stir(self) -> None:
        game = self.game
        if game is None or not game.ledger.open.seen or self.poured == self.floods:
            return
        self.poured += 1
        entries = [m.Entry(game.id, signed.body, signed.sig) for signed in game.ledger.open.seen.values()]
        for link in self.links():
            for _ in range(300):
                self.send(link, self.dice.pick(entries))


class BadSignature(Adversary):
    """Entries signed by nobody, for another game, or in somebody else's name ([F-15], [W-17])."""

    name = "bad-signature"
    may_stall = False
    every_us = 900 * MS

    def stir(self) -> None:
        game = self.game
        if game is None or not game.hands or game.ledger.k + 1 >= limits.CHAIN_LENGTH:
            return
        seat = next(iter(game.hands))
        others = [other for other in game.ledger.humans if other not in game.hands]
        body = game.hands[seat].reveal(game.ledger.k + 1)
        entry = self.signed(body)
        forged = (
            replace(entry, sig=entry.sig[:-1] + bytes((entry.sig[-1] ^ 1,))),
            replace(entry, game=b"g" * 32),
            self._signed_as(replace(body, seat=self.dice.pick(others)), seat) if others else entry,
        )
        links = self.links()
        if links:
            self.send(self.dice.pick(links), self.dice.pick(forged))

    def _signed_as(self, body: Reveal, seat: int) -> m.Entry:
        game = self.game
        hand = game.hands[seat]
        hands, game.hands = game.hands, {body.seat: hand}
        try:
            return self.signed(body)
        finally:
            game.hands = hands


class Lies(Adversary):
    """A STATUS that says anything ([S-1], [S-2])."""

    name = "lies"
    may_stall = False

    def changed(self, message: Any) -> list[Any]:
        if not isinstance(message, m.Status) or self.dice.chance(0.5):
            return [message]
        dice = self.dice
        return [
            replace(
                message,
                k=max(0, message.k + dice.pick((-1, 0, 0, 1, 7))),
                stage=dice.under(3),
                head=dice.raw(32) if dice.chance(0.3) else message.head,
                reveals=dice.under(16),
                acks=dice.under(16),
                has_move=dice.chance(0.5),
                links=dice.under(16),
            )
        ]


class Forges(Adversary):
    """RECORDs and FAULTs that are not what they claim ([S-4], [F-17])."""

    name = "forges"
    may_stall = False
    every_us = 800 * MS

    def stir(self) -> None:
        game, links = self.game, self.links()
        if game is None or not links:
            return
        ledger = game.ledger
        known = list(ledger.open.seen.values())
        old = list(ledger.record(self.dice.under(ledger.k)).entries) if ledger.k else []
        forged: list[Any] = []
        if known:
            first = self.dice.pick(known)
            forged += [
                m.StepRecord(game.id, ledger.k, tuple(known[:8])),
                m.Fault(game.id, first, None),
                m.Fault(game.id, first, self.dice.pick(known)),
                m.Fault(game.id, first, m.Signed(first.body + b"\x00", first.sig)),
            ]
        if old:
            body = decode_body(old[0].body)
            forged += [
                m.StepRecord(game.id, ledger.k, tuple(old)),
                m.StepRecord(game.id, body.k, tuple(reversed(old))),
                m.Fault(game.id, self.dice.pick(old), self.dice.pick(old)),
            ]
        if forged:
            self.send(self.dice.pick(links), self.dice.pick(forged))


class Asks(Adversary):
    """WANT of every step, over and over ([S-3], [H-24])."""

    name = "asks"
    may_stall = False
    every_us = 900 * MS

    def stir(self) -> None:
        game = self.game
        if game is None:
            return
        for link in self.links():
            for _ in range(self.dice.pick((1, 1, 3, 20))):
                start = self.dice.pick((0, max(0, game.ledger.k - 3), game.ledger.k, game.ledger.k + 9))
                self.send(link, m.Want(game.id, start, self.dice.between(1, 16)))


class OtherGame(Adversary):
    """Entries of games that nobody plays ([H-23])."""

    name = "other-game"
    may_stall = False
    every_us = 500 * MS

    def stir(self) -> None:
        game = self.game
        if game is None or not game.hands:
            return
        entry = self.signed(game.hands[next(iter(game.hands))].reveal(0))
        for link in self.links():
            for number in range(self.dice.under(12)):
                self.send(link, replace(entry, game=bytes((number,)) * 32))


class Chats(Adversary):
    """Talk without end, and as somebody else ([H-25])."""

    name = "chats"
    may_stall = False
    every_us = 300 * MS

    def stir(self) -> None:
        for link in self.links():
            for _ in range(self.dice.under(8)):
                self.send(link, m.Chat(self.dice.under(5), "\x1b[2J\u202e" * 5 + "x" * self.dice.under(100)))


class Leaves(Adversary):
    """Says goodbye at every turn and stays ([F-26])."""

    name = "says-goodbye"
    may_stall = False
    every_us = 2000 * MS

    def stir(self) -> None:
        game = self.game
        if game is not None and game.hands and not game.ledger.over_final:
            self.cast(self.signed(Leave(game.ledger.k, next(iter(game.hands)), self.dice.under(2))))


class Strange(Adversary):
    """Messages of other versions, which are ignored, and of other times, which are not ([W-21], [F-18])."""

    name = "strange"
    may_stall = False
    every_us = 3000 * MS

    def stir(self) -> None:
        links = self.links()
        if not links:
            return
        link = self.dice.pick(links)
        if self.dice.chance(0.7):
            self.raw(link, b"\x92\xcc" + bytes((128 + self.dice.under(128),)) + b"\x05")
            return
        strange = (m.Pong(5), m.Bye(0, ""), m.No(20, ""), m.Peers(()), m.Ping(7))
        try:
            self.send(link, self.dice.pick(strange))
        except LocalMisuse:
            self.raw(link, b"\x91\x2f")


class StopsReading(Adversary):
    """Hears nothing for a while: whoever sends to it must not wait ([H-24])."""

    name = "stops-reading"
    may_stall = False
    every_us = 20_000 * MS

    def stir(self) -> None:
        if not self.node.asleep:
            self.node.sleeps()
            self.world.loop.after(6_000 * MS, self.node.wakes)


NOISE = (
    Garbage,
    Replays,
    Floods,
    BadSignature,
    Lies,
    Forges,
    Asks,
    OtherGame,
    Chats,
    Leaves,
    Strange,
    StopsReading,
)
