"""A line of text that is being typed: signs, cursor, completion. Knows neither commands nor moves.

Every sign in it can be shown: what is pasted passes `shown` first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from sorry_lan.ui.full_screen import Key
from sorry_lan.ui.shown import shown

LONGEST: Final = 200
"""Signs of a line; chat is cut by its bytes when it is sent."""


@dataclass(frozen=True, slots=True)
class Typing:
    """The text, and the place in it where the next sign goes."""

    text: str = ""
    caret: int = 0


def line(text: str) -> Typing:
    """A line that begins with this text."""
    return Typing(text, len(text))


def inserted(typing: Typing, text: str) -> Typing:
    """The text put in at the caret: line ends and tabs become spaces, other controls visible, too much is cut."""
    flat = text if text == " " else " ".join(text.split())
    fit = shown(flat, 4 * LONGEST)[: max(0, LONGEST - len(typing.text))]
    before, behind = typing.text[: typing.caret], typing.text[typing.caret :]
    return Typing(before + fit + behind, typing.caret + len(fit))


def edited(typing: Typing, key: Key) -> Typing:
    """What an editing key makes of the line; any other key leaves it."""
    text, at = typing.text, typing.caret
    match key:
        case Key.BACKSPACE if at:
            return Typing(text[: at - 1] + text[at:], at - 1)
        case Key.DELETE:
            return Typing(text[:at] + text[at + 1 :], at)
        case Key.LEFT:
            return Typing(text, max(0, at - 1))
        case Key.RIGHT:
            return Typing(text, min(len(text), at + 1))
        case Key.HOME:
            return Typing(text, 0)
        case Key.END:
            return Typing(text, len(text))
        case _:
            return typing


def completed(typing: Typing, words: Iterable[str]) -> Typing:
    """The line as far as all words that begin with it agree."""
    found = fitting(typing, words)
    if not found:
        return typing
    first, last = min(found), max(found)
    common = next((first[:n] for n in range(len(first), 0, -1) if last.startswith(first[:n])), "")
    return line(common)


def fitting(typing: Typing, words: Iterable[str]) -> tuple[str, ...]:
    """The words that the line can still become."""
    begun = typing.text.lstrip().lower()
    return tuple(word for word in words if word.startswith(begun))
