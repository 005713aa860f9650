"""The positions of a running game, one behind another, to step back through while it goes on."""

from __future__ import annotations

from dataclasses import dataclass

from sorry_lan.rules.cards import Card
from sorry_lan.rules.position import Position
from sorry_lan.table.news import Played
from sorry_lan.ui.board_picture import Spot
from sorry_lan.ui.paths import bumped_by, trail_of


@dataclass(frozen=True, slots=True)
class Moment:
    """The board after step `k`, and what that step left on it; seat and card are None where the game was met first."""

    position: Position
    k: int
    seat: int | None = None
    card: Card | None = None
    trail: frozenset[Spot] = frozenset()
    bumped: tuple[tuple[int, int], ...] = ()


class Moments:
    """All positions since this screen met the game, and which of them is looked at (None: the game as it stands)."""

    __slots__ = ("_all", "_at")

    def __init__(self) -> None:
        self._all: list[Moment] = []
        self._at: int | None = None

    def begin(self, position: Position, k: int) -> None:
        """A game is met for the first time."""
        self._all = [Moment(position, k)]
        self._at = None

    def add(self, item: Played) -> None:
        """A move was counted; whoever looks back stays where they look."""
        if not self._all:
            self.begin(item.before, item.k - 1)
        self._all.append(
            Moment(
                item.after, item.k, item.seat, item.card, trail_of(item.effects, item.before), bumped_by(item.effects)
            )
        )

    @property
    def known(self) -> bool:
        """Whether there is a game."""
        return bool(self._all)

    @property
    def latest(self) -> Position | None:
        """The position after the last move."""
        return self._all[-1].position if self._all else None

    def look(self, by: int) -> None:
        """So many positions further on; beyond the last it is the game as it stands again."""
        last = len(self._all) - 1
        at = (last if self._at is None else self._at) + by
        self._at = None if at >= last else max(0, at)

    def look_at_first(self) -> None:
        """The oldest position."""
        self.look(-len(self._all))

    def return_(self) -> None:
        """The game as it stands."""
        self._at = None

    @property
    def seen(self) -> Moment | None:
        """The position that is looked at, None for the game as it stands."""
        return None if self._at is None else self._all[self._at]

    @property
    def place(self) -> tuple[int, int]:
        """Which position of how many is looked at, from 1."""
        count = len(self._all)
        return (count if self._at is None else self._at + 1), count
