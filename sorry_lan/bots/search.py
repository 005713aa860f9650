"""The hard bot: every card that may come next, answered at its best, judged by the learned evaluation."""

from __future__ import annotations

from typing import Final

from sorry_lan.bots.bench import Bench
from sorry_lan.bots.judge import SCALE
from sorry_lan.rules.fast import NO_WINNER, Action, Cells, Outcome
from sorry_lan.wire.digest import pick

WIDTH: Final = 6
"""So many answers are looked into; the rest are worse at first sight."""


def hard(bench: Bench, cells: Cells, seat: int, card: int, secret: bytes) -> Action:
    """One card ahead: the answer with the best expected share of the win after the next one's best answer."""
    ranked = promising(bench, cells, seat, card, WIDTH)
    if len(ranked) > 1:
        values = [ahead(bench, result, seat) for result in ranked]
        best = max(values)
        ranked = [result for result, value in zip(ranked, values, strict=True) if value == best]
    return ranked[pick("bot", secret, len(ranked))][0]


def promising(bench: Bench, cells: Cells, seat: int, card: int, width: int) -> list[Outcome]:
    """The best distinct answers at first sight, at most `width`; only the first where it wins."""
    results = bench.outcomes.of(cells, seat, card)
    if len(results) == 1:
        return results
    worths = [bench.worth(result, seat) for result in results]
    order = sorted(range(len(results)), key=lambda i: -worths[i])
    if worths[order[0]] == SCALE:
        return [results[order[0]]]
    return [results[i] for i in order[:width]]


def ahead(bench: Bench, result: Outcome, seat: int) -> int:
    """The seat's share of the win after the next card, summed over a whole deck; nobody has won yet."""
    total = 0
    _action, cells, following, _winner = result
    judge = bench.judge
    for card, count in bench.deck:
        best, mine = -1, 0
        for _, after, then, winner in bench.outcomes.of(cells, following, card):
            if winner != NO_WINNER:
                mine = SCALE if winner == seat else 0
                break
            theirs, ours = judge.two_shares(after, then, following, seat)
            if theirs > best:
                best, mine = theirs, ours
        total += count * mine
    return total
