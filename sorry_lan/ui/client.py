# ruff: noqa: ARG002 - the contract hands over more than a first version uses
"""The full-screen client without its terminal: pictures of the table, keys and clicks in; screens out (full_screen.py).

Pure: time comes in with each call.
"""

from __future__ import annotations

from collections import deque

from sorry_lan.table.events import DrawAsked, Happening, LeaveAsked, SeatDecided
from sorry_lan.table.news import News
from sorry_lan.table.notices import Notice
from sorry_lan.table.phases import IN_PLAY
from sorry_lan.table.view import Ask, Prompt, View
from sorry_lan.ui.answers import Answer, Stay, does
from sorry_lan.ui.canvas import Canvas, Ink
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.full_screen import Key, Mouse, Shown
from sorry_lan.ui.plain import PlainSession
from sorry_lan.ui.taste import Taste
from sorry_lan.ui.texts_prompts import numbered


class Client:
    """One person's screen at one table."""

    __slots__ = ("_asked_to_leave", "_digit", "_lines", "_session", "_taste", "_view")

    def __init__(self, taste: Taste) -> None:
        self._taste = taste
        self._view: View | None = None
        self._session = PlainSession()
        self._lines: deque[str] = deque(self._session.greeting(), maxlen=200)
        self._digit = 0
        self._asked_to_leave = False

    def show(self, view: View, news: tuple[News, ...], now_s: float) -> None:
        """A new picture of the table and what happened since the last one."""
        self._lines += self._session.picture(view, news)
        self._view = view
        self._digit = 0

    def notice(self, notice: Notice, now_s: float) -> None:
        """Something beside the picture."""
        self._lines += self._session.noticed(notice)

    def typed(self, key: Key | str, now_s: float) -> Answer:
        """One key."""
        if key is Key.INTERRUPT:
            if self._view is None or self._view.phase not in IN_PLAY or self._asked_to_leave:
                return Answer((), (LeaveAsked(),), Stay.INTERRUPT)
            self._asked_to_leave = True
            return Answer()
        self._asked_to_leave = False
        if key is Key.END_OF_INPUT or (key == "q" and (self._view is None or self._view.phase not in IN_PLAY)):
            return Answer((), (LeaveAsked(),), Stay.LEAVE)
        if isinstance(key, str) and key.isdigit():
            self._digit = int(key)
        prompt = self._prompt()
        if key == Key.ENTER and prompt is not None:
            answer = self._chosen(prompt)
            return Answer() if answer is None else does(answer)
        if key == " " and self._view is not None and self._view.lobby is not None:
            return self._session.typed("ready")
        return Answer()

    def pasted(self, text: str, now_s: float) -> Answer:
        """A bracketed paste."""
        return Answer()

    def clicked(self, x: int, y: int, now_s: float) -> Answer:
        """A click on a cell of the last drawn picture."""
        return Answer()

    def draw(self, width: int, height: int, now_s: float) -> Shown:
        """The screen of that many columns and rows."""
        canvas = Canvas(width, height)
        rows = list(self._lines)[-max(1, height - 2) :]
        for y, line in enumerate(rows):
            canvas.put(0, y, line)
        canvas.put(0, height - 2, f"> {self._digit or ''}", Ink.INPUT)
        canvas.put(0, height - 1, _("1-9 pick  Enter play  Ctrl-C leave"), Ink.KEYS)
        return Shown(canvas.picture(), "sorry-lan", Mouse.OFF, 0, None)

    def _prompt(self) -> Prompt | None:
        return next(iter(self._view.prompts), None) if self._view else None

    def _chosen(self, prompt: Prompt) -> Happening | None:
        if prompt.ask is Ask.DRAW or prompt.card is None:
            return DrawAsked(prompt.seat)
        if self._view is None or self._view.game is None:
            return None
        moves = numbered(prompt, self._view.game)
        if not 1 <= self._digit <= len(moves):
            return None
        return SeatDecided(prompt.seat, prompt.k, prompt.card, moves[self._digit - 1])
