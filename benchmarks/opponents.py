"""Our bots against those of the package `apologies`, over the same cards with the seats swapped.

`python -m benchmarks.opponents [BOT...] [--theirs reward|random] [--players N] [--games N] [--profile NAME] [--json]`
One of our bots sits among players of theirs. The package plays four pawns and one set of rules; `agreed` is the profile
classic with the three switches turned to what the package does: an unplayable 2 ends the turn, an 11 is never declined,
both pawns of a swap may slide. It is installed by the extra `benchmark`, and needed by nothing else.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path

from benchmarks.apologies_bot import BOTS, NoPackage, TheirBot, package
from benchmarks.machine import machine, machine_line
from sorry_lan.arena.match import Entrant, Match, decider, play_with
from sorry_lan.arena.scores import Confidence, Scores, no_scores, scores_of
from sorry_lan.cli.arguments import LEVELS
from sorry_lan.rules.board import Colour
from sorry_lan.rules.profile import PROFILES, ElevenPass, SwapSlide, TwoDrawsAgain

OURS = ("random", *LEVELS)
RULES = {
    "agreed": replace(
        PROFILES["classic"],
        two_draws_again=TwoDrawsAgain.IF_MOVED,
        eleven_pass=ElevenPass.NEVER,
        swap_slide=SwapSlide.BOTH,
    ),
    "classic": PROFILES["classic"],
}
COLOURS = {
    2: (Colour.RED, Colour.YELLOW),
    3: (Colour.RED, Colour.BLUE, Colour.YELLOW),
    4: tuple(Colour),
}
"""Two players sit opposite each other, as the package seats them."""
CHUNK_GAMES = 40


@dataclass(frozen=True)
class Part:
    """What one process is to play: deals first..first+count-1 of a match with `theirs` in the second place."""

    match: Match
    theirs: str
    first: int
    count: int


@dataclass(frozen=True)
class Played:
    """The scores of a part; how often the package's bot was asked, and met other rules than ours."""

    scores: Scores
    asked: int
    differing: int


@dataclass(frozen=True)
class Figure:
    """One of our bots among those of the package."""

    ours: str
    theirs: str
    players: int
    profile: str
    games: int
    deals: int
    wins: int
    share: float
    low: float
    high: float
    confidence: int
    seats: dict[str, float]
    asked: int
    other_rules: float
    seed: int
    seconds: float


@lru_cache(maxsize=1)
def their_bot(match: Match, name: str) -> TheirBot:
    return TheirBot(match, name)


def play(part: Part) -> Played:
    """Play a part in this process."""
    bot = their_bot(part.match, part.theirs)
    asked, differing = bot.asked, bot.differing
    us, _them = part.match.kinds()
    scores = no_scores(part.match)
    for number in range(part.first, part.first + part.count):
        results = play_with(part.match, number, [decider(us, part.match), bot])
        scores = scores.plus(scores_of(part.match, results))
    return Played(scores, bot.asked - asked, bot.differing - differing)


def parts(match: Match, theirs: str, deals: int) -> Iterator[Part]:
    size = max(1, CHUNK_GAMES // len(match.line_ups()))
    for first in range(0, deals, size):
        yield Part(match, theirs, first, min(size, deals - first))


def measure(ours: str, args: argparse.Namespace) -> Figure:
    level = None if ours == "random" else LEVELS.index(ours)
    entrants = (Entrant(ours, level), *(Entrant(f"their {args.theirs}", None),) * (args.players - 1))
    match = Match(entrants, RULES[args.profile], COLOURS[args.players], args.seed)
    deals = -(-args.games // len(match.line_ups()))
    scores, asked, differing = no_scores(match), 0, 0
    began = time.perf_counter()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(args.jobs, context, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        waiting = [pool.submit(play, part) for part in parts(match, args.theirs, deals)]
        try:
            for done in as_completed(waiting):
                played = done.result()
                scores = scores.plus(played.scores)
                asked, differing = asked + played.asked, differing + played.differing
                if sys.stderr.isatty():
                    print(f"\r{ours}: {scores.games} of {deals * len(match.line_ups())} games", end="", file=sys.stderr)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    if sys.stderr.isatty():
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    confidence = Confidence(args.confidence)
    rate = scores.rate(scores.kinds[0], confidence)
    return Figure(
        ours,
        args.theirs,
        args.players,
        args.profile,
        scores.games,
        scores.deals,
        rate.wins,
        round(rate.share, 4),
        round(rate.low, 4),
        round(rate.high, 4),
        int(confidence),
        {
            colour.label: round(wins.total / scores.games, 4)
            for colour, wins in zip(match.colours, scores.seats, strict=True)
        },
        asked,
        round(differing / asked, 4) if asked else 0.0,
        args.seed,
        round(time.perf_counter() - began, 1),
    )


def line(figure: Figure) -> str:
    at_table = "1 of theirs" if figure.players == 2 else f"{figure.players - 1} of theirs"
    seats = ", ".join(f"{colour} {100 * share:.1f} %" for colour, share in figure.seats.items())
    return (
        f"{figure.ours:<7} against {at_table} ({figure.theirs}), {figure.profile}: {100 * figure.share:.1f} % "
        f"({100 * figure.low:.1f} to {100 * figure.high:.1f} at {figure.confidence} %) of {figure.games} games "
        f"(even: {100 / figure.players:.0f} %); seats {seats}; "
        f"other rules in {100 * figure.other_rules:.2f} % of their turns; {figure.seconds:.0f} s"
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.opponents", description="Our bots against theirs.")
    parser.add_argument("bots", nargs="*", metavar="BOT", help=f"ours, of {', '.join(OURS)} (default: all levels)")
    parser.add_argument("--theirs", choices=list(BOTS), default="reward", help="theirs (default reward)")
    parser.add_argument("--players", type=int, choices=sorted(COLOURS), default=2)
    parser.add_argument("--games", type=int, default=4000, help="rounded up to whole deals (default 4000)")
    parser.add_argument("--profile", choices=list(RULES), default="agreed")
    parser.add_argument("--confidence", type=int, choices=[int(each) for each in Confidence], default=95)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    args = parser.parse_args()
    unknown = [bot for bot in args.bots if bot not in OURS]
    if unknown:
        parser.error(f"there is no bot {unknown[0]}; there are {', '.join(OURS)}")
    if args.games < 1 or args.jobs < 1 or not 0 <= args.seed < 1 << 32:
        parser.error("--games and --jobs are at least 1, and --seed is below 4294967296")
    return args


def main() -> int:
    args = arguments()
    try:
        package()
    except NoPackage as wrong:
        print(wrong, file=sys.stderr)
        return 3
    try:
        figures = [measure(ours, args) for ours in args.bots or LEVELS]
    except KeyboardInterrupt:
        return 130
    if args.json:
        print(json.dumps({**machine(Path.cwd()), "figures": [asdict(figure) for figure in figures]}))
        return 0
    print(machine_line(Path.cwd()))
    for figure in figures:
        print("  " + line(figure))
    return 0


if __name__ == "__main__":
    sys.exit(main())
