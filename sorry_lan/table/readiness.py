"""Who is ready to sit down at the next table of a game: our SEATs with a parent, and those of others ([T-35]).

A nonce that was signed once is never signed again ([T-12]).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sorry_lan.fair import genesis
from sorry_lan.fair.continuation import last_clients, last_keys
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.table.desk import Desk, known
from sorry_lan.table.events import LinkId
from sorry_lan.table.mute import Passed
from sorry_lan.table.sitter import Sitter
from sorry_lan.wire.codec import Value, encode, to_value
from sorry_lan.wire.keys import NO_GAME, Context, verify
from sorry_lan.wire.messages import SeatOffer
from sorry_lan.wire.terms import SeatKind, Terms, TermsSeat


def seat_body(offer: SeatOffer) -> bytes:
    """What the signature of a SEAT with a parent is over."""
    fields: Value = to_value(offer)
    return b"seat" + encode(fields[:-1] if isinstance(fields, tuple) else fields)


class Readiness:
    """The SEATs of one game; `line` are the tables up to its own, `own` our seats and their people."""

    def __init__(self, desk: Desk, game: bytes, line: Sequence[Terms], own: Mapping[int, int]) -> None:
        self._desk = desk
        self._game = game
        self._terms = line[-1]
        self._keys = last_keys(line)
        self._clients = last_clients(line)
        self._own = own
        self.sitters: tuple[Sitter, ...] = ()
        """Our people, with the nonces that we offer now."""
        self._offers: dict[bytes, SeatOffer] = {}
        self._spent: set[bytes] = set()
        self._outdated = Passed()
        """Nonces that their seat itself replaced by others."""

    def offer(self, links: Iterable[LinkId]) -> None:
        """Sit down, with fresh nonces, if we do not already."""
        if self.sitters:
            return
        sitters = []
        for seat, index in self._own.items():
            line, person = self._terms.seats[seat], self._desk.settings.people[index]
            sitter = Sitter(person, index, self._desk.fresh())
            unsigned = SeatOffer(
                pk=sitter.pk, colour=line.colour, name=line.name, age=None, ready=True,
                nonce=sitter.nonce, anchor=sitter.chain.anchor, parent=self._game, sig=None,
            )  # fmt: skip
            sitter.sent = replace(unsigned, sig=person.key.sign(Context.TABLE, NO_GAME, seat_body(unsigned)))
            sitters.append(sitter)
        self.sitters = tuple(sitters)
        self.repeat(links)

    def repeat(self, links: Iterable[LinkId]) -> None:
        """Say again on these links what we offer."""
        to = list(links)
        for sitter in self.sitters:
            self._desk.cast(known(sitter.sent), to)

    def heard(self, offer: SeatOffer, by: bytes) -> bool:
        """Take somebody's SEAT that the client `by` (link key) brought; whether it is new.

        Who is linked with us says itself what it offers, over and over, and an offer that it took back stays void: else
        a cheat that repeats old ones would keep everybody from going on.

        RemoteFault BAD_SIGNATURE, NOT_A_SEAT for a key without a seat.
        """
        known_offer = self._offers.get(offer.pk)
        if offer.parent != self._game or known_offer == offer or offer.nonce in self._spent:
            return False
        if offer.pk not in self._keys or offer.pk == genesis.NOBODY:
            raise RemoteFault(Err.NOT_A_SEAT, "an offer to go on by somebody who never sat here")
        if any(offer.pk == self._keys[seat] for seat in self._own):
            return False
        seat = self._keys.index(offer.pk)
        client = self._keys[self._clients[seat]]
        if self._outdated.has((seat,), offer.nonce) or (by != client and self._desk.linked(client) is not None):
            return False
        if offer.sig is None or not verify(offer.pk, Context.TABLE, NO_GAME, seat_body(offer), offer.sig):
            raise RemoteFault(Err.BAD_SIGNATURE, "an offer to go on that its seat did not sign")
        if known_offer is not None and by == client:
            self._outdated.add((seat,), known_offer.nonce)
        self._offers[offer.pk] = offer
        return True

    def has(self, seat: int) -> bool:
        """Whether this seat of somebody else is ready."""
        return self._keys[seat] in self._offers

    def returning(self) -> frozenset[int]:
        """Stand-ins whose last player is ready to play again."""
        if not self._offers:
            return frozenset()
        seats = enumerate(self._terms.seats)
        return self.whole(seat for seat, line in seats if line.kind == SeatKind.STAND_IN and self.has(seat))

    def whole(self, seats: Iterable[int]) -> frozenset[int]:
        """Those of these stand-ins that can return: the links of a seat use the key of its client's seat ([T-31])."""
        back = frozenset(seats)
        return frozenset(seat for seat in back if self._clients[seat] in back)

    def forget(self, nonces: Iterable[bytes]) -> None:
        """A table with these nonces was withdrawn: whoever wants to sit down says so again, with a fresh one."""
        self._spent.update(nonces)
        self._offers = {pk: offer for pk, offer in self._offers.items() if offer.nonce not in self._spent}
        self.sitters = ()

    def line(self, seat: int) -> TermsSeat:
        """The line of a seat that is ready; LocalMisuse for one that is not."""
        was, pk = self._terms.seats[seat], self._keys[seat]
        mine = next((sitter.sent for sitter in self.sitters if sitter.pk == pk), None)
        offer = known(mine or self._offers.get(pk))
        return TermsSeat(SeatKind.HUMAN, self._clients[seat], pk, offer.nonce, offer.anchor, was.colour, was.name, 0)

    def seats_us(self, terms: Terms) -> bool:
        """Whether `terms` seats all of us with what we offer now.

        False while we offer nothing; RemoteFault STALE_TABLE where it has another nonce of ours, or leaves one out.
        """
        for seat in self._own:
            line = terms.seats[seat]
            if line.kind != SeatKind.HUMAN:
                raise RemoteFault(Err.STALE_TABLE, "a table without one of us")
            if self.sitters and line != self.line(seat):
                raise RemoteFault(Err.STALE_TABLE, "a table with another nonce of ours")
        return bool(self.sitters)

    def check_others(self, terms: Terms) -> None:
        """RemoteFault STALE_TABLE where `terms` has another nonce of somebody than we heard last."""
        for seat in genesis.humans(terms):
            offer = self._offers.get(self._keys[seat])
            line = terms.seats[seat]
            if offer is not None and (offer.nonce, offer.anchor) != (line.nonce, line.anchor):
                raise RemoteFault(Err.STALE_TABLE, "a table with another nonce of somebody")
