"""Who comes to a table, in sentences: strangers at the door, new faces, known names with another key."""

from __future__ import annotations

from typing import assert_never

from sorry_lan.table.encounters import CallerWaits, Encounter, FirstMet, KeyChanged
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.shown import shown
from sorry_lan.ui.texts import colour_text, name_text

HOST_CELLS = 80
_DAY_CELLS = 10


def encounter_text(notice: Encounter) -> str:
    """One sentence about somebody; for a changed key also why that may be, and what to do."""
    match notice:
        case CallerWaits(host):
            return _("Somebody at {host} is connecting ...").format(host=shown(host, HOST_CELLS))
        case FirstMet(name, colour):
            told = _("You have not played with {name} ({colour}) before.")
            return told.format(name=name_text(name), colour=colour_text(colour))
        case KeyChanged(_key, name, colour, since):
            told = _(
                "KEY CHANGED: {name} ({colour}) has another key than the {name} you know since {since}."
                " Ask {name}: another computer or a new folder has a key of its own; if it is neither,"
                " somebody else uses the name, and you should not play. If you do, the new key counts from then on."
            )
            return told.format(name=name_text(name), colour=colour_text(colour), since=shown(since, _DAY_CELLS))
        case _:
            assert_never(notice)
