"""What have I signed? Answers that are forged, late, foreign or too many."""

from __future__ import annotations

import itertools

import pytest

from sorry_lan.fair.entry import Ack, encode_body
from sorry_lan.faults import Err
from sorry_lan.table.mine import MineBody
from sorry_lan.table.mute import Mute
from sorry_lan.table.settings import Auto
from sorry_lan.table.view import Phase
from sorry_lan.wire.codec import pack
from sorry_lan.wire.keys import Context
from sorry_lan.wire.messages import Mine, MineAsked, Signed
from tests.table.build import MS, World, friends


def test_questions_without_end_cost_nobody_a_link_but_whoever_asks() -> None:
    """A cheat within its budget: each is passed on and answered, and honest clients count that of each other."""
    world = friends(3, auto=Auto.DRAW)
    world.start()
    world.run(for_s=2)
    game = world.nodes[0].table._game
    assert game is not None
    seat = next(seat for seat in game.ledger.humans if game.presences.client_of(seat) == world.nodes[2].pk)
    # Its program takes everything that it is sent.
    world.nodes[2].alive = False
    numbers = itertools.count()

    def ask() -> None:
        world.send(2, 0, MineAsked(game.id, seat, next(numbers).to_bytes(16, "big")))
        world.at(world.now_us + 12 * MS, ask)

    ask()
    world.run(for_s=30)
    assert [node.closed for node in world.nodes] == [[], [], []]


def silent(seats: int = 2) -> World:
    """A table in play whose last client was restarted and still waits for the answers of all others.

    The first client is evil: nothing that its Table sends arrives.
    """
    world = friends(seats)
    world.slowest_us = 30 * MS
    world.start()
    world.run(until=lambda: step_of(world) >= 6)
    world.meddlers[0] = lambda _link, _message: None
    world.kill(seats - 1)
    world.restart(seats - 1)
    world.run(for_s=0.5)
    assert phase_of(world) is Phase.RESUMING
    return world


def step_of(world: World) -> int:
    game = world.nodes[-1].table._game
    return -1 if game is None else game.ledger.k


def phase_of(world: World) -> Phase:
    view = world.nodes[-1].view
    assert view is not None
    return view.phase


def question(world: World) -> MineAsked:
    asked = [message for _, message in world.nodes[-1].sent if isinstance(message, MineAsked)]
    return asked[-1]


def answered(world: World, **changed: object) -> Mine:
    """What the first client would answer, or something like it."""
    asked, game = question(world), world.nodes[0].table._game
    assert game is not None
    seat = min(game.hands)
    fields = {
        "answerer": seat,
        "asker": asked.seat,
        "challenge": asked.challenge,
        "k": game.ledger.k,
        "head": game.ledger.head,
        "entries": game.ledger.held_of([asked.seat]),
    }
    key = game.hands[seat].person.key
    body = pack(MineBody(**{**fields, **changed}))  # type: ignore[arg-type]
    return Mine(game.id, body, key.sign(Context.MINE, game.id, body))


def expelled(world: World, node: int = -1) -> list[Err]:
    return [command.code for command in world.nodes[node].closed]


def test_a_good_answer_ends_the_silence() -> None:
    world = silent()
    world.send(0, 1, answered(world))
    world.run(for_s=0.1)
    assert phase_of(world) is not Phase.RESUMING


@pytest.mark.spec("S-8")
def test_a_forged_answer_ends_the_link_and_not_the_silence() -> None:
    world = silent()
    mine = answered(world)
    world.send(0, 1, Mine(mine.game, mine.body, bytes(64)))
    world.run(for_s=0.1)
    assert expelled(world) == [Err.BAD_SIGNATURE]
    assert phase_of(world) is Phase.RESUMING


@pytest.mark.spec("S-8")
@pytest.mark.parametrize("changed", [{"challenge": bytes(16)}, {"k": 9999}])
def test_an_answer_to_another_question_or_from_a_step_nobody_has_does_not_end_the_silence(
    changed: dict[str, object],
) -> None:
    world = silent()
    world.send(0, 1, answered(world, **changed))
    world.run(for_s=0.1)
    assert expelled(world) == []
    assert phase_of(world) is Phase.RESUMING


@pytest.mark.parametrize("changed", [{"asker": 3}, {"answerer": 3}])
def test_an_answer_by_or_for_nobody_ends_the_link(changed: dict[str, object]) -> None:
    world = silent()
    world.send(0, 1, answered(world, **changed))
    world.run(for_s=0.1)
    assert expelled(world) == [Err.NOT_A_SEAT]


def test_an_answer_in_our_own_name_is_nothing() -> None:
    world = silent()
    world.send(0, 1, answered(world, answerer=question(world).seat))
    world.run(for_s=0.1)
    assert expelled(world) == []
    assert phase_of(world) is Phase.RESUMING


def test_an_answer_with_entries_of_somebody_else_ends_the_link() -> None:
    world = silent()
    game = world.nodes[0].table._game
    assert game is not None
    world.send(0, 1, answered(world, entries=game.ledger.held_of([*game.hands])))
    world.run(for_s=0.1)
    assert expelled(world) == [Err.SCHEMA]


def test_an_entry_that_we_never_signed_is_dropped_and_nobody_blamed() -> None:
    world = silent()
    game = world.nodes[0].table._game
    assert game is not None
    false = Signed(encode_body(Ack(game.ledger.k, question(world).seat, bytes(32))), bytes(64))
    world.send(0, 1, answered(world, entries=(false,)))
    world.run(for_s=0.1)
    assert expelled(world) == []


@pytest.mark.spec("S-8")
def test_an_answer_after_the_silence_is_nothing() -> None:
    world = silent()
    mine = answered(world)
    world.send(0, 1, mine)
    world.run(for_s=0.1)
    world.send(0, 1, mine)
    world.send(0, 1, answered(world, challenge=b"c" * 16))
    world.run(for_s=0.1)
    assert expelled(world) == []


def test_a_question_for_a_seat_without_a_key_ends_the_link() -> None:
    world = silent()
    world.send(0, 1, MineAsked(question(world).game, 3, bytes(16)))
    world.run(for_s=0.1)
    assert expelled(world) == [Err.NOT_A_SEAT]


def test_questions_about_another_game_are_not_heard() -> None:
    world = silent()
    world.send(0, 1, MineAsked(bytes(32), 3, bytes(16)))
    world.run(for_s=0.1)
    assert expelled(world) == []


@pytest.mark.spec("H-22")
def test_a_question_and_its_answers_are_passed_on_once() -> None:
    world = silent(3)
    asked = question(world)
    before = len(world.nodes[1].sent)
    for _ in range(3):
        world.send(0, 1, asked)
    world.run(for_s=0.2)
    passed = [message for _, message in world.nodes[1].sent[before:] if message == asked]
    assert passed == []
    world.send(0, 1, answered(world))
    world.send(0, 1, answered(world))
    world.run(for_s=0.2)
    mine = [message for _, message in world.nodes[1].sent[before:] if message == answered(world)]
    assert len(mine) == 1
    assert phase_of(world) is not Phase.RESUMING


def test_what_belongs_to_a_later_step_waits_for_it() -> None:
    mute = Mute([b"a", b"b"])
    entries = [Signed(encode_body(Ack(k, 0, bytes(32))), bytes(64)) for k in (4, 5, 6, 7)]
    mute.heard(b"a", 6, entries)
    assert mute.due(4) == entries[:2]
    assert mute.due(4) == []
    assert not mute.over(6)
    mute.heard(b"b", 5, [])
    assert not mute.over(5)
    assert mute.over(6)
    assert mute.due(6) == entries[2:]


def test_questions_asked_together_do_not_go_round_for_ever() -> None:
    world = friends(4)
    world.slowest_us = 30 * MS
    world.start()
    world.run(until=lambda: step_of(world) >= 6)
    world.kill(3)
    world.restart(3)
    world.run(for_s=2)
    mine = [message for node in world.nodes for _, message in node.sent if isinstance(message, Mine)]
    asked = [message for _, message in world.nodes[3].sent if isinstance(message, MineAsked)]
    # Three others answer on as many links, and pass on what the two others say.
    assert len(mine) <= 3 * 3 * 3 * len({message.challenge for message in asked})


@pytest.mark.spec("H-22")
def test_a_question_is_passed_on_once_however_often_it_comes_between_others() -> None:
    world = friends(4, auto=Auto.DRAW)
    world.start()
    world.run(for_s=0.5)
    game = world.nodes[3].table._game
    assert game is not None
    first, second = (MineAsked(game.id, min(game.hands), bytes([number]) * 16) for number in (1, 2))
    for question in (first, second, first, second):
        world.send(3, 0, question)
        world.run(for_s=0.2)
    passed = [message for _, message in world.nodes[0].sent if isinstance(message, MineAsked)]
    # To each of the two others.
    assert (passed.count(first), passed.count(second)) == (2, 2)
