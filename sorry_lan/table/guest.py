"""A joiner's side of the lobby: its people take seats, and ask again where one was taken meanwhile ([T-13], [T-14]).

Knows the lobby only as the host shows it. Proposing and signing are agreement.py's.
"""

from __future__ import annotations

from sorry_lan.faults import Err
from sorry_lan.table.commands import WantedPeer
from sorry_lan.table.desk import Desk
from sorry_lan.table.news import Refused
from sorry_lan.table.seating import NOBODY, check_lobby, told
from sorry_lan.table.settings import ReadyWhen
from sorry_lan.table.sitter import Sitter
from sorry_lan.wire.messages import Lobby, LobbyKind, LobbySeat, Peers, SeatOffer


class GuestLobby:
    """A lobby that the client with link key `host` hosts; nobody of us sits in it where we only watch."""

    def __init__(self, desk: Desk, sitters: tuple[Sitter, ...], host: bytes) -> None:
        self.sitters = sitters
        self.host = host
        self.lobby: Lobby | None = None
        self._desk = desk
        self._neighbours: tuple[WantedPeer, ...] = ()

    def clients(self) -> frozenset[bytes]:
        """The link keys of all who sit here, and the host's."""
        seats = () if self.lobby is None else self.lobby.seats
        return frozenset(seat.client for seat in seats if seat.client != NOBODY) | {self.host}

    def heard(self, lobby: Lobby) -> None:
        """The host shows the lobby: whoever of us has no offer out makes one. RemoteFault SCHEMA where it is none."""
        check_lobby(lobby)
        old, self.lobby = self.lobby, lobby
        self._desk.tell(*told(old, lobby))
        if old is not None and old.rules != lobby.rules:
            self._rules_changed()
        for sitter in self.sitters:
            if sitter.sent is None:
                self.offer(sitter)
        self._meet()

    def renew(self) -> None:
        """After a proposal: everybody of us offers anew, with a fresh nonce."""
        for sitter in self.sitters:
            sitter.renew(self._desk.fresh())

    def offer(self, sitter: Sitter) -> None:
        """Send what this person offers now."""
        self._send(self._made(sitter))

    def refused(self, code: Err) -> Err | None:
        """The host refused a SEAT: ask for something else where nothing was insisted on.

        Returns the code where one of us gets no seat at all, else None.
        """
        for sitter in self.sitters:
            seat, sent = self._seat(sitter), sitter.sent
            if sent is None or (seat is not None and _shown(seat, sent)):
                continue
            again = self._made(sitter)
            if code is Err.DUPLICATE and (again.colour, again.name) != (sent.colour, sent.name):
                self._send(again)
                return None
            self._desk.tell(Refused(code, by_us=False))
            if seat is None:
                return code
            # What was refused is a change: stay with what the host shows.
            sitter.colour, sitter.name, sitter.age, sitter.ready = seat.colour, seat.name, seat.age, seat.ready
            self._made(sitter)
            return None
        return None

    def peers(self, message: Peers) -> None:
        """The host tells where the other clients listen."""
        self._neighbours = tuple(
            WantedPeer(peer.pk, peer.addresses) for peer in message.peers if peer.pk != self.sitters[0].pk
        )
        self._meet()

    def _meet(self) -> None:
        if self.sitters:
            self._desk.meet_in_lobby(self._neighbours, self.clients() - {self.sitters[0].pk})

    def _seat(self, sitter: Sitter) -> LobbySeat | None:
        seats = () if self.lobby is None else self.lobby.seats
        return next((seat for seat in seats if seat.pk == sitter.pk), None)

    def _made(self, sitter: Sitter) -> SeatOffer:
        seats = () if self.lobby is None else self.lobby.seats
        mine = self._seat(sitter)
        others = [other.sent for other in self.sitters if other is not sitter and other.sent is not None]
        taken = {offer.colour for offer in others}
        free = [seat.colour for seat in seats if seat.kind == LobbyKind.OPEN and seat.colour not in taken]
        names = {seat.name for seat in seats if seat.kind == LobbyKind.HUMAN and seat.pk != sitter.pk}
        names |= {offer.name for offer in others}
        return sitter.offer(free if mine is None else [mine.colour, *free], names)

    def _send(self, offer: SeatOffer) -> None:
        self._desk.cast(offer, self._desk.links_of([self.host]))

    def _rules_changed(self) -> None:
        """Whoever was ready was so for other rules."""
        for sitter in self.sitters:
            sitter.ready = self._desk.settings.ready is ReadyWhen.AT_ONCE
            sitter.sent = None


def _shown(seat: LobbySeat, offer: SeatOffer) -> bool:
    return (seat.colour, seat.name, seat.age, seat.ready) == (offer.colour, offer.name, offer.age, offer.ready)
