"""Those who watch: shown what is final, and heard in nothing that the table does ([S-10] to [S-12]).

Their links are not among those of the table, so nothing that is meant for players can reach them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from sorry_lan.faults import Err, RemoteFault
from sorry_lan.table import sync
from sorry_lan.table.commands import CloseLink, SendFrame
from sorry_lan.table.desk import Desk
from sorry_lan.table.events import LinkId, LinkPeer
from sorry_lan.table.host import HostLobby
from sorry_lan.table.links import Bucket
from sorry_lan.table.meeting import Meeting
from sorry_lan.table.news import StoppedWatching, Watches
from sorry_lan.table.play import Game
from sorry_lan.wire import limits
from sorry_lan.wire import messages as m
from sorry_lan.wire.codec import decode_message, encode_message, encode_record
from sorry_lan.wire.messages import PeerAddress
from sorry_lan.wire.terms import Option

_ACTS: Final = (m.Entry, m.SeatOffer, m.ConsentGiven)
"""What only somebody with a seat may send."""
_ONLY_BEFORE: Final = (m.Hello, m.Auth)
_COMMON_PER_S: Final = limits.ENTRY_REFILL_PER_S // 2
_SHARE_PER_S: Final = (limits.ENTRY_REFILL_PER_S - _COMMON_PER_S) // limits.MAX_WATCHERS
"""Half of what one link may bring is for whoever asks first, the rest is kept for each alike."""


@dataclass(slots=True)
class Onlooker:
    """Somebody who watches through this client.

    Attributes:
        budget: what may still be asked for; every frame costs one, a WANT as much as it asks for.
        share: steps that it is answered with though others have used up what is there for all.
        revision: of the lobby that was shown last. game: the one that was.
        next_k: the steps below were sent, or are held there; None before any were asked for.
        ways: the latest WAYS.
    """

    link: LinkId
    peer: LinkPeer
    budget: Bucket
    share: Bucket
    revision: int | None = None
    game: bytes | None = None
    next_k: int | None = None
    ways: tuple[PeerAddress, ...] = ()


class Audience:
    """All who watch through this client, and what it knows of those who watch through others."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._here: dict[LinkId, Onlooker] = {}
        self._answers = Bucket(limits.ENTRY_BUCKET, _COMMON_PER_S, 0)
        """Steps that all of them together may still be answered with: eight cost a game no more than one."""
        self._shown: tuple[str, ...] = ()
        self._k = 0
        """The open step when the watchers were last served."""
        self._say_from_us = 0
        """When the players may be told again who watches."""
        self._over = False
        """Whether they were told that the game is over."""

    # -- who watches ---------------------------------------------------------------------------------------------

    def came(self, link: LinkId, peer: LinkPeer, meeting: Meeting | None, game: Game | None) -> None:
        """Somebody wants to watch: let them in, or say why not. What they are shown is `serve`'s."""
        for old in [old for old, each in self._here.items() if each.peer.pk == peer.pk]:
            # The same client, by a new link: the other one is gone, or will be.
            del self._here[old]
        lobby = None if meeting is None or not isinstance(meeting.lobby, HostLobby) else meeting.lobby
        if game is None and lobby is None:
            self._refuse(link, Err.UNKNOWN_GAME, "nothing to watch here")
            return
        options = game.ledger.terms.options if game is not None else lobby.lobby.options if lobby is not None else 0
        if options & Option.NO_WATCHERS:
            self._refuse(link, Err.WATCHING_NOT_ALLOWED, "this table has no watchers")
        elif self._desk.resumed and not self._desk.settings.guarded:
            self._refuse(link, Err.CODE_REQUIRED, "whoever came back without the code lets nobody in")
        elif len(self._here) >= limits.MAX_WATCHERS:
            self._refuse(link, Err.WATCHERS_FULL, "no more room for watchers")
        else:
            budget = Bucket(limits.ENTRY_BUCKET, limits.ENTRY_REFILL_PER_S, self._desk.now_us)
            share = Bucket(limits.MAX_WANT, _SHARE_PER_S, self._desk.now_us)
            self._here[link] = Onlooker(link, peer, budget, share)

    def has(self, link: LinkId) -> bool:
        """Whether this link is of somebody who watches."""
        return link in self._here

    def gone(self, link: LinkId) -> None:
        """A watcher's link is gone."""
        del self._here[link]

    def names(self) -> tuple[str, ...]:
        """Who watches, through this client and, as they say, through those that we are linked with."""
        said = (name for link in self._desk.links.values() for name in link.watchers)
        return (*self._names_here(), *said)

    def served(self, game: Game) -> bool:
        """Whether everybody has got all steps of the game."""
        return all(each.next_k is not None and each.next_k >= game.ledger.k for each in self._here.values())

    def close(self, code: Err) -> None:
        """This client goes."""
        for link in list(self._here):
            self._refuse(link, code, "")

    def _names_here(self) -> tuple[str, ...]:
        return tuple(each.peer.name for each in self._here.values())

    def _refuse(self, link: LinkId, code: Err, text: str) -> None:
        self._here.pop(link, None)
        self._desk.do(CloseLink(link, code, text[: limits.MAX_BYE_TEXT]))

    # -- what they say -------------------------------------------------------------------------------------------

    def heard(self, link: LinkId, payload: bytes, game: Game | None) -> None:
        """A frame from somebody who watches: only WANT and PING are answered; acting ends the link ([S-11])."""
        onlooker = self._here[link]
        try:
            message = decode_message(payload)
            self._check(onlooker, message)
        except RemoteFault as fault:
            self._refuse(link, fault.code, fault.detail)
            return
        if isinstance(message, m.Ping):
            self._send(encode_message(m.Pong(message.n)), [link])
        elif isinstance(message, m.Want) and game is not None and self._can_afford(onlooker, message.count):
            self._answer(onlooker, message, game)

    def _can_afford(self, onlooker: Onlooker, count: int) -> bool:
        """Whether so many more steps may be sent: who asks again and again must not keep the others without any."""
        now_us = self._desk.now_us
        return self._answers.take(count, now_us) or onlooker.share.take(count, now_us)

    def _check(self, onlooker: Onlooker, message: m.Message | None) -> None:
        """RemoteFault RATE, NOT_A_SEAT or SCHEMA for what somebody who watches may not send."""
        cost = message.count if isinstance(message, m.Want) else 1
        if not onlooker.budget.take(cost, self._desk.now_us):
            raise RemoteFault(Err.RATE, "more than somebody who watches can need")
        if isinstance(message, _ACTS):
            raise RemoteFault(Err.NOT_A_SEAT, "somebody who only watches would act")
        if isinstance(message, _ONLY_BEFORE):
            raise RemoteFault(Err.SCHEMA, "a second introduction")

    def _answer(self, onlooker: Onlooker, want: m.Want, game: Game) -> None:
        """Steps that are final; of the open one nothing, but for a win that not all confirmed once it was written."""
        if want.game != game.id:
            for record in game.story.steps(want.game, want.k, want.count):
                self._send(encode_message(m.StepRecord(want.game, record.k, record.entries)), [onlooker.link])
            return
        ledger, end = game.ledger, want.k + want.count
        for k in range(want.k, min(end, ledger.k)):
            self._send(encode_record(game.id, ledger.packed_record(k)), [onlooker.link])
        last = ledger.counted_record() if game.ended and want.k <= ledger.k < end else None
        if last is not None:
            self._send(encode_message(m.StepRecord(game.id, last.k, last.entries)), [onlooker.link])
        onlooker.next_k = max(onlooker.next_k or 0, min(end, ledger.k))

    # -- what they are shown -------------------------------------------------------------------------------------

    def serve(self, meeting: Meeting | None, game: Game | None) -> None:
        """After any event: whatever is new for those who watch, and for the players who watches."""
        if self._here:
            if meeting is not None and isinstance(meeting.lobby, HostLobby):
                self._show_lobby(meeting.lobby.lobby)
            if game is not None:
                self._show_game(game)
        self._k = 0 if game is None else game.ledger.k
        names = self.names()
        if names != self._shown:
            self._tell(names)
        self._say_who_watches()

    def beat(self, game: Game | None) -> None:
        """One frame a second, so that silence means something."""
        if self._here:
            message = m.Ping(self._desk.now_us) if game is None else sync.status_of(game)
            self._send(encode_message(message), self._here)

    def _show_lobby(self, lobby: m.Lobby) -> None:
        late = [each for each in self._here.values() if each.revision != lobby.rev]
        if late:
            self._send(encode_message(lobby), [each.link for each in late])
        for each in late:
            each.revision = lobby.rev

    def _show_game(self, game: Game) -> None:
        for each in self._here.values():
            if each.game != game.id:
                self._greet(each, game)
        self._send_steps(game)
        over = game.ended or game.result.saved
        if over and not self._over:
            self._send(encode_message(sync.status_of(game)), self._here)
        self._over = over
        ways = tuple(_ways(self._desk, game))
        late = [each for each in self._here.values() if each.ways != ways]
        if late:
            self._send(encode_message(m.Ways(game.id, ways)), [each.link for each in late])
        for each in late:
            each.ways = ways

    def _greet(self, onlooker: Onlooker, game: Game) -> None:
        """The tables since the one that was shown, or all of them as to somebody without a journal ([S-13])."""
        story = game.story
        if onlooker.game in story.ids:
            tables = [*story.tables_since(onlooker.game), game.agreed]
        else:
            earlier = (m.TableAgreed(one.start.table, one.start.consents) for one in reversed(story.chapters))
            tables = [game.agreed, *earlier]
        for table in tables:
            self._send(encode_message(table), [onlooker.link])
        self._send(encode_message(sync.status_of(game)), [onlooker.link])
        onlooker.game, onlooker.revision, onlooker.next_k = game.id, None, None

    def _send_steps(self, game: Game) -> None:
        """The steps that became final in this event, to all who have those before."""
        now = game.ledger.k
        for k in range(min(self._k, now), now):
            due = [each for each in self._here.values() if each.next_k == k]
            if due:
                self._send(encode_record(game.id, game.ledger.packed_record(k)), [each.link for each in due])
            for each in due:
                each.next_k = k + 1

    def _tell(self, names: tuple[str, ...]) -> None:
        before, now = Counter(self._shown), Counter(names)
        self._shown = names
        self._desk.tell(*map(Watches, (now - before).elements()))
        self._desk.tell(*map(StoppedWatching, (before - now).elements()))

    def _say_who_watches(self) -> None:
        """To each player that does not know yet; at most once a second, for they count it, whoever comes and goes."""
        desk, names = self._desk, self._names_here()
        late = [link for link in desk.links.values() if link.told_watchers != names]
        if not late or desk.now_us < self._say_from_us:
            return
        self._say_from_us = desk.now_us + limits.STATUS_MS * 1000
        desk.cast(m.Watchers(names), [link.id for link in late])
        for link in late:
            link.told_watchers = names

    def _send(self, payload: bytes, to: Iterable[LinkId]) -> None:
        for link in to:
            self._desk.do(SendFrame(link, payload))


def _ways(desk: Desk, game: Game) -> Sequence[PeerAddress]:
    """Where the other clients of a game were last seen, ascending by key."""
    seen = []
    for key in sorted(game.clients):
        link = desk.linked(key)
        now = () if link is None or link.address is None else (link.address,)
        all_of_it = tuple(dict.fromkeys((*now, *game.whereabouts.addresses.get(key, ()))))[: limits.MAX_ADDRESSES]
        if all_of_it:
            seen.append(PeerAddress(key, all_of_it))
    return seen
