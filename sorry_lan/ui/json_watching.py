"""JSON objects about watching: of those who watch, and of this client where it watches itself."""

from __future__ import annotations

from sorry_lan.table.news import CaughtUp, LostSight, News, Sees, StoppedWatching, Watches
from sorry_lan.ui.json_values import Object
from sorry_lan.ui.shown import NAME_CELLS, shown


def watching_fields(item: News) -> tuple[str, Object] | None:
    """Type and fields of one piece of such news; None for any other."""
    match item:
        case Watches(name):
            return "watches", {"name": shown(name, NAME_CELLS)}
        case StoppedWatching(name):
            return "stopped_watching", {"name": shown(name, NAME_CELLS)}
        case Sees(name):
            return "sees", {"through": shown(name, NAME_CELLS)}
        case LostSight(name):
            return "lost_sight", {"through": shown(name, NAME_CELLS)}
        case CaughtUp(k):
            return "caught_up", {"k": k}
        case _:
            return None
