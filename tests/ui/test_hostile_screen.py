"""What peers say and call themselves and their table, on the whole screen: no control byte, no row of another width."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.rules.cards import Card
from sorry_lan.table.news import Said
from sorry_lan.ui.shown import cells
from tests.ui.build import choose, game, in_lobby, lobby, lobby_seat, seat
from tests.ui.desk import Desk
from tests.ui.hostile import HOSTILE
from tests.ui.pages import SIZES


def harmless(desk: Desk) -> None:
    for size in SIZES:
        desk.size = size
        shown = desk.see()
        assert shown.title.isprintable()
        assert len(shown.picture.rows) == size[1]
        for row in shown.picture.rows:
            text = "".join(part for _ink, part in row)
            assert text.isprintable()
            assert cells(text) <= size[0]


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_talk_names_and_titles_leave_the_screen_of_a_game_intact(words: str) -> None:
    now = replace(game((seat(0, 0), seat(1, None, words))), title=words)
    desk = Desk().show(choose(now, Card.ONE), Said(words, 1, words))
    harmless(desk)
    desk.press("x")
    harmless(desk)


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_talk_names_and_titles_leave_the_lobby_intact(words: str) -> None:
    now = replace(lobby((lobby_seat(0, "Ada", person=0), lobby_seat(1, words))), title=words)
    harmless(Desk().show(in_lobby(now), Said(words, 1, words)))
