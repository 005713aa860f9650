"""One table as bots see it: the core that plays, the evaluation that judges, and the distinct answers to a card.

Built once for each (rules, colours, barred seats) and never changed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from sorry_lan.bots.judge import SCALE, Judge, judge
from sorry_lan.bots.race import squares
from sorry_lan.rules import fast
from sorry_lan.rules.board import HOME, Colour
from sorry_lan.rules.cards import CARDS, full_deck
from sorry_lan.rules.fast import NO_WINNER, Action, Cells, Core
from sorry_lan.rules.profile import Rules


class Result(NamedTuple):
    """Where an answer leads: the cells, who draws next, who has won, and one action that leads there."""

    cells: Cells
    following: int
    winner: int
    action: Action


class Bench:
    """The parts that every level thinks with."""

    __slots__ = ("_colours", "_judge", "barred", "core", "deck", "seats", "squares")

    def __init__(self, rules: Rules, colours: tuple[Colour, ...], barred: int) -> None:
        self.core: Core = fast.core(rules, colours, barred)
        self._colours = colours
        self._judge: Judge | None = None
        self.barred = barred
        self.seats = len(colours)
        self.deck = tuple((int(card), count) for card, count in zip(CARDS, full_deck(rules), strict=True))
        self.squares = tuple(bytes(squares(colour, loc) for loc in range(HOME + 1)) for colour in colours)

    @property
    def judge(self) -> Judge:
        """The evaluation, whose tables are only made for those who look ahead."""
        if self._judge is None:
            self._judge = judge(self.core.rules, self._colours, self.barred)
        return self._judge

    def results(self, cells: Cells, seat: int, card: int) -> list[Result]:
        """The distinct results of all answers, in the order of the first action that leads to each."""
        core = self.core
        found: dict[tuple[Cells, int], Result] = {}
        for action in core.choices(cells, seat, card):
            after, following, winner = core.step(cells, seat, card, action)
            key = core.sorted_rows(after), following
            if key not in found:
                found[key] = Result(after, following, winner, action)
        return list(found.values())

    def worth(self, result: Result, seat: int) -> int:
        """The seat's share of the win after this answer, 0..SCALE."""
        if result.winner != NO_WINNER:
            return SCALE if result.winner == seat else 0
        return self.judge.share(result.cells, result.following, seat)

    def left(self, cells: Cells, seat: int) -> int:
        """Squares that the seat's pawns have before them, all together."""
        n, table = self.core.pawns, self.squares[seat]
        return sum([table[loc] for loc in cells[seat * n : seat * n + n]])


@lru_cache(maxsize=64)
def bench(rules: Rules, colours: tuple[Colour, ...], barred: int) -> Bench:
    """The bench for this table."""
    return Bench(rules, colours, barred)
