"""Whole games of people at text clients who read lines and type them, and the next game with the same people."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from sorry_lan.table.news import GameStarted
from sorry_lan.table.settings import Auto, ReadyWhen, Role
from sorry_lan.table.view import GameView, Phase
from sorry_lan.ui.plain import PlainSession
from sorry_lan.wire.terms import Option
from tests.table.build import MS, SHORT, Node, World, person, settings

STRICT = Option.NO_HINTS | Option.NO_FREE_CHAT


@dataclass
class Reader:
    """One person: every line is read in its turn, and some are answered."""

    world: World
    node: Node
    session: PlainSession = field(default_factory=PlainSession)
    lines: list[str] = field(default_factory=list)
    heard: int = 0

    def look(self) -> None:
        if self.node.view is None:
            return
        news, self.heard = tuple(self.node.news[self.heard :]), len(self.node.news)
        for line in self.session.picture(self.node.view, news):
            self.lines.append(line)
            typed = answer(line)
            if typed is not None:
                self.world.at(self.world.now_us + MS, lambda typed=typed: self.types(typed))

    def types(self, text: str) -> None:
        done = self.session.typed(text)
        self.lines += [f"> {text}", *done.lines]
        for happening in done.happenings:
            self.world.tell(self.node, happening)


def answer(line: str) -> str | None:
    if line.endswith("Press Enter to draw a card."):
        return ""
    return "1" if line.lstrip().startswith("1  ") else None


def table(people: int, bots: int, options: Option = Option.NONE) -> tuple[World, list[Reader]]:
    host = settings(
        Role.HOST, person(0, auto=Auto.NOTHING), seats=people + bots, bots=[0] * bots, ready=ReadyWhen.ASKED,
        rules=SHORT, options=options,
    )  # fmt: skip
    others = [settings(Role.JOINER, person(n, auto=Auto.NOTHING), ready=ReadyWhen.ASKED) for n in range(1, people)]
    world = World(host, *others)
    readers = [Reader(world, node) for node in world.nodes]
    world.looks.append(lambda node: readers[node.index].look())
    world.start()
    return world, readers


def play(world: World, readers: list[Reader]) -> None:
    for reader in readers:
        reader.types("ready")
    world.run(until=lambda: all(reader.node.view.phase is Phase.OVER for reader in readers))
    world.run(for_s=0.5)


def seats(game: GameView) -> list[tuple[str, int, object, bytes]]:
    return [(seat.name, seat.colour, seat.kind, seat.key) for seat in game.seats]


@pytest.mark.parametrize(
    ("people", "bots", "options"), [(2, 0, STRICT), (3, 0, Option.NONE), (2, 1, STRICT), (4, 0, STRICT)]
)
def test_a_game_is_played_by_lines_and_a_rematch_has_the_same_seats_and_options(people, bots, options):
    world, readers = table(people, bots, options)
    play(world, readers)
    first = [reader.node.view.game for reader in readers]
    for reader in readers:
        assert "Type rematch to play again with the same people, or q to leave." in reader.lines
        assert sum("wins!" in line for line in reader.lines) == 1
        assert not any("\x1b" in line or not line.isprintable() for line in reader.lines)
    readers[-1].types("rematch")
    world.run(for_s=1)
    lobbies = [reader.node.view.lobby for reader in readers]
    assert {lobby.options for lobby in lobbies} == {options}
    assert sum(lobby.hosting for lobby in lobbies) == 1
    assert ("No hints at this table." in readers[0].lines) == (options is not Option.NONE)
    for reader in readers:
        reader.types("ready")
    world.run(until=lambda: all(len(reader.node.told(GameStarted)) == 2 for reader in readers), for_s=30)
    for reader, before in zip(readers, first, strict=True):
        game = reader.node.view.game
        assert (seats(game), game.options, game.rules) == (seats(before), options, before.rules)
        assert game.game_id != before.game_id


def test_at_a_strict_table_phrases_are_heard_and_nothing_else():
    world, (ada, bob) = table(2, 0, STRICT)
    ada.types("say hello")
    ada.types("say 3")
    world.run(for_s=0.2)
    assert [line for line in bob.lines if "says" in line] == ["Bob says: Well played!"]
    assert ada.lines[-2:] == ["> say 3", "Bob says: Well played!"]
