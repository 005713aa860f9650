"""Who comes to a table, as JSON lines (docs/json.md)."""

from __future__ import annotations

from typing import Final, assert_never

from sorry_lan.rules.board import Colour
from sorry_lan.table.encounters import CallerWaits, Encounter, FirstMet, KeyChanged
from sorry_lan.ui.json_values import Object
from sorry_lan.ui.shown import NAME_CELLS, shown

_HOST_CELLS: Final = 4 * NAME_CELLS


def encounter_fields(notice: Encounter) -> tuple[str, Object]:
    """The type of the line and what it holds beside its text."""
    match notice:
        case CallerWaits(host):
            return "caller_waits", {"host": shown(host, _HOST_CELLS)}
        case FirstMet(name, colour):
            return "first_met", _who(name, colour)
        case KeyChanged(key, name, colour, since):
            return "key_changed", {**_who(name, colour), "since": since, "key": key.hex()}
        case _:
            assert_never(notice)


def _who(name: str, colour: int) -> Object:
    return {"name": shown(name, NAME_CELLS), "colour": Colour(colour).name.lower()}
