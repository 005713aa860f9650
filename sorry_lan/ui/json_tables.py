"""Tables in this network as JSON lines (docs/json.md)."""

from __future__ import annotations

from sorry_lan.table.notices import CodeUse, FoundTable, Openness, Program, Watch
from sorry_lan.ui.json_values import Object
from sorry_lan.ui.jsonlines import line_of
from sorry_lan.ui.shown import NAME_CELLS, shown
from sorry_lan.ui.texts_finding import table_text

_LONG = NAME_CELLS * 4


def table_line(found: FoundTable, ours: Program) -> str:
    """A table that answers in this network."""
    card = found.card
    fields: Object = {
        "title": shown(card.title, _LONG),
        "people": [shown(name, NAME_CELLS) for name in card.people],
        "seats": card.seats,
        "free": card.free,
        "rules": shown(card.rules, NAME_CELLS),
        "in_play": card.openness is Openness.PLAY,
        "watch": card.watch is Watch.YES,
        "needs_code": card.code is CodeUse.NEEDED,
        "version": shown(card.program.app, NAME_CELLS),
        "protocol": [card.program.vmin, card.program.vmax],
        "address": shown(found.address, _LONG),
        "latency_ms": max(1, round(found.latency_ms)),
        "fits": found.fit.value,
        "text": table_text(found, ours),
    }
    return line_of("table", fields)


def table_gone_line(address: str) -> str:
    """A table that no longer answers."""
    return line_of("table_gone", {"address": shown(address, _LONG)})
