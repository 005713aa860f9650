"""What a program that plays a seat may do, and for how long it may do nothing. Pure: time comes in with each call."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from sorry_lan.table.programs import BotProblem, BotTrouble

SILENT_S: Final = 30.0
"""A question may stand so long; after a minute the others are told that nobody moves."""
MOST_WRONG: Final = 10
"""Lines in a row that do nothing."""
UNREAD_BYTES: Final = 1 << 20
"""What may wait for the program to read it; a whole game is told in less."""
BURST_BYTES: Final = 64 * 1024
BYTES_A_SECOND: Final = 8 * 1024
"""What it may write: many times what a game takes, so that only a flood is ever more."""
_LINE_BYTES: Final = 64
"""What a line costs beside its bytes: empty lines are a flood too."""


class Leash:
    """The measure of one program; a method that returns a problem returns the last one there is."""

    __slots__ = ("_budget", "_open", "_since_s", "_spent_s", "_wrong")

    def __init__(self, now_s: float) -> None:
        self._open: frozenset[Hashable] = frozenset()
        self._since_s = now_s
        self._budget = float(BURST_BYTES)
        self._spent_s = now_s
        self._wrong = 0

    def asked(self, questions: frozenset[Hashable], now_s: float) -> None:
        """These questions stand there now."""
        if questions != self._open:
            self._open, self._since_s = questions, now_s

    def due_s(self) -> float | None:
        """When it will have been silent for too long; None while nothing is asked."""
        return self._since_s + SILENT_S if self._open else None

    def silent(self, now_s: float) -> BotProblem | None:
        """Whether it has been silent for too long."""
        due_s = self.due_s()
        if due_s is None or now_s < due_s:
            return None
        return BotProblem(BotTrouble.BOT_SILENT)

    def wrote(self, size: int, lines: int, now_s: float) -> BotProblem | None:
        """It wrote so many bytes, and with them the ends of so many lines."""
        self._budget = min(BURST_BYTES, self._budget + (now_s - self._spent_s) * BYTES_A_SECOND)
        self._spent_s = now_s
        self._budget -= size + lines * _LINE_BYTES
        return BotProblem(BotTrouble.BOT_FLOODS) if self._budget < 0 else None

    def unread(self, size: int) -> BotProblem | None:
        """So many bytes wait for it."""
        return BotProblem(BotTrouble.BOT_DEAF) if size > UNREAD_BYTES else None

    def right(self) -> None:
        """A line of it did something."""
        self._wrong = 0

    def wrong(self, why: str) -> BotProblem | None:
        """A line of it did nothing, for this reason."""
        self._wrong += 1
        return BotProblem(BotTrouble.BOT_GARBLED, why) if self._wrong >= MOST_WRONG else None
