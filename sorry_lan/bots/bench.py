"""One table as bots see it: the core that plays, the distinct answers to a card, and the evaluation that judges.

Built once for each (rules, colours, barred seats) and never changed.
"""

from __future__ import annotations

from functools import lru_cache

from sorry_lan.bots.judge import SCALE, Judge, judge
from sorry_lan.bots.race import squares
from sorry_lan.rules import fast
from sorry_lan.rules.board import HOME, Colour
from sorry_lan.rules.cards import CARDS, full_deck
from sorry_lan.rules.fast import NO_WINNER, Cells, Core, Outcome, Outcomes
from sorry_lan.rules.profile import Rules


class Bench:
    """The parts that every level thinks with."""

    __slots__ = ("_colours", "_judge", "barred", "core", "deck", "outcomes", "seats", "squares")

    def __init__(self, rules: Rules, colours: tuple[Colour, ...], barred: int) -> None:
        self.core: Core = fast.core(rules, colours, barred)
        self._colours = colours
        self._judge: Judge | None = None
        self.outcomes = Outcomes(self.core)
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

    def worth(self, outcome: Outcome, seat: int) -> int:
        """The seat's share of the win after this answer, 0..SCALE."""
        _action, cells, following, winner = outcome
        if winner != NO_WINNER:
            return SCALE if winner == seat else 0
        return self.judge.share(cells, following, seat)

    def left(self, cells: Cells, seat: int) -> int:
        """Squares that the seat's pawns have before them, all together."""
        n, table = self.core.pawns, self.squares[seat]
        return sum([table[loc] for loc in cells[seat * n : seat * n + n]])


@lru_cache(maxsize=64)
def bench(rules: Rules, colours: tuple[Colour, ...], barred: int) -> Bench:
    """The bench for this table."""
    return Bench(rules, colours, barred)
