"""The few words that stand on the board itself."""

from __future__ import annotations

from sorry_lan.rules.board import START, Colour
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.shown import cells
from sorry_lan.ui.texts import colour_text


def pad_text(colour: int, loc: int, room: int) -> str:
    """What a Start or Home is called: with the colour's name where that fits, else with its letter; at worst cut."""
    long = _pad_name(colour_text(colour), loc)
    return long if cells(long) <= room else _pad_name(Colour(colour).letter.upper(), loc)[:room]


def _pad_name(colour: str, loc: int) -> str:
    return (_("{colour} Start") if loc == START else _("{colour} Home")).format(colour=colour)
