"""Entries and reports that are not what they say: refused, and nobody blamed for them."""

import pytest

from sorry_lan.fair.entry import Ack, Reveal, encode_body
from sorry_lan.faults import Err
from sorry_lan.table.news import FaultProven
from sorry_lan.table.settings import Auto, Role
from sorry_lan.wire import messages as m
from sorry_lan.wire.keys import Context
from tests.table.build import SHORT, World, person, settings
from tests.table.test_play import game_of, started
from tests.table.test_trouble import signed_by


def forgeries(world: World) -> dict[str, m.Entry]:
    evil = world.nodes[1]
    game, key = game_of(evil).game_id, evil.settings.people[0].key
    body = encode_body(Ack(1, 1, bytes(32)))
    return {
        "another game": m.Entry(game, body, key.sign(Context.ENTRY, bytes(32), body)),
        "another context": m.Entry(game, body, key.sign(Context.MINE, game, body)),
        "another seat": m.Entry(game, encode_body(Ack(1, 0, bytes(32))), key.sign(Context.ENTRY, game, body)),
        "nobody": m.Entry(game, body, bytes(64)),
    }


@pytest.mark.parametrize("forgery", ["another game", "another context", "another seat", "nobody"])
def test_a_signature_of_anything_else_is_refused(forgery: str) -> None:
    world = started()
    world.send(1, 0, forgeries(world)[forgery])
    world.run(for_s=0.3)
    assert [command.code for command in world.nodes[0].closed] == [Err.BAD_SIGNATURE]
    assert world.nodes[0].told(FaultProven) == []


def test_an_entry_of_a_seat_without_a_key_is_refused() -> None:
    world = World(
        settings(Role.HOST, person(0, auto=Auto.NOTHING), seats=3, bots=[0], rules=SHORT),
        settings(Role.JOINER, person(1, auto=Auto.NOTHING)),
    )
    world.start()
    world.run(for_s=0.3)
    world.send(1, 0, signed_by(world.nodes[1], Ack(1, 2, bytes(32))))
    world.run(for_s=0.3)
    assert [command.code for command in world.nodes[0].closed] == [Err.NOT_A_SEAT]


def test_entries_of_an_older_game_are_kept_apart_and_never_journalled() -> None:
    before = started(seed=5)
    world = started(seed=6)
    node = world.nodes[0]
    records = len(node.journal)
    for _, message in before.nodes[1].sent:
        if isinstance(message, m.Entry):
            world.send(1, 0, message)
    world.run(for_s=0.3)
    assert node.closed == []
    assert len(node.journal) == records


def test_a_reported_fault_that_proves_nothing_ends_the_link_of_the_reporter() -> None:
    world = started(3)
    victim = world.nodes[2]
    honest = next(message for _, message in victim.sent if isinstance(message, m.Entry))
    good = m.Signed(honest.body, honest.sig)
    for second in (good, m.Signed(encode_body(Reveal(0, 2, bytes(32))), bytes(64))):
        world = started(3)
        world.send(1, 0, m.Fault(game_of(world.nodes[0]).game_id, good, second))
        world.run(for_s=0.3)
        assert len(world.nodes[0].closed) == 1
        assert world.nodes[0].told(FaultProven) == []


def test_an_honest_entry_reported_as_a_fault_is_just_an_entry() -> None:
    world = started(3)
    entry = next(message for _, message in world.nodes[2].sent if isinstance(message, m.Entry))
    world.send(1, 0, m.Fault(entry.game, m.Signed(entry.body, entry.sig), None))
    world.run(for_s=0.3)
    assert world.nodes[0].told(FaultProven) == []
    assert world.nodes[0].closed == []
