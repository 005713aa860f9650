"""Engine against referee over many games: plays, visits every position once, asks about all eleven cards there.

`python -m tests.sim.agreement --all --pairs 200000 --jobs 2` prints a line a variant and a smallest case a quarrel.
Exit code 0 only if the two agree everywhere. Neither the pawns' numbers nor the way there make a pair new.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import partial

from sorry_lan.rules import cards, engine
from sorry_lan.rules.board import Colour
from sorry_lan.rules.moves import Move, to_action
from sorry_lan.rules.position import Position, canonical, setup
from tests.sim import referee, referee_game
from tests.sim.compare import board_of, described, differences, refusal, unsound
from tests.sim.placements import placed
from tests.sim.variants import PROFILES, Variant, by_profile, by_switch, mixture, single_switches

KINDS = ("pass", "leave", "forward", "backward", "split", "swap", "sorry")
QUARRELS_SHOWN = 3
GAME_LIMIT = 3000


@dataclass(frozen=True)
class Size:
    """How much one variant is to be compared: distinct pairs, `placed` of them from random set-ups."""

    reachable: int
    placed: int
    seed: int


@dataclass
class Report:
    """What one variant showed."""

    name: str
    reachable: int = 0
    placed: int = 0
    games: int = 0
    wins: int = 0
    seconds: float = 0.0
    played: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    quarrels: int = 0
    cases: list[dict[str, object]] = field(default_factory=list)


class Comparison:
    """The walk through one variant: which positions have been seen, and what came of them."""

    def __init__(self, variant: Variant, seed: int) -> None:
        self.variant = variant
        self.report = Report(variant.name)
        self._rng = random.Random(f"{variant.name} {seed}")
        self._seen: set[Position] = set()
        self._shown: Counter[str] = Counter()

    def pairs_of_new(self, position: Position) -> int:
        """Compare all cards here unless this position has been visited; how many pairs that were."""
        known = canonical(position)
        if known in self._seen:
            return 0
        self._seen.add(known)
        objections = unsound(self.variant, position)
        if objections:
            self.quarrel({"positions": board_of(position), "card": "before the card", "differences": objections})
        for card in referee.CARDS:
            found = differences(self.variant, position, card)
            if found:
                self.report.quarrels += 1
                self._show(found[0].question.partition("(")[0], position, card)
        return len(referee.CARDS)

    def quarrel(self, case: dict[str, object]) -> None:
        """Count a disagreement that is not about a card."""
        self.report.quarrels += 1
        self.report.cases.append({"rules": self.variant.name} | case)

    def _show(self, kind: str, position: Position, card: int) -> None:
        """Keep a few smallest cases of each kind of quarrel."""
        self._shown[kind] += 1
        if self._shown[kind] <= QUARRELS_SHOWN:
            case = described(self.variant, position, card)
            if case not in self.report.cases:
                self.report.cases.append(case)

    def walk(self, position: Position, limit: int) -> Iterator[Position]:
        """The positions of a random game from here on, with a real deck, at most `limit`; the won one is checked."""
        pile: list[cards.Card] = []
        for _ in range(limit):
            yield position
            if not pile:
                pile = self._deck()
            card = pile.pop()
            move = self._chosen(position, card)
            position = engine.play(position, self.variant.engine, card, move)
            self.report.played[KINDS[to_action(move)[0] if to_action(move) else 0]] += 1
            if position.winner is not None:
                self.report.wins += 1
                self._check_end(position)
                return

    def opening(self) -> Position:
        """A new game of 2, 3 or 4 random colours; in one game of four some seats are stand-ins."""
        colours, barred = self._table()
        return setup_barred(self.variant, colours, self._rng.randrange(len(colours)), barred)

    def set_up(self) -> Position:
        """A random valid position."""
        colours, barred = self._table()
        return placed(self._rng, self.variant.referee.pawns, colours, barred)

    def _table(self) -> tuple[tuple[Colour, ...], int]:
        seats = self._rng.choice((2, 3, 4))
        colours = tuple(sorted(self._rng.sample(list(Colour), seats)))
        barred = self._rng.randrange(1, (1 << seats) - 1) if self._rng.random() < 0.25 else 0
        return colours, barred

    def _deck(self) -> list[cards.Card]:
        counts = zip(cards.CARDS, cards.full_deck(self.variant.engine), strict=True)
        deck = [card for card, count in counts for _ in range(count)]
        self._rng.shuffle(deck)
        return deck

    def _chosen(self, position: Position, card: cards.Card) -> Move:
        results = engine.merged(position, self.variant.engine, card)
        options = [self._rng.choice(result.moves) for result in results]
        options += [move for move in engine.choices(position, self.variant.engine, card)[:1] if not to_action(move)]
        return self._rng.choice(options)

    def _check_end(self, position: Position) -> None:
        ask = partial(engine.legal_moves, position, self.variant.engine, cards.Card.ONE)
        if refusal(ask) != "GameOver":
            self.report.quarrels += 1
            self.report.cases.append(
                {"rules": self.variant.name, "positions": board_of(position), "card": "after a win"}
            )


def setup_barred(variant: Variant, colours: tuple[Colour, ...], first: int, barred: int) -> Position:
    """The opening position with some seats as stand-ins."""
    opening = setup(variant.engine, colours, first)
    return Position(opening.colours, opening.pawns, opening.turn, None, barred)


def compare(variant: Variant, size: Size) -> Report:
    """Play and compare until the pairs of that size have been seen."""
    started = time.perf_counter()
    run = Comparison(variant, size.seed)
    report = run.report
    check_beginning(run)
    while report.reachable < size.reachable:
        report.games += 1
        for position in run.walk(run.opening(), GAME_LIMIT):
            report.reachable += run.pairs_of_new(position)
            if report.reachable >= size.reachable:
                break
    while report.placed < size.placed:
        for position in run.walk(run.set_up(), 4):
            report.placed += run.pairs_of_new(position)
    report.seconds = time.perf_counter() - started
    return report


def check_beginning(run: Comparison) -> None:
    """The deck and the first position of each set of colours."""
    deck = Counter(referee_game.whole_deck(run.variant.referee))
    if tuple(deck[card] for card in referee.CARDS) != cards.full_deck(run.variant.engine):
        run.quarrel({"card": "the whole deck"})
    for mask in range(16):
        colours = tuple(colour for colour in Colour if mask >> colour & 1)
        if len(colours) < 2:
            continue
        judged = referee.new_board(run.variant.referee, [referee.COLOURS[colour] for colour in colours])
        if board_of(setup(run.variant.engine, colours, 0)) != judged:
            run.quarrel({"positions": judged, "card": "before the first card"})


def named(name: str) -> Variant:
    """A variant by the name that the reports use."""
    if name in PROFILES:
        return by_profile(name)
    if name.startswith("mixture "):
        return mixture(int(name.removeprefix("mixture ")))
    return by_switch(name)


def compare_named(size: Size, name: str) -> Report:
    """compare() for another process."""
    return compare(named(name), size)


def chosen_names(options: argparse.Namespace) -> list[str]:
    """The variants that the command line asks for."""
    names = [*options.profile, *options.switch]
    if options.all or not (names or options.mixtures):
        names = [*PROFILES, *single_switches()]
    return names + [f"mixture {number}" for number in range(options.mixtures)]


def line_of(report: Report) -> str:
    """One variant in one line."""
    pairs = report.reachable + report.placed
    kinds = " ".join(f"{kind} {report.played[kind]}" for kind in KINDS)
    return (
        f"{report.name:36} {report.reachable:8} reachable {report.placed:7} placed {report.quarrels:6} differ  "
        f"{report.games:5} games {report.wins:5} wins  {pairs / report.seconds:7.0f} pairs/s  {kinds}"
    )


def main(arguments: list[str] | None = None) -> int:
    """The command; 0 where engine and referee agree."""
    parser = argparse.ArgumentParser(prog="tests.sim.agreement", description=__doc__)
    parser.add_argument("--pairs", type=int, default=20_000, help="reachable pairs for each variant")
    parser.add_argument("--placed", type=int, help="pairs from random set-ups (default: a quarter of --pairs)")
    parser.add_argument("--profile", action="append", default=[], choices=list(PROFILES))
    parser.add_argument("--switch", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--all", action="store_true", help="each profile and each single other switch value")
    parser.add_argument(
        "--mixtures", type=int, default=0, metavar="N", help="N sets of rules with every switch at random"
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="one JSON object a variant")
    options = parser.parse_args(arguments)
    wanted = options.pairs // 4 if options.placed is None else options.placed
    job = partial(compare_named, Size(options.pairs, wanted, options.seed))
    reports = []
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        for report in pool.imap(job, chosen_names(options)):
            reports.append(report)
            print(json.dumps(asdict(report)) if options.json else line_of(report), flush=True)
            for case in report.cases if not options.json else []:
                print(f"    {json.dumps(case)}", flush=True)
    quarrels = sum(report.quarrels for report in reports)
    if not options.json:
        pairs = sum(report.reachable + report.placed for report in reports)
        print(f"{len(reports)} variants, {pairs} distinct pairs, {quarrels} on which engine and referee differ")
    return 1 if quarrels else 0


if __name__ == "__main__":
    sys.exit(main())
