"""The screen before a table without its terminal: keys in, pictures out, and at its end the words of a command.

A FullScreen like client.py's, but no table is behind it. Judges no address: the command it ends in does.
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
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.draw_help import HelpPage
from sorry_lan.ui.draw_start import StartChoice, StartPage
from sorry_lan.ui.full_screen import Key, Mouse, Shown
from sorry_lan.ui.sheet import Page, Typed, draw_sheet, last_scroll
from sorry_lan.ui.typing import Typing, completed, edited, inserted
from sorry_lan.wire.words import WORDS

_CHOICES: Final = tuple(StartChoice)
_COMMANDS: Final = {
    StartChoice.HOST: ("host",),
    StartChoice.PLAY: ("play",),
    StartChoice.RESUME: ("resume",),
    StartChoice.GAMES: ("games",),
    StartChoice.DOCTOR: ("doctor",),
}
_KEYS: Final = {key.value: key for key in Key}


@unique
class _At(Enum):
    """What is on the screen: the choices, one of the two lines of a join, or the help."""

    CHOICES = "choices"
    ADDRESS = "address"
    CODE = "code"
    HELP = "help"


class StartClient:
    """What somebody wants to do: `command` holds its words once the client has left, () where it is nothing."""

    __slots__ = (
        "_address",
        "_at",
        "_drawn",
        "_name",
        "_scroll",
        "_selected",
        "_signs",
        "_typing",
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
        self._address = ""
        self._typing = Typing()
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
        match self._at:
            case _At.CHOICES:
                return self._choose(key)
            case _At.HELP:
                return self._read(key)
            case _At.ADDRESS | _At.CODE:
                return self._write(key)

    def pasted(self, text: str, now_s: float) -> Answer:  # noqa: ARG002 - as above
        """A paste: goes into the line that is being typed, and nowhere else."""
        if self._at in (_At.ADDRESS, _At.CODE):
            self._typing = inserted(self._typing, text)
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
        mouse = Mouse.ON if self._at in (_At.CHOICES, _At.HELP) else Mouse.OFF
        return Shown(self._drawn, "sorry-lan", mouse, 0, None)

    def _page(self) -> Page:
        if self._at is _At.HELP:
            return HelpPage(Phase.LOBBY, PROFILES["standard"], self._scroll)
        typed = None
        if self._at is _At.ADDRESS:
            typed = Typed(self._typing.text, self._typing.caret, _("Address of the host: "))
        elif self._at is _At.CODE:
            typed = Typed(self._typing.text, self._typing.caret, _("Its code (three words, or empty): "))
        return StartPage(self._name, self._version, self._selected, typed=typed)

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
            case StartChoice.JOIN:
                self._at, self._typing = _At.ADDRESS, Typing()
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

    def _write(self, key: Key | str) -> Answer:
        match key:
            case Key.ESCAPE:
                self._at = _At.CHOICES
            case Key.ENTER:
                return self._written(self._typing.text.strip())
            case Key.TAB if self._at is _At.CODE:
                self._typing = _completed_code(self._typing)
            case str():
                self._typing = inserted(self._typing, key)
            case _:
                self._typing = edited(self._typing, key)
        return Answer()

    def _written(self, text: str) -> Answer:
        """A finished line: the address asks for the code, the code ends in the command. An empty code is none."""
        if self._at is _At.ADDRESS:
            # What begins with a dash would be taken for a flag.
            if text and not text.startswith("-"):
                self._address = text
                self._at, self._typing = _At.CODE, Typing()
            return Answer()
        code = "-".join(text.replace("-", " ").split())
        self.command = ("join", self._address, *(("--code", code) if code else ("--open",)))
        return Answer(stay=Stay.LEAVE)


def _completed_code(typing: Typing) -> Typing:
    """The last word of a code as far as all words that begin so agree."""
    head, dash, begun = typing.text.lower().replace(" ", "-").rpartition("-")
    found = completed(Typing(begun, len(begun)), WORDS) if begun else Typing()
    text = head + dash + (found.text or begun)
    return Typing(text, len(text))
