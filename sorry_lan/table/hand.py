"""One local human seat in a game: its key, its chain, and the guard against two bodies for one slot ([F-4], [F-16]).

Decides nothing; play.py says what is due.
"""

from __future__ import annotations

from sorry_lan.fair.chain import Chain
from sorry_lan.fair.entry import Body, Reveal, Slot, encode_body, sign_entry, slot
from sorry_lan.faults import LocalMisuse
from sorry_lan.table.settings import Person
from sorry_lan.wire.messages import Signed


class Hand:
    """The seat `seat` of person number `index` at this client."""

    def __init__(self, seat: int, index: int, person: Person, chain: Chain) -> None:
        self.seat = seat
        self.index = index
        self.person = person
        self.drawn_k = 0
        """The last step whose card the person asked for."""
        self._chain = chain
        self._signed: dict[Slot, bytes] = {}
        self._latest_k = 0

    def reveal(self, k: int) -> Reveal:
        """The share of step `k`."""
        return Reveal(k, self.seat, self._chain.share(k))

    def sign(self, game_id: bytes, body: Body) -> Signed:
        """Sign `body`; LocalMisuse for a second, different body of a slot, and for a step long past."""
        where, data = slot(body), encode_body(body)
        if where.k < self._latest_k - 1 or self._signed.setdefault(where, data) != data:
            raise LocalMisuse(f"seat {self.seat} would sign slot {tuple(where)} twice")
        if where.k > self._latest_k:
            self._latest_k = where.k
            self._signed = {old: data for old, data in self._signed.items() if old.k >= where.k - 1}
        return sign_entry(self.person.key, game_id, body)
