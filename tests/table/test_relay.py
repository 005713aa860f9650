"""Whatever one seat says and however much of it: nobody who passes it on is taken for a flood."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.rules.profile import Rules
from sorry_lan.table.events import GoOnAnswered, Ready
from sorry_lan.table.mine import MineBody
from sorry_lan.table.readiness import seat_body
from sorry_lan.table.relay import OFFERS, QUESTIONS, Relay
from sorry_lan.table.settings import Offers
from sorry_lan.wire import messages as m
from sorry_lan.wire.codec import pack
from sorry_lan.wire.keys import NO_GAME, Context
from tests.table.build import SHORT, World
from tests.table.test_continuing import table
from tests.table.test_play import started

EVIL = 3
TWO: Rules = replace(SHORT, pawns=2)


def seat_of_evil(world: World) -> int:
    game = world.nodes[EVIL].table._game
    assert game is not None
    return min(game.hands)


def nobody_threw_out_a_friend(world: World) -> bool:
    """Only the cheat's links were closed, if any."""
    closed = [(node.index, world.peer_of(node.index, one.link)) for node in world.nodes[:EVIL] for one in node.closed]
    return {peer for _, peer in closed} <= {EVIL}


def pour(world: World, messages: list[m.Message]) -> None:
    """To each of the others a third of them, over and over for three seconds, as fast as a link bears."""
    for number, message in enumerate(messages):
        world.send(EVIL, number % EVIL, message)
        if number % 240 == 239:
            world.run(for_s=0.8)
    world.run(for_s=2)


@pytest.mark.spec("H-22", "H-24")
def test_a_flood_of_questions_makes_nobody_answer_so_much_that_it_is_thrown_out() -> None:
    world = started(4)
    game = world.nodes[EVIL].table._game
    assert game is not None
    seat = seat_of_evil(world)
    pour(world, [m.MineAsked(game.id, seat, number.to_bytes(16, "big")) for number in range(700)])
    assert nobody_threw_out_a_friend(world)
    assert sum(isinstance(message, m.Mine) for _, message in world.nodes[0].sent) < 60


@pytest.mark.spec("H-22", "H-24")
def test_a_flood_of_answers_is_passed_on_only_as_fast_as_all_can_bear() -> None:
    world = started(4)
    evil = world.nodes[EVIL]
    game, key = evil.table._game, evil.settings.people[0].key
    assert game is not None
    seat = seat_of_evil(world)
    others = [other for other in game.ledger.humans if other != seat]
    entries = game.ledger.open.entries()[:1]
    answers: list[m.Message] = []
    for number in range(300):
        # Not for the one that it is sent to, who keeps it to itself.
        challenge, asker = number.to_bytes(16, "big"), others[(number + 1) % len(others)]
        body = pack(MineBody(seat, asker, challenge, game.ledger.k, game.ledger.head, entries))
        answers.append(m.Mine(game.id, body, key.sign(Context.MINE, game.id, body)))
    pour(world, answers)
    assert nobody_threw_out_a_friend(world)


@pytest.mark.spec("H-22", "H-24")
def test_a_flood_of_offers_is_passed_on_only_as_fast_as_all_can_bear() -> None:
    world = table(4, offers=Offers.PEOPLE, rules=TWO)
    world.kill(2)
    world.run(for_s=64)
    said: list[m.SeatOffer] = []
    world.watch.append(lambda _node, message: said.append(message) if isinstance(message, m.SeatOffer) else None)
    world.tell(EVIL, GoOnAnswered(Ready.YES))
    world.run(for_s=0.2)
    key, own = world.nodes[EVIL].settings.people[0].key, said[0]
    offers: list[m.Message] = []
    for number in range(600):
        fresh = replace(own, nonce=number.to_bytes(32, "big"), sig=None)
        offers.append(replace(fresh, sig=key.sign(Context.TABLE, NO_GAME, seat_body(fresh))))
    for number, message in enumerate(offers):
        world.send(EVIL, number % 2, message)
        if number % 160 == 159:
            world.run(for_s=0.8)
    world.run(for_s=2)
    assert nobody_threw_out_a_friend(world)
    most, per_s = OFFERS
    passed = {message for _, message in world.nodes[0].sent if isinstance(message, m.SeatOffer)} & set(offers)
    assert 1 <= len(passed) <= most + 6 * per_s


def test_a_budget_is_one_seat_s_and_comes_back_with_time() -> None:
    relay = Relay(QUESTIONS)
    most, per_s = QUESTIONS
    assert [relay.may(0, 1, 0) for _ in range(most + 1)] == [True] * most + [False]
    assert relay.may(1, most, 0)
    assert [relay.may(0, 1, 1_000_000) for _ in range(per_s + 1)] == [True] * per_s + [False]
