"""What a table remembers of one link: who is there, what it said last, how much it may still say ([H-24], [H-25]).

Decides nothing; net owns the connection itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from sorry_lan.faults import Err, RemoteFault
from sorry_lan.table.events import LinkId, LinkPeer
from sorry_lan.wire import limits
from sorry_lan.wire.messages import ConsentGiven, Entry, Lobby, Status

_MICRO: Final = 1_000_000


class Bucket:
    """A budget that refills with time; counts in millionths, so that no fraction is ever lost."""

    __slots__ = ("_at_us", "_left", "_most", "_per_s")

    def __init__(self, most: int, per_s: int, now_us: int) -> None:
        self._most = most * _MICRO
        self._left = self._most
        self._per_s = per_s
        self._at_us = now_us

    def take(self, amount: int, now_us: int) -> bool:
        """Spend `amount` if it is there."""
        self._left = min(self._most, self._left + (now_us - self._at_us) * self._per_s)
        self._at_us = now_us
        if self._left < amount * _MICRO:
            return False
        self._left -= amount * _MICRO
        return True

    def give(self, amount: int) -> None:
        """Add `amount`, up to the brim."""
        self._left = min(self._most, self._left + amount * _MICRO)


@dataclass(slots=True)
class Link:
    """One authenticated connection.

    Attributes:
        status: its last STATUS of the game at this table.
        before: its last STATUS of the game that this one goes on from.
        kept: entries of games whose TABLE has not come yet, oldest first.
        consents: consents to a table that was not proposed here yet.
        lobby: a lobby of the next game that came before the end of this one.
        names: how many WATCHERS may still be shown.
        wants: how many steps may still be asked for; wanted_to_k: the step up to which they were.
        records_due: how many of the steps asked for have not come: those cost nothing, however late they are.
        asked_k: the step of which this link was asked for the move, because it acknowledged another head.
        watchers: who watches through it, as it says; told_watchers: who does through us, as it was told.
    """

    id: LinkId
    peer: LinkPeer
    entries: Bucket
    chat: Bucket
    names: Bucket
    wants: Bucket
    wanted_to_k: int = 0
    records_due: int = 0
    status: Status | None = None
    before: Status | None = None
    kept: list[Entry] = field(default_factory=list)
    consents: list[ConsentGiven] = field(default_factory=list)
    lobby: Lobby | None = None
    asked_k: int | None = None
    watchers: tuple[str, ...] = ()
    told_watchers: tuple[str, ...] = ()

    @property
    def address(self) -> str | None:
        """Where its client listens, "host:port" ("[host]:port" for IPv6), if it does and the text fits."""
        if self.peer.port is None:
            return None
        host = f"[{self.peer.host}]" if ":" in self.peer.host else self.peer.host
        address = f"{host}:{self.peer.port}"
        return address if len(address) <= limits.MAX_ADDRESS else None

    def spend(self, amount: int, now_us: int) -> None:
        """Pay for `amount` entries; RemoteFault RATE where the link has brought too many."""
        if not self.entries.take(amount, now_us):
            raise RemoteFault(Err.RATE, "more entries than a game can need")

    def keep(self, entry: Entry) -> None:
        """Hold an entry of a game that is not known here (yet); the oldest makes room."""
        self.kept = [*self.kept, entry][-limits.FOREIGN_ENTRIES :]


def new_link(link: LinkId, peer: LinkPeer, now_us: int) -> Link:
    """A link with full budgets."""
    return Link(
        link,
        peer,
        entries=Bucket(limits.ENTRY_BUCKET, limits.ENTRY_REFILL_PER_S, now_us),
        chat=Bucket(2 * limits.CHAT_PER_S, limits.CHAT_PER_S, now_us),
        names=Bucket(2 * limits.NAMES_PER_S, limits.NAMES_PER_S, now_us),
        # Well below what the other end takes, which counts our other entries too.
        wants=Bucket(limits.ENTRY_BUCKET // 2, limits.ENTRY_REFILL_PER_S * 3 // 4, now_us),
    )
