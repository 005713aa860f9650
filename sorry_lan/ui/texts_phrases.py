"""The six phrases in the reader's language, and what was said with them in it."""

from __future__ import annotations

from sorry_lan.table.phrases import PHRASES
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.shown import CHAT_CELLS, shown


def phrase_texts() -> tuple[str, ...]:
    """The phrases, in the order of PHRASES."""
    return (
        _("Hello!"),
        _("Good luck!"),
        _("Well played!"),
        _("Oh no!"),
        _("One moment, please."),
        _("Thank you, good game!"),
    )


def said_text(text: str) -> str:
    """What somebody said, fit for output; a phrase in the reader's language."""
    if text in PHRASES:
        return phrase_texts()[PHRASES.index(text)]
    return shown(text, CHAT_CELLS)
