"""How each seat's client can be reached: by a link of ours, through a neighbour, or not at all ([S-1]).

A seat is away only when no client that we are linked with says that it is linked to it.
"""

from __future__ import annotations

from collections.abc import Container

from sorry_lan.table.commands import CancelTimer, SetTimer
from sorry_lan.table.desk import Desk
from sorry_lan.table.events import LinkId, Timer
from sorry_lan.table.links import Link
from sorry_lan.table.news import PresenceChanged, RestoredOrCopied
from sorry_lan.table.view import Presence
from sorry_lan.wire import limits
from sorry_lan.wire.terms import SeatKind, Terms

Reach = tuple[Presence, int | None]


class Presences:
    """The seats of one game as seen from here."""

    def __init__(self, desk: Desk, terms: Terms, own: frozenset[int], blamed: Container[int] = ()) -> None:
        """`blamed` are the seats whose misbehaviour is proven, now or later: their word on links is worth nothing."""
        self._desk = desk
        self._blamed = blamed
        self._terms = terms
        self._away: set[int] = set()
        self.remote = tuple(
            seat for seat, line in enumerate(terms.seats) if line.kind == SeatKind.HUMAN and seat not in own
        )
        """The human seats that are not ours."""
        self._own = own
        self._restored = False
        self._boots: dict[int, int] = dict.fromkeys(range(len(terms.seats)), 0)
        self._boots.update(dict.fromkeys(own, desk.settings.boot))
        self._masked: tuple[LinkId, ...] | None = None
        """The links that `_mask` was made of: it is asked for with every event."""
        self._mask = 0
        self.reach: dict[int, Reach] = {}
        """For each seat how it is reached, and through which seat."""
        for seat in frozenset(range(len(terms.seats))).difference(self.remote):
            self.reach[seat] = (Presence.LOCAL if seat in own else Presence.BOT, None)
        for link in desk.links.values():
            self.heard_link(link)
        self.update()

    def client_of(self, seat: int) -> bytes:
        """The link key of the client that plays `seat`."""
        return self._terms.seats[self._terms.seats[seat].client].pk

    def seats_of(self, client: bytes) -> tuple[int, ...]:
        """The remote seats that the client with this link key plays."""
        return tuple(seat for seat in self.remote if self.client_of(seat) == client)

    def sees(self, link: Link, seat: int) -> bool:
        """Whether the client of `link` says that it is linked to the client of `seat`."""
        return link.status is not None and bool(link.status.links >> seat & 1)

    def links_mask(self) -> int:
        """The remote seats whose client we are linked to."""
        links = tuple(self._desk.links)
        if links != self._masked:
            self._masked = links
            self._mask = sum(1 << seat for seat in self.remote if self._desk.linked(self.client_of(seat)) is not None)
        return self._mask

    def boots(self) -> tuple[int, ...]:
        """The boot counter of each seat's client as last heard, 0 for bots and where it never was."""
        return tuple(self._boots.values())

    def heard_link(self, link: Link) -> None:
        """A link of one of the clients came up: a boot counter that went back is told ([S-9])."""
        for seat in self.seats_of(link.peer.pk):
            if link.peer.boot < self._boots[seat]:
                self._desk.tell(RestoredOrCopied(seat))
            self._boots[seat] = link.peer.boot

    def heard_boots(self, boots: tuple[int, ...]) -> None:
        """Somebody remembers these counters: is ours behind what it was ([S-9])?"""
        for seat, boot in zip(self._boots, boots, strict=False):
            if seat in self._own and boot > self._desk.settings.boot and not self._restored:
                self._restored = True
                self._desk.tell(RestoredOrCopied(seat))

    def update(self) -> None:
        """Look again after links or STATUSes changed; tells what is different."""
        for seat in self.remote:
            self._set(seat, self._look(seat))

    def waited(self, seat: int) -> None:
        """The time is over after which a seat that can't be reached counts as away."""
        if self.reach[seat][0] is Presence.RECONNECTING:
            self._set(seat, (Presence.AWAY, None))

    def forget(self) -> None:
        """Stop the timers."""
        for seat in self.remote:
            self._desk.do(CancelTimer(Timer.AWAY, seat))

    def _look(self, seat: int) -> Reach:
        if self._desk.watches:
            return self._look_from_outside(seat)
        if self._desk.linked(self.client_of(seat)) is not None:
            return (Presence.LINKED, None)
        for via in self.remote:
            if via in self._blamed:
                continue
            link = self._desk.linked(self.client_of(via))
            if link is not None and self.sees(link, seat):
                return (Presence.RELAYED, via)
        away = self.reach.get(seat, (None, None))[0] is Presence.AWAY
        return (Presence.AWAY if away else Presence.RECONNECTING, None)

    def _look_from_outside(self, seat: int) -> Reach:
        """Who only watches sees the table as the one does who shows it; while nobody does, all stays as it was."""
        link = next(reversed(self._desk.links.values()), None)
        if link is None or link.status is None or seat in self.seats_of(link.peer.pk) or self.sees(link, seat):
            return self.reach.get(seat, (Presence.LINKED, None)) if link is None else (Presence.LINKED, None)
        away = self.reach.get(seat, (None, None))[0] is Presence.AWAY
        return (Presence.AWAY if away else Presence.RECONNECTING, None)

    def _set(self, seat: int, reach: Reach) -> None:
        old = self.reach.get(seat)
        if old == reach:
            return
        self.reach[seat] = reach
        presence, via = reach
        if presence is Presence.RECONNECTING:
            self._desk.do(SetTimer(Timer.AWAY, seat, limits.AWAY_SHOWN_MS))
        elif old is not None and old[0] is Presence.RECONNECTING:
            self._desk.do(CancelTimer(Timer.AWAY, seat))
        if old is not None or presence is not Presence.LINKED:
            self._desk.tell(PresenceChanged(seat, presence, via))
