"""How fast the rules are: random games a second for 2 and 4 players, positions a second, one processor, no network.

`python -m benchmarks.engine [--seconds S] [--profile NAME] [--json]`
A turn is: draw from a shuffled deck, list every answer, pick one at random, play it.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
import time
from dataclasses import asdict, dataclass
from random import Random

from sorry_lan.rules import fast
from sorry_lan.rules.board import Colour
from sorry_lan.rules.cards import CARDS, Card, full_deck
from sorry_lan.rules.engine import choices, perft, play
from sorry_lan.rules.position import setup
from sorry_lan.rules.profile import PROFILES, Rules

TURN_LIMIT = 100_000
PERFT_DEPTH = 5


@dataclass(frozen=True)
class Games:
    """Random games of one kind: how many, how long, how fast."""

    engine: str
    players: int
    games: int
    games_per_second: float
    turns_per_second: float
    microseconds_per_turn: float
    median_turns: float


def fast_game(rules: Rules, players: int, rng: Random) -> int:
    """Turns of one random game on the fast core."""
    core = fast.core(rules, tuple(Colour)[:players])
    deck = [int(card) for card, count in zip(CARDS, full_deck(rules), strict=True) for _ in range(count)]
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
    deck = [card for card, count in zip(CARDS, full_deck(rules), strict=True) for _ in range(count)]
    position = setup(rules, tuple(Colour)[:players], 0)
    pile: list[Card] = []
    for turn in range(TURN_LIMIT):
        if position.winner is not None:
            return turn
        if not pile:
            pile = deck[:]
            rng.shuffle(pile)
        card = pile.pop()
        position = play(position, rules, card, rng.choice(choices(position, rules, card)))
    raise SystemExit(f"a game of {TURN_LIMIT} turns: something is wrong")


ENGINES = {"fast": fast_game, "readable": readable_game}


def measure_games(engine: str, rules: Rules, players: int, seconds: float) -> Games:
    rng = Random(players)
    one_game = ENGINES[engine]
    one_game(rules, players, rng)
    turns: list[int] = []
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        turns.append(one_game(rules, players, rng))
    total = sum(turns)
    return Games(
        engine,
        players,
        len(turns),
        round(len(turns) / spent, 1),
        round(total / spent),
        round(spent / total * 1e6, 2),
        statistics.median(turns),
    )


def measure_positions(rules: Rules) -> dict[str, float]:
    """Lines counted by perft from the opening of two players; equal positions at one depth are entered once."""
    opening = setup(rules, (Colour.RED, Colour.YELLOW), 0)
    began = time.perf_counter()
    lines = perft(opening, rules, PERFT_DEPTH)
    spent = time.perf_counter() - began
    return {"depth": PERFT_DEPTH, "lines": lines, "seconds": round(spent, 3), "lines_per_second": round(lines / spent)}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description="Speed of the rules.")
    parser.add_argument("--seconds", type=float, default=3.0, help="time for each line (default 3)")
    parser.add_argument("--profile", choices=list(PROFILES), default="standard")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    args = parser.parse_args()
    rules = PROFILES[args.profile]
    games = [measure_games(engine, rules, players, args.seconds) for engine in ENGINES for players in (2, 4)]
    positions = measure_positions(rules)
    if args.json:
        doc = {
            "profile": args.profile,
            "python": platform.python_version(),
            "games": [asdict(each) for each in games],
            "positions": positions,
        }
        print(json.dumps(doc))
        return 0
    print(f"profile {args.profile}, Python {platform.python_version()}")
    for each in games:
        print(
            f"  {each.engine:<9}{each.players} players  {each.games_per_second:9.1f} games/s"
            f"  {each.microseconds_per_turn:6.2f} us a turn  {each.turns_per_second:8.0f} turns/s"
            f"  median {each.median_turns:.0f} turns"
        )
    print(f"  perft {PERFT_DEPTH}: {positions['lines']} lines, {positions['lines_per_second']} a second")
    return 0


if __name__ == "__main__":
    sys.exit(main())
