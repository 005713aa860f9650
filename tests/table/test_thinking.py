"""Which tables may keep a client busy: those with a deep bot, before, in and after a game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.bots.levels import DEEP
from sorry_lan.table.events import BotSeated, SeatOpened
from sorry_lan.table.settings import Auto, ReadyWhen, Role
from sorry_lan.table.table import Table
from tests.table.build import SHORT, World, friends, person, settings


def waiting() -> World:
    """A host whose lobby has an open seat."""
    host = settings(Role.HOST, person(0, auto=Auto.ALL), seats=3, ready=ReadyWhen.ASKED)
    return World(host)


def test_a_table_of_quick_bots_does_not_think() -> None:
    world = friends(2, bots=1)
    world.start()
    assert not world.nodes[0].table.thinks
    world.run(for_s=2)
    assert not any(node.table.thinks for node in world.nodes)


def test_a_lobby_thinks_from_the_deep_bot_on_and_until_it_is_gone() -> None:
    world = waiting()
    world.start()
    table = world.nodes[0].table
    seen = [table.thinks]
    for wish in (BotSeated(None, DEEP - 1), BotSeated(None, DEEP)):
        world.tell(0, wish)
        seen.append(table.thinks)
    lobby = world.nodes[0].view.lobby
    deep = next(seat for seat in lobby.seats if seat.level == DEEP)
    world.tell(0, SeatOpened(deep.colour))
    assert [*seen, table.thinks] == [False, False, True, False]


@pytest.mark.parametrize("own", [False, True])
def test_a_game_with_a_deep_bot_thinks_from_before_the_first_event(*, own: bool) -> None:
    me = person(0, auto=Auto.ALL)
    given = settings(Role.LOCAL, replace(me, auto_level=DEEP) if own else me, bots=[0 if own else DEEP], rules=SHORT)
    world = World(given)
    assert Table(given).thinks
    world.start()
    assert world.nodes[0].table._game is not None
    assert world.nodes[0].table.thinks


def test_a_saved_game_is_played_through_in_a_thread_whoever_sits_there() -> None:
    world = friends(2)
    world.start()
    world.run(for_s=2)
    world.kill(1)
    world.restart(1)
    again = world.nodes[1]
    assert not again.table.thinks
    fresh = Table(again.settings, world.saved(1))
    assert fresh.thinks
