"""What people here may call themselves and say: checked before it goes out, so that nobody has to refuse it."""

from __future__ import annotations

import unicodedata

from sorry_lan.ui.shown import NAME_CELLS, shown
from sorry_lan.wire.limits import MAX_CHAT, MAX_NAME


def fit_name(text: str) -> str | None:
    """The name in NFC, or None unless it has 1..24 bytes and 1..24 cells and nothing in it has to be made visible."""
    name = unicodedata.normalize("NFC", text).strip()
    if not name or not _fits(name, MAX_NAME) or shown(name, NAME_CELLS) != name:
        return None
    return name


def fit_chat(text: str) -> str | None:
    """What may be said, or None unless it has 1..200 bytes."""
    said = text.strip()
    return said if said and _fits(said, MAX_CHAT) else None


def _fits(text: str, limit: int) -> bool:
    try:
        return len(text.encode()) <= limit
    except UnicodeEncodeError:  # half a sign, from a broken terminal or an escape in JSON
        return False
