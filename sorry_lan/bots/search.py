"""The hard and the expert bot: every card that may come next, answered at its best, judged by a learned evaluation."""

from __future__ import annotations

from typing import Final

from sorry_lan.bots.bench import Bench
from sorry_lan.bots.shares import SCALE, Evaluation
from sorry_lan.rules.fast import NO_WINNER, Action, Cells, Outcome
from sorry_lan.wire.digest import pick

WIDTH: Final = 6
"""So many answers are looked into; the rest are worse at first sight."""


def hard(bench: Bench, cells: Cells, seat: int, card: int, secret: bytes) -> Action:
    """One card ahead, judged by a few weights that serve any rules."""
    return _best(bench, bench.judge, bench.outcomes.of(cells, seat, card), seat, secret)


def expert(bench: Bench, cells: Cells, seat: int, card: int, secret: bytes) -> Action:
    """One card ahead, judged by the tables of pairs learned for the rules."""
    return _best(bench, bench.pairs, bench.outcomes.of(cells, seat, card), seat, secret)


def _best(bench: Bench, judge: Evaluation, results: list[Outcome], seat: int, secret: bytes) -> Action:
    """The answer with the best expected share of the win after the next card's best answer."""
    ranked = promising(judge, results, seat)
    if len(ranked) > 1:
        values = [ahead(bench, judge, result, seat) for result in ranked]
        best = max(values)
        ranked = [result for result, value in zip(ranked, values, strict=True) if value == best]
    return ranked[pick("bot", secret, len(ranked))][0]


def promising(judge: Evaluation, results: list[Outcome], seat: int) -> list[Outcome]:
    """The best answers at first sight, at most WIDTH; only the first where it wins."""
    if len(results) == 1:
        return results
    worths = [worth(judge, result, seat) for result in results]
    order = sorted(range(len(results)), key=lambda i: -worths[i])
    if worths[order[0]] == SCALE:
        return [results[order[0]]]
    return [results[i] for i in order[:WIDTH]]


def worth(judge: Evaluation, result: Outcome, seat: int) -> int:
    """The seat's share of the win after this answer of its own, 0..SCALE."""
    _action, cells, following, winner = result
    return judge.share(cells, following, seat) if winner == NO_WINNER else SCALE


def ahead(bench: Bench, judge: Evaluation, result: Outcome, seat: int) -> int:
    """The seat's share of the win after the next card, summed over a whole deck; nobody has won yet."""
    total = 0
    _action, cells, following, _winner = result
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
