"""What a client checks before it signs a table, and what it refuses to sign."""

from dataclasses import replace

import pytest

from sorry_lan.fair import genesis
from sorry_lan.faults import Err
from sorry_lan.table.events import (
    Ready,
    SeatChanged,
    SeatClosed,
)
from sorry_lan.table.news import GameStarted
from sorry_lan.table.view import Phase
from sorry_lan.wire import messages as m
from sorry_lan.wire.codec import encode_message
from tests.table.build import World, person
from tests.table.test_lobby import guest, host, lobby_of, opened, phase_of, refusals


def all_ready(world: World) -> None:
    for node in world.nodes:
        world.tell(node, SeatChanged(0, ready=Ready.YES))
        world.run(for_s=0.2)


def test_the_table_is_proposed_as_soon_as_all_are_ready() -> None:
    world = opened(host(seats=2), guest(1))
    assert phase_of(world.nodes[0]) is Phase.LOBBY
    all_ready(world)
    assert world.nodes[0].told(GameStarted) == world.nodes[1].told(GameStarted) != []


def test_an_open_seat_holds_the_table_back() -> None:
    world = opened(host(), guest(1))
    all_ready(world)
    assert phase_of(world.nodes[0]) is Phase.LOBBY
    world.tell(0, SeatClosed(None))
    world.run(for_s=0.2)
    assert world.nodes[0].told(GameStarted)


def proposal_of(world: World) -> m.Propose:
    return next(message for _, message in world.nodes[0].sent if isinstance(message, m.Propose))


def tampered(world: World, **changes: object) -> m.Propose:
    terms = genesis.decode_terms(proposal_of(world).table)
    return m.Propose(0, genesis.encode_terms(replace(terms, **changes)), None)  # type: ignore[arg-type]


def proposing(change: str) -> World:
    """A host that is about to propose, whose proposal is changed on its way."""
    world = World(host(seats=2), guest(1))
    world.start()

    def meddle(link: int, message: m.Message) -> None:
        if isinstance(message, m.Propose):
            message = CHANGES[change](message)
        world.deliver(0, link, encode_message(message))

    world.meddlers[0] = meddle
    return world


def terms_change(message: m.Propose, **changes: object) -> m.Propose:
    terms = genesis.decode_terms(message.table)
    return replace(message, table=genesis.encode_terms(replace(terms, **changes)))  # type: ignore[arg-type]


def line_change(message: m.Propose, seat: int, **changes: object) -> m.Propose:
    seats = list(genesis.decode_terms(message.table).seats)
    seats[seat] = replace(seats[seat], **changes)  # type: ignore[arg-type]
    return terms_change(message, seats=tuple(seats))


CHANGES = {
    "engine": lambda message: terms_change(message, engine=bytes(32)),
    "rules": lambda message: terms_change(message, rules=(*genesis.decode_terms(message.table).rules[:-1], 4)),
    "options": lambda message: terms_change(message, options=1),
    "first": lambda message: terms_change(message, first=0),
    "proto": lambda message: terms_change(message, proto=2),
    "our nonce": lambda message: line_change(message, 1, nonce=b"n" * 32),
    "our anchor": lambda message: line_change(message, 1, anchor=b"n" * 32),
    "our name": lambda message: line_change(message, 1, name="Eva"),
    "our colour": lambda message: line_change(message, 1, colour=3),
    "our key": lambda message: line_change(message, 1, pk=person(5).key.public),
    "host's name": lambda message: line_change(message, 0, name="Rob"),
    "host's key": lambda message: line_change(message, 0, pk=person(5).key.public),
    "host's client": lambda message: line_change(message, 0, client=1),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_table_that_differs_from_lobby_or_offers_is_refused_and_never_signed(change: str) -> None:
    world = proposing(change)
    all_ready(world)
    world.run(for_s=1)
    expected = {"engine": Err.ENGINE_DIFFERS, "proto": Err.VERSION}.get(change, Err.STALE_TABLE)
    assert refusals(world.nodes[1]) == [(expected, True)]
    assert refusals(world.nodes[0]) == [(expected, False)]
    assert world.nodes[1].journal == []
    assert not world.nodes[0].told(GameStarted)
    assert phase_of(world.nodes[0]) is phase_of(world.nodes[1]) is Phase.LOBBY
    assert [seat.ready for seat in lobby_of(world.nodes[0]).seats] == [True, False]


def test_a_forged_consent_that_a_guest_computed_beforehand_does_not_stop_the_host() -> None:
    """The host signs because its own people are ready: what waits there then came with no frame of that moment."""

    def nearly() -> World:
        world = opened(host(seats=2), guest(1))
        world.tell(1, SeatChanged(0, ready=Ready.YES))
        world.run(for_s=0.2)
        return world

    before, world = nearly(), nearly()
    before.tell(0, SeatChanged(0, ready=Ready.YES))
    table = proposal_of(before).table
    world.send(1, 0, m.ConsentGiven(1, genesis.game_id(table), bytes(64)))
    world.run(for_s=0.1)
    world.tell(0, SeatChanged(0, ready=Ready.YES))
    assert proposal_of(world).table == table
    assert [command.code for command in world.nodes[0].closed] == [Err.BAD_SIGNATURE]
    assert world.nodes[0].finished is None


def test_after_a_refused_proposal_the_next_one_works_with_fresh_nonces() -> None:
    world = proposing("first")
    all_ready(world)
    del world.meddlers[0]
    world.tell(1, SeatChanged(0, ready=Ready.YES))
    world.run(for_s=0.5)
    assert world.nodes[1].told(GameStarted)
    nonces = [message.nonce for _, message in world.nodes[1].sent if isinstance(message, m.SeatOffer)]
    assert len(set(nonces)) == 2
