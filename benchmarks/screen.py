"""What drawing a frame of the full screen costs the processor, at each size and for each page, in a game of four.

`python -m benchmarks.screen [--turns N] [--json]`
Every frame is drawn whole, as after each key; beside it stands filling a canvas of that size with one letter.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.machine import machine, machine_line
from sorry_lan.rules.board import Colour
from sorry_lan.rules.cards import CARDS, full_deck
from sorry_lan.rules.effects import effects_of
from sorry_lan.rules.engine import choices, play
from sorry_lan.rules.position import setup
from sorry_lan.rules.profile import PROFILES
from sorry_lan.table.news import CardDrawn, GameStarted, News, Played
from sorry_lan.table.view import Ask, FirstBy, GameView, Phase, Presence, Prompt, SeatView, View
from sorry_lan.ui.canvas import Canvas
from sorry_lan.ui.client import Client
from sorry_lan.ui.full_screen import Key
from sorry_lan.ui.taste import Pace, Taste
from sorry_lan.wire.terms import Option, SeatKind

MOST_MS: Final = 10.0
SIZES: Final = ((120, 40), (80, 24), (60, 20), (40, 12))
PAGES: Final = {"game": "", "picked": "1", "why": "?", "fairness": "f", "deck": "d", "help": "h"}
NAMES: Final = ("Ada", "Bob", "Chloe", "Hal")


def views(turns: int) -> Iterator[tuple[View, tuple[News, ...]]]:
    """Every seat's questions of a game, all of them as if asked here, with the news before them."""
    rng = Random("a screen")
    rules = PROFILES["classic"]
    position = setup(rules, list(Colour), 0)
    seats = tuple(
        SeatView(n, SeatKind.HUMAN, n, name, 0, bytes(32), 0 if n == 0 else None, Presence.LINKED, None, owes=False)
        for n, name in enumerate(NAMES)
    )
    game = GameView(
        bytes(32), "Ada's table", rules, Option.NONE, seats, 1, 1, position, full_deck(rules), None,
        ("maple", "otter", "tulip"), 0, FirstBy.LOT, None, (), 0,
    )  # fmt: skip
    news: tuple[News, ...] = (GameStarted(game.game_id),)
    for k in range(1, turns + 1):
        card = rng.choice(CARDS)
        found = choices(position, rules, card)
        game = replace(game, k=k, turn_number=k, position=position)
        drawn = CardDrawn(k, position.turn, card, (0, 1, 2, 3), 44 - k % 45, reshuffled=False)
        yield View(Phase.MOVE, None, game, (Prompt(position.turn, k, Ask.CHOOSE, card, found),)), (*news, drawn)
        move = rng.choice(found)
        after = play(position, rules, card, move)
        effects = effects_of(position, rules, card, move)
        news = (Played(k, position.turn, card, move, effects, position, after, forced=False),)
        position = after if after.winner is None else setup(rules, list(Colour), 0)


def frames(size: tuple[int, int], page: str, turns: int, pace: Pace) -> list[float]:
    """The processor time of each frame, in ms."""
    client, now_s, times = Client(Taste(pace=pace)), 1.0, []
    for view, news in views(turns):
        client.show(view, news, now_s)
        for key in (Key.ESCAPE, *PAGES[page]) if pace is Pace.NONE else ():
            now_s += 1
            client.typed(key, now_s)
        for _ in range(1 if pace is Pace.NONE else 4):
            now_s += 0.3
            began = time.thread_time()
            client.draw(*size, now_s)
            times.append((time.thread_time() - began) * 1000)
    return times


def filling(size: tuple[int, int], rounds: int) -> list[float]:
    """The processor time of a canvas of this size full of one letter, in ms."""
    times = []
    for _ in range(rounds):
        began = time.thread_time()
        canvas = Canvas(*size)
        for row in range(size[1]):
            canvas.put(0, row, "x" * size[0])
        canvas.picture()
        times.append((time.thread_time() - began) * 1000)
    return times


def measure(turns: int) -> dict[str, dict[str, float]]:
    """Medians in ms by size and page."""
    found: dict[str, dict[str, float]] = {}
    for size in SIZES:
        row = {"full of x": statistics.median(filling(size, turns))}
        row |= {page: statistics.median(frames(size, page, turns, Pace.NONE)) for page in PAGES}
        row["film"] = statistics.median(frames(size, "game", turns, Pace.NORMAL))
        found[f"{size[0]}x{size[1]}"] = {name: round(ms, 2) for name, ms in row.items()}
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.screen", description="Processor time to draw a frame.")
    parser.add_argument("--turns", type=int, default=150)
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    args = parser.parse_args()
    medians = measure(args.turns)
    folder = Path(tempfile.gettempdir())
    if args.json:
        print(json.dumps({"machine": machine(folder), "ms": medians}))
        return 0
    print(machine_line(folder))
    columns = list(next(iter(medians.values())))
    print(f"{'median ms':10}" + "".join(f"{name:>11}" for name in columns))
    for size, row in medians.items():
        print(f"{size:10}" + "".join(f"{row[name]:11.2f}" for name in columns))
    print(f"aim: at most {MOST_MS} everywhere")
    return 0


if __name__ == "__main__":
    sys.exit(main())
