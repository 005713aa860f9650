"""Cheats before the first card: seats, proposals and consents ([T-10] to [T-18])."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sorry_lan.fair import genesis
from sorry_lan.wire import messages as m
from tests.sim.adversaries.base import Adversary
from tests.sim.clock import MS


class ChangesTable(Adversary):
    """As host, a table that differs from its lobby in one thing, and that it signs as well ([T-11])."""

    name = "changes-table"

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.forged = b""

    def changed(self, message: Any) -> list[Any]:
        if isinstance(message, m.ConsentGiven) and self.forged:
            return [self._consent(message)]
        if not isinstance(message, m.Propose):
            return [message]
        terms = genesis.decode_terms(message.table)
        # Its own line is its own business; with a chain that it does not have it could not play.
        seat = self.dice.pick([at for at, line in enumerate(terms.seats) if line.pk not in self.node.keys])
        line = terms.seats[seat]
        lines = {
            0: replace(line, nonce=b"n" * 32),
            1: replace(line, anchor=b"a" * 32),
            2: replace(line, name="Mallory"),
            3: replace(line, colour=(line.colour + 1) % 4),
            6: replace(line, client=self.dice.under(len(terms.seats))),
        }
        kind = self.dice.under(7)
        if kind in lines:
            changed = replace(terms, seats=(*terms.seats[:seat], lines[kind], *terms.seats[seat + 1 :]))
        elif kind == 4:
            changed = replace(terms, rules=(*terms.rules[:-1], 9 - terms.rules[-1]))
        else:
            changed = replace(terms, first=0 if terms.first is None else None)
        self.forged = genesis.encode_terms(changed)
        return [replace(message, table=self.forged)]

    def _consent(self, given: m.ConsentGiven) -> m.ConsentGiven:
        """Ours, under what was proposed; somebody else's as it is."""
        key = genesis.decode_terms(self.forged).seats[given.seat].pk
        for person in self.node.settings.people:
            if person.key.public == key:
                sig = genesis.consent_signature(person.key, self.forged)
                return m.ConsentGiven(given.seat, genesis.game_id(self.forged), sig)
        return given


class TwoTables(Adversary):
    """As host, a different table for each guest ([T-10])."""

    name = "two-tables"

    def changed(self, message: Any) -> list[Any]:
        if not isinstance(message, m.Propose) or self.link % 2:
            return [message]
        terms = genesis.decode_terms(message.table)
        mine = next((i for i, line in enumerate(terms.seats) if line.pk == self.node.pk), None)
        if mine is None:  # a table that goes on without us, passed on
            return [message]
        line = replace(terms.seats[mine], nonce=b"second nonce" + bytes(20))
        changed = replace(terms, seats=(*terms.seats[:mine], line, *terms.seats[mine + 1 :]))
        return [replace(message, table=genesis.encode_terms(changed))]


class OldTable(Adversary):
    """As host, the same table again and again; as guest, consents to a void one ([T-12])."""

    name = "old-table"
    every_us = 700 * MS

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.old: list[Any] = []

    def changed(self, message: Any) -> list[Any]:
        if isinstance(message, m.Propose | m.ConsentGiven | m.TableAgreed) and len(self.old) < 20:
            self.old.append(message)
        return [message]

    def stir(self) -> None:
        if self.old:
            self.cast(self.dice.pick(self.old))


class BadConsent(Adversary):
    """A consent that is not its seat's, now and then before anybody can know what it is under ([T-10])."""

    name = "bad-consent"

    def changed(self, message: Any) -> list[Any]:
        if isinstance(message, m.Propose) and self.dice.chance(0.3):
            seat = self.dice.pick(genesis.humans(genesis.decode_terms(message.table)))
            return [m.ConsentGiven(seat, genesis.game_id(message.table), b"s" * 64), message]
        if isinstance(message, m.ConsentGiven):
            return [replace(message, sig=message.sig[::-1])]
        if isinstance(message, m.TableAgreed):
            return [replace(message, consents=message.consents[:1])]
        return [message]


class Fidgets(Adversary):
    """Changes its seat all the time: other colours, other names, somebody else's ([T-13], [T-14])."""

    name = "fidgets"
    every_us = 60 * MS

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.offer: m.SeatOffer | None = None
        self.left = 12

    def changed(self, message: Any) -> list[Any]:
        if isinstance(message, m.SeatOffer):
            self.offer = message
        return [message]

    def stir(self) -> None:
        if self.offer is None or not self.left or self.game is not None:
            return
        self.left -= 1
        dice = self.dice
        colour = dice.under(4)
        name = dice.pick(("Bob", "Eve", "Joe", "Zed"))
        self.cast(replace(self.offer, colour=colour, name=name, ready=dice.chance(0.7)))


LOBBY = (ChangesTable, TwoTables, OldTable, BadConsent, Fidgets)
