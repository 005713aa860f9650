"""How fast the rules are, beside the package `apologies` in the same run where that is installed.

`python -m benchmarks.engine [--seconds S] [--rounds N] [--profile NAME] [--json]`

Random games of 2 and 4 players (draw, choose one of all legal answers, play it), legal moves of the same positions and
cards, and the memory that a game takes. All times are the processor's, one processor, no network; the two take turns.
Exit code 0: measured, without the package ours alone; 1: a ratio is below its aim; 2: a wrong option.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from random import Random

from benchmarks.apologies_bot import NoPackage, TheirBot, package
from benchmarks.machine import machine, machine_line
from sorry_lan.arena.match import Entrant, Match
from sorry_lan.rules import fast
from sorry_lan.rules.board import Colour
from sorry_lan.rules.cards import CARDS, Card, full_deck
from sorry_lan.rules.engine import choices, legal_moves, perft, play
from sorry_lan.rules.position import Position, setup
from sorry_lan.rules.profile import PROFILES, Rules

TURN_LIMIT = 100_000
PERFT_DEPTH = 6
PAIRS = 3000
COLOURS = {2: (Colour.RED, Colour.YELLOW), 4: tuple(Colour)}
"""Two players sit opposite each other, as the package seats them."""

AIMS = {"games, 2 players": 1000, "games, 4 players": 2500, "legal moves": 10}
"""How many times as fast as the package; what is compared is the line that it is named for."""

OURS = {
    "playouts": "random games on lists that change in place (fast.Playouts)",
    "core": "every answer listed, one chosen and played (fast.Core)",
    "readable": "the same on positions and moves, each move checked (engine.choices, engine.play)",
}


class Theirs:
    """The package as it is; NoPackage."""

    def __init__(self, rules: Rules) -> None:
        package()
        from apologies import engine, source  # noqa: PLC0415 - package() says whether it is there

        self.version = version("apologies")
        self._engine, self._source = engine, source
        self.seen_as = {
            colours: TheirBot(Match((Entrant("theirs", None),) * len(colours), rules, colours, 0), "random")
            for colours in COLOURS.values()
        }

    def random_game(self, players: int, seed: int) -> int:
        """Cards drawn in one whole game of its random players."""
        random.seed(seed)  # its deck and its players draw from there
        characters = [self._engine.Character(str(seat), self._source.RandomInputSource()) for seat in range(players)]
        running = self._engine.Engine(mode=self._engine.GameMode.STANDARD, characters=characters)
        running.start_game()
        while not running.completed:
            running.play_next()
        return sum(player.turns for player in running.game.players.values())


@dataclass
class Rate:
    """How much of something was done in which time.

    Attributes:
        who: an engine of OURS, or "apologies".
        count: games, or positions with a card.
        seconds: of the processor.
        turns: cards drawn in each game.
    """

    who: str
    count: int = 0
    seconds: float = 0.0
    turns: list[int] = field(default_factory=list)

    @property
    def per_second(self) -> float:
        return self.count / self.seconds

    @contextmanager
    def timing(self, count: int) -> Iterator[None]:
        """Count so many more, and the processor's time until the end of the block."""
        began = time.process_time()
        yield
        self.seconds += time.process_time() - began
        self.count += count

    def as_json(self) -> dict[str, object]:
        doc: dict[str, object] = {"who": self.who, "count": self.count, "per_second": round(self.per_second, 3)}
        if self.turns:
            doc["microseconds_per_turn"] = round(self.seconds / sum(self.turns) * 1e6, 3)
            doc["mean_turns"] = round(statistics.mean(self.turns), 1)
        return doc


def deck_of(rules: Rules) -> list[int]:
    return [int(card) for card, count in zip(CARDS, full_deck(rules), strict=True) for _ in range(count)]


@cache
def playouts_of(core: fast.Core) -> fast.Playouts:
    return fast.Playouts(core)


def playouts(rules: Rules, players: int, rng: Random) -> int:
    """Turns of one random game that lists nothing."""
    core = fast.core(rules, COLOURS[players])
    pile = deck_of(rules)
    numbers = iter(partial(rng.getrandbits, 32), None)
    return playouts_of(core).run(core.opening, 0, pile, len(pile), numbers)[3]


def core_game(rules: Rules, players: int, rng: Random) -> int:
    """Turns of one random game on the fast core."""
    core = fast.core(rules, COLOURS[players])
    deck = deck_of(rules)
    cells, seat, winner = core.opening, 0, fast.NO_WINNER
    pile: list[int] = []
    pick = rng.random
    for turn in range(TURN_LIMIT):
        if winner != fast.NO_WINNER:
            return turn
        if not pile:
            pile = deck[:]
            rng.shuffle(pile)
        card = pile.pop()
        answers = core.choices(cells, seat, card)
        cells, seat, winner = core.step(cells, seat, card, answers[int(pick() * len(answers))])
    raise SystemExit(f"a game of {TURN_LIMIT} turns: something is wrong")


def readable_game(rules: Rules, players: int, rng: Random) -> int:
    """Turns of one random game on the readable surface, which checks every move."""
    position = setup(rules, COLOURS[players], 0)
    pile: list[Card] = []
    for turn in range(TURN_LIMIT):
        if position.winner is not None:
            return turn
        if not pile:
            pile = [Card(code) for code in deck_of(rules)]
            rng.shuffle(pile)
        card = pile.pop()
        position = play(position, rules, card, rng.choice(choices(position, rules, card)))
    raise SystemExit(f"a game of {TURN_LIMIT} turns: something is wrong")


GAMES: dict[str, Callable[[Rules, int, Random], int]] = {
    "playouts": playouts,
    "core": core_game,
    "readable": readable_game,
}


def measure_games(rules: Rules, players: int, options: argparse.Namespace, theirs: Theirs | None) -> list[Rate]:
    """Random games of all engines, a slice of each in turn; of the package one game a slice, for it takes long."""
    rates = [Rate(who) for who in GAMES]
    rngs = [Random(f"{who} {players}") for who in GAMES]
    for rate, rng in zip(rates, rngs, strict=True):
        GAMES[rate.who](rules, players, rng)  # tables are built once
    other = Rate("apologies")
    for slice_ in range(options.rounds):
        for rate, rng in zip(rates, rngs, strict=True):
            until = rate.seconds + options.seconds / options.rounds
            while rate.seconds < until:
                with rate.timing(1):
                    rate.turns.append(GAMES[rate.who](rules, players, rng))
        if theirs is not None:
            with other.timing(1):
                other.turns.append(theirs.random_game(players, slice_))
    return [*rates, other] if theirs is not None else rates


def sample(rules: Rules, count: int) -> list[tuple[Position, Card]]:
    """Positions of random games of 2 and of 4 players, each with a card."""
    rng = Random("positions")
    found: list[tuple[Position, Card]] = []
    while len(found) < count:
        position = setup(rules, COLOURS[2 if len(found) < count / 2 else 4], 0)
        while position.winner is None:
            card = rng.choice(CARDS)
            found.append((position, card))
            position = play(position, rules, card, rng.choice(choices(position, rules, card)))
    rng.shuffle(found)
    return found[:count]


def measure_lists(rules: Rules, options: argparse.Namespace, theirs: Theirs | None) -> tuple[list[Rate], float]:
    """Lists of legal moves by all engines, and the share of pairs on which the package's lead to the same ends."""
    pairs = sample(rules, PAIRS)
    asked = [
        (fast.core(rules, position.colours), fast.flatten(position.pawns), position.turn, int(card))
        for position, card in pairs
    ]
    # What the package wants to see is made beforehand: only its list is timed.
    bots = [theirs.seen_as[core.colours] for core, *_ in asked] if theirs is not None else []
    views = [
        (bot.listed, bot.view(cells, seat), card)
        for bot, (_, cells, seat, _), (_, card) in zip(bots, asked, pairs, strict=False)
    ]
    core_rate, readable, other = Rate("core"), Rate("readable"), Rate("apologies")
    for _ in range(options.rounds):
        with core_rate.timing(len(asked)):
            for core, cells, seat, code in asked:
                core.choices(cells, seat, code)
        with readable.timing(len(pairs)):
            for position, card in pairs:
                legal_moves(position, rules, card)
        with other.timing(len(views)):
            for listed, view, card in views:
                listed(view, card)
    if theirs is None:
        return [core_rate, readable], 0.0
    same = 0
    for bot, (core, cells, seat, code), (listed, view, card) in zip(bots, asked, views, strict=True):
        ends = {core.sorted_rows(bot.after(cells, move)) for move in listed(view, card) if move.actions}
        same += ends == set(core.results(cells, seat, code))
    return [core_rate, readable, other], same / len(pairs)


def peak(work: Callable[[], object]) -> int:
    """KiB of Python's memory that the work took at most."""
    tracemalloc.start()
    work()
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return round(taken / 1024)


def measure_memory(rules: Rules, theirs: Theirs | None) -> dict[str, int]:
    """KiB at most: of our tables for four seats, and of one game of two by each engine."""
    fast.core.cache_clear()
    taken = {"tables": peak(lambda: fast.Playouts(fast.core(rules, COLOURS[4])))}
    for who, game in GAMES.items():
        taken[who] = peak(partial(game, rules, 2, Random(1)))
    if theirs is not None:
        taken["apologies"] = peak(partial(theirs.random_game, 2, 1))
    return taken


def measure_perft(rules: Rules) -> dict[str, float]:
    """Lines counted by perft from the opening of two players; equal positions at one depth are entered once."""
    opening = setup(rules, COLOURS[2], 0)
    began = time.process_time()
    lines = perft(opening, rules, PERFT_DEPTH)
    spent = time.process_time() - began
    return {"depth": PERFT_DEPTH, "lines": lines, "seconds": round(spent, 3), "lines_per_second": round(lines / spent)}


def ratios(rates: dict[str, list[Rate]]) -> dict[str, dict[str, float]]:
    """By what was measured and engine of ours how many times as fast as the package it is."""
    found: dict[str, dict[str, float]] = {}
    for what, lines in rates.items():
        other = next((rate for rate in lines if rate.who == "apologies"), None)
        if other is not None:
            found[what] = {
                rate.who: round(rate.per_second / other.per_second, 1) for rate in lines if rate is not other
            }
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.engine",
        description="Speed of the rules.",
        epilog="Exit code 0: measured, without the package ours alone; 1: a ratio is below its aim; 2: a wrong option.",
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="processor time for each of our lines (default 3)")
    parser.add_argument("--rounds", type=int, default=3, help="slices, and games of the package a line (default 3)")
    parser.add_argument("--profile", choices=list(PROFILES), default="classic", help="the package plays near classic")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    options = parser.parse_args(arguments)
    if options.rounds < 1 or options.seconds <= 0:
        parser.error("--rounds and --seconds are more than 0.")
    rules = PROFILES[options.profile]
    try:
        theirs = Theirs(rules)
    except NoPackage as missing:
        theirs = None
        print(f"{missing}; only our engine is measured.", file=sys.stderr)
    rates = {f"games, {players} players": measure_games(rules, players, options, theirs) for players in COLOURS}
    rates["legal moves"], same = measure_lists(rules, options, theirs)
    times = ratios(rates)
    missed = [what for what, by in times.items() if by[rates[what][0].who] < AIMS[what]]
    memory = measure_memory(rules, theirs)
    counted = measure_perft(rules)
    if options.json:
        doc = {
            "machine": machine(Path.cwd()),
            "profile": options.profile,
            "apologies": theirs.version if theirs else None,
            **{what: [rate.as_json() for rate in lines] for what, lines in rates.items()},
            "same_ends": round(same, 4) if theirs else None,
            "memory_kib": memory,
            "perft": counted,
            "ratios": times,
            "aims": AIMS,
            "missed": missed,
        }
        print(json.dumps(doc))
    else:
        print(machine_line(Path.cwd()))
        print(f"profile {options.profile}; {f'apologies {theirs.version}' if theirs else 'without apologies'}")
        for what, lines in rates.items():
            for rate in lines:
                print_rate(what, rate, times.get(what, {}))
        if theirs:
            print(f"  the same ends of all legal moves on {same:.1%} of {PAIRS} positions with a card")
        print("  memory at most: " + ", ".join(f"{who} {kib} KiB" for who, kib in memory.items()))
        print(f"  perft {PERFT_DEPTH}: {counted['lines']} lines, {counted['lines_per_second']} a second")
        for what in missed:
            print(f"  {what}: below the aim of {AIMS[what]} times")
    return 1 if missed else 0


def print_rate(what: str, rate: Rate, times: dict[str, float]) -> None:
    doc = asdict(rate) | rate.as_json()
    line = f"  {what:<17}{rate.who:<10}{rate.per_second:12,.2f} /s"
    if rate.turns:
        line += f"  {doc['microseconds_per_turn']:12,.2f} us a turn  {doc['mean_turns']:6} turns"
    if rate.who in times:
        line += f"  {times[rate.who]:10,.0f} times"
    print(line)


if __name__ == "__main__":
    sys.exit(main())
