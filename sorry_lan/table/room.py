"""What one client has at hand: a lobby, a game, how it may go on; and the ways from one to the next.

Decides nothing of its own: meeting.py, play.py and continuing.py say when.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from sorry_lan.bots.levels import DEEP
from sorry_lan.fair.entry import Leaving
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.table import mine, resume, sync
from sorry_lan.table.audience import Audience
from sorry_lan.table.commands import CancelTimer, Finish, SetTimer
from sorry_lan.table.continuing import Continuing
from sorry_lan.table.desk import Desk, known
from sorry_lan.table.ending import Ending
from sorry_lan.table.events import Timer
from sorry_lan.table.host import HostLobby, Offered, first_places
from sorry_lan.table.links import Link
from sorry_lan.table.meeting import Meeting, new_sitters
from sorry_lan.table.news import TableClosed
from sorry_lan.table.phases import Turn
from sorry_lan.table.play import Deal, Game
from sorry_lan.table.returning import nobody_came
from sorry_lan.table.saved import SavedGame
from sorry_lan.table.settings import Auto, Role, Settings
from sorry_lan.table.talk import Talk
from sorry_lan.wire import limits
from sorry_lan.wire.messages import Status, TableAgreed

_LATER: Final = 63


class Room:
    """The parts of one Table; `kept` are saved games that may be met again where we join."""

    def __init__(self, settings: Settings, saved: SavedGame | None, kept: Sequence[SavedGame]) -> None:
        self.desk = Desk(settings)
        self.meeting: Meeting | None = None
        self.game: Game | None = None
        self.continuing: Continuing | None = None
        self.talk = Talk(self.desk)
        self.audience = Audience(self.desk)
        self.ending = Ending(self.desk)
        self.kept = kept
        self.finished = False
        self.moved_in = False
        """Whether another game is played since kept entries were last looked at."""
        self._previous: Game | None = None
        """The game that was played here before, as long as it may be played again."""
        self._later: dict[bytes, TableAgreed] = {}
        """Tables that go on from games which we have not come to yet, by the game."""
        self._saved = saved

    @property
    def thinks(self) -> bool:
        """Whether the next event may make a deep bot think, here or in a saved game that is played through."""
        settings, meeting, game = self.desk.settings, self.meeting, self.game
        if game is None and (self._saved is not None or self.kept):
            return True
        levels = [person.auto_level for person in settings.people if person.auto is Auto.ALL]
        if game is None:
            levels += settings.bots
        else:
            levels += [line.level for line in game.ledger.terms.seats]
        if meeting is not None and meeting.picture is not None:
            levels += [line.level for line in meeting.picture.seats]
        return any(level >= DEEP for level in levels)

    def open(self) -> None:
        """The client is up: take up what was saved, or open a lobby, or wait for a link."""
        desk, settings = self.desk, self.desk.settings
        if settings.role is not Role.LOCAL:
            desk.do(SetTimer(Timer.STATUS, 0, limits.STATUS_MS))
        if self._saved is not None:
            self.play(resume.taken_up(desk, self._saved))
        elif settings.role in (Role.HOST, Role.LOCAL):
            sitters = new_sitters(desk)
            places = first_places(sitters, settings.seats, settings.bots)
            lobby = HostLobby(desk, sitters, places, Offered(settings.title, settings.rules, settings.options))
            self.meeting = Meeting(desk, lobby)
            self.meeting.open(lobby)

    def play(self, game: Game) -> None:
        """From now on this game is played here."""
        self.game = game
        self.continuing = Continuing(game, (*game.story.terms, game.ledger.terms))
        self.ending = Ending(self.desk)
        self.moved_in = True
        for link in self.desk.links.values():
            link.status = link.before = None
        following = self._later.pop(game.id, None)
        if following is not None:
            with suppress(RemoteFault):
                self.continuing.following.heard(following)

    @property
    def lacks_earlier(self) -> bool:
        """Whether nothing is played here because a table goes on from one that was not shown."""
        return self.game is None and bool(self._later)

    def keep_for_later(self, parent: bytes, message: TableAgreed) -> None:
        """A table that goes on from a game which is not ours, or not yet; the oldest makes room."""
        self._later = {**{key: self._later[key] for key in list(self._later)[-_LATER:]}, parent: message}

    def start(self, meeting: Meeting) -> None:
        """All have signed what was proposed in the lobby."""
        agreed, lobby = known(meeting.agreed), known(meeting.picture)
        self.meeting = None
        # What ran for this lobby must not run out in the next one.
        self.desk.do(CancelTimer(Timer.CONSENT, 0))
        self._put_away()
        game = Game(self.desk, Deal(agreed.message(), agreed.terms, agreed.hands), lobby.title)
        game.begin()
        self.play(game)

    def watch(self, game: Game) -> None:
        """From now on this game is watched here."""
        self.meeting = None
        self._put_away()
        game.begin()
        self.play(game)

    def signs(self) -> frozenset[bytes]:
        """The ids of the tables that are proposed and that we have signed."""
        parts = (self.meeting, None if self.continuing is None else self.continuing.signing)
        return frozenset(part.proposal.game_id for part in parts if part is not None and part.proposal is not None)

    def look_further(self) -> None:
        """The game may have to go on at another table; from table to table, until there is none."""
        while True:
            game, continuing = known(self.game), known(self.continuing)
            continuing.look()
            following, signed = continuing.following.table, continuing.following.signed
            if following is None:
                return
            self._move(self._again(following.table) or resume.gone_on(self.desk, game, following, signed))

    def heard_before(self, link: Link, status: Status) -> None:
        """A client of ours says where it stands in the game before: show it our table, or look on there as before."""
        game = known(self.game)
        if status.game not in game.story.ids[-1:]:
            return
        link.before = status
        if not nobody_came(game):
            self.desk.send(game.agreed, link.id)
            return
        # The only entries of this table are shares, which choose nothing, so what was played before is worth more.
        saved = next((saved for saved in (self._saved, *self.kept) if saved and saved.game_id == game.id), None)
        table = game.story.chapters[-1].start.table
        self._move(self._again(table) or resume.taken_up(self.desk, known(known(saved).parent)))

    def _again(self, table: bytes) -> Game | None:
        """The previous game, if this is its table."""
        previous = self._previous
        return None if previous is None or previous.agreed.table != table else resume.again(previous)

    def _move(self, following: Game) -> None:
        previous = self.game
        self._put_away()
        self._previous = previous
        self.play(following)

    def _put_away(self) -> None:
        if self.game is not None:
            self.game.forget()
        if self.continuing is not None:
            self.continuing.stop()

    def take_up(self, game_id: bytes) -> None:
        """Wait for the people of a kept game; ignored for one that we do not have."""
        saved = next((saved for saved in self.kept if saved.game_id == game_id), None)
        if saved is not None and self.game is None:
            self.come_to(resume.taken_up(self.desk, saved))

    def come_to(self, game: Game) -> None:
        """Play a game whose clients may be linked already: some of them may come back to it just now, as we do."""
        self.meeting = None
        self.play(game)
        for link in list(self.desk.links.values()):
            if game.knows(link.peer.pk):
                self.greet(game, link)

    def greet(self, game: Game, link: Link) -> None:
        """A client of the game is linked (again): show it the table and where we stand, ask what we have to ask."""
        for earlier in game.story.tables_since(link.peer.game):
            self.desk.send(earlier, link.id)
        self.desk.send(game.agreed, link.id)
        if link.peer.game is None:
            # It may have lost its journals: then it follows from the first table on, which closes the series.
            for chapter in reversed(game.story.chapters):
                self.desk.send(TableAgreed(chapter.start.table, chapter.start.consents), link.id)
        self.desk.send(sync.status_of(game), link.id)
        known(self.continuing).repeat([link.id])
        game.presences.heard_link(link)
        game.presences.update()
        game.whereabouts.remember()
        mine.ask(game)

    def leave(self, reason: Leaving | None) -> None:
        """Our people go; in a game with a signed good-bye, if they gave a reason."""
        if self.game is not None and self.meeting is None and reason is not None:
            self.game.leave(reason)
        hosting = self.meeting is not None and isinstance(self.meeting.lobby, HostLobby)
        for link in list(self.desk.links):
            self.desk.close(link, Err.SHUTTING_DOWN if hosting else Err.GOODBYE, "")
        self.audience.close(Err.SHUTTING_DOWN if hosting else Err.GOODBYE)
        self.finish(Err.GOODBYE)

    def close(self, code: Err) -> None:
        """There is no table any more."""
        self.desk.tell(TableClosed(code))
        self.finish(code)

    def finish(self, code: Err) -> None:
        """The client has nothing more to do."""
        for link in list(self.desk.links):
            self.desk.close(link, Err.GOODBYE, "")
        self.audience.close(Err.GOODBYE)
        self.meeting = None
        self.finished = True
        self.desk.turn(Turn.CLOSED)
        self.desk.do(Finish(code))
