"""The one funnel: an event goes in, commands come out; every peer's message is decoded, checked and dispatched here.

What a message means is decided in meeting.py, play.py and sync.py. A fault of one link never touches another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.table import mine, rematch, resume, sync
from sorry_lan.table.commands import Command, Finish, SetTimer, ShowView
from sorry_lan.table.desk import Desk, known
from sorry_lan.table.ending import Ending
from sorry_lan.table.events import (
    BotSeated,
    DiskFailed,
    DiskWorks,
    DrawAsked,
    Event,
    FrameArrived,
    Happening,
    LeaveAsked,
    LinkDown,
    LinkId,
    LinkPeer,
    LinkUp,
    Opened,
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
)
from sorry_lan.table.guest import GuestLobby
from sorry_lan.table.host import HostLobby, Offered, first_places
from sorry_lan.table.links import Link, new_link
from sorry_lan.table.meeting import Meeting, new_sitters
from sorry_lan.table.phases import Turn, check_heard
from sorry_lan.table.picture import view_of
from sorry_lan.table.play import Game
from sorry_lan.table.saved import SavedGame
from sorry_lan.table.settings import Role, Settings
from sorry_lan.table.talk import Talk
from sorry_lan.table.view import DiskState, Phase, TableClosed, View
from sorry_lan.wire import limits
from sorry_lan.wire import messages as m
from sorry_lan.wire.codec import decode_message

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
    | LeaveAsked
)
"""What people ask for."""


class Table:
    """A client's part in one table after another, from lobby to end; LocalMisuse is a bug of ours."""

    def __init__(self, settings: Settings, saved: SavedGame | None = None, kept: Sequence[SavedGame] = ()) -> None:
        """`saved` is taken up at Opened; `kept` are games that may be met again where we join."""
        if not settings.people:
            raise LocalMisuse("a client without people")
        self._saved = saved
        self._kept = kept
        self._desk = Desk(settings)
        self._meeting: Meeting | None = None
        self._game: Game | None = None
        self._talk = Talk(self._desk)
        self._ending = Ending(self._desk)
        self._shown: View | None = None
        self._finished = False

    def handle(self, event: Event) -> tuple[Command, ...]:
        """Take one event; the commands are to be carried out in their order. RemoteFault never leaves this."""
        if self._finished:
            return ()
        self._desk.begin(event)
        if self._is_copy(event.what):
            return ()
        self._take(event.what)
        self._go_on()
        view = view_of(self._desk, self._meeting, self._game)
        commands, news = self._desk.take()
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
        match what:
            case Opened():
                self._open()
            case LinkUp(link=link, peer=peer):
                self._link_up(link, peer)
            case LinkDown(link=link, code=code):
                self._link_down(link, code)
            case FrameArrived(link=link, payload=payload):
                self._frame(link, payload)
            case TimerFired(timer=timer, key=key):
                self._timer(timer, key)
            case DiskFailed() | DiskWorks():
                self._desk.disk_works = isinstance(what, DiskWorks)
                self._desk.tell(DiskState(self._desk.disk_works))
            case _:
                self._person(what)

    def _person(self, what: Wish) -> None:
        """Somebody at this client wants something."""
        match what:
            case DrawAsked() | SeatDecided():
                if self._game is not None:
                    self._game.duties.asked(what)
            case SeatChanged() | BotSeated() | SeatClosed() | SeatOpened() | RulesChosen():
                if self._meeting is not None:
                    self._meeting.wish(what)
            case Spoke(person=person, text=text):
                self._talk.spoke(person, text, self._meeting, self._game)
            case RematchAsked():
                self._meeting = self._meeting or rematch.opened(self._desk, self._game)
            case ResumeAsked(game=game):
                saved = next((saved for saved in self._kept if saved.game_id == game), None)
                if saved is not None and self._desk.phase is Phase.CONNECTING:
                    self._game, self._meeting = resume.taken_up(self._desk, saved), None
            case LeaveAsked():
                self._leave()
            case _:
                assert_never(what)

    def _go_on(self) -> None:
        """What follows from the event without anybody's doing."""
        meeting = self._meeting
        if meeting is not None and meeting.closed is not None:
            self._close(meeting.closed)
        elif meeting is not None and meeting.agreed is not None:
            self._start(meeting)
        if self._game is not None and not self._finished:
            sync.announce(self._game)
            mine.look(self._game)
            self._game.advance()
            self._meeting = rematch.followed(self._desk, self._meeting, self._game)
            code = self._ending.after(self._game, self._meeting)
            if code is not None:
                self._finish(code)

    # -- beginning and end ---------------------------------------------------------------------------------------

    def _open(self) -> None:
        desk, settings = self._desk, self._desk.settings
        if settings.role is not Role.LOCAL:
            desk.do(SetTimer(Timer.STATUS, 0, limits.STATUS_MS))
        if self._saved is not None:
            self._game = resume.taken_up(desk, self._saved)
        if settings.role is Role.JOINER or self._saved is not None:
            return
        sitters = new_sitters(desk)
        places = first_places(sitters, settings.seats, settings.bots)
        lobby = HostLobby(desk, sitters, places, Offered(settings.title, settings.rules, settings.options))
        self._meeting = Meeting(desk, lobby)
        self._meeting.open(lobby)

    def _start(self, meeting: Meeting) -> None:
        agreed, lobby = known(meeting.agreed), known(meeting.picture)
        old, self._meeting = self._game, None
        if old is not None:
            old.forget()
        for link in self._desk.links.values():
            link.status = None
        self._game = Game(self._desk, agreed.message(), agreed.terms, agreed.hands, lobby.title)
        self._ending = Ending(self._desk)
        self._game.begin()
        for link in list(self._desk.links.values()):
            kept, link.kept = link.kept, []
            for entry in kept:
                self._guarded(link, entry)

    def _leave(self) -> None:
        hosting = self._meeting is not None and isinstance(self._meeting.lobby, HostLobby)
        for link in list(self._desk.links):
            self._desk.close(link, Err.SHUTTING_DOWN if hosting else Err.GOODBYE, "")
        self._finish(Err.GOODBYE)

    def _close(self, code: Err) -> None:
        self._desk.tell(TableClosed(code))
        self._finish(code)

    def _finish(self, code: Err) -> None:
        for link in list(self._desk.links):
            self._desk.close(link, Err.GOODBYE, "")
        self._meeting = None
        self._finished = True
        self._desk.turn(Turn.CLOSED)
        self._desk.do(Finish(code))

    # -- links ---------------------------------------------------------------------------------------------------

    def _link_up(self, link: LinkId, peer: LinkPeer) -> None:
        desk, game, meeting = self._desk, self._game, self._meeting
        desk.links[link] = new_link(link, peer, desk.now_us)
        seated = game is not None and peer.pk in game.clients
        if peer.intent is m.Intent.WATCH:
            desk.close(link, Err.WATCHING_NOT_ALLOWED, "this table has no watchers")
            return
        if meeting is None and game is None:
            self._meeting = Meeting(desk, GuestLobby(desk, new_sitters(desk), peer.pk))
        elif meeting is None and not seated:
            desk.close(link, Err.GAME_IN_PLAY, "a game is in play")
        if game is not None and seated:
            self._greet(game, desk.links[link])
        if meeting is not None and isinstance(meeting.lobby, HostLobby):
            desk.send(meeting.lobby.lobby, link)

    def _greet(self, game: Game, link: Link) -> None:
        """A client of the game is linked (again): show it the table and where we stand, ask what we have to ask."""
        self._desk.send(game.agreed, link.id)
        self._desk.send(sync.status_of(game), link.id)
        game.presences.heard_link(link)
        game.presences.update()
        game.remember_addresses()
        mine.ask(game)

    def _reclaim(self, link: Link, message: m.TableAgreed) -> None:
        """Where we wanted to join, our own game is in play."""
        self._game = resume.reclaimed(self._desk, message, self._kept)
        self._meeting = None
        if link.peer.pk in self._game.clients:
            self._greet(self._game, link)

    def _link_down(self, link: LinkId, code: Err | None) -> None:
        gone = self._desk.links.pop(link, None)
        if gone is not None:
            self._lost(gone, code)

    def _lost(self, link: Link, code: Err | None) -> None:
        if self._game is not None:
            self._game.presences.update()
        if self._meeting is not None and self._desk.linked(link.peer.pk) is None:
            self._meeting.lost(link.peer.pk, code)

    def _frame(self, link_id: LinkId, payload: bytes) -> None:
        link = self._desk.links.get(link_id)
        if link is None:
            return
        try:
            message = decode_message(payload)
            if message is not None:
                check_heard(self._desk.phase, message)
        except RemoteFault as fault:
            self._expel(link, fault)
            return
        if message is not None:
            self._guarded(link, message)

    def _guarded(self, link: Link, message: m.Message) -> None:
        try:
            self._dispatch(link, message)
        except RemoteFault as fault:
            self._expel(link, fault)

    def _expel(self, link: Link, fault: RemoteFault) -> None:
        if link.id in self._desk.links:
            self._desk.close(link.id, fault.code, fault.detail)
            self._lost(link, fault.code)

    def _dispatch(self, link: Link, message: m.Message) -> None:
        meeting, game = self._meeting, self._game
        match message:
            case m.Ping(n=n):
                self._desk.send(m.Pong(n), link.id)
            case m.Chat():
                self._talk.heard(link, message, meeting, game)
            case m.Lobby():
                self._heard_lobby(link, message)
            case m.TableAgreed():
                if game is None and self._desk.phase is Phase.CONNECTING:
                    self._reclaim(link, message)
                elif meeting is not None and (game is None or message.table != game.agreed.table):
                    meeting.completed(message)
            case m.Entry():
                self._heard_entry(link, message)
            case m.Status() | m.Want() | m.StepRecord() | m.Fault():
                if game is not None and message.game == game.id and link.peer.pk in game.clients:
                    sync.heard(game, link, message)
            case m.MineAsked() | m.Mine():
                if game is not None and message.game == game.id and link.peer.pk in game.clients:
                    mine.heard(game, link, message)
            case m.SeatOffer() | m.Propose() | m.ConsentGiven() | m.No() | m.Peers():
                if meeting is not None:
                    meeting.heard(link, message)
            case _:
                # A PONG, which nobody waits for; phases.py lets nothing else come here.
                pass

    def _heard_lobby(self, link: Link, message: m.Lobby) -> None:
        meeting, game = self._meeting, self._game
        followed = meeting is not None and meeting.heard_lobby(link, message)
        if not followed and game is not None and link.peer.pk in game.clients:
            link.lobby = message

    def _heard_entry(self, link: Link, entry: m.Entry) -> None:
        game = self._game
        if game is None or entry.game != game.id:
            link.spend(1, self._desk.now_us)
            link.keep(entry)
        elif link.peer.pk not in game.clients:
            raise RemoteFault(Err.NOT_A_SEAT, "an entry from somebody without a seat")
        else:
            link.spend(1, self._desk.now_us)
            game.take(link, m.Signed(entry.body, entry.sig))

    # -- time ----------------------------------------------------------------------------------------------------

    def _timer(self, timer: Timer, key: int) -> None:
        match timer:
            case Timer.STATUS:
                self._beat()
            case Timer.CONSENT:
                if self._meeting is not None:
                    self._meeting.waited()
            case Timer.FINISH:
                if self._game is not None:
                    self._game.finish()
            case Timer.LINGER:
                self._ending.waited = True
            case Timer.AWAY:
                if self._game is not None:
                    self._game.presences.waited(key)
            case Timer.MUTE:
                if self._game is not None:
                    mine.waited(self._game)
            case _:
                assert_never(timer)

    def _beat(self) -> None:
        """One frame a second on every link, so that silence means something."""
        desk, game = self._desk, self._game
        desk.do(SetTimer(Timer.STATUS, 0, limits.STATUS_MS))
        playing = [] if game is None else game.links()
        if game is not None:
            desk.cast(sync.status_of(game), playing)
            mine.ask(game)
        desk.cast(m.Ping(desk.now_us), [link for link in desk.links if link not in playing])
