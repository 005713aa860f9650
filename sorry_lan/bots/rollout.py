"""The expert bot: plays each promising answer on, many times over the same cards, and judges where that leads.

The cards come from the step's secret and the budget is counted, so that every machine comes to the same answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from sorry_lan.bots.bench import Bench
from sorry_lan.bots.search import promising
from sorry_lan.rules.fast import NO_WINNER, Action, Cells, Outcome
from sorry_lan.wire.digest import pick, tagged_hash, u32

WIDTH: Final = 5
"""So many answers are played on at first."""
HORIZON: Final = 14
"""So many cards are played before the evaluation judges; one hash gives 32."""
ROUNDS: Final = ((12, 3), (20, 2), (32, 1))
"""Samples of a round, and how many answers are left after it."""
BUDGET: Final = 24_000
"""No further sample is begun after so many positions."""
TRUST: Final = 12
"""What the evaluation says at once counts as so many samples."""


def expert(bench: Bench, cells: Cells, seat: int, card: int, secret: bytes) -> Action:
    """The answer whose futures are best on average; the worse ones are given up round by round."""
    ranked = promising(bench, cells, seat, card, WIDTH)
    player = _Player(bench, seat)
    totals = {result: TRUST * bench.worth(result, seat) for result in ranked}
    sample = 0
    for samples, survivors in ROUNDS:
        if len(ranked) == 1:
            break
        for number in range(sample, sample + samples):
            if player.positions >= BUDGET:
                break
            cards = _cards(bench.deck, secret, number)
            for result in ranked:
                totals[result] += player.future(result, cards)
        sample += samples
        ranked = sorted(ranked, key=lambda result: -totals[result])[:survivors]
    best = [result for result in ranked if totals[result] == totals[ranked[0]]]
    return best[pick("bot", secret, len(best))][0]


class _Player:
    """Plays a future for every seat, each card to whatever is best at first sight, and counts what it looks at."""

    __slots__ = ("_bench", "_seat", "positions")

    def __init__(self, bench: Bench, seat: int) -> None:
        self._bench = bench
        self._seat = seat
        self.positions = 0

    def future(self, outcome: Outcome, cards: Sequence[int]) -> int:
        """The share of our seat after these cards."""
        for card in cards:
            if outcome[3] != NO_WINNER:
                break
            outcome = self._best(outcome[1], outcome[2], card)
        return self._bench.worth(outcome, self._seat)

    def _best(self, cells: Cells, seat: int, card: int) -> Outcome:
        """Where the best answer leads."""
        outcomes = self._bench.outcomes.of(cells, seat, card)
        best = outcomes[0]
        if len(outcomes) > 1:
            lead = self._bench.judge.lead
            most = None
            for outcome in outcomes:
                if outcome[3] != NO_WINNER:
                    return outcome
                value = lead(outcome[1], outcome[2], seat)
                if most is None or value > most:
                    best, most = outcome, value
            self.positions += len(outcomes)
        return best


def _cards(deck: tuple[tuple[int, int], ...], secret: bytes, sample: int) -> Sequence[int]:
    """The cards of one future, each drawn from a whole deck."""
    table = _card_of_byte(deck)
    return [table[byte] for byte in tagged_hash("future", secret, u32(sample))[:HORIZON]]


@lru_cache(maxsize=8)
def _card_of_byte(deck: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """A card for each of 256 numbers, as even as they divide."""
    every = [card for card, count in deck for _ in range(count)]
    return tuple(every[byte * len(every) >> 8] for byte in range(256))
