"""A full-screen client without a table: pictures are handed to it, what it wants is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sorry_lan.rules.cards import Card
from sorry_lan.table.events import Happening
from sorry_lan.table.news import News
from sorry_lan.table.view import GameView, View
from sorry_lan.ui.answers import Answer
from sorry_lan.ui.canvas import Zone
from sorry_lan.ui.client import Client
from sorry_lan.ui.full_screen import Key, Shown
from sorry_lan.ui.screen_state import State
from sorry_lan.ui.taste import Pace, Taste
from tests.ui.build import at, choose, draw, game, view

STILL = Taste(pace=Pace.NONE)


class Desk:
    """A client and a clock: each key comes a second after what was before."""

    def __init__(self, taste: Taste = STILL, size: tuple[int, int] = (80, 24)) -> None:
        self.client = Client(taste)
        self.size = size
        self.now_s = 100.0
        self.last = Answer()

    def show(self, picture: View, *news: News, after_s: float = 1.0) -> Desk:
        self.now_s += after_s
        self.client.show(picture, news, self.now_s)
        return self

    def press(self, *keys: Key | str, after_s: float = 1.0) -> tuple[Happening, ...]:
        """What all these keys asked of the table."""
        asked: list[Happening] = []
        for key in keys:
            self.now_s += after_s
            self.last = self.client.typed(key, self.now_s)
            asked += self.last.happenings
        return tuple(asked)

    def type(self, text: str) -> tuple[Happening, ...]:
        return self.press(*text, after_s=0.1)

    def line(self, text: str) -> tuple[Happening, ...]:
        """A command, typed and entered."""
        return self.press("/", *text, Key.ENTER, after_s=0.3)

    def see(self, after_s: float = 0.0) -> Shown:
        self.now_s += after_s
        return self.client.draw(*self.size, self.now_s)

    def text(self, after_s: float = 0.0) -> str:
        return self.see(after_s).picture.text()

    def zone(self, key: str) -> Zone:
        return next(zone for zone in reversed(self.see().picture.zones) if zone.key == key)

    def click(self, key: str, after_s: float = 1.0) -> tuple[Happening, ...]:
        """A click into the middle of the zone of this key."""
        zone = self.zone(key)
        self.now_s += after_s
        return self.client.clicked(zone.x + zone.width // 2, zone.y + zone.height // 2, self.now_s).happenings

    @property
    def state(self) -> State:
        return self.client._screen.state

    @property
    def input(self) -> str:
        """The row above the keys."""
        return self.text().splitlines()[-2].rstrip()


def asked(card: Card, rows: Sequence[Sequence[int]], taste: Taste = STILL, of: GameView | None = None) -> Desk:
    """Ada has drawn this card, with red's and blue's pawns at these locations."""
    return Desk(taste).show(choose(at(of or game(), rows), card))


def to_draw(taste: Taste = STILL) -> Desk:
    """It is Ada's turn."""
    return Desk(taste).show(draw(game()))


def watching(taste: Taste = STILL, of: GameView | None = None) -> Desk:
    """It is Bob's turn."""
    before = of or game()
    return Desk(taste).show(view(replace(before, position=replace(before.position, turn=1))))
