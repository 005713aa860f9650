"""What a hosted table tells the network, kept up to date from the pictures that its people see.

A face like any other; net/discovery.py sends the card.
"""

from __future__ import annotations

from sorry_lan.app.runner import Face
from sorry_lan.app.wrapping import FaceAround
from sorry_lan.rules.profile import Rules, profile_name
from sorry_lan.table.news import News
from sorry_lan.table.notices import Card, CodeUse, Openness, Program, Watch
from sorry_lan.table.view import Phase, View
from sorry_lan.wire import limits
from sorry_lan.wire.messages import LobbyKind
from sorry_lan.wire.terms import Option, SeatKind

OWN_RULES = "own"


class AnnouncingFace(FaceAround[Face]):
    """Hands everything on; `card` is what the last picture comes to."""

    __slots__ = ("_code", "_program", "_view")

    def __init__(self, face: Face, program: Program, code: CodeUse) -> None:
        super().__init__(face)
        self._program = program
        self._code = code
        self._view: View | None = None

    def card(self) -> Card | None:
        """The card of now, None before the first picture and after the last; any thread may ask."""
        view = self._view
        return None if view is None else card_of(view, self._program, self._code)

    def show(self, view: View, news: tuple[News, ...]) -> None:
        """As the face does."""
        self._view = view
        self._face.show(view, news)


def card_of(view: View, program: Program, code: CodeUse) -> Card | None:
    """What a picture tells strangers; None where there is no table."""
    if view.phase is Phase.CLOSED:
        return None
    if view.game is not None and view.lobby is None:
        game = view.game
        people = tuple(seat.name for seat in game.seats if seat.kind == SeatKind.HUMAN)
        rules = _rules(game.rules)
        return Card(
            game.title, people, len(game.seats), 0, rules, Openness.PLAY, code, program, _watch(view, game.options)
        )
    if view.lobby is None:
        return None
    lobby = view.lobby
    people = tuple(seat.name for seat in lobby.seats if seat.kind == LobbyKind.HUMAN)
    free = sum(seat.kind == LobbyKind.OPEN for seat in lobby.seats)
    rules, watch = _rules(lobby.rules), _watch(view, lobby.options)
    return Card(lobby.title, people, len(lobby.seats), free, rules, Openness.LOBBY, code, program, watch)


def _watch(view: View, options: Option) -> Watch:
    """Whether one more may watch."""
    if Option.NO_WATCHERS in options or len(view.watchers) >= limits.MAX_WATCHERS:
        return Watch.NO
    return Watch.YES


def _rules(rules: Rules) -> str:
    return profile_name(rules) or OWN_RULES
