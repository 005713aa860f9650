"""What can go wrong with a program that plays a seat (--bot-program); a value for people and programs to be told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique


@unique
class BotTrouble(Enum):
    """Why a program plays no more; each is one sentence."""

    BOT_NOT_STARTED = "bot-not-started"
    BOT_ENDED = "bot-ended"
    """It ended before the game did."""
    BOT_GARBLED = "bot-garbled"
    """Line after line of it does nothing."""
    BOT_SILENT = "bot-silent"
    """It answers no question."""
    BOT_FLOODS = "bot-floods"
    """It writes far more than a game takes."""
    BOT_DEAF = "bot-deaf"
    """It does not read what it is told."""


@dataclass(frozen=True, slots=True)
class BotProblem:
    """What became of a program.

    `detail` is the system's word, the last line of its complaints, or what was wrong with its last line; `code` how it
    ended, where it did.
    """

    trouble: BotTrouble
    detail: str = ""
    code: int | None = None
