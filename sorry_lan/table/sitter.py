"""One local person in a lobby: what it wishes, and the nonce and chain it offers with ([T-12]).

A nonce is offered until it was proposed; after that a fresh one comes first, so that none is ever consented to twice.
"""

from __future__ import annotations

from collections.abc import Collection

from sorry_lan.fair.chain import Chain
from sorry_lan.table.settings import Naming, Person
from sorry_lan.wire import limits
from sorry_lan.wire.messages import SeatOffer


class Sitter:
    """Person number `index` of this client, and how it wants to sit down."""

    def __init__(self, person: Person, index: int, nonce: bytes) -> None:
        self.person = person
        self.index = index
        self.colour = person.colour
        """The colour asked for, 0..3, or None."""
        self.likes = person.colour
        """The colour taken first if it is free; after a game the one of that game."""
        self.name = person.name
        self.naming = person.naming
        self.age = person.age
        self.ready = False
        self.sent: SeatOffer | None = None
        """The last offer made, None after a renewal."""
        self.renew(nonce)

    @property
    def pk(self) -> bytes:
        """The person's public key."""
        return self.person.key.public

    def renew(self, nonce: bytes) -> None:
        """Make a new chain; what was offered before is void."""
        self.nonce = nonce
        self.chain = Chain(self.person.root, self.pk, nonce)
        self.sent = None

    def change(self, colour: int | None, name: str | None, age: int | None) -> None:
        """Ask for something else; None leaves a wish as it is."""
        if colour is not None:
            self.colour = colour
        if name is not None:
            self.name, self.naming = name, Naming.GIVEN
        if age is not None:
            self.age = age

    def offer(self, colours: Collection[int], names: Collection[str]) -> SeatOffer:
        """The SEAT to send now, where `colours` (in order of preference) are free and `names` are others'."""
        colour = self.colour
        if colour is None:
            colour = self.likes if self.likes in colours else next(iter(colours), None)
        name = self.name if self.naming is Naming.GIVEN else free_name(self.name, names)
        self.sent = SeatOffer(
            pk=self.pk,
            colour=0 if colour is None else colour,
            name=name,
            age=self.age,
            ready=self.ready,
            nonce=self.nonce,
            anchor=self.chain.anchor,
            parent=None,
            sig=None,
        )
        return self.sent


def free_name(name: str, taken: Collection[str]) -> str:
    """`name`, or `name` with the lowest number from 2 on that nobody has; at most 24 bytes."""
    candidate, number = name, 2
    while candidate in taken:
        ending = f" {number}"
        whole = name.encode()[: limits.MAX_NAME - len(ending)]
        candidate = whole.decode(errors="ignore") + ending
        number += 1
    return candidate
