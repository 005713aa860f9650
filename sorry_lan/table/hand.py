"""One local human seat in a game: its key, its chain, and the guard against two bodies for one slot ([F-4], [F-16]).

Decides nothing; play.py says what is due.
"""

from __future__ import annotations

from collections.abc import Sequence

from sorry_lan.fair import genesis
from sorry_lan.fair.chain import Chain
from sorry_lan.fair.entry import Body, Reveal, Slot, decode_body, encode_body, sign_entry, slot
from sorry_lan.faults import LocalMisuse
from sorry_lan.table.settings import Person
from sorry_lan.wire.messages import Signed
from sorry_lan.wire.terms import Terms


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

    def adopt(self, signed: Signed) -> bool:
        """Remember what this seat signed earlier or elsewhere: it fills its slot. Whether that was free before."""
        where = slot(decode_body(signed.body))
        if where.k < self._latest_k - 1 or where in self._signed:
            return False
        self._signed[where] = signed.body
        self._latest_k = max(self._latest_k, where.k)
        return True


def hands_of(people: Sequence[Person], terms: Terms) -> dict[int, Hand]:
    """The seats of `terms` that these people play, each with the chain of its nonce; LocalMisuse for another anchor."""
    mine = {person.key.public: (index, person) for index, person in enumerate(people)}
    hands = {}
    for seat in genesis.humans(terms):
        line = terms.seats[seat]
        if line.pk in mine:
            index, person = mine[line.pk]
            chain = Chain(person.root, line.pk, line.nonce)
            if chain.anchor != line.anchor:
                raise LocalMisuse(f"seat {seat} has our key and a chain that is not ours")
            hands[seat] = Hand(seat, index, person, chain)
    return hands
