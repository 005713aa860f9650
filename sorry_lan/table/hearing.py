"""Links come and go, frames arrive: each is decoded, checked against the phase, and given to whom it concerns.

A fault of one link ends that link and touches no other ([W-22]).
"""

from __future__ import annotations

from sorry_lan.fair import genesis
from sorry_lan.fair.entry import Leave, decode_body
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.table import mine, resume, sync
from sorry_lan.table.desk import known
from sorry_lan.table.events import Direction, LinkId, LinkPeer
from sorry_lan.table.guest import GuestLobby
from sorry_lan.table.host import HostLobby
from sorry_lan.table.links import Link, new_link
from sorry_lan.table.meeting import Meeting, new_sitters
from sorry_lan.table.phases import check_heard
from sorry_lan.table.play import Game
from sorry_lan.table.room import Room
from sorry_lan.table.seating import check_lobby
from sorry_lan.table.view import Phase
from sorry_lan.wire import messages as m
from sorry_lan.wire.codec import decode_message

GameMessage = m.Entry | m.Want | m.Status | m.StepRecord | m.Fault | m.MineAsked | m.Mine
Seating = m.SeatOffer | m.Propose | m.ConsentGiven | m.No | m.Peers | m.Withdraw


class Hearing:
    """The ears of one Table."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._desk = room.desk

    def link_up(self, link: LinkId, peer: LinkPeer) -> None:
        """A link finished AUTH: greet whoever belongs here, and nobody else."""
        desk, room = self._desk, self._room
        game, meeting = room.game, room.meeting
        if peer.intent is m.Intent.WATCH:
            room.audience.came(link, peer, meeting, game)
            return
        desk.links[link] = new_link(link, peer, desk.now_us)
        seated = game is not None and game.knows(peer.pk)
        if meeting is None and game is None:
            # Whom we called is our host. Whoever called us before that may know a game of ours, and no more.
            if peer.direction is Direction.OUTGOING:
                room.meeting = Meeting(desk, GuestLobby(desk, new_sitters(desk), peer.pk))
        elif meeting is None and not seated:
            desk.close(link, Err.GAME_IN_PLAY, "a game is in play")
        if game is not None and seated:
            room.greet(game, desk.links[link])
        if meeting is not None and isinstance(meeting.lobby, HostLobby):
            desk.send(meeting.lobby.lobby, link)

    def link_down(self, link: LinkId, code: Err | None) -> None:
        """A link is gone, here or over there."""
        if self._room.audience.has(link):
            self._room.audience.gone(link)
            return
        gone = self._desk.links.pop(link, None)
        if gone is not None:
            self._lost(gone, code)

    def _lost(self, link: Link, code: Err | None) -> None:
        room = self._room
        if room.game is not None:
            room.game.presences.update()
        if room.meeting is not None and self._desk.linked(link.peer.pk) is None:
            room.meeting.lost(link.peer.pk, code)

    def frame(self, link_id: LinkId, payload: bytes) -> None:
        """A whole frame of an authenticated link."""
        if self._room.audience.has(link_id):
            self._room.audience.heard(link_id, payload, self._room.game)
            return
        link = self._desk.links.get(link_id)
        if link is None:
            return
        try:
            message = decode_message(payload)
            if message is not None:
                self._check(message)
        except RemoteFault as fault:
            self._expel(link, fault)
            return
        if message is not None:
            self._guarded(link, message)

    def _check(self, message: m.Message) -> None:
        if self._desk.phase is Phase.CONNECTING and isinstance(message, m.Status) and self._room.lacks_earlier:
            raise RemoteFault(Err.UNKNOWN_GAME, "a table that goes on from a game we were not shown")
        check_heard(self._desk.phase, message)

    def early(self) -> bool:
        """Take the consents that came before the table they are under was signed here; whether there were any.

        What one link brought too early must cost nobody else anything when it turns out to be wrong.
        """
        found = False
        for link in [link for link in self._desk.links.values() if link.consents]:
            signed = self._room.signs()
            ripe = [given for given in link.consents if given.table_hash in signed]
            for given in ripe:
                link.consents.remove(given)
                self._guarded(link, given)
                found = True
        return found

    def kept(self) -> None:
        """Another game is played now: entries that came too early may be its first ones."""
        self._room.moved_in = False
        for link in list(self._desk.links.values()):
            kept, link.kept = link.kept, []
            for entry in kept:
                self._guarded(link, entry)

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
        room = self._room
        match message:
            case m.Ping(n=n):
                self._desk.send(m.Pong(n), link.id)
            case m.Watchers(names=names):
                # Nothing hangs on it but what people read.
                link.spend(1, self._desk.now_us)
                if link.names.take(1, self._desk.now_us):
                    link.watchers = names
            case m.Chat():
                room.talk.heard(link, message, room.meeting, room.game)
            case m.Lobby():
                self._lobby(link, message)
            case m.TableAgreed():
                self._table(link, message)
            case m.SeatOffer() | m.Propose() | m.ConsentGiven() | m.No() | m.Peers() | m.Withdraw():
                self._seating(link, message)
            case m.Entry() | m.Want() | m.Status() | m.StepRecord() | m.Fault() | m.MineAsked() | m.Mine():
                self._game_message(link, message)
            case _:
                # A PONG, which nobody waits for, or WAYS, which are for watchers; phases.py lets nothing else come.
                pass

    def _game_message(self, link: Link, message: GameMessage) -> None:
        game = self._room.game
        if isinstance(message, m.Entry) and (game is None or message.game != game.id):
            link.spend(1, self._desk.now_us)
            link.keep(message)
            return
        plays = game is not None and link.peer.pk in game.clients
        if game is None or not (plays or game.knows(link.peer.pk)):
            if isinstance(message, m.Entry):
                raise RemoteFault(Err.NOT_A_SEAT, "an entry from somebody without a seat")
            return
        if isinstance(message, m.Want):
            sync.heard_want(game, link, message)
        elif message.game == game.id:
            self._of_our_game(game, link, message)
        elif isinstance(message, m.Status):
            self._room.heard_before(link, message)

    def _of_our_game(
        self, game: Game, link: Link, message: m.Entry | m.Status | m.StepRecord | m.Fault | m.MineAsked | m.Mine
    ) -> None:
        match message:
            case m.Entry():
                if link.peer.pk not in game.clients:
                    raise RemoteFault(Err.NOT_A_SEAT, "an entry from somebody without a seat")
                link.spend(1, self._desk.now_us)
                # Whoever has consented to go on elsewhere still hears who left: it may have to go on without them.
                if not game.frozen or isinstance(decode_body(message.body), Leave):
                    game.take(link, m.Signed(message.body, message.sig))
            case m.MineAsked() | m.Mine():
                if link.peer.pk in game.clients:
                    mine.heard(game, link, message)
            case _:
                sync.heard(game, link, message)

    def _seating(self, link: Link, message: Seating) -> None:
        room = self._room
        if room.meeting is not None and not isinstance(message, m.Withdraw):
            room.meeting.heard(link, message)
        elif room.game is not None and room.game.knows(link.peer.pk):
            known(room.continuing).heard(link, message)

    def _table(self, link: Link, message: m.TableAgreed) -> None:
        """Somebody has all consents: to our lobby's table, to one that goes on from our game, or to one in play."""
        room = self._room
        if room.game is None and self._desk.phase is Phase.CONNECTING:
            self._reclaim(message)
        game_now, meeting = room.game, room.meeting
        if game_now is not None and message.table == game_now.agreed.table:
            return
        link.spend(1, self._desk.now_us)
        parent = genesis.decode_terms(message.table).parent
        if parent is None and meeting is not None:
            meeting.completed(message)
        elif parent is not None and game_now is not None and parent.game == game_now.id:
            following = known(room.continuing).following
            following.heard(message)
            following.ask()
        elif parent is not None:
            room.keep_for_later(parent.game, message)

    def _reclaim(self, message: m.TableAgreed) -> None:
        """A table is in play where we call: ours, or one that goes on from ours, or from one that is shown next."""
        game = resume.reclaimed(self._desk, message, self._room.kept)
        if game is not None:
            self._room.come_to(game)

    def _lobby(self, link: Link, message: m.Lobby) -> None:
        meeting, game = self._room.meeting, self._room.game
        followed = meeting is not None and meeting.heard_lobby(link, message)
        if followed or game is None or link.peer.pk not in game.clients:
            return
        if link.status is None or link.status.stage == m.Stage.OVER:
            # It is followed at our end, when nobody would answer for a fault in it any more.
            check_lobby(message)
            link.lobby = message
