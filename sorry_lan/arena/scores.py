"""What the games of a match come to: wins by bot and by seat, and how sure that is.

The games of one deal share their cards, so the deal is what is counted as one observation, not the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum, unique
from math import sqrt
from typing import Final

from sorry_lan.arena.match import NOBODY, Match, Result

FEW: Final = 30
"""With fewer deals their spread says too little to be used."""


@unique
class Confidence(IntEnum):
    """How often, in a hundred, an interval is to hold the truth."""

    USUAL = 95
    STRICT = 99


_DEVIATES: Final = {Confidence.USUAL: 1.959963984540054, Confidence.STRICT: 2.5758293035489004}
"""The standard normal deviate that is exceeded, to both sides together, by the rest of the hundred."""


@dataclass(frozen=True, slots=True)
class Wins:
    """The wins of one bot or seat: their sum over all deals, and the sum of each deal's square."""

    total: int = 0
    squares: int = 0

    def plus(self, other: Wins) -> Wins:
        """Both together."""
        return Wins(self.total + other.total, self.squares + other.squares)


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of the games won, and the interval that holds the true one with the confidence asked for."""

    wins: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Scores:
    """All that is kept of the games of a match; the order in which deals were played leaves no trace."""

    kinds: tuple[Wins, ...]
    """By place in Match.kinds(); bots of one kind count together."""
    seats: tuple[Wins, ...]
    deals: int = 0
    games: int = 0
    undecided: int = 0
    steps: int = 0
    longest: int = 0

    def plus(self, other: Scores) -> Scores:
        """Both together; they are of one match."""
        return Scores(
            tuple(one.plus(two) for one, two in zip(self.kinds, other.kinds, strict=True)),
            tuple(one.plus(two) for one, two in zip(self.seats, other.seats, strict=True)),
            self.deals + other.deals,
            self.games + other.games,
            self.undecided + other.undecided,
            self.steps + other.steps,
            max(self.longest, other.longest),
        )

    def rate(self, wins: Wins, confidence: Confidence) -> Rate:
        """What share of the games these wins are; there has to be a game."""
        share = wins.total / self.games
        weight = observations(wins, self.deals, self.games)
        low, high = wilson(share, weight, confidence)
        return Rate(wins.total, share, low, high)


def no_scores(match: Match) -> Scores:
    """Before the first game."""
    return Scores((Wins(),) * len(match.kinds()), (Wins(),) * len(match.entrants))


def scores_of(match: Match, results: Sequence[Result]) -> Scores:
    """The scores of one deal: a result for each of match.line_ups()."""
    kinds = [0] * len(match.kinds())
    seats = [0] * len(match.entrants)
    for line_up, result in zip(match.line_ups(), results, strict=True):
        if result.winner != NOBODY:
            kinds[line_up[result.winner]] += 1
            seats[result.winner] += 1
    return Scores(
        _wins(kinds),
        _wins(seats),
        1,
        len(results),
        len(results) - sum(seats),
        sum(result.steps for result in results),
        max(result.steps for result in results),
    )


def _wins(counts: Iterable[int]) -> tuple[Wins, ...]:
    return tuple(Wins(count, count * count) for count in counts)


def observations(wins: Wins, deals: int, games: int) -> float:
    """How many independent games would leave as much doubt as these deals do, by the spread between the deals.

    Where that spread is not known (FEW deals, or all alike), each deal counts as one.
    """
    share = wins.total / games
    if deals < FEW:
        return deals
    scale = games / deals
    spread = (wins.squares - wins.total * wins.total / deals) / (deals - 1) / deals / scale / scale
    return share * (1 - share) / spread if spread > 0 else deals


def wilson(share: float, weight: float, confidence: Confidence) -> tuple[float, float]:
    """Wilson's score interval of a share seen in `weight` independent games, more than 0."""
    z = _DEVIATES[confidence]
    grown = 1 + z * z / weight
    middle = (share + z * z / 2 / weight) / grown
    half = z / grown * sqrt(share * (1 - share) / weight + z * z / 4 / weight / weight)
    return max(0.0, middle - half), min(1.0, middle + half)
