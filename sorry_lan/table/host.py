"""The host's lobby: who sits where, what each of them offered, and what the host changes ([T-13] to [T-15], [T-19]).

Every change gives the lobby a new revision and is shown to all. Proposing and signing are agreement.py's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from sorry_lan.bots.choose import OFFERED
from sorry_lan.faults import Err
from sorry_lan.rules.profile import Rules
from sorry_lan.table.desk import Desk
from sorry_lan.table.seating import NOBODY, rules_bytes, told
from sorry_lan.table.sitter import Sitter
from sorry_lan.wire import limits
from sorry_lan.wire.keys import check_public
from sorry_lan.wire.messages import Lobby, LobbyKind, LobbySeat, PeerAddress, Peers, SeatOffer
from sorry_lan.wire.terms import Option

COLOURS: Final = range(4)
_BOT_NAMES: Final = ("Hal", "Ada", "Max", "Zoe", "Kim", "Leo", "Mia")
"""More than people and bots at one table, so that one is always free."""


@dataclass(slots=True)
class Place:
    """One seat of the lobby; `offer` and `client` (its link key) where a person sits."""

    kind: LobbyKind
    colour: int
    level: int = 0
    offer: SeatOffer | None = None
    client: bytes = NOBODY

    def free(self) -> None:
        """Let somebody else sit here."""
        self.kind, self.level, self.offer, self.client = LobbyKind.OPEN, 0, None, NOBODY


@dataclass(frozen=True, slots=True)
class Offered:
    """What the host invites to play."""

    title: str
    rules: Rules
    options: Option


class HostLobby:
    """A lobby that this client hosts."""

    def __init__(self, desk: Desk, sitters: tuple[Sitter, ...], places: list[Place], offered: Offered) -> None:
        self.sitters = sitters
        self.host = sitters[0].pk
        self.offered = offered
        self.places = places
        self.spent: set[bytes] = set()
        """Nonces that were proposed: their seats need a fresh one before the next proposal."""
        self.signed: frozenset[bytes] = frozenset()
        """Link keys of the clients of the latest void proposal: one of them may have it complete, and come with it."""
        self.removed: frozenset[bytes] = frozenset()
        """Link keys of clients whom the host removed."""
        self._desk = desk
        self._revision = 0
        self.lobby = self._picture()

    # -- reading -------------------------------------------------------------------------------------------------

    def offers(self) -> dict[bytes, SeatOffer]:
        """The last SEAT of each person."""
        return {place.offer.pk: place.offer for place in self.places if place.offer is not None}

    def clients(self) -> frozenset[bytes]:
        """The link keys of all who sit here, ours among them."""
        return frozenset(place.client for place in self.places if place.client != NOBODY)

    def _picture(self) -> Lobby:
        names = {offer.name for offer in self.offers().values()}
        seats = []
        for place in sorted(self.places, key=lambda place: place.colour):
            offer = place.offer
            name = ""
            if offer is not None:
                name = offer.name
            elif place.kind is LobbyKind.BOT:
                name = next(bot for bot in _BOT_NAMES if bot not in names)
                names.add(name)
            seats.append(
                LobbySeat(
                    kind=place.kind,
                    pk=NOBODY if offer is None else offer.pk,
                    client=place.client,
                    colour=place.colour,
                    name=name,
                    age=None if offer is None else offer.age,
                    ready=place.kind is LobbyKind.BOT or (offer is not None and offer.ready),
                    level=place.level,
                )
            )
        title, rules, options = self.offered.title, rules_bytes(self.offered.rules), int(self.offered.options)
        return Lobby(self._revision, title, rules, options, tuple(seats))

    # -- what people do ------------------------------------------------------------------------------------------

    def sit(self, offer: SeatOffer, client: bytes) -> Err | None:
        """Apply a SEAT of the client with this link key, or say why not; RemoteFault SCHEMA for a weak key."""
        check_public(offer.pk)
        mine = self._of(offer.pk)
        if offer.parent is not None:
            return Err.PARENT_DIFFERS
        if mine is not None and mine.client != client:
            return Err.DUPLICATE
        if offer.pk != client and self._of(client) is None:
            return Err.NOT_A_SEAT
        place = mine or self._first(LobbyKind.OPEN)
        if place is None:
            return Err.TABLE_FULL
        if self._clashes(offer):
            return Err.DUPLICATE
        holder = next((other for other in self.places if other.colour == offer.colour), None)
        if mine is None and holder is not None and holder.kind is LobbyKind.OPEN:
            place = holder
        if holder is not None:
            # An open seat or a bot gives its colour to whoever asks for it.
            holder.colour = place.colour
        place.colour = offer.colour
        place.kind, place.offer, place.client = LobbyKind.HUMAN, offer, client
        return None

    def sit_down(self) -> Err | None:
        """Offer for all of our own people who have no valid offer at the table; the first refusal, if any."""
        for sitter in self.sitters:
            others = [offer.name for pk, offer in self.offers().items() if pk != sitter.pk]
            mine = self._of(sitter.pk)
            free = [mine.colour] if mine else [p.colour for p in self.places if p.kind is LobbyKind.OPEN]
            refused = self.sit(sitter.offer(sorted(free), others), self.host)
            if refused is not None:
                return refused
        return None

    def stand_up(self, client: bytes) -> bool:
        """Free the seats of a client; whether it had any."""
        gone = [place for place in self.places if place.client == client]
        for place in gone:
            place.free()
        return bool(gone)

    def renew(self) -> None:
        """After a proposal: our own people offer anew, and nothing that was proposed counts again."""
        self.spent |= {offer.nonce for offer in self.offers().values()}
        for sitter in self.sitters:
            sitter.renew(self._desk.fresh())
        self.sit_down()

    def waits_for_nonces(self) -> bool:
        """Whether somebody has not offered anew since the last proposal."""
        return any(offer.nonce in self.spent for offer in self.offers().values())

    # -- what the host does --------------------------------------------------------------------------------------

    def seat_bot(self, colour: int | None, level: int) -> bool:
        """Put a bot on an open seat; whether there was one, and such a level."""
        place = self._first(LobbyKind.OPEN) if colour is None else self._at(colour)
        if place is None or place.kind is not LobbyKind.OPEN or level not in OFFERED:
            return False
        place.kind, place.level = LobbyKind.BOT, level
        return True

    def close_seat(self, colour: int | None) -> Place | None:
        """Take a seat off the table, but never one of ours or the last two; the seat as it was."""
        opened = [place for place in self.places if place.kind is LobbyKind.OPEN]
        place = next(reversed(opened), None) if colour is None else self._at(colour)
        if place is None or place.client == self.host or len(self.places) <= limits.MIN_SEATS:
            return None
        self.places.remove(place)
        return place

    def open_seat(self, colour: int | None) -> Place | None:
        """Free the seat of `colour`, but never one of ours, or add an open one; the seat as it was."""
        unused = [c for c in COLOURS if self._at(c) is None]
        place = None if colour is None else self._at(colour)
        if place is not None and place.client != self.host:
            was = replace(place)
            place.free()
            return was
        if place is not None or not unused:
            return None
        added = Place(LobbyKind.OPEN, unused[0] if colour is None else colour)
        self.places.append(added)
        return added

    def unready(self, pk: bytes) -> None:
        """The person with this key, or the people of the client with this link key, did not sign."""
        for place in self.places:
            if place.offer is not None and pk in (place.offer.pk, place.client):
                place.offer = replace(place.offer, ready=False)

    def choose_rules(self, rules: Rules) -> None:
        """Play by other rules; the others say again that they are ready."""
        self.offered = replace(self.offered, rules=rules)
        for client in self.clients() - {self.host}:
            self.unready(client)

    # -- telling -------------------------------------------------------------------------------------------------

    def publish(self) -> None:
        """Show the lobby to all who are linked, and tell each client where the others are ([H-18], [H-19])."""
        desk = self._desk
        old, self._revision = self.lobby if self._revision else None, self._revision + 1
        self.lobby = self._picture()
        desk.tell(*told(old, self.lobby))
        desk.cast(self.lobby, list(desk.links))
        clients = self.clients() - {self.host}
        for client in sorted(clients):
            desk.cast(Peers(tuple(self._addresses(clients - {client}))), desk.links_of([client]))
        desk.meet_in_lobby((), clients | (self.signed - self.removed - {self.host}), self.removed)

    def _addresses(self, clients: Iterable[bytes]) -> Iterable[PeerAddress]:
        for client in sorted(clients):
            link = self._desk.linked(client)
            address = None if link is None else link.address
            yield PeerAddress(client, () if address is None else (address,))

    # -- finding -------------------------------------------------------------------------------------------------

    def _of(self, pk: bytes) -> Place | None:
        return next((place for place in self.places if place.offer is not None and place.offer.pk == pk), None)

    def _at(self, colour: int) -> Place | None:
        return next((place for place in self.places if place.colour == colour), None)

    def _first(self, kind: LobbyKind) -> Place | None:
        return next((place for place in sorted(self.places, key=lambda p: p.colour) if place.kind is kind), None)

    def _clashes(self, offer: SeatOffer) -> bool:
        """Whether another person has this name, colour, nonce or anchor: who came first keeps it ([T-14])."""
        return any(
            {other.name, other.colour, other.nonce, other.anchor}
            & {offer.name, offer.colour, offer.nonce, offer.anchor}
            for other in self.offers().values()
            if other.pk != offer.pk
        )


def first_places(sitters: Iterable[Sitter], seats: int, bots: Iterable[int]) -> list[Place]:
    """The seats of a new lobby: colours asked for come first, the lowest others fill up; bots on the last ones."""
    asked = sorted({sitter.colour for sitter in sitters if sitter.colour is not None})
    colours = [*asked, *(colour for colour in COLOURS if colour not in asked)][:seats]
    places = [Place(LobbyKind.OPEN, colour) for colour in colours]
    for place, level in zip(reversed(places), bots, strict=False):
        place.kind, place.level = LobbyKind.BOT, level
    return places
