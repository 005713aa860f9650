"""One table as bots see it: the core that plays, the distinct answers to a card, and the evaluations that judge.

Built once for each (rules, colours, barred seats) and never changed.
"""

from __future__ import annotations

from functools import lru_cache

from sorry_lan.bots.judge import judge
from sorry_lan.bots.pairs import pairs
from sorry_lan.bots.race import squares
from sorry_lan.bots.shares import Evaluation
from sorry_lan.rules import fast
from sorry_lan.rules.board import HOME, Colour
from sorry_lan.rules.cards import CARDS, full_deck
from sorry_lan.rules.fast import Cells, Core, Outcomes
from sorry_lan.rules.profile import Rules


class Bench:
    """The parts that every level thinks with."""

    __slots__ = ("_colours", "_judge", "_pairs", "barred", "core", "deck", "outcomes", "seats", "squares")

    def __init__(self, rules: Rules, colours: tuple[Colour, ...], barred: int) -> None:
        self.core: Core = fast.core(rules, colours, barred)
        self._colours = colours
        self._judge: Evaluation | None = None
        self._pairs: Evaluation | None = None
        self.outcomes = Outcomes(self.core)
        self.barred = barred
        self.seats = len(colours)
        self.deck = tuple((int(card), count) for card, count in zip(CARDS, full_deck(rules), strict=True))
        self.squares = tuple(bytes(squares(colour, loc) for loc in range(HOME + 1)) for colour in colours)

    @property
    def judge(self) -> Evaluation:
        """The evaluation of the hard bot, whose tables are only made for those who look ahead."""
        if self._judge is None:
            self._judge = judge(self.core.rules, self._colours, self.barred)
        return self._judge

    @property
    def pairs(self) -> Evaluation:
        """The evaluation of the expert bot; the same as the hard one's where there are no tables for the rules."""
        if self._pairs is None:
            self._pairs = pairs(self.core.rules, self._colours, self.barred) or self.judge
        return self._pairs

    def left(self, cells: Cells, seat: int) -> int:
        """Squares that the seat's pawns have before them, all together."""
        n, table = self.core.pawns, self.squares[seat]
        return sum([table[loc] for loc in cells[seat * n : seat * n + n]])


@lru_cache(maxsize=64)
def bench(rules: Rules, colours: tuple[Colour, ...], barred: int) -> Bench:
    """The bench for this table."""
    return Bench(rules, colours, barred)
