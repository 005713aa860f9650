"""Which table that goes on from our game we follow, once all have signed it ([T-39]).

Ours where we signed it and our game has not moved since; any, where it was made without us.
"""

from __future__ import annotations

from collections.abc import Sequence

from sorry_lan.fair import genesis
from sorry_lan.fair.continuation import check_continuation, view_of, went_on_behind
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.table.absence import GONE
from sorry_lan.table.agreement import Agreement
from sorry_lan.table.desk import known
from sorry_lan.table.play import Game
from sorry_lan.table.signing import Signing
from sorry_lan.wire import limits
from sorry_lan.wire.messages import TableAgreed, Want
from sorry_lan.wire.terms import Parent, Terms, Why


class Following:
    """The way from one game to the next; `table` is the one to go to."""

    def __init__(self, game: Game, signing: Signing, line: Sequence[Terms]) -> None:
        self._game = game
        self._signing = signing
        self._line = tuple(line)
        self.table: TableAgreed | None = None
        self.signed: Agreement | None = None
        """Our agreement to `table` where we signed it in this process."""
        self._awaiting: TableAgreed | None = None
        """A table that we follow as soon as we have caught up with where it goes on."""

    def heard(self, message: TableAgreed) -> None:
        """All have signed a table that goes on from this game; RemoteFault BAD_SIGNATURE, or as check_continuation."""
        terms, game = genesis.decode_terms(message.table), self._game
        check_continuation(terms, self._line)
        if not genesis.consents_complete(terms, message.table, message.consents):
            raise RemoteFault(Err.BAD_SIGNATURE, "a table that was not signed by all")
        if self._leaves_us_together(terms):
            return
        parent = known(terms.parent)
        view = view_of(game.ledger, Why(parent.why))
        # Whoever was left out has nobody to play with here, however far it counted.
        moved = self._seats_us(terms) and view is not None and view.k > parent.k
        if self.table is None and self._awaiting is None and not moved and game.ledger.over is None:
            self._awaiting, game.waits_for_tail = message, True
            self.look()

    def look(self) -> None:
        """Go, if our view is by now the one that the table takes up."""
        message = self._awaiting
        if message is None or self.table is not None:
            return
        terms = genesis.decode_terms(message.table)
        parent = known(terms.parent)
        self._settle(parent)
        self.signed = self._signing.signed(message.table)
        ours = self.signed is not None or view_of(self._game.ledger, Why(parent.why)) == parent
        if ours or (not self._seats_us(terms) and went_on_behind(self._game.ledger, parent)):
            self.table = message

    def _leaves_us_together(self, terms: Terms) -> bool:
        """Whether one client alone would go on without us, while we reach others whom it leaves out as well.

        Two people at one keyboard sign whatever they like between themselves; who is gone for them finds them there,
        but they send nobody away.
        """
        game, there = self._game, frozenset(genesis.humans(terms))
        if not game.hands or game.hands.keys() & there or len({terms.seats[seat].client for seat in there}) > 1:
            return False
        reach = game.presences.reach
        return any(reach[seat][0] not in GONE for seat in game.presences.remote if seat not in there)

    def _seats_us(self, terms: Terms) -> bool:
        """Whether all our seats of this game play there too."""
        hands = self._game.hands.keys()
        return bool(hands) and hands <= frozenset(genesis.humans(terms))

    def _settle(self, parent: Parent) -> None:
        """Close our last step without the acknowledgements that nobody keeps: the pending card is of the next one.

        Only whoever lost what it had signed, or looks on, can lack them; neither signs anything meanwhile.
        """
        game, now = self._game, self._game.ledger.open
        silent = game.mute is not None or not game.hands
        counted = None if now.applied is None else now.applied.after
        if silent and parent.pending is not None and counted is not None and counted.head == parent.head:
            game.settle()
            self.ask()

    def complete(self) -> None:
        """All consents to what we signed ourselves are here."""
        if self._signing.complete():
            self.signed = known(self._signing.proposal)
            self.table = self.signed.message()

    def ask(self) -> None:
        """Fetch what is missing up to where the table that we follow goes on."""
        game = self._game
        if self._awaiting is not None and self.table is None:
            for link in game.everybody():
                # What was asked for costs nobody its link.
                due = game.desk.links[link]
                due.records_due = min(due.records_due + limits.MAX_WANT, limits.ENTRY_BUCKET)
            game.desk.cast(Want(game.id, game.ledger.k, limits.MAX_WANT), game.everybody())
