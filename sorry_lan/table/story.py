"""What was played before at earlier tables of one game: kept for the file, for whoever returns, and for stragglers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from sorry_lan.fair import genesis
from sorry_lan.fair.continuation import tail_of
from sorry_lan.fair.open_step import Record
from sorry_lan.fair.record import Ledger
from sorry_lan.fair.transcript import Chapter, TableFrame
from sorry_lan.table.agreement import client_keys
from sorry_lan.table.saved import NotAGame, SavedGame, lineage
from sorry_lan.wire.messages import TableAgreed
from sorry_lan.wire.terms import Parent, Terms


@dataclass(frozen=True, slots=True)
class Story:
    """The chapters so far, oldest first, with their documents and game ids."""

    chapters: tuple[Chapter, ...] = ()
    terms: tuple[Terms, ...] = ()
    ids: tuple[bytes, ...] = ()
    before_last: int = 0
    """How many frames of the latest chapter are whole steps."""

    def keys(self) -> frozenset[bytes]:
        """The link keys of everybody who ever played here."""
        return frozenset(key for terms in self.terms for key in client_keys(terms))

    def tables_since(self, game: bytes | None) -> tuple[TableAgreed, ...]:
        """The earlier tables behind `game`, where that is one of them; none otherwise."""
        if game not in self.ids:
            return ()
        later = self.chapters[self.ids.index(game) + 1 :]
        return tuple(TableAgreed(chapter.start.table, chapter.start.consents) for chapter in later)

    def steps(self, game: bytes, k: int, count: int) -> tuple[Record, ...]:
        """Frames of steps k to k + count - 1 of an earlier game, the last ones as the file has them."""
        if game not in self.ids:
            return ()
        return tuple(record for record in self.chapters[self.ids.index(game)].records if k <= record.k < k + count)

    def tail(self) -> tuple[Record, ...]:
        """The frames of the latest chapter that are no final steps of its game; see Header."""
        return () if not self.chapters else self.chapters[-1].records[self.before_last :]

    def goes_on(self, agreed: TableAgreed, ledger: Ledger, view: Parent) -> Story:
        """With one more chapter: the game of `ledger`, which goes on as `view` says; LocalMisuse where it is behind."""
        tail = tail_of(ledger, view)
        whole = tuple(ledger.record(k) for k in range(max(0, view.k - 1)))
        return self.with_chapter(agreed, whole, tail, ledger.terms)

    def with_chapter(self, agreed: TableAgreed, whole: Sequence[Record], tail: Sequence[Record], terms: Terms) -> Story:
        """With one more chapter of exactly these frames."""
        chapter = Chapter(TableFrame(agreed.table, agreed.consents), (*whole, *tail))
        ids = (*self.ids, genesis.game_id(agreed.table))
        return Story((*self.chapters, chapter), (*self.terms, terms), ids, len(whole))


def story_of(saved: SavedGame) -> Story:
    """What a saved game goes on from; NotAGame where steps are missing."""
    story = Story()
    line = lineage(saved)
    for game, child in pairwise(line):
        terms = genesis.decode_terms(game.agreed.table)
        parent = genesis.decode_terms(child.agreed.table).parent
        before = max(0, (parent.k if parent is not None else 0) - 1)
        if len(game.records) < before:
            raise NotAGame("a saved game lacks steps that it goes on from")
        story = story.with_chapter(game.agreed, game.records[:before], child.tail, terms)
    return story
