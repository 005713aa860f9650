"""A kept game on the full screen: the board, film and pages of the client, stepped through instead of played.

Pure, as the client is. replay_model.py knows the game, cli/replay.py the file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from sorry_lan.table.news import News
from sorry_lan.table.notices import Notice
from sorry_lan.table.view import Phase, View
from sorry_lan.ui.answers import Answer, Stay
from sorry_lan.ui.canvas import Canvas, Ink, Zone
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.client import Client
from sorry_lan.ui.draw_help import HelpPage, draw_help
from sorry_lan.ui.full_screen import Key, Mouse, Shown
from sorry_lan.ui.replay_model import Timeline
from sorry_lan.ui.sheet import last_scroll
from sorry_lan.ui.taste import Taste
from sorry_lan.ui.texts_help import replay_rows

PAUSE_S: Final = 0.8
"""So long a step stays before the next one comes by itself."""
_PAGES: Final = frozenset("fd")
_SCROLLS: Final = {Key.UP: -1, Key.DOWN: 1, Key.PAGE_UP: -10, Key.PAGE_DOWN: 10}
_MOST_DIGITS: Final = 6
_ON: Final = frozenset((Key.RIGHT, Key.DOWN, Key.PAGE_DOWN, "n"))
_BY_NAME: Final = {key.value: key for key in Key}
_OWN_ROWS: Final = 2
_BACK: Final = frozenset((Key.LEFT, Key.UP, Key.PAGE_UP, "p"))


class ReplayScreen:
    """One person who looks at a kept game."""

    __slots__ = ("_at", "_client", "_due_s", "_help", "_number", "_page", "_playing", "_taste", "_timeline", "_zones")

    def __init__(self, timeline: Timeline, taste: Taste) -> None:
        self._timeline = timeline
        self._taste = taste
        self._at = 0
        self._number = ""
        self._help: int | None = None
        """How far the help is scrolled, while it lies over the board."""
        self._page = False
        """Whether a page lies over the board."""
        self._playing = False
        self._due_s: float | None = None
        self._zones: tuple[Zone, ...] = ()
        self._client = Client(taste)
        self._client.show(timeline.at(0).view, timeline.at(0).news, 0.0)

    def show(self, view: View, news: tuple[News, ...], now_s: float) -> None:
        """There is no table."""

    def notice(self, notice: Notice, now_s: float) -> None:
        """There is no table."""

    def typed(self, key: Key | str, now_s: float) -> Answer:
        """One key."""
        if key is Key.INTERRUPT:
            return Answer((), (), Stay.INTERRUPT)
        if key is Key.END_OF_INPUT or (key == "q" and not self._page and self._help is None):
            return Answer((), (), Stay.LEAVE)
        if self._help is not None:
            closes = key in (Key.ESCAPE, Key.ENTER, "h", "?", "q")
            by = _SCROLLS.get(key, 0) if isinstance(key, Key) else 0
            self._help = None if closes else max(0, self._help + by)
            return Answer()
        if self._page:
            self._client.typed(key, now_s)
            self._page = key not in (Key.ESCAPE, Key.ENTER)
            return Answer()
        self._step(key, now_s)
        return Answer()

    def pasted(self, text: str, now_s: float) -> Answer:  # noqa: ARG002 - the contract hands over more
        """Nothing is written here."""
        return Answer()

    def clicked(self, x: int, y: int, now_s: float) -> Answer:
        """A click on one of the keys in the last row."""
        for zone in self._zones:
            if zone.y == y and zone.x <= x < zone.x + zone.width:
                return self.typed(_BY_NAME.get(zone.key, zone.key), now_s)
        return Answer()

    def draw(self, width: int, height: int, now_s: float) -> Shown:
        """The client's picture with our own two last rows."""
        if self._playing and self._due_s is not None and now_s >= self._due_s:
            self._on(now_s)
        if self._help is not None:
            return self._draw_help(self._help, width, height)
        shown = self._client.draw(width, height, now_s)
        self._settle(shown, now_s)
        wakes = [at_s for at_s in (shown.next_tick_s, self._due_s) if at_s is not None]
        picture = shown.picture
        self._zones = ()
        if not self._page and height >= _OWN_ROWS:
            ours = self._rows(width, height).picture()
            self._zones = ours.zones
            picture = replace(picture, rows=(*picture.rows[:-_OWN_ROWS], *ours.rows[-_OWN_ROWS:]), cursor=None)
        return Shown(picture, _("sorry-lan replay"), Mouse.ON, 0, min(wakes, default=None))

    def _draw_help(self, scroll: int, width: int, height: int) -> Shown:
        game = self._timeline.at(0).view.game
        page = HelpPage(Phase.OVER, None if game is None else game.rules, keys=replay_rows())
        self._help = min(scroll, last_scroll(page, width, height, self._taste.signs))
        canvas = Canvas(width, height)
        draw_help(canvas, replace(page, scroll=self._help), self._taste.signs)
        picture = canvas.picture()
        self._zones = picture.zones
        return Shown(picture, _("sorry-lan replay"), Mouse.ON, 0, None)

    def _settle(self, shown: Shown, now_s: float) -> None:
        """Let the next step come once the film of this one is over."""
        if not self._playing or shown.next_tick_s is not None:
            self._due_s = None
        elif self._due_s is None:
            self._due_s = now_s + PAUSE_S

    def _step(self, key: Key | str, now_s: float) -> None:
        if isinstance(key, str) and key.isascii() and key.isdigit():
            self._number = (self._number + key)[:_MOST_DIGITS]
            return
        number, self._number = self._number, ""
        if key is Key.ENTER and number:
            self._jump(self._timeline.jump(number) or 0, now_s)
        elif key is Key.BACKSPACE:
            self._number = number[:-1]
        elif key == " ":
            self._playing = not self._playing and self._at < self._timeline.last
        elif key in _ON or key is Key.ENTER:
            self._on(now_s)
        elif key in _BACK:
            self._jump(self._timeline.previous(self._at), now_s)
        elif key is Key.HOME:
            self._jump(0, now_s)
        elif key is Key.END:
            self._jump(self._timeline.last, now_s)
        elif key in ("+", "-"):
            self._client.typed(key, now_s)
        elif key in ("h", "?"):
            self._playing, self._help = False, 0
        elif key in _PAGES:
            self._playing = False
            self._client.typed(key, now_s)
            self._page = True

    def _on(self, now_s: float) -> None:
        """The next step, as a film."""
        self._due_s = None
        if self._at == self._timeline.last:
            self._playing = False
            return
        self._at += 1
        self._client.typed(Key.ESCAPE, now_s)  # what still moves is over
        shot = self._timeline.at(self._at)
        self._client.show(shot.view, shot.news, now_s)

    def _jump(self, number: int, now_s: float) -> None:
        """The game up to a step, at once: what the client counts and remembers is only what came before."""
        self._playing = False
        self._at = number
        news = tuple(item for each in range(number + 1) for item in self._timeline.at(each).news)
        self._client = Client(self._taste)
        self._client.show(self._timeline.at(number).view, news, now_s)
        self._client.typed(Key.ESCAPE, now_s)

    def _rows(self, width: int, height: int) -> Canvas:
        canvas = Canvas(width, height)
        place = _("Step {n} of {last}").format(n=self._at, last=self._timeline.last)
        going = _("playing") if self._playing else ""
        x = canvas.put(0, height - 2, f"> {self._number}" if self._number else "> ", Ink.INPUT)
        canvas.put(x + 1, height - 2, "  ".join(part for part in (place, going) if part))
        x = 1
        for key, label, does in _keys():
            text = f"{label} {does}"
            if x + len(text) <= width:
                canvas.zone(x, height - 1, len(text), 1, key)
                x = canvas.put(x, height - 1, text, Ink.KEYS) + 2
        return canvas


def _keys() -> tuple[tuple[str, str, str], ...]:
    """(key, its name, what it does), the most important first."""
    return (
        (Key.RIGHT.value, _("Right"), _("next")),
        (Key.LEFT.value, _("Left"), _("back")),
        (" ", _("Space"), _("play")),
        (Key.ENTER.value, _("1-9 Enter"), _("go to a step")),
        ("q", "q", _("leave")),
        ("f", "f", _("fair?")),
        ("d", "d", _("deck")),
        ("h", "h", _("help")),
        (Key.HOME.value, _("Home key"), _("start")),
        (Key.END.value, _("End"), _("end")),
    )
