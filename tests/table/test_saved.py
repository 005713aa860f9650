"""A game from its journal: what a crash leaves is a game, whatever its last record was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.fair.genesis import decode_terms, encode_terms, game_id
from sorry_lan.fair.transcript import EndFrame, Ending
from sorry_lan.faults import LocalMisuse
from sorry_lan.table.commands import JournalKind
from sorry_lan.table.saved import (
    Header,
    JournalPair,
    NotAGame,
    Promise,
    lineage,
    parent_of,
    restore,
    restore_line,
)
from sorry_lan.wire.codec import pack
from sorry_lan.wire.messages import PeerAddress, Peers
from sorry_lan.wire.terms import Parent, Why
from tests.table.build import Node, finished, friends


def pairs(node: Node) -> list[JournalPair]:
    return [(record.kind, record.payload) for record in node.journal if record.game is not None]


@pytest.fixture(scope="module")
def node() -> Node:
    world = friends(2)
    world.start()
    world.run(until=lambda: finished(world))
    return world.nodes[1]


def test_a_journal_holds_the_whole_game(node: Node) -> None:
    saved = restore(pairs(node))
    game = node.table._game
    assert game is not None
    assert saved.game_id == game.id
    assert saved.title == "A table"
    assert saved.records == game.ledger.records
    assert {signed.body for signed in saved.own} == {body for _, body in node.signed}
    assert lineage(saved) == (saved,)


def test_every_beginning_of_a_journal_is_a_game_or_none(node: Node) -> None:
    all_pairs = pairs(node)
    with pytest.raises(NotAGame, match="no table"):
        restore([])
    found = [restore(all_pairs[:end]) for end in range(1, len(all_pairs) + 1)]
    assert [len(saved.own) for saved in found] == sorted(len(saved.own) for saved in found)
    assert found[-1].records[: len(found[5].records)] == found[5].records


def test_a_step_written_twice_or_behind_a_gap_counts_once(node: Node) -> None:
    whole = pairs(node)
    steps = [pair for pair in whole if pair[0] is JournalKind.RECORD]
    saved = restore([whole[0], steps[0], steps[0], steps[2], steps[1], steps[3]])
    assert [record.k for record in saved.records] == [0, 1]


def test_addresses_promises_and_the_end_are_kept(node: Node) -> None:
    peers = (PeerAddress(bytes(range(32)), ("10.0.0.1:7777",)),)
    end = EndFrame(3, bytes(32), Ending.SAVED)
    more = [
        (JournalKind.PEERS, pack(Peers(()))),
        (JournalKind.PEERS, pack(Peers(peers))),
        (JournalKind.CONSENT, pack(Promise(b"c" * 32))),
        (JournalKind.END, pack(end)),
    ]
    saved = restore([pairs(node)[0], *more])
    assert (saved.peers, saved.promised, saved.end) == (peers, (b"c" * 32,), end)


@pytest.mark.parametrize("pair", [(JournalKind.NONCE, b""), (JournalKind.RECORD, b"\x90"), (JournalKind.HEADER, b"x")])
def test_what_we_never_wrote_is_no_game(pair: JournalPair) -> None:
    with pytest.raises(NotAGame):
        restore([pair])


def continued(node: Node) -> tuple[bytes, list[JournalPair]]:
    """A journal whose table goes on from the game of `node`, as far as documents go."""
    saved = restore(pairs(node))
    parent = Parent(saved.game_id, 1, bytes(32), bytes(32), b"s", None, Why.LEFT)
    table = encode_terms(replace(decode_terms(saved.agreed.table), parent=parent))
    journal = [(JournalKind.HEADER, pack(Header(table, saved.agreed.consents, "A table", ())))]
    return restore(journal).game_id, journal


def test_a_continued_game_comes_with_all_that_went_before(node: Node) -> None:
    first = restore(pairs(node))
    child, journal = continued(node)
    found = restore_line(child, {first.game_id: pairs(node), child: journal}.__getitem__)
    assert [saved.game_id for saved in lineage(found)] == [first.game_id, child]
    assert parent_of(found.agreed) == first.game_id
    with pytest.raises(NotAGame, match="another game"):
        restore_line(first.game_id, lambda _: journal)


def test_a_line_of_any_length_is_read(node: Node) -> None:
    first = restore(pairs(node))
    journals, game = {first.game_id: pairs(node)}, first.game_id
    terms = decode_terms(first.agreed.table)
    for _ in range(1200):
        parent = Parent(game, 0, bytes(32), bytes(32), b"s", None, Why.LEFT)
        table = encode_terms(replace(terms, parent=parent))
        game = game_id(table)
        journals[game] = [(JournalKind.HEADER, pack(Header(table, first.agreed.consents, "A table", ())))]
    assert len(lineage(restore_line(game, journals.__getitem__))) == 1201


def test_a_continued_game_without_its_parent_is_none(node: Node) -> None:
    _, journal = continued(node)
    with pytest.raises(LocalMisuse):
        lineage(restore(journal))
    with pytest.raises(NotAGame):
        parent_of(replace(restore(journal).agreed, table=b"\xc0"))
