"""Where the other clients of a game were last seen, in its journal: after a restart they are looked for there."""

from __future__ import annotations

from collections.abc import Iterable

from sorry_lan.table.commands import JournalKind, Sync
from sorry_lan.table.desk import Desk
from sorry_lan.wire import limits
from sorry_lan.wire.codec import pack
from sorry_lan.wire.messages import PeerAddress, Peers


class Whereabouts:
    """The addresses of one game's clients, and our own port."""

    def __init__(self, desk: Desk, game: bytes, clients: Iterable[bytes]) -> None:
        self._desk = desk
        self._game = game
        self._clients = tuple(clients)
        self.addresses: dict[bytes, tuple[str, ...]] = {}

    def restore(self, peers: Iterable[PeerAddress]) -> None:
        """What the journal says."""
        self.addresses = {peer.pk: peer.addresses for peer in peers}

    def remember(self) -> None:
        """Write down where everybody is, when that changed."""
        desk, seen = self._desk, dict(self.addresses)
        for key in self._clients:
            link = desk.linked(key)
            if link is not None and link.address is not None:
                older = (old for old in seen.get(key, ()) if old != link.address)
                seen[key] = (link.address, *older)[: limits.MAX_ADDRESSES]
        if desk.settings.port is not None:
            seen[desk.settings.people[0].key.public] = (f"localhost:{desk.settings.port}",)
        if seen != self.addresses:
            self.addresses = seen
            peers = Peers(tuple(PeerAddress(key, seen[key]) for key in sorted(seen)))
            desk.journal(self._game, JournalKind.PEERS, pack(peers), Sync.LATER)
