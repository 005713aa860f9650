"""Talk between the people of a table: unsigned, not passed on, and no more than two lines a second ([H-25])."""

from __future__ import annotations

from sorry_lan.table.desk import Desk
from sorry_lan.table.links import Bucket, Link
from sorry_lan.table.meeting import Meeting
from sorry_lan.table.news import Said
from sorry_lan.table.phrases import PHRASES
from sorry_lan.table.play import Game
from sorry_lan.wire import limits
from sorry_lan.wire.messages import Chat
from sorry_lan.wire.terms import Option

Speaker = tuple[bytes, bytes, str, int]
"""Key, link key, name and colour of a seat."""


class Talk:
    """What is said at one client."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._budget = Bucket(2 * limits.CHAT_PER_S, limits.CHAT_PER_S, 0)

    def spoke(self, person: int, text: str, meeting: Meeting | None, game: Game | None) -> None:
        """One of our people says something; lines too fast, too early or forbidden are dropped, long ones cut."""
        line = text.encode()[: limits.MAX_CHAT].decode(errors="ignore")
        people = self._desk.settings.people
        if not line or not 0 <= person < len(people) or _forbidden(line, meeting, game):
            return
        key = people[person].key.public
        for seat, (pk, _, name, colour) in enumerate(_speakers(meeting, game)):
            if pk == key and self._budget.take(1, self._desk.now_us):
                self._desk.cast(Chat(seat, line), list(self._desk.links))
                self._desk.tell(Said(name, colour, line))

    def heard(self, link: Link, chat: Chat, meeting: Meeting | None, game: Game | None) -> None:
        """Somebody else does; dropped unless it is one of the people at that client, in time, and allowed."""
        speakers = _speakers(meeting, game)
        if chat.seat >= len(speakers) or _forbidden(chat.text, meeting, game):
            return
        _, client, name, colour = speakers[chat.seat]
        if client == link.peer.pk and link.chat.take(1, self._desk.now_us):
            self._desk.tell(Said(name, colour, chat.text))


def _speakers(meeting: Meeting | None, game: Game | None) -> list[Speaker]:
    """The seats of the lobby where there is one, else of the game."""
    if meeting is not None:
        lobby = meeting.picture
        return [] if lobby is None else [(seat.pk, seat.client, seat.name, seat.colour) for seat in lobby.seats]
    if game is None:
        return []
    seats = game.ledger.terms.seats
    return [(seat.pk, seats[seat.client].pk, seat.name, seat.colour) for seat in seats]


def _forbidden(text: str, meeting: Meeting | None, game: Game | None) -> bool:
    """Whether this table takes phrases only, and the text is none."""
    if text in PHRASES:
        return False
    if meeting is not None:
        lobby = meeting.picture
        return lobby is not None and bool(lobby.options & Option.NO_FREE_CHAT)
    return game is not None and bool(game.ledger.terms.options & Option.NO_FREE_CHAT)
