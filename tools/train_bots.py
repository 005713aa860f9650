"""Learns the weights of the bots' evaluation from comparisons, and writes sorry_lan/bots/learned.py.

Run from the repository's root, with numpy (the extra `train`):
python -m tools.train_bots [--seed N] [--scale X] [--jobs N] [--check]

In games of the evaluation against itself two answers to one card are compared: both are played on over the same cards,
and the evaluation judges after HORIZON of them. Ridge regression fits the weights to the differences, near HAND_MADE.
Counts, cards and choices follow from the seed, whatever the number of processes. docs/bots.md shows what came of it.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path
from random import Random

import numpy as np

from sorry_lan.bots.judge import Judge
from sorry_lan.bots.race import UNIT, draws_home, squares
from sorry_lan.bots.shares import SCALE
from sorry_lan.bots.threats import losses, swaps
from sorry_lan.bots.weights import Weights
from sorry_lan.rules.board import HOME, OUTER, START, Colour, is_outer
from sorry_lan.rules.cards import CARDS, full_deck
from sorry_lan.rules.fast import NO_WINNER, Cells, Outcome, Outcomes, core
from sorry_lan.rules.profile import PROFILES, Rules, variations

TARGET = Path(__file__).resolve().parent.parent / "sorry_lan" / "bots" / "learned.py"
HORIZON = 24
PER_GAME = 6
STRAY = 0.1
"""How often a move of the games is any move, so that the comparisons see more than one way to play."""
BLOCK = 250
"""Comparisons that one seed makes."""
ZEROS = (0, 0, 0, 0, 0)
HAND_MADE = Weights(1300, 0, (650, 400, 300), (650, 400, 300), ZEROS, ZEROS, (0,) * (HOME + 1))
"""Where learning begins: 0.08 nats a draw, of one's own race and of what one may lose."""
DRAWS, STEPS, BUMPS, SWAPS, HOMES, STARTS, PLACES, END = 0, 1, 2, 5, 8, 13, 18, 18 + HOME + 1
"""Where each weight stands in a vector of features."""
NOISE = 0.07
"""The variance of one comparison."""
TRUST = np.full(END, 0.1)
"""How far from HAND_MADE a weight is expected, in nats per unit of its feature."""
TRUST[[DRAWS, STEPS]] = 0.04, 0.005
TRUST[BUMPS:HOMES] = 0.03


@dataclass(frozen=True)
class Task:
    """One set of weights: the rules it is for (None: any), how many seats, how many comparisons."""

    profile: str | None
    seats: tuple[int, ...]
    comparisons: int


TASKS = (
    Task("standard", (2,), 16000),
    Task("classic", (2,), 14000),
    Task("2013", (2,), 8000),
    Task(None, (2,), 6000),
    Task("standard", (3, 4), 1500),
    Task("classic", (3, 4), 1500),
    Task(None, (3, 4), 1500),
)


@dataclass(frozen=True)
class Comparison:
    """Two positions after answers of `seat` to one card, and how much better the first turned out (-1 to 1)."""

    rules: Rules
    colours: tuple[Colour, ...]
    seat: int
    one: tuple[Cells, int]
    two: tuple[Cells, int]
    better: float


class Player:
    """Plays to whatever the evaluation likes best at once."""

    def __init__(self, rules: Rules, colours: tuple[Colour, ...]) -> None:
        self.core = core(rules, colours)
        self.outcomes = Outcomes(self.core)
        self.judge = Judge(rules, colours, 0, HAND_MADE)
        self.deck = [int(card) for card, count in zip(CARDS, full_deck(rules), strict=True) for _ in range(count)]

    def best(self, cells: Cells, seat: int, card: int) -> Outcome:
        found = self.outcomes.of(cells, seat, card)
        if len(found) == 1:
            return found[0]
        won = [outcome for outcome in found if outcome[3] != NO_WINNER]
        return won[0] if won else max(found, key=lambda outcome: self.lead(outcome, seat))

    def lead(self, outcome: Outcome, seat: int) -> int:
        """Grows with the seat's share, and for two players is finer."""
        if self.core.seats == 2:
            scores = self.judge.scores(outcome[1], outcome[2])
            return 2 * scores[seat] - scores[0] - scores[1]
        return self.judge.share(outcome[1], outcome[2], seat)

    def worth(self, outcome: Outcome, seat: int) -> int:
        if outcome[3] != NO_WINNER:
            return SCALE if outcome[3] == seat else 0
        return self.judge.share(outcome[1], outcome[2], seat)

    def cards(self, rng: Random) -> Iterator[int]:
        while True:
            pile = self.deck[:]
            rng.shuffle(pile)
            yield from pile

    def future(self, outcome: Outcome, seat: int, seed: int) -> float:
        cards = self.cards(Random(seed))
        for _ in range(HORIZON):
            if outcome[3] != NO_WINNER:
                break
            outcome = self.best(outcome[1], outcome[2], next(cards))
        return self.worth(outcome, seat) / SCALE


def block(task: Task, seed: int) -> list[Comparison]:
    """BLOCK comparisons."""
    rng = Random(seed)
    players: dict[tuple[Rules, tuple[Colour, ...]], Player] = {}
    every = [rules for _, rules in variations()]
    rules = rng.choice(every) if task.profile is None else PROFILES[task.profile]
    found: list[Comparison] = []
    while len(found) < BLOCK:
        colours = tuple(sorted(rng.sample(list(Colour), rng.choice(task.seats))))
        player = players.setdefault((rules, colours), Player(rules, colours))
        decisions = _game(player, rng)
        for seat, outcomes in rng.sample(decisions, min(PER_GAME, len(decisions))):
            ranked = sorted(outcomes, key=lambda outcome: -player.worth(outcome, seat))
            one, two = ranked[0], ranked[1] if rng.random() < 0.5 else rng.choice(ranked[1:])
            cards = rng.getrandbits(60)
            better = player.future(one, seat, cards) - player.future(two, seat, cards)
            found.append(Comparison(rules, colours, seat, one[1:3], two[1:3], better))
    return found[:BLOCK]


def _game(player: Player, rng: Random) -> list[tuple[int, list[Outcome]]]:
    """The decisions of one game: who, and the ends to choose from, where none of them wins."""
    decisions = []
    outcome: Outcome = ((), player.core.opening, rng.randrange(player.core.seats), NO_WINNER)
    cards = player.cards(rng)
    while outcome[3] == NO_WINNER:
        _, cells, seat, _ = outcome
        card = next(cards)
        ends = player.outcomes.of(cells, seat, card)
        if len(ends) > 1 and all(end[3] == NO_WINNER for end in ends):
            decisions.append((seat, ends))
        outcome = rng.choice(ends) if rng.random() < STRAY else player.best(cells, seat, card)
    return decisions


def features(rules: Rules, colours: Sequence[Colour], states: Sequence[tuple[Cells, int]]) -> np.ndarray:
    """By state, seat and feature: what a vector of weights is multiplied with."""
    seats, n, count = len(colours), rules.pawns, len(states)
    cells = np.frombuffer(b"".join(cells for cells, _ in states), dtype=np.uint8).reshape(count, seats, n).astype(int)
    following = np.array([seat for _, seat in states])
    found = np.zeros((count, seats, END))
    at = np.arange(count)
    for seat, colour in enumerate(colours):
        rows = cells[:, seat]
        found[:, seat, DRAWS] = -(np.array(draws_home(rules, colour)) / UNIT)[rows].sum(1)
        found[:, seat, STEPS] = -np.array([squares(colour, loc) for loc in range(HOME + 1)])[rows].sum(1)
        found[at, seat, HOMES + (rows == HOME).sum(1)] = 1
        found[at, seat, STARTS + (rows == START).sum(1)] = 1
        turned = [1 + (loc - 1 - 15 * colour) % OUTER if is_outer(loc) else loc for loc in range(HOME + 1)]
        for pawn in range(n):
            np.add.at(found[:, seat], (at, PLACES + np.array(turned)[rows[:, pawn]]), 1)
    for attacker, victim in ((a, v) for a in range(seats) for v in range(seats) if a != v):
        near = np.minimum((attacker - following) % seats, 2)
        lost = np.array(losses(rules, colours[attacker], colours[victim])) / (90 * UNIT)
        exchanged = np.array(swaps(rules, colours[attacker], colours[victim])) * 4 / (45 * UNIT)
        started = np.zeros(count, dtype=bool)
        for pawn in range(n):
            y = cells[:, attacker, pawn]
            counts = (y != HOME) & ~((y == START) & started)
            started |= y == START
            for other in range(n):
                x = cells[:, victim, other]
                found[at, victim, BUMPS + near] -= np.where(counts, lost[y, x], 0)
                found[at, victim, SWAPS + near] -= np.where(counts, exchanged[y, x], 0)
    return found


def vector(weights: Weights) -> np.ndarray:
    """Weights as nats per unit of each feature."""
    parts = [[weights.draws / 16384, weights.steps / 16384], np.array(weights.bumps + weights.swaps) / 16384]
    return np.concatenate([*parts, np.array(weights.homes + weights.starts + weights.places) / 1024])


def weights_of(values: np.ndarray) -> Weights:
    """The nearest whole weights."""

    def whole(first: int, last: int, scale: int) -> tuple[int, ...]:
        return tuple(round(float(value) * scale) for value in values[first:last])

    draws, steps = whole(DRAWS, BUMPS, 16384)
    return Weights(
        draws,
        steps,
        whole(BUMPS, SWAPS, 16384),
        whole(SWAPS, HOMES, 16384),
        whole(HOMES, STARTS, 1024),
        whole(STARTS, PLACES, 1024),
        whole(PLACES, END, 1024),
    )


def slopes(comparisons: Sequence[Comparison], start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How much each weight moves each comparison, and the differences that were seen."""
    rows, seen = [], []
    tables = dict.fromkeys((each.rules, each.colours) for each in comparisons)
    for rules, colours in tables:
        these = [each for each in comparisons if (each.rules, each.colours) == (rules, colours)]
        seat, at = np.array([each.seat for each in these]), np.arange(len(these))
        ones = features(rules, colours, [each.one for each in these])
        twos = features(rules, colours, [each.two for each in these])
        shares = (_shares(ones @ start) + _shares(twos @ start)) / 2
        change = ones - twos
        mine = change[at, seat] - np.einsum("ns,nsf->nf", shares, change)
        rows.append(shares[at, seat][:, None] * mine)
        seen.append([each.better for each in these])
    return np.concatenate(rows), np.concatenate(seen)


def _shares(scores: np.ndarray) -> np.ndarray:
    shares = np.exp(scores - scores.max(1, keepdims=True))
    return shares / shares.sum(1, keepdims=True)


def fit(rows: np.ndarray, seen: np.ndarray, start: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Ridge regression towards `start`; only `free` weights move."""
    pull = NOISE / TRUST**2
    chosen = rows[:, free]
    system = chosen.T @ chosen + np.diag(pull[free])
    values = start.copy()
    values[free] += np.linalg.solve(system, chosen.T @ (seen - rows @ start))
    return values


def learn(task: Task, comparisons: Sequence[Comparison]) -> tuple[Weights, list[str]]:
    """The weights of a task, and its rows of the learning curve."""
    start = vector(HAND_MADE)
    free = np.ones(END, dtype=bool)
    if task.profile is None:
        free[PLACES:] = False
    if task.seats == (2,):
        free[[BUMPS + 2, SWAPS + 2]] = False
    rows, seen = slopes(comparisons, start)
    order = np.random.default_rng(0).permutation(len(seen))
    train, test = order[: len(seen) * 4 // 5], order[len(seen) * 4 // 5 :]

    def explained(values: np.ndarray) -> float:
        rest = seen[test] - rows[test] @ values
        return 100 * (1 - float((rest**2).mean() / (seen[test] ** 2).mean()))

    name = f"{task.profile or 'any rules'}, {' or '.join(map(str, task.seats))} players"
    curve = [f"| {name} | 0 | {explained(start):.1f} % |"]
    for part in (16, 4, 1):
        some = train[: len(train) // part]
        curve.append(f"| {name} | {len(some)} | {explained(fit(rows[some], seen[some], start, free)):.1f} % |")
    return weights_of(fit(rows, seen, start, free)), curve


def check(task: Task, weights: Weights, comparisons: Sequence[Comparison]) -> None:
    """The judge's whole numbers are these features times these weights; SystemExit where they are not."""
    for each in comparisons[:50]:
        judge = Judge(each.rules, each.colours, 0, weights)
        due = features(each.rules, each.colours, [each.one])[0] @ vector(weights) * 1024
        scores = judge.scores(*each.one)
        apart = [a - b for a, b in zip(scores, due, strict=True)]
        if max(apart) - min(apart) > 64:
            raise SystemExit(f"{task}: judged {scores}, but the features say {due}")


def source(sets: dict[Task, Weights]) -> str:
    """learned.py."""
    lines = [
        '"""Weights of the evaluation, written by tools/train_bots.py; docs/bots.md tells how. Not to be edited."""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Final",
        "",
        "Numbers = tuple[tuple[int, ...], ...]",
        '"""(draws, steps), bumps, swaps, homes, starts, places: as in weights.Weights; no places are all 0."""',
        "",
        "# fmt: off",
        "ANY: Final[dict[int, Numbers]] = {",
        *(f"    {min(task.seats)}: {_shown(w)}," for task, w in sets.items() if task.profile is None),
        "}",
        '"""By the number of players, 3 standing for 3 and 4."""',
        "LEARNED: Final[dict[tuple[str, int], Numbers]] = {",
        *(f'    ("{task.profile}", {min(task.seats)}): {_shown(w)},' for task, w in sets.items() if task.profile),
        "}",
        '"""By the name of the profile and the number of players."""',
        "# fmt: on",
        "",
    ]
    return "\n".join(lines)


def _shown(weights: Weights) -> str:
    places = weights.places if any(weights.places) else ()
    parts = ((weights.draws, weights.steps), weights.bumps, weights.swaps, weights.homes, weights.starts, places)
    shown = [repr(part) for part in parts[:-1]]
    body = textwrap.fill(", ".join(map(str, places)), 100, initial_indent=" " * 12, subsequent_indent=" " * 12)
    shown.append(f"(\n{body},\n        )" if places else "()")
    return "(\n" + "".join(f"        {part},\n" for part in shown) + "    )"


def main(arguments: Sequence[str]) -> int:
    """0 when the weights were written, or with --check are as they would be."""
    parser = argparse.ArgumentParser(description="learn the weights of the bots' evaluation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=float, default=1.0, help="more or fewer comparisons than usual")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--check", action="store_true", help="write nothing; 1 where learned.py is another")
    chosen = parser.parse_args(arguments)
    sets, curve = {}, ["| weights | comparisons | explained of what was held back |", "|---|---|---|"]
    with Pool(chosen.jobs) as pool:
        for number, task in enumerate(TASKS):
            begun = time.monotonic()
            blocks = max(1, round(task.comparisons * chosen.scale / BLOCK))
            seeds = [(task, chosen.seed * 1_000_000 + number * 10_000 + each) for each in range(blocks)]
            comparisons = [each for some in pool.starmap(block, seeds, chunksize=1) for each in some]
            sets[task], rows = learn(task, comparisons)
            check(task, sets[task], comparisons)
            curve += rows
            print(rows[-1], f"{time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    print("\n".join(curve))
    if chosen.check:
        return int(TARGET.read_text(encoding="utf-8") != source(sets))
    TARGET.write_text(source(sets), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
