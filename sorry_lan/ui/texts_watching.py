"""Sentences about watching: for those who watch, and for players about them."""

from __future__ import annotations

from collections.abc import Sequence

from sorry_lan.table.news import CaughtUp, LostSight, News, Sees, StoppedWatching, Watches
from sorry_lan.table.view import Looking, View
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.texts import list_text, name_text


def watching_lines(item: News) -> tuple[str, ...] | None:
    """The sentences for one piece of such news; None for any other."""
    match item:
        case Watches(name):
            return (_("{name} watches.").format(name=name_text(name)),)
        case StoppedWatching(name):
            return (_("{name} no longer watches.").format(name=name_text(name)),)
        case Sees(name):
            return (
                _("You watch this table through {name}; you cannot play or talk here.").format(name=name_text(name)),
            )
        case LostSight(name):
            return (_("The connection to {name} is lost; trying the other players.").format(name=name_text(name)),)
        case CaughtUp(k):
            return (_("Everything before step {k} was checked; from here on you see it as it happens.").format(k=k),)
        case _:
            return None


def watchers_text(names: Sequence[str]) -> str:
    """Who watches, for a line of its own; empty for nobody."""
    if not names:
        return ""
    told = list_text(sorted(map(name_text, names)))
    return n_("{n} person watches: {names}.", "{n} people watch: {names}.", len(names)).format(names=told)


def looking_text(looking: Looking, k: int) -> str:
    """How we watch ourselves; `k` is the step that is open here."""
    if looking.through is None:
        return _("You watch; at the moment nobody shows you the game. Trying the players.")
    if looking.behind:
        return _("You watch; checking step {k} of {there}.").format(k=k, there=looking.there_k)
    return _("You watch through {name}.").format(name=name_text(looking.through))


def who_watches(view: View) -> tuple[str, ...]:
    """The lines about watching that belong to a picture."""
    own = () if view.looking is None else (looking_text(view.looking, 0 if view.game is None else view.game.k),)
    others = watchers_text(view.watchers)
    return (*own, others) if others else own


def only_watch_text() -> str:
    """What is said to whoever watches and would act."""
    return _("You only watch this table; q leaves.")
