"""The table of somebody who only watches: the same game, every step checked here, and nothing of one's own ([S-10]).

What comes is judged by the replica as a player's is; what a watcher says is PING, PONG and WANT, as desk.py sees to.
"""

from __future__ import annotations

from typing import Final

from sorry_lan.fair import genesis
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.table import sync
from sorry_lan.table.commands import CancelTimer, SetTimer, WantedPeer
from sorry_lan.table.desk import known
from sorry_lan.table.events import LinkId, LinkPeer, Timer
from sorry_lan.table.guest import GuestLobby
from sorry_lan.table.links import Link, new_link
from sorry_lan.table.meeting import Meeting
from sorry_lan.table.news import CaughtUp, LostSight, RematchOpened, Sees
from sorry_lan.table.play import Deal, Game
from sorry_lan.table.room import Room
from sorry_lan.table.view import Phase
from sorry_lan.wire import limits
from sorry_lan.wire import messages as m
from sorry_lan.wire.codec import decode_message
from sorry_lan.wire.terms import Terms

_FAR: Final = 8
"""Whoever is more steps behind than this sees them all at once."""
_TO_A_LOBBY: Final = frozenset((Phase.CONNECTING, Phase.LOBBY, Phase.OVER))


class Watching:
    """The ears of a Table that only watches, in the place of hearing.py."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._desk = room.desk
        self._said: dict[LinkId, m.Status] = {}
        """The latest STATUS of each link, of whatever game."""
        self._ways: dict[bytes, tuple[str, ...]] = {}
        """Where the players can be reached, as far as we know."""
        self._end_asked: tuple[bytes, int] | None = None
        """The game and step of which we asked for what may be its unconfirmed end."""
        self._tail_to_k = 0
        """Up to which step of a table that the others went on from we asked."""
        self._lost_sight = False

    # -- links ---------------------------------------------------------------------------------------------------

    def link_up(self, link: LinkId, peer: LinkPeer) -> None:
        """Somebody lets us watch; what there is to see comes without asking."""
        desk = self._desk
        desk.links[link] = new_link(link, peer, desk.now_us)
        if self._lost_sight:
            self._lost_sight = False
            desk.do(CancelTimer(Timer.LINGER, 0))
        desk.tell(Sees(peer.name))
        self._seek()

    def link_down(self, link: LinkId, code: Err | None) -> None:
        """It is gone; another one shows the same game, if there is one."""
        gone = self._desk.links.pop(link, None)
        if gone is not None:
            self._lost(gone, code)

    def _lost(self, link: Link, code: Err | None) -> None:
        room, game = self._room, self._room.game
        self._said.pop(link.id, None)
        if room.meeting is not None:
            room.meeting.lost(link.peer.pk, code)
        elif game is None:
            room.close(Err.SHUTTING_DOWN if code in (None, Err.GOODBYE) else code)
        elif not self._desk.links and not self._lost_sight and not game.over:
            self._lost_sight = True
            self._desk.do(SetTimer(Timer.LINGER, 0, limits.ABSENCE_MS))
            self._desk.tell(LostSight(link.peer.name))

    def _seek(self) -> None:
        """Who else shows this game, should this link break; the one that we are linked with first."""
        desk, game = self._desk, self._room.game
        if game is None:
            return
        linked = {link.peer.pk: link.address for link in desk.links.values() if link.address is not None}
        for key, address in linked.items():
            older = (each for each in self._ways.get(key, ()) if each != address)
            self._ways[key] = (address, *older)[: limits.MAX_ADDRESSES]
        first = [key for key in self._ways if key in linked]
        others = [key for key in self._ways if key not in linked]
        desk.meet([WantedPeer(key, self._ways[key]) for key in (*first, *others)], (), None)

    # -- frames --------------------------------------------------------------------------------------------------

    def frame(self, link_id: LinkId, payload: bytes) -> None:
        """A whole frame; a fault of one link ends that link."""
        link = self._desk.links.get(link_id)
        if link is None:
            return
        try:
            message = decode_message(payload)
            if message is not None:
                self._hear(link, message)
        except RemoteFault as fault:
            self._desk.close(link_id, fault.code, fault.detail)
            self._lost(link, fault.code)

    def early(self) -> bool:
        """Who only watches signs nothing, and keeps no consents."""
        return False

    def kept(self) -> None:
        """Another game is watched now: ask for its first steps, those behind them come by themselves."""
        game = known(self._room.game)
        self._room.moved_in = False
        self._tail_to_k = 0
        self._seek()
        for link in list(self._desk.links.values()):
            said = self._said.get(link.id)
            if said is not None and said.game == game.id:
                self._status(link, said)
            else:
                sync.want(game, link, game.ledger.k)

    def _hear(self, link: Link, message: m.Message) -> None:
        if isinstance(message, m.StepRecord):
            self._record(link, message)
            return
        if not isinstance(message, m.Lobby | m.Ways):
            # Of those its people and neighbours decide how many there are, and not whoever shows them to us.
            link.spend(1, self._desk.now_us)
        match message:
            case m.Ping(n=n):
                self._desk.send(m.Pong(n), link.id)
            case m.Lobby():
                self._lobby(link, message)
            case m.TableAgreed():
                link.spend(limits.MAX_SEATS, self._desk.now_us)
                self._table(link, message)
            case m.Status():
                self._status(link, message)
            case m.Ways():
                self._ways = {peer.pk: peer.addresses for peer in message.peers if peer.addresses} | self._linked_ways()
                self._seek()
            case _:
                # What players say to each other is not for us.
                pass

    def _linked_ways(self) -> dict[bytes, tuple[str, ...]]:
        keys = {link.peer.pk for link in self._desk.links.values()}
        return {key: ways for key, ways in self._ways.items() if key in keys}

    def _ask_for_the_tail(self, game: Game, link: Link) -> None:
        """The next steps of a table that the others went on from."""
        if link.wants.take(limits.MAX_WANT, self._desk.now_us):
            self._tail_to_k = game.ledger.k + limits.MAX_WANT
            known(self._room.continuing).following.ask()

    def _lobby(self, link: Link, message: m.Lobby) -> None:
        """The host's lobby, or one for another game after the end of ours."""
        room = self._room
        if self._desk.phase not in _TO_A_LOBBY:
            return
        if room.meeting is None:
            room.meeting = Meeting(self._desk, GuestLobby(self._desk, (), link.peer.pk))
            if room.game is not None:
                self._desk.tell(RematchOpened(link.peer.name))
        room.meeting.heard_lobby(link, message)

    def _table(self, link: Link, message: m.TableAgreed) -> None:
        """A table that all signed: the one to watch, one that goes on from it, or one to come to later."""
        room, game = self._room, self._room.game
        terms = genesis.decode_terms(message.table)
        if game is not None and message.table == game.agreed.table:
            return
        if terms.parent is not None and game is not None and terms.parent.game == game.id:
            following = known(room.continuing).following
            following.heard(message)
            following.ask()
        elif terms.parent is not None:
            room.keep_for_later(terms.parent.game, message)
        elif game is None or (game.over and all(message.table != one.start.table for one in game.story.chapters)):
            self._begin(link, message, terms)

    def _begin(self, link: Link, message: m.TableAgreed, terms: Terms) -> None:
        """Watch from this first table on; RemoteFault ENGINE_DIFFERS, BAD_SIGNATURE, or as check_terms."""
        desk, room = self._desk, self._room
        genesis.check_terms(terms)
        if terms.engine != desk.settings.engine:
            raise RemoteFault(Err.ENGINE_DIFFERS, "a table of another engine")
        if not genesis.consents_complete(terms, message.table, message.consents):
            raise RemoteFault(Err.BAD_SIGNATURE, "a table that was not signed by all")
        lobby = None if room.meeting is None else room.meeting.picture
        room.watch(Game(desk, Deal(message, terms, {}), link.peer.name if lobby is None else lobby.title))

    def _status(self, link: Link, message: m.Status) -> None:
        """Where the table stands; of another game than ours it is kept until we come to that."""
        self._said[link.id] = message
        game = self._room.game
        if game is not None and message.game in game.story.ids:
            self._go_back(game, message.game)
        if game is None or message.game != game.id:
            return
        first, link.status = link.status is None, message
        game.presences.update()
        if message.k > game.ledger.k or first:
            self._desk.behind = self._desk.behind or message.k > game.ledger.k + _FAR
            sync.want(game, link, message.k)
        elif message.stage == m.Stage.OVER and message.k == game.ledger.k and not game.over:
            self._look_for_the_end(game, link)

    def _go_back(self, game: Game, to: bytes) -> None:
        """The table that we went on to came to nothing ([S-15]): check the line again from its first table on."""
        story = game.story
        for chapter, terms in zip(story.chapters[1 : story.ids.index(to) + 1], story.terms[1:], strict=False):
            table = m.TableAgreed(chapter.start.table, chapter.start.consents)
            self._room.keep_for_later(known(terms.parent).game, table)
        first = story.chapters[0].start
        self._desk.behind = True
        self._room.watch(
            Game(self._desk, Deal(m.TableAgreed(first.table, first.consents), story.terms[0], {}), game.title)
        )

    def _look_for_the_end(self, game: Game, link: Link) -> None:
        """It is over there: won, with a step that not all confirmed; if there is no such step, it was saved."""
        asked = (game.id, game.ledger.k)
        if self._end_asked == asked:
            game.result.save(())
        else:
            self._end_asked = asked
            link.records_due += 1
            self._desk.send(m.Want(game.id, game.ledger.k, 1), link.id)

    def _record(self, link: Link, message: m.StepRecord) -> None:
        """A final step; RemoteFault where it does not hold, as for heard_record."""
        game = self._room.game
        if game is None or message.game != game.id:
            link.spend(1, self._desk.now_us)
            return
        sync.heard_record(game, link, message)
        there_k = 0 if link.status is None else link.status.k
        if self._desk.behind and game.ledger.k >= there_k and not game.waits_for_tail:
            self._desk.behind = False
            self._desk.tell(CaughtUp(game.ledger.k))
        if game.waits_for_tail and game.ledger.k >= self._tail_to_k:
            self._ask_for_the_tail(game, link)
        if game.ledger.over is not None:
            # The others have waited for whoever did not confirm the end.
            game.result.finish()
