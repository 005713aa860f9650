"""Tables that go on from others: the same people with fresh chains, and whole files of several tables."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from sorry_lan.fair.chain import Chain
from sorry_lan.fair.continuation import next_terms, tail_of, view_of
from sorry_lan.fair.entry import Reveal
from sorry_lan.fair.transcript import Chapter, EndFrame, Ending, Frame, TableFrame
from sorry_lan.wire.keys import SecretKey
from sorry_lan.wire.messages import Signed
from sorry_lan.wire.terms import Parent, SeatKind, Terms, TermsSeat, Why
from tests.fair.build import Table, key_of, seed


@lru_cache(maxsize=256)
def chain_again(name: str, tag: str, seat: int) -> Chain:
    return Chain(seed("root", name, seat), key_of(name, seat).public, seed("nonce", name, tag, seat))


@dataclass
class NextTable(Table):
    """A table whose people are those of `name`, with the chains of `tag`."""

    tag: str = field(default="", kw_only=True)

    def key(self, seat: int) -> SecretKey:
        return key_of(self.name, seat)

    def reveal(self, seat: int, k: int | None = None) -> Signed:
        step = self.ledger.k if k is None else k
        return self.sign(Reveal(step, seat, chain_again(self.name, self.tag, seat).share(step)))


def view(old: Table, why: Why = Why.LEFT) -> Parent:
    found = view_of(old.ledger, why)
    assert found is not None
    return found


def lines(old: Table, tag: str, humans: Collection[int]) -> dict[int, TermsSeat]:
    """Fresh lines for these seats."""
    fresh = {}
    for seat in humans:
        chain = chain_again(old.name, tag, seat)
        line = replace(old.terms.seats[seat], kind=int(SeatKind.HUMAN), client=seat, level=0)
        fresh[seat] = replace(
            line, pk=key_of(old.name, seat).public, nonce=seed("nonce", old.name, tag, seat), anchor=chain.anchor
        )
    return fresh


def terms_after(
    old: Table, tag: str = "next", *, without: Collection[int] = (), back: Collection[int] = (), why: Why = Why.LEFT
) -> Terms:
    humans = [seat for seat in old.ledger.humans if seat not in without]
    return next_terms(old.terms, view(old, why), lines(old, tag, [*humans, *back]), frozenset(without))


def follow(
    old: Table, tag: str = "next", *, without: Collection[int] = (), back: Collection[int] = (), why: Why = Why.LEFT
) -> NextTable:
    return NextTable(old.name, terms_after(old, tag, without=without, back=back, why=why), tag=tag)


def chapter(old: Table, child: Table) -> Chapter:
    """What a file holds of a table that another one goes on from."""
    parent = child.terms.parent
    assert parent is not None
    whole = tuple(old.ledger.record(k) for k in range(max(0, parent.k - 1)))
    return Chapter(TableFrame(old.bytes, old.consents()), (*whole, *tail_of(old.ledger, parent)))


def frames(line: Sequence[Table], how: Ending = Ending.SAVED) -> list[Frame]:
    """The frames of a whole file."""
    found: list[Frame] = []
    for old, child in pairwise(line):
        part = chapter(old, child)
        found += [part.start, *part.records]
    last = line[-1]
    end = EndFrame(last.ledger.k, last.ledger.head, how)
    return [*found, TableFrame(last.bytes, last.consents()), *last.ledger.records, end]
