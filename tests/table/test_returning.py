"""A table that lets somebody back in may be complete for that one alone: then nobody is stuck there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sorry_lan.fair.verify import Finding, Outcome, Verdict, verify_transcript
from sorry_lan.table.events import GoOnAnswered, Ready
from sorry_lan.table.news import GoneOn, GoneOnWithoutUs
from sorry_lan.table.settings import Auto, Offers
from sorry_lan.table.view import Phase
from sorry_lan.wire.codec import encode_message
from sorry_lan.wire.messages import ConsentGiven, Entry, Intent, Message, TableAgreed
from sorry_lan.wire.terms import Why
from tests.table.build import World, answer
from tests.table.test_continuing import table


def left_out(count: int) -> World:
    """The others of `count` went on without the last one, who is back and looks on; nobody has moved since."""
    world = table(count, offers=Offers.PEOPLE, auto=Auto.DRAW, k=1, seed=1)
    last = count - 1
    world.kill(last)
    world.run(for_s=64)
    for node in range(last):
        world.tell(node, GoOnAnswered(Ready.YES))
    world.run(for_s=5)
    world.restart(last)
    world.run(for_s=3)
    return world


def alone(count: int, *, deaf: Callable[[int], bool] = lambda _node: True) -> World:
    """All say yes to the return, but no consent of whoever returns reaches those who are `deaf`."""
    world = left_out(count)
    last = world.nodes[-1]

    def meddle(link: int, message: Message) -> None:
        lost = isinstance(message, ConsentGiven | TableAgreed | Entry) and deaf(world.peer_of(last.index, link))
        if not (lost and world.meddlers):
            world.deliver(last.index, link, encode_message(message))

    world.meddlers[last.index] = meddle
    for node in reversed(world.nodes):
        world.tell(node, GoOnAnswered(Ready.YES))
        world.run(for_s=1)
    world.people_play(*range(count))
    for node in world.nodes:
        world.looks[-1](node)
    world.run(until=lambda: bool(last.told(GoneOn)), for_s=20)
    assert phase(world, last.index) is Phase.LOT
    return world


def phase(world: World, node: int) -> Phase | None:
    view = world.nodes[node].view
    return None if view is None else view.phase


def end(world: World) -> Verdict:
    """Everybody plays to the one end, of which all keep the same file."""
    world.run(until=lambda: all(phase(world, node.index) is Phase.OVER for node in world.nodes), for_s=400)
    (file,) = {node.transcripts()[-1] for node in world.nodes}
    verdict = verify_transcript(file)
    assert (verdict.outcome, verdict.finding) == (Outcome.HOLDS, Finding.WON)
    return verdict


def looks_on_again(world: World) -> bool:
    return len(world.nodes[-1].told(GoneOnWithoutUs)) == 2


@pytest.mark.spec("S-15")
@pytest.mark.parametrize("count", [3, 4])
def test_who_came_to_a_table_alone_looks_on_again_where_the_others_are(count: int) -> None:
    world = alone(count)
    world.run(until=lambda: looks_on_again(world), for_s=40)
    assert phase(world, count - 1) is Phase.LEFT_OUT
    assert [going.why for going in end(world).goings] == [Why.UNREACHABLE]


@pytest.mark.parametrize("count", [3, 4])
def test_who_looks_on_again_can_be_let_back_in(count: int) -> None:
    world = alone(count)
    world.run(until=lambda: looks_on_again(world), for_s=40)
    world.meddlers.clear()
    for node in reversed(world.nodes):
        world.tell(node, GoOnAnswered(Ready.YES))
        world.run(for_s=0.1)
    assert [going.why for going in end(world).goings] == [Why.UNREACHABLE, Why.RETURN]
    assert len(world.nodes[-1].told(GoneOn)) == 2


def test_who_dies_at_such_a_table_finds_the_way_back_too() -> None:
    world = alone(3)
    world.kill(2)
    world.meddlers.clear()
    world.run(for_s=31)
    world.restart(2)
    assert phase(world, 2) is Phase.RESUMING
    assert [going.why for going in end(world).goings] == [Why.UNREACHABLE]


def test_those_who_have_not_moved_meanwhile_follow_to_the_table() -> None:
    world = alone(3)
    world.part((0, 1), (2,))
    world.looks.clear()
    world.run(for_s=32)
    assert {phase(world, node) for node in (0, 1)} == {Phase.MOVE}
    world.meddlers.clear()
    world.heal()
    world.run(until=lambda: phase(world, 0) is Phase.LOT, for_s=5)
    world.people_play(0, 1, 2)
    assert [going.why for going in end(world).goings] == [Why.UNREACHABLE, Why.RETURN]


def test_who_was_followed_after_all_is_met_at_that_table_again() -> None:
    """One player moves where the other does not see it; who returns meets them in turn, at different tables."""
    world = alone(3)
    world.looks.clear()
    world.run(for_s=32)
    world.meddlers.clear()
    mover = next(node for node in (0, 1) if world.nodes[node].view.prompts)  # type: ignore[union-attr]
    other = 1 - mover
    world.part((other,), (mover,), (2,))
    world.tell(mover, answer(world.nodes[mover].view.prompts[0]))  # type: ignore[union-attr]
    # The link breaks before the other says that it came.
    meet(world, other, until=lambda: phase(world, other) is Phase.LOT)
    meet(world, mover)
    assert phase(world, 2) is Phase.LEFT_OUT
    meet(world, other)
    assert phase(world, 2) is Phase.LOT
    assert len(world.nodes[2].told(GoneOn)) == 2


def meet(world: World, node: int, until: Callable[[], bool] | None = None) -> None:
    """Whoever returned reaches this client and no other."""
    world.part((node, 2), (1 - node,))
    world.link(2, node, intent=Intent.GAME)
    world.run(for_s=3, until=until)


@pytest.mark.spec("S-14")
def test_who_missed_the_table_is_shown_it_again() -> None:
    """A frame that is lost on a link that stays up: whoever stands at the game before gets the table once more."""
    world = alone(3)
    world.looks.clear()
    world.run(for_s=32)
    world.meddlers.clear()
    world.run(until=lambda: phase(world, 0) is Phase.LOT, for_s=3)
    world.people_play(0, 1, 2)
    assert [going.why for going in end(world).goings] == [Why.UNREACHABLE, Why.RETURN]
