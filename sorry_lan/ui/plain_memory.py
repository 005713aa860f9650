"""What plain mode keeps of the news so that it can be asked for: the last moves, and the numbers of the game."""

from __future__ import annotations

from collections import deque
from typing import Final

from sorry_lan.table.news import CardDrawn, EnginesDiffer, FaultProven, GameStarted, News, Played, Won
from sorry_lan.table.view import GameView, View
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.fair_words import fairness_lines
from sorry_lan.ui.tally import Tally, tally_with
from sorry_lan.ui.texts_fairness import Trouble

HISTORY: Final = 12
"""Sentences that `l` can repeat: three rounds of four."""


class PlainMemory:
    """Of one client, from its first picture on."""

    __slots__ = ("_moves", "_tally", "_troubles")

    def __init__(self) -> None:
        self._moves: deque[str] = deque(maxlen=HISTORY)
        self._tally = Tally()
        self._troubles: tuple[Trouble, ...] = ()

    def keep(self, item: News, view: View, sentences: tuple[str, ...]) -> None:
        """One more piece of news, and how it was told."""
        if view.game is not None:
            self._tally = tally_with(self._tally, item, view.game)
        match item:
            case GameStarted():
                self._troubles = ()
                self._moves.clear()
            case FaultProven() | EnginesDiffer():
                self._troubles = (*self._troubles, item)
            case CardDrawn() | Played() | Won():
                self._moves += sentences
            case _:
                pass

    def last_moves(self) -> tuple[str, ...]:
        """The last moves."""
        return tuple(self._moves) or (_("Nobody has moved yet."),)

    def fairness(self, game: GameView) -> tuple[str, ...]:
        """Whether the deck is fair."""
        return fairness_lines(game, self._tally, self._troubles)
