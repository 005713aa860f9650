"""What a full-screen client is to the terminal that shows it: keys, clicks and sizes in, pictures out.

The contract between screen.py (prompt_toolkit, trio) and the pure client behind it; holds no behaviour.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import Protocol

from sorry_lan.table.news import News
from sorry_lan.table.notices import Notice
from sorry_lan.table.view import View
from sorry_lan.ui.answers import Answer
from sorry_lan.ui.canvas import Picture


@unique
class Key(Enum):
    """The keys that are no signs; there are no function keys and no Alt (U58)."""

    ENTER = "enter"
    ESCAPE = "escape"
    BACKSPACE = "backspace"
    DELETE = "delete"
    TAB = "tab"
    BACK_TAB = "back-tab"
    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"
    HOME = "home"
    END = "end"
    PAGE_UP = "page-up"
    PAGE_DOWN = "page-down"
    INTERRUPT = "interrupt"
    """Ctrl-C as a key, or a SIGINT."""
    END_OF_INPUT = "end-of-input"
    """Ctrl-D, or a terminal that has gone."""


@unique
class Mouse(Enum):
    """Whether clicks are wanted now: off where people copy an address (U56)."""

    ON = "on"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture with what belongs to the window around it.

    Attributes:
        picture: the screen. title: the window's title. mouse: whether clicks are wanted.
        bells: how many times the bell was asked for so far; a higher number than last time rings once.
        next_tick_s: when the picture changes by itself (an animation, a counter), as the clock that key() is given;
            None: never.
    """

    picture: Picture
    title: str
    mouse: Mouse
    bells: int
    next_tick_s: float | None


class FullScreen(Protocol):
    """A client without its terminal. Times are seconds of a monotonic clock; no method waits or raises."""

    def show(self, view: View, news: tuple[News, ...], now_s: float) -> None:
        """A new picture of the table and what happened since the last one."""
        ...

    def notice(self, notice: Notice, now_s: float) -> None:
        """Something beside the picture."""
        ...

    def typed(self, key: Key | str, now_s: float) -> Answer:
        """One key: a Key, or one sign. Answer.lines is not used here; any Stay but ON ends the client."""
        ...

    def pasted(self, text: str, now_s: float) -> Answer:
        """A bracketed paste: goes into a line of text, never plays a move."""
        ...

    def clicked(self, x: int, y: int, now_s: float) -> Answer:
        """A click on a cell of the last drawn picture."""
        ...

    def draw(self, width: int, height: int, now_s: float) -> Shown:
        """The screen of that many columns and rows, any size from 1x1."""
        ...
