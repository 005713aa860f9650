"""A cheat without a plan: any message, made of what it has heard and said, with fields exchanged, and signed well.

What it finds is what nobody thought of: a message that is well formed and well signed, at a moment when no client
sends it, must cost at most the link that brings it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from typing import Any

from sorry_lan.fair import genesis
from sorry_lan.fair.entry import decode_body, encode_body, sign_entry
from sorry_lan.faults import LocalMisuse, RemoteFault
from sorry_lan.table.events import FrameArrived, Happening
from sorry_lan.table.readiness import seat_body
from sorry_lan.wire import messages as m
from sorry_lan.wire.codec import decode_message, encode_message
from sorry_lan.wire.keys import NO_GAME, Context, SecretKey
from tests.sim.adversaries.base import Adversary
from tests.sim.clock import MS

MOST = 24
"""How many values of one field are remembered."""
NUMBERS = (0, 1, 2, 3, 4, 5, 7, 15, 16, 255, 2**16, 2**32, 2**53)
QUIET = m.Ping | m.Pong | m.Hello | m.Auth | m.Bye
ALIKE = {"game_id": "game", "parent": "game", "table_hash": "game"}
"""Fields of one meaning under several names."""


class Improvises(Adversary):
    """Any message at any time."""

    name = "improvises"
    every_us = 160 * MS

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.known: dict[tuple[type, str], list[Any]] = defaultdict(list)
        """Values by the type that they have and the field that they were in."""
        self.heard: list[m.Message] = []
        tell = self.node.tell
        self.node.tell = lambda what: self._hears(tell, what)  # type: ignore[method-assign]

    def _hears(self, tell: Callable[[Happening], None], what: Happening) -> None:
        if isinstance(what, FrameArrived):
            with suppress(RemoteFault):
                self._learn(decode_message(what.payload))
        tell(what)

    def changed(self, message: Any) -> list[Any]:
        """Its table plays on, mostly; what it says is remembered, and now and then changed, late or left out."""
        self._learn(message)
        if isinstance(message, QUIET) or self.dice.chance(0.95):
            return [message]
        how = self.dice.under(5)
        if how < 3:
            return self._made(message)
        if how == 3:
            link = self.link
            self.world.loop.after(self.dice.under(20_000) * MS, lambda: self.send(link, message))
        return []

    def stir(self) -> None:
        links = self.links()
        if not links or not self.heard:
            return
        for _ in range(1 + self.dice.under(2)):
            for made in self._made(self.dice.pick(self.heard)):
                self.send(self.dice.pick(links), made)

    # -- what it remembers ---------------------------------------------------------------------------------------

    def _learn(self, message: Any) -> None:
        if message is None or isinstance(message, QUIET):
            return
        kinds = {type(each): at for at, each in enumerate(self.heard)}
        if len(self.heard) < 10 * MOST:
            self.heard.append(message)
        else:
            # The last of its kind makes room, so that no kind is forgotten.
            self.heard[kinds.get(type(message), 0)] = message
        self._take(message)
        if isinstance(message, m.Propose | m.TableAgreed):
            self._take(genesis.decode_terms(message.table))
            self._keep((bytes, "game"), genesis.game_id(message.table))
        elif isinstance(message, m.Entry):
            self._take(decode_body(message.body))

    def _take(self, value: Any) -> None:
        for field in fields(value):
            held = getattr(value, field.name)
            self._keep((type(held), ALIKE.get(field.name, field.name)), held)
            for part in held if isinstance(held, tuple) else (held,):
                if is_dataclass(part):
                    self._take(part)

    def _keep(self, where: tuple[type, str], value: Any) -> None:
        values = self.known[where]
        if value not in values:
            values.append(value)
            del values[:-MOST]

    # -- what it makes of it -------------------------------------------------------------------------------------

    def _made(self, message: Any) -> list[Any]:
        """`message` with some fields exchanged, mostly signed again; nothing where no wire would carry it."""
        try:
            made = self._signed(self._other(message))
            encode_message(made)
        except (LocalMisuse, RemoteFault, TypeError):
            return []
        return [made]

    def _other(self, value: Any) -> Any:
        """`value` with up to two other fields, at any depth."""
        for _ in range(self.dice.pick((0, 1, 1, 2))):
            field = self.dice.pick(fields(value))
            value = replace(value, **{field.name: self._instead(field.name, getattr(value, field.name))})
        return value

    def _instead(self, name: str, held: Any) -> Any:
        dice = self.dice
        if is_dataclass(held):
            return self._other(held)
        if isinstance(held, tuple) and held and dice.chance(0.7):
            at = dice.under(len(held))
            how = dice.under(4)
            if how == 0:
                return held[:at] + held[at + 1 :]
            if how == 1:
                return (*held, held[at])
            part = self._other(held[at]) if is_dataclass(held[at]) else self._instead(name, held[at])
            return (*held[:at], part, *held[at + 1 :])
        if name == "table" and dice.chance(0.8):
            return genesis.encode_terms(self._other(genesis.decode_terms(held)))
        if name == "body" and dice.chance(0.8):
            return encode_body(self._other(decode_body(held)))
        if isinstance(held, bool):
            return not held
        if isinstance(held, int) and dice.chance(0.4):
            return dice.pick((*NUMBERS, held + 1, max(0, held - 1)))
        kinds = [kind for kind, field in self.known if field == ALIKE.get(name, name)]
        if kinds and dice.chance(0.8):
            return dice.pick(self.known[dice.pick(kinds), ALIKE.get(name, name)])
        return dice.raw(len(held)) if isinstance(held, bytes) else held

    def _signed(self, message: Any) -> Any:
        """The same with a signature of its own, where one of its people could have given it."""
        if self.dice.chance(0.2):
            return message
        person = self.dice.pick(self.node.settings.people)
        key: SecretKey = person.key
        match message:
            case m.Entry(game=game, body=body):
                signed = sign_entry(key, game, decode_body(body))
                return replace(message, body=signed.body, sig=signed.sig)
            case m.SeatOffer():
                offer = replace(message, pk=key.public)
                return offer if offer.parent is None else replace(offer, sig=self._table(key, seat_body(offer)))
            case m.Propose(table=table) if message.sig is not None:
                return replace(message, sig=self._table(key, b"propose" + table))
            case m.Withdraw(game_id=game_id):
                return replace(message, sig=self._table(key, b"withdraw" + game_id))
            case m.ConsentGiven():
                tables = [held for (_, name), values in self.known.items() if name == "table" for held in values]
                table = self.dice.pick(tables)
                sig = genesis.consent_signature(key, table)
                return replace(message, table_hash=genesis.game_id(table), sig=sig)
            case m.Mine(game=game, body=body):
                return replace(message, sig=key.sign(Context.MINE, game, body))
            case _:
                return message

    @staticmethod
    def _table(key: SecretKey, what: bytes) -> bytes:
        return key.sign(Context.TABLE, NO_GAME, what)


IMPROVISES = (Improvises,)
