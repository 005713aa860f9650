"""Whose chat a person here does not want to read: by key, so that a new name changes nothing. Told to nobody."""

from __future__ import annotations

from sorry_lan.table.news import Said
from sorry_lan.table.view import LobbySeatView, SeatView, View
from sorry_lan.ui.answers import Answer, told
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.shown import shown
from sorry_lan.ui.texts import colour_text, list_text, name_text
from sorry_lan.wire.messages import LobbyKind
from sorry_lan.wire.terms import SeatKind

_WHO_CELLS = 40


class Muting:
    """The keys that are muted; they stay so from table to table."""

    __slots__ = ("_keys",)

    def __init__(self) -> None:
        self._keys: set[bytes] = set()

    def silences(self, item: Said, view: View) -> bool:
        """Whether this is not to be shown."""
        return any(
            seat.key in self._keys for seat in _others(view) if (seat.name, seat.colour) == (item.name, item.colour)
        )

    def obey(self, word: str, who: str, view: View) -> Answer:
        """`mute` or `unmute` with a name or colour behind it; `mute` alone says who is muted."""
        others = _others(view)
        if not who:
            muted = [name_text(seat.name) for seat in others if seat.key in self._keys]
            return told(
                _("Muted: {names}.").format(names=list_text(muted))
                if muted
                else _("Nobody is muted. Write whom, as in: mute Bob")
            )
        seat = next((seat for seat in others if who.casefold() in _called(seat)), None)
        if seat is None:
            names = list_text([name_text(seat.name) for seat in others]) or _("nobody")
            return told(
                _("Nobody else here is called {who}; there is {names}.").format(who=shown(who, _WHO_CELLS), names=names)
            )
        name = name_text(seat.name)
        if word == "unmute":
            self._keys.discard(seat.key)
            return told(_("You read again what {name} says.").format(name=name))
        self._keys.add(seat.key)
        return told(_("You no longer read what {name} says; unmute {name} undoes it.").format(name=name))


def _others(view: View) -> list[SeatView | LobbySeatView]:
    """The people elsewhere, of the lobby where there is one."""
    if view.lobby is not None:
        return [seat for seat in view.lobby.seats if seat.kind is LobbyKind.HUMAN and seat.person is None]
    if view.game is None:
        return []
    return [seat for seat in view.game.seats if seat.kind is not SeatKind.BOT and seat.person is None]


def _called(seat: SeatView | LobbySeatView) -> tuple[str, str]:
    return seat.name.casefold(), colour_text(seat.colour).casefold()
