"""The one funnel: an event goes in, commands come out.

What frames mean is found out in hearing.py, what follows from them in room.py and the parts it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from sorry_lan.faults import LocalMisuse
from sorry_lan.table import mine, rematch, sync
from sorry_lan.table.commands import Command, SetTimer, ShowView
from sorry_lan.table.desk import Desk
from sorry_lan.table.events import (
    BotSeated,
    DiskFailed,
    DiskWorks,
    DrawAsked,
    Event,
    FrameArrived,
    GoOnAnswered,
    Happening,
    LeaveAsked,
    LinkDown,
    LinkUp,
    Opened,
    Ready,
    RematchAsked,
    ResumeAsked,
    RulesChosen,
    SeatChanged,
    SeatClosed,
    SeatDecided,
    SeatOpened,
    Spoke,
    Timer,
    TimerFired,
    Woke,
)
from sorry_lan.table.hearing import Hearing
from sorry_lan.table.news import DiskState
from sorry_lan.table.picture import view_of
from sorry_lan.table.play import Game
from sorry_lan.table.room import Room
from sorry_lan.table.saved import SavedGame
from sorry_lan.table.settings import Role, Settings
from sorry_lan.table.view import View
from sorry_lan.table.watching import Watching
from sorry_lan.wire import limits
from sorry_lan.wire import messages as m

Wish = (
    DrawAsked
    | SeatDecided
    | SeatChanged
    | BotSeated
    | SeatClosed
    | SeatOpened
    | RulesChosen
    | Spoke
    | RematchAsked
    | ResumeAsked
    | GoOnAnswered
    | LeaveAsked
)
"""What people ask for."""


class Table:
    """A client's part in one table after another, from lobby to end; LocalMisuse is a bug of ours."""

    def __init__(self, settings: Settings, saved: SavedGame | None = None, kept: Sequence[SavedGame] = ()) -> None:
        """`saved` is taken up at Opened; `kept` are games that may be met again where we join."""
        if not settings.people:
            raise LocalMisuse("a client without people")
        self._room = Room(settings, saved, kept)
        self._hearing = Watching(self._room) if settings.role is Role.WATCHER else Hearing(self._room)
        self._shown: View | None = None

    @property
    def _desk(self) -> Desk:
        return self._room.desk

    @property
    def _game(self) -> Game | None:
        return self._room.game

    @property
    def thinks(self) -> bool:
        """Whether handling the next event may take a second or more, because bots think."""
        return self._room.thinks

    def handle(self, event: Event) -> tuple[Command, ...]:
        """Take one event; the commands are to be carried out in their order. RemoteFault never leaves this."""
        room, desk = self._room, self._room.desk
        if room.finished:
            return ()
        desk.begin(event)
        if self._is_copy(event.what):
            return ()
        self._take(event.what)
        self._go_on()
        view = view_of(desk, room.meeting, room.game, room.continuing, room.audience)
        commands, news = desk.take()
        if not news and view == self._shown:
            return commands
        self._shown = view
        return (*commands, ShowView(view, news))

    def _is_copy(self, what: Happening) -> bool:
        """Whether this is the move once more, paid for: every seat passes it to every other, and nothing follows."""
        game = self._game
        if game is None or not isinstance(what, FrameArrived) or what.payload != game.passed_on:
            return False
        link = self._desk.links.get(what.link)
        if link is None or link.peer.pk not in game.clients or link.asked_k is not None:
            return False
        return link.entries.take(1, self._desk.now_us)

    def _take(self, what: Happening) -> None:
        room, desk = self._room, self._room.desk
        match what:
            case Opened():
                room.open()
            case LinkUp(link=link, peer=peer):
                self._hearing.link_up(link, peer)
            case LinkDown(link=link, code=code):
                self._hearing.link_down(link, code)
            case FrameArrived(link=link, payload=payload):
                self._hearing.frame(link, payload)
            case TimerFired(timer=timer, key=key):
                self._timer(timer, key)
            case Woke():
                if room.continuing is not None:
                    room.continuing.offering.absences.woke()
            case DiskFailed() | DiskWorks():
                desk.disk_works = isinstance(what, DiskWorks)
                desk.tell(DiskState(desk.disk_works))
            case _:
                self._person(what)

    def _person(self, what: Wish) -> None:
        """Somebody at this client wants something; who only watches can do no more than leave."""
        room = self._room
        if room.desk.watches and not isinstance(what, LeaveAsked):
            return
        match what:
            case DrawAsked() | SeatDecided():
                if room.game is not None:
                    room.game.duties.asked(what)
            case SeatChanged() | BotSeated() | SeatClosed() | SeatOpened() | RulesChosen():
                if room.meeting is not None:
                    room.meeting.wish(what)
            case Spoke(person=person, text=text):
                room.talk.spoke(person, text, room.meeting, room.game)
            case RematchAsked():
                room.meeting = room.meeting or rematch.opened(room.desk, room.game)
            case ResumeAsked(game=game):
                room.take_up(game)
            case GoOnAnswered(answer=answer):
                if room.continuing is not None:
                    room.continuing.answered(yes=answer is Ready.YES)
            case LeaveAsked(reason=reason):
                room.leave(reason)
            case _:
                assert_never(what)

    def _go_on(self) -> None:
        """What follows from the event without anybody's doing."""
        room = self._room
        self._hearing.early()
        meeting = room.meeting
        if meeting is not None and meeting.closed is not None:
            room.close(meeting.closed)
        elif meeting is not None and meeting.agreed is not None:
            room.start(meeting)
        if room.finished:
            return
        if room.game is None:
            room.audience.serve(room.meeting, None)
            return
        sync.announce(room.game)
        mine.look(room.game)
        room.look_further()
        if self._hearing.early():
            room.look_further()
        if room.moved_in:
            self._hearing.kept()
        game = room.game
        game.advance()
        room.meeting = rematch.followed(room.desk, room.meeting, game)
        room.audience.serve(room.meeting, game)
        goes_on = room.continuing is not None and room.continuing.offering.goes_on
        code = room.ending.after(game, room.meeting, room.audience, goes_on=goes_on)
        if code is not None:
            room.finish(code)

    # -- time ----------------------------------------------------------------------------------------------------

    def _timer(self, timer: Timer, key: int) -> None:
        room = self._room
        match timer:
            case Timer.STATUS:
                self._beat()
            case Timer.CONSENT | Timer.PROPOSE | Timer.AGREE:
                if key == 0 and timer is Timer.CONSENT:
                    if room.meeting is not None:
                        room.meeting.waited()
                elif room.continuing is not None:
                    room.continuing.fired(timer, key)
            case Timer.LINGER:
                room.ending.waited = True
            case Timer.FINISH | Timer.AWAY | Timer.MUTE:
                if room.game is not None:
                    _fired(room.game, timer, key)
            case _:
                assert_never(timer)

    def _beat(self) -> None:
        """One frame a second on every link, so that silence means something."""
        desk, game = self._desk, self._game
        desk.do(SetTimer(Timer.STATUS, 0, limits.STATUS_MS))
        playing = [] if game is None or desk.watches else game.everybody()
        if game is not None:
            desk.cast(sync.status_of(game), playing)
            mine.ask(game)
        if self._room.continuing is not None:
            self._room.continuing.beat()
        desk.cast(m.Ping(desk.now_us), [link for link in desk.links if link not in playing])
        self._room.audience.beat(game)


def _fired(game: Game, timer: Timer, key: int) -> None:
    if timer is Timer.FINISH:
        game.result.finish()
    elif timer is Timer.AWAY:
        game.presences.waited(key)
    else:
        mine.waited(game)
