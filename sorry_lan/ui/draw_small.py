"""The game where no board fits: draw_list.py's page with the choices, steps and questions that stand beside a board."""

from __future__ import annotations

from sorry_lan.table.view import GameView, Phase
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import Ink
from sorry_lan.ui.draw_game import input_text, keys_of, seen_lines, typed_line
from sorry_lan.ui.draw_list import ListPage
from sorry_lan.ui.draw_panel import panel_lines
from sorry_lan.ui.screen_state import Over, Screen
from sorry_lan.ui.sheet import Line, Typed, fitting_hints, hints_of, prose
from sorry_lan.ui.texts_screen import turn_text

_LOG = 12
"""Sentences that there can be room for."""


class SmallPage:
    """A page for draw_sheet."""

    __slots__ = ("_game", "_phase", "_screen")

    def __init__(self, screen: Screen, game: GameView, phase: Phase) -> None:
        self._screen = screen
        self._game = game
        self._phase = phase

    @property
    def scroll(self) -> int:
        """Lines past the top."""
        return self._screen.state.scroll

    @property
    def typed(self) -> Typed | None:
        """The line of input."""
        return typed_line(self._screen)

    def title(self) -> tuple[str, str]:
        """Whose turn it is."""
        asked, home = ListPage(self._game, self._phase, self._screen.question).title()
        frame = self._screen.frame
        return (asked if frame is None else turn_text(None, self._game.seats[frame.seat], self._game)), home

    def keys_text(self) -> str:
        """As beside a board."""
        return "  ".join(f"{label} {does}" for _key, label, does in keys_of(self._screen))

    def lines(self, width: int, height: int, signs: Signs) -> tuple[Line, ...]:
        """What came of the last key, what is asked, what happened, where everybody is."""
        screen = self._screen
        leaving = screen.state.over is Over.LEAVE
        told = self._leaving_text(width) if leaving else screen.state.message
        panel = panel_lines(screen, self._game, width)
        if panel and "".join(text for _ink, text in panel[0].spans).strip() == self.title()[0]:
            del panel[0]
        first = [*prose(told, width, Ink.BAD), *panel]
        log = tuple(told.text for told in seen_lines(screen)[-_LOG:])
        below = ListPage(self._game, self._phase, log=log).lines(width, height - len(first), signs)
        return (*first, *below)

    def _leaving_text(self, width: int) -> str:
        """The question how to leave, with its answers where the row of keys cannot hold them all."""
        asked = input_text(self._screen, self._game).removeprefix("> ")
        hints = hints_of(self.keys_text())
        return asked if fitting_hints(hints, width - 2) == len(hints) else f"{asked} {', '.join(hints)}"
