"""When lines about a table are shown: at once, but after each turn of a bot with a pause in which it can be read.

Pure: time comes in with each call. What waits, waits in order; the table is never kept waiting by it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from sorry_lan.table.news import News, Played
from sorry_lan.table.notices import Notice
from sorry_lan.table.view import View
from sorry_lan.ui.taste import Pace
from sorry_lan.wire.terms import SeatKind

PAUSE_S: Final = {Pace.NONE: 0.0, Pace.SLOW: 2.0, Pace.NORMAL: 1.2, Pace.FAST: 0.8}
"""Behind each turn of a bot."""
ASKED: Final = 12
"""Turns of bots that may wait while somebody here is asked; the oldest come at once, in one go."""
LONGEST: Final = 1000
"""Turns that may wait while nobody is."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture and the news that led to it; `pauses` where they end with a bot's turn."""

    view: View
    news: tuple[News, ...]
    pauses: bool


class Pacing:
    """What is to be shown, and when."""

    __slots__ = ("_free_s", "_pause_s", "_turns", "_waiting")

    def __init__(self, pace: Pace) -> None:
        self._pause_s = PAUSE_S[pace]
        self._waiting: deque[Picture | Notice] = deque()
        self._turns = 0
        self._free_s = 0.0

    @property
    def pauses(self) -> bool:
        """Whether anything ever waits."""
        return self._pause_s > 0

    def add(self, view: View, news: tuple[News, ...]) -> None:
        """A new picture."""
        for picture in _parts(view, news) if self.pauses else (Picture(view, news, pauses=False),):
            self._waiting.append(picture)
            self._turns += picture.pauses

    def note(self, notice: Notice) -> None:
        """Something beside the picture, after what waits."""
        self._waiting.append(notice)

    def due(self, now_s: float) -> list[Picture | Notice]:
        """What is to be shown now."""
        found: list[Picture | Notice] = []
        most = ASKED if self._asked() else LONGEST
        while self._waiting and (now_s >= self._free_s or self._turns > most):
            item = self._waiting.popleft()
            found.append(item)
            if isinstance(item, Picture) and item.pauses:
                self._turns -= 1
                self._free_s = now_s + self._pause_s
        return found

    def all(self) -> list[Picture | Notice]:
        """All that waits, without any more pause: somebody is in a hurry."""
        found = list(self._waiting)
        self._waiting.clear()
        self._turns, self._free_s = 0, 0.0
        return found

    def next_s(self) -> float | None:
        """When more is due."""
        return self._free_s if self._waiting else None

    def _asked(self) -> bool:
        """Whether the latest picture asks somebody here."""
        latest = next((item for item in reversed(self._waiting) if isinstance(item, Picture)), None)
        return latest is not None and bool(latest.view.prompts)


def _parts(view: View, news: tuple[News, ...]) -> Iterator[Picture]:
    """The picture cut behind each turn of a bot; questions stand in the last part alone."""
    game = view.game
    part: list[News] = []
    for number, item in enumerate(news, 1):
        part.append(item)
        bots = game is not None and isinstance(item, Played) and game.seats[item.seat].kind is not SeatKind.HUMAN
        if bots and number == len(news) and not view.prompts:
            yield Picture(view, tuple(part), pauses=True)
            return
        if bots:
            yield Picture(replace(view, prompts=()), tuple(part), pauses=True)
            part = []
    yield Picture(view, tuple(part), pauses=False)
