"""The screen before a table without its terminal: keys in, pictures out, and at its end the words of a command.

A FullScreen like client.py's, but no table is behind it.
"""

from __future__ import annotations

from enum import Enum, unique
from typing import Final

from sorry_lan.rules.profile import PROFILES
from sorry_lan.table.news import News
from sorry_lan.table.notices import Notice
from sorry_lan.table.view import Phase, View
from sorry_lan.ui.answers import Answer, Stay
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import Canvas, Picture
from sorry_lan.ui.draw_help import HelpPage
from sorry_lan.ui.draw_start import StartChoice, StartPage
from sorry_lan.ui.full_screen import Key, Mouse, Shown
from sorry_lan.ui.sheet import Page, draw_sheet, last_scroll

_CHOICES: Final = tuple(StartChoice)
_COMMANDS: Final = {
    StartChoice.HOST: ("host",),
    StartChoice.JOIN: ("join",),
    StartChoice.PLAY: ("play",),
    StartChoice.RESUME: ("resume",),
    StartChoice.GAMES: ("games",),
    StartChoice.DOCTOR: ("doctor",),
}
_KEYS: Final = {key.value: key for key in Key}


@unique
class _At(Enum):
    """What is on the screen."""

    CHOICES = "choices"
    HELP = "help"


class StartClient:
    """What somebody wants to do: `command` holds its words once the client has left, () where it is nothing."""

    __slots__ = (
        "_at",
        "_drawn",
        "_name",
        "_scroll",
        "_selected",
        "_signs",
        "_version",
        "command",
    )

    def __init__(self, name: str, version: str, signs: Signs) -> None:
        self.command: tuple[str, ...] = ()
        self._name = name
        self._version = version
        self._signs = signs
        self._at = _At.CHOICES
        self._selected = StartChoice.HOST
        self._scroll = 0
        self._drawn = Picture(())

    def show(self, view: View, news: tuple[News, ...], now_s: float) -> None:
        """There is no table that could be shown."""

    def notice(self, notice: Notice, now_s: float) -> None:
        """There is no table that could be told of."""

    def typed(self, key: Key | str, now_s: float) -> Answer:  # noqa: ARG002 - nothing here depends on time
        """One key."""
        if key is Key.INTERRUPT:
            return Answer(stay=Stay.INTERRUPT)
        if key is Key.END_OF_INPUT:
            return Answer(stay=Stay.LEAVE)
        return self._choose(key) if self._at is _At.CHOICES else self._read(key)

    def pasted(self, text: str, now_s: float) -> Answer:
        """A paste chooses nothing."""
        _unused = text, now_s
        return Answer()

    def clicked(self, x: int, y: int, now_s: float) -> Answer:
        """A click on a choice, or on a key of the last row."""
        zone = self._drawn.zone_at(x, y)
        return Answer() if zone is None else self.typed(_KEYS.get(zone.key, zone.key), now_s)

    def draw(self, width: int, height: int, now_s: float) -> Shown:  # noqa: ARG002 - as above
        """The screen of that many columns and rows."""
        canvas = Canvas(width, height)
        page = self._page()
        self._scroll = min(self._scroll, last_scroll(page, width, height, self._signs))
        draw_sheet(canvas, page, self._signs)
        self._drawn = canvas.picture()
        return Shown(self._drawn, "sorry-lan", Mouse.ON, 0, None)

    def _page(self) -> Page:
        if self._at is _At.HELP:
            return HelpPage(Phase.LOBBY, PROFILES["standard"], self._scroll)
        return StartPage(self._name, self._version, self._selected)

    def _choose(self, key: Key | str) -> Answer:
        at = _CHOICES.index(self._selected)
        match key:
            case Key.UP | Key.BACK_TAB:
                self._selected = _CHOICES[at - 1]
            case Key.DOWN | Key.TAB:
                self._selected = _CHOICES[(at + 1) % len(_CHOICES)]
            case Key.ESCAPE:
                return Answer(stay=Stay.LEAVE)
            case Key.ENTER:
                return self._take(self._selected)
            case str() if key in {choice.value for choice in _CHOICES}:
                self._selected = StartChoice(key)
                return self._take(self._selected)
            case _:
                pass
        return Answer()

    def _take(self, choice: StartChoice) -> Answer:
        match choice:
            case StartChoice.HELP:
                self._at, self._scroll = _At.HELP, 0
            case _:
                self.command = _COMMANDS.get(choice, ())
                return Answer(stay=Stay.LEAVE)
        return Answer()

    def _read(self, key: Key | str) -> Answer:
        match key:
            case Key.UP | Key.DOWN | Key.PAGE_UP | Key.PAGE_DOWN:
                by = {Key.UP: -1, Key.DOWN: 1, Key.PAGE_UP: -10, Key.PAGE_DOWN: 10}[key]
                self._scroll = max(0, self._scroll + by)
            case Key.ESCAPE | Key.ENTER | "q" | "?":
                self._at = _At.CHOICES
            case _:
                pass
        return Answer()
