"""One proposed table and the consents under it, until every human seat has signed ([T-10], [T-12], [T-17]).

Whether the document is the right one was checked before (seating.py); here only signatures count.
"""

from __future__ import annotations

from collections.abc import Iterable

from sorry_lan.fair import genesis
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.table.commands import JournalKind, Sync
from sorry_lan.table.desk import Desk
from sorry_lan.table.events import LinkId
from sorry_lan.table.hand import Hand
from sorry_lan.table.sitter import Sitter
from sorry_lan.wire.codec import encode
from sorry_lan.wire.messages import Consent, ConsentGiven, TableAgreed
from sorry_lan.wire.terms import Terms


class Agreement:
    """The bytes that all shall sign; `table` has been checked."""

    def __init__(self, table: bytes, terms: Terms, sitters: Iterable[Sitter]) -> None:
        self.table = table
        self.terms = terms
        self.game_id = genesis.game_id(table)
        self.humans = genesis.humans(terms)
        self.consents: dict[int, Consent] = {}
        seats = {terms.seats[index].pk: index for index in self.humans}
        self.sitters = tuple(sitters)
        self.hands = {
            seats[sitter.pk]: Hand(seats[sitter.pk], sitter.index, sitter.person, sitter.chain)
            for sitter in self.sitters
        }

    def clients(self) -> frozenset[bytes]:
        """The link keys of all clients at the table."""
        return client_keys(self.terms)

    def complete(self) -> bool:
        """Whether every human seat has signed."""
        return len(self.consents) == len(self.humans)

    def missing(self) -> frozenset[int]:
        """The human seats that have not signed."""
        return frozenset(self.humans) - self.consents.keys()

    def sign(self, desk: Desk, links: Iterable[LinkId] | None = None) -> None:
        """Consent for each of our seats: nonce and consent are on the disk before a signature leaves.

        It goes to `links`, else to those of all clients of this table.
        """
        to = desk.links_of(self.clients()) if links is None else list(links)
        for seat, hand in sorted(self.hands.items()):
            line = self.terms.seats[seat]
            consent = Consent(seat, genesis.consent_signature(hand.person.key, self.table))
            desk.journal(None, JournalKind.NONCE, encode((line.pk, line.nonce)), Sync.NOW)
            desk.journal(None, JournalKind.CONSENT, encode((seat, self.game_id, consent.sig)), Sync.NOW)
            self.consents[seat] = consent
            desk.cast(ConsentGiven(seat, self.game_id, consent.sig), to)

    def heard(self, given: ConsentGiven) -> bool:
        """Take a consent to this table; whether it was new. RemoteFault BAD_SIGNATURE where it does not hold."""
        if given.seat in self.consents:
            return False
        consent = Consent(given.seat, given.sig)
        if not genesis.consent_holds(self.terms, self.table, consent):
            raise RemoteFault(Err.BAD_SIGNATURE, "a consent that its seat did not sign")
        self.consents[given.seat] = consent
        return True

    def completed(self, message: TableAgreed) -> None:
        """Take all consents from somebody who has them; RemoteFault BAD_SIGNATURE where they do not hold."""
        if not genesis.consents_complete(self.terms, self.table, message.consents):
            raise RemoteFault(Err.BAD_SIGNATURE, "a table that was not signed by all")
        self.consents = {consent.seat: consent for consent in message.consents}

    def message(self) -> TableAgreed:
        """The document with all consents, ascending by seat."""
        return TableAgreed(self.table, tuple(self.consents[seat] for seat in self.humans))


def client_keys(terms: Terms) -> frozenset[bytes]:
    """The link keys of all clients at a table."""
    return frozenset(terms.seats[terms.seats[seat].client].pk for seat in genesis.humans(terms))
