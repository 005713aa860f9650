"""Notations and settings that could not be read, in the language in use; the English is rules/misread.py's."""

from __future__ import annotations

from sorry_lan.rules.board import Colour
from sorry_lan.rules.misread import Misread
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.texts import colour_text


def misread_text(wrong: ValueError) -> str:
    """The sentence; of any other error what it says."""
    if not isinstance(wrong, Misread):
        return str(wrong)
    filling = {place: colour_text(v) if isinstance(v, Colour) else v for place, v in wrong.filling.items()}
    return _(wrong.template).format(**filling)
