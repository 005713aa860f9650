"""When a client that nobody sits at has nothing more to do: the end was told to all, or waited for ([F-30], [S-6]).

People are never sent away: where somebody sits at this client, only LeaveAsked ends it.
"""

from __future__ import annotations

from sorry_lan.faults import Err
from sorry_lan.table import sync
from sorry_lan.table.audience import Audience
from sorry_lan.table.commands import SetTimer
from sorry_lan.table.desk import Desk
from sorry_lan.table.events import Timer
from sorry_lan.table.meeting import Meeting
from sorry_lan.table.play import Game
from sorry_lan.table.settings import Auto
from sorry_lan.table.view import Presence
from sorry_lan.wire import limits
from sorry_lan.wire.messages import Stage


class Ending:
    """Watches one game for its end."""

    def __init__(self, desk: Desk) -> None:
        self.waited = False
        """Whether the time to answer stragglers is over."""
        self._desk = desk
        self._told = False
        self._known: set[bytes] = set()
        """Clients that know of the end."""

    def after(self, game: Game, meeting: Meeting | None, audience: Audience, *, goes_on: bool) -> Err | None:
        """After any event: the code to finish with, or None to go on; `goes_on` while it may at another table."""
        by_itself = meeting is None and all(person.auto is Auto.ALL for person in self._desk.settings.people)
        if self._desk.watches:
            return self._watched(game) if by_itself else None
        if not game.ended and not game.result.saved and not game.trouble.found:
            return Err.GOODBYE if by_itself and _left_alone(game) else None
        if not self._told:
            self._told = True
            self._desk.cast(sync.status_of(game), game.everybody())
            self._desk.do(SetTimer(Timer.LINGER, 0, limits.LINGER_MS))
        if not by_itself:
            return None
        if game.result.saved:
            return Err.GOODBYE
        if not game.ended:
            return game.trouble.code if self.waited and not goes_on else None
        return Err.GOODBYE if self.waited or (self._all_know(game) and audience.served(game)) else None

    def _watched(self, game: Game) -> Err | None:
        """Nobody waits for who only watches; where nobody shows the game any more there is nothing to wait for."""
        if game.ended or game.result.saved:
            return Err.GOODBYE
        if game.trouble.found:
            return game.trouble.code
        return Err.SHUTTING_DOWN if self.waited else None

    def _all_know(self, game: Game) -> bool:
        for link in self._desk.links.values():
            if link.status is not None and link.status.stage == Stage.OVER:
                self._known.add(link.peer.pk)
        # Who is reached through a neighbour hears it there.
        return all(
            presence in _SERVED or game.presences.client_of(seat) in self._known
            for seat, (presence, _) in game.presences.reach.items()
        )


def _left_alone(game: Game) -> bool:
    """Whether we were left out, and those who play can't be reached any more: nobody will let us back in."""
    players = (game.presences.reach[seat][0] for seat in game.presences.remote)
    return not game.hands and all(presence is Presence.AWAY for presence in players)


_SERVED = frozenset((Presence.LOCAL, Presence.BOT, Presence.RELAYED))
