"""What a hosted table tells the network of its lobby and its game, and that nothing of it is secret."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sorry_lan.app.announcing import AnnouncingFace, card_of
from sorry_lan.rules.profile import PROFILES
from sorry_lan.table.events import Happening
from sorry_lan.table.news import News
from sorry_lan.table.notices import CodeUse, Notice, Openness, PortTaken, Program
from sorry_lan.table.view import Phase, View
from tests.ui.every_news import GAME, IN_GAME, IN_LOBBY

OURS = Program(1, 1, "1.0.0", b"\x01\x02\x03\x04")


class Quiet:
    """A face that remembers what it was handed."""

    def __init__(self) -> None:
        self.seen: list[object] = []

    def show(self, view: View, news: tuple[News, ...]) -> None:
        self.seen.append((view, news))

    def notice(self, notice: Notice) -> None:
        self.seen.append(notice)

    async def run(self, tell: Callable[[Happening], None]) -> None:
        self.seen.append(tell)


def test_a_lobby_tells_who_sits_there_and_what_is_free() -> None:
    card = card_of(IN_LOBBY, OURS, CodeUse.NEEDED)
    lobby = IN_LOBBY.lobby
    assert card is not None
    assert lobby is not None
    assert (card.title, card.seats, card.openness) == (lobby.title, len(lobby.seats), Openness.LOBBY)
    assert set(card.people) <= {seat.name for seat in lobby.seats}
    assert card.free == sum(seat.kind == 3 for seat in lobby.seats)


def test_a_game_in_play_has_no_free_seat_and_rules_of_its_own_have_no_name() -> None:
    card = card_of(IN_GAME, OURS, CodeUse.NONE)
    assert card is not None
    assert (card.free, card.openness, card.code) == (0, Openness.PLAY, CodeUse.NONE)
    odd = replace(PROFILES["standard"], pawns=1)
    own = card_of(replace(IN_GAME, game=replace(GAME, rules=odd)), OURS, CodeUse.NONE)
    assert own is not None
    assert own.rules == "own"


def test_without_a_table_there_is_no_card() -> None:
    assert card_of(replace(IN_LOBBY, phase=Phase.CLOSED), OURS, CodeUse.NONE) is None
    assert card_of(replace(IN_LOBBY, lobby=None), OURS, CodeUse.NONE) is None


async def test_the_face_hands_everything_on_and_keeps_the_last_picture() -> None:
    quiet = Quiet()
    face = AnnouncingFace(quiet, OURS, CodeUse.NEEDED)
    assert face.card() is None
    face.show(IN_LOBBY, ())
    face.notice(PortTaken(1, 2))
    await face.run(print)
    assert quiet.seen == [(IN_LOBBY, ()), PortTaken(1, 2), print]
    assert face.card() == card_of(IN_LOBBY, OURS, CodeUse.NEEDED)
