"""Somebody at a full-screen client on a table in memory: sees what is drawn, presses keys, clicks, and time passes."""

from __future__ import annotations

from sorry_lan.rules.profile import PROFILES, Rules
from sorry_lan.table.events import Happening, SeatDecided
from sorry_lan.table.settings import Auto, Role
from sorry_lan.table.view import GameView, Prompt
from sorry_lan.ui.answers import Stay
from sorry_lan.ui.canvas import Zone
from sorry_lan.ui.client import Client
from sorry_lan.ui.full_screen import Key, Shown
from sorry_lan.ui.taste import Taste
from tests.table.build import Node, World, person, settings

SHORT = Rules(pawns=1, pawns_out=1)
STANDARD = PROFILES["standard"]
Size = tuple[int, int]


class Hands:
    """A person at the client of one node; keys come a third of a second apart."""

    def __init__(self, world: World, node: int = 0, taste: Taste | None = None, size: Size = (80, 24)) -> None:
        self.world = world
        self.node = world.nodes[node]
        self.client = Client(taste or Taste())
        self.size = size
        self.done: list[Happening] = []
        self.stay = Stay.ON
        self._told = 0
        world.looks.append(self._look)

    @property
    def now_s(self) -> float:
        return self.world.now_us / 1_000_000

    def see(self) -> Shown:
        return self.client.draw(*self.size, self.now_s)

    def text(self) -> str:
        return self.see().picture.text()

    def press(self, *keys: Key | str, after_s: float = 0.3) -> None:
        for key in keys:
            self.wait(after_s)
            self._do(self.client.typed(key, self.now_s))

    def type(self, text: str) -> None:
        for sign in text:
            self.press(sign, after_s=0.05)

    def paste(self, text: str) -> None:
        """As a terminal without bracketed paste: every key at once."""
        for sign in text:
            self._do(self.client.typed(Key.ENTER if sign == "\n" else sign, self.now_s))

    def click(self, zone: Zone, after_s: float = 0.3) -> None:
        self.wait(after_s)
        self._do(self.client.clicked(zone.x + zone.width // 2, zone.y + zone.height // 2, self.now_s))

    def zone(self, key: str) -> Zone | None:
        return next((zone for zone in reversed(self.see().picture.zones) if zone.key == key), None)

    def zone_of(self, key: str) -> Zone:
        zone = self.zone(key)
        assert zone is not None, self.text()
        return zone

    def wait(self, seconds: float) -> None:
        end_us = self.world.now_us + int(seconds * 1_000_000)
        self.world.run(for_s=seconds)
        self.world.now_us = max(self.world.now_us, end_us)

    def until_asked(self) -> Prompt | None:
        """Let time pass until a question is seen, or the game is over."""
        for _ in range(400):
            self.see()
            question = self.client._screen.question
            if question is not None:
                return question
            if self.game is not None and self.game.winner is not None:
                return None
            self.wait(0.5)
        raise AssertionError("nothing is asked any more")

    @property
    def game(self) -> GameView | None:
        return None if self.node.view is None else self.node.view.game

    @property
    def decided(self) -> list[SeatDecided]:
        return [happening for happening in self.done if isinstance(happening, SeatDecided)]

    def _do(self, answer) -> None:
        self.stay = answer.stay
        for happening in answer.happenings:
            self.done.append(happening)
            self.world.tell(self.node, happening)

    def _look(self, node: Node) -> None:
        if node is self.node and node.view is not None and node.finished is None:
            news, self._told = node.news[self._told :], len(node.news)
            self.client.show(node.view, tuple(news), self.now_s)


def alone(
    taste: Taste | None = None, size: Size = (80, 24), rules: Rules = SHORT, seed: int = 0, bots: int = 1
) -> Hands:
    """One person against bots, at the first card."""
    client = settings(Role.LOCAL, person(0, auto=Auto.NOTHING), seats=1 + bots, bots=[0] * bots, rules=rules)
    hands = Hands(World(client, seed=seed), 0, taste, size)
    hands.world.open(0)
    return hands
