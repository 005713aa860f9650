"""Whole games through the full-screen client: with digits and Enter, with clicks alone, with typed notation."""

from __future__ import annotations

import pytest

from sorry_lan.rules.moves import to_text
from sorry_lan.table.settings import Auto, Role
from sorry_lan.table.view import Ask, Phase, Prompt
from sorry_lan.ui.full_screen import Key
from sorry_lan.ui.taste import Confirm, Pace, Taste
from sorry_lan.ui.texts_prompts import numbered
from tests.table.build import World, person, settings
from tests.ui.hands import SHORT, STANDARD, Hands, alone

QUICK = Taste(pace=Pace.FAST)
SIZES = ((120, 40), (80, 24), (60, 20), (40, 12))


def with_digits(hands: Hands, asked: Prompt) -> None:
    """As somebody plays who knows nothing but digits and Enter: 1 until Enter plays."""
    if asked.ask is Ask.DRAW:
        hands.press(Key.ENTER)
        return
    for _ in range(6):
        hands.press("1", Key.ENTER)
        if hands.client._screen.question is not asked:
            return
        hands.press(Key.ENTER)
        if hands.client._screen.question is not asked:
            return
    raise AssertionError(hands.text())


def with_clicks(hands: Hands, asked: Prompt) -> None:
    """As somebody plays who has no keyboard: the first line of the list until it plays, or the Enter among the keys."""
    for _ in range(8):
        zone = hands.zone("line:0") if asked.ask is Ask.CHOOSE else None
        hands.click(zone or hands.zone_of("enter"))
        if hands.client._screen.question is not asked:
            return


def with_notation(hands: Hands, asked: Prompt) -> None:
    """As somebody plays who types every move."""
    hands.press("/")
    if asked.ask is Ask.DRAW or asked.card is None or hands.game is None:
        hands.type("draw")
    else:
        hands.type(to_text(numbered(asked, hands.game)[-1], hands.game.position, asked.card))
    hands.press(Key.ENTER)
    if hands.client._screen.question is asked:
        hands.press(Key.ENTER)


WAYS = {"digits": with_digits, "clicks": with_clicks, "notation": with_notation}


def play_on(hands: Hands, way: str) -> None:
    while (asked := hands.until_asked()) is not None:
        WAYS[way](hands, asked)
        assert hands.client._screen.question is not asked, hands.text()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("size", SIZES)
def test_a_game_against_a_bot_is_played_to_its_end(way: str, size: tuple[int, int]) -> None:
    hands = alone(QUICK, size, SHORT, seed=SIZES.index(size))
    play_on(hands, way)
    assert hands.game is not None
    assert hands.game.winner is not None
    hands.wait(10)
    assert hands.node.view is not None
    assert hands.node.view.phase is Phase.OVER
    assert "The game is over" in hands.text()


@pytest.mark.parametrize("way", ["digits", "clicks", "notation"])
def test_a_game_of_three_bots_with_all_pawns_is_played_to_its_end(way: str) -> None:
    hands = alone(Taste(pace=Pace.NONE, confirm=Confirm.NEVER), (80, 24), STANDARD, seed=2, bots=3)
    play_on(hands, way)
    assert hands.game is not None
    assert hands.game.winner is not None


def test_two_people_at_two_clients_play_with_every_move_confirmed() -> None:
    world = World(
        settings(Role.HOST, person(0, auto=Auto.NOTHING), seats=2, rules=SHORT),
        settings(Role.JOINER, person(1, auto=Auto.NOTHING)),
    )
    one = Hands(world, 0, Taste(pace=Pace.FAST, confirm=Confirm.ALWAYS), (80, 24))
    two = Hands(world, 1, QUICK, (120, 40))
    world.start()
    world.run(for_s=2)
    for _ in range(400):
        if one.game is not None and one.game.winner is not None:
            break
        for hands in (one, two):
            hands.see()
            asked = hands.client._screen.question
            if asked is not None:
                with_digits(hands, asked)
        one.wait(0.5)
    assert one.game is not None
    assert one.game.winner is not None


def test_two_people_at_one_keyboard_take_turns() -> None:
    people = [person(number, auto=Auto.NOTHING) for number in range(2)]
    hands = Hands(World(settings(Role.LOCAL, *people, seats=2, rules=SHORT)), 0, QUICK)
    hands.world.open(0)
    seats = []
    for _ in range(8):
        asked = hands.until_asked()
        assert asked is not None
        seats.append(asked.seat)
        with_digits(hands, asked)
    assert set(seats) == {0, 1}
