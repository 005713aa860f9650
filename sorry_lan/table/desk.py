"""What all parts of one table share: its links, its phase, and the commands and news of the event at hand.

Decides nothing about the game; the only place where commands are put in order.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, TypeVar

from sorry_lan.faults import Err, LocalMisuse
from sorry_lan.table.commands import (
    AdmitPeers,
    AppendJournal,
    CloseLink,
    Command,
    JournalKind,
    SeekPeers,
    SendFrame,
    Sync,
    WantedPeer,
)
from sorry_lan.table.events import Event, LinkId
from sorry_lan.table.links import Link
from sorry_lan.table.news import News
from sorry_lan.table.phases import Turn, after
from sorry_lan.table.settings import Role, Settings
from sorry_lan.table.view import Phase
from sorry_lan.wire import limits
from sorry_lan.wire.codec import encode_message
from sorry_lan.wire.digest import tag, u32
from sorry_lan.wire.messages import Message, Ping, Pong, Want

T = TypeVar("T")
_WATCHERS_SAY: Final = (Ping, Pong, Want)
_NOWHERE: Final[Mapping[bytes, tuple[str, ...]]] = MappingProxyType({})


def known(value: T | None) -> T:
    """`value`, which is there by the rules of the game; LocalMisuse where it is not."""
    if value is None:
        raise LocalMisuse("something that must be known by now is not")
    return value


class Desk:
    """Shared by the parts of one Table and by nobody else."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.phase = Phase.CONNECTING
        self.links: dict[LinkId, Link] = {}
        self.now_us = 0
        self.disk_works = True
        self.resumed = False
        """Whether this client came back to a game, as a process that did not hear how others came to it."""
        self.news: list[News] = []
        self.behind = False
        """Whether we watch and are still checking what was played before we came."""
        self._commands: list[Command] = []
        self._entropy = b""
        self._drawn = 0
        self._sought: tuple[WantedPeer, ...] = ()
        self._admitted = AdmitPeers(frozenset(), None)
        self._company: tuple[WantedPeer, ...] = ()
        self._played: bytes | None = None
        """Whom we played with just now, and the game, while there is a lobby after it."""

    def begin(self, event: Event) -> None:
        """Take time and entropy from the event."""
        self.now_us = event.now_us
        self._entropy = event.entropy
        self._drawn = 0

    def take(self) -> tuple[tuple[Command, ...], tuple[News, ...]]:
        """The commands and news since the last call."""
        commands, news = tuple(self._commands), tuple(self.news)
        self._commands.clear()
        self.news.clear()
        return commands, news

    def fresh(self) -> bytes:
        """32 bytes nobody has seen, from the event's entropy."""
        self._drawn += 1
        return hmac.digest(self._entropy, tag("fresh") + u32(self._drawn), "sha256")

    def turn(self, turn: Turn) -> None:
        """Go where phases.py says."""
        self.phase = after(self.phase, turn)

    def do(self, command: Command) -> None:
        """Ask for `command`, after those asked for before."""
        self._commands.append(command)

    def tell(self, *news: News) -> None:
        """Add to the news of this event."""
        self.news += news

    @property
    def watches(self) -> bool:
        """Whether this client has no seat and only looks on."""
        return self.settings.role is Role.WATCHER

    def journal(self, game: bytes | None, kind: JournalKind, payload: bytes, sync: Sync) -> None:
        """Ask for a journal record; who only watches signs nothing that a crash could make it sign twice."""
        if self.watches:
            return
        self.do(AppendJournal(game, kind, payload, sync))

    def send(self, message: Message, *to: LinkId) -> None:
        """One message to some links, encoded once."""
        self.cast(message, to)

    def cast(self, message: Message, to: Iterable[LinkId]) -> None:
        """One message to many links, encoded once and only if there are any; who only watches asks and does no more."""
        if self.watches and not isinstance(message, _WATCHERS_SAY):
            return
        payload = b""
        for link in to:
            payload = payload or encode_message(message)
            self.do(SendFrame(link, payload))

    def links_of(self, keys: Iterable[bytes]) -> list[LinkId]:
        """The links of these clients, oldest first."""
        wanted = frozenset(keys)
        return [link.id for link in self.links.values() if link.peer.pk in wanted]

    def linked(self, key: bytes) -> Link | None:
        """The newest link of a client."""
        return next((link for link in reversed(self.links.values()) if link.peer.pk == key), None)

    def close(self, link: LinkId, code: Err, text: str) -> None:
        """Say BYE; nothing more is sent on this link or heard from it."""
        del self.links[link]
        self.do(CloseLink(link, code, text[: limits.MAX_BYE_TEXT]))

    def meet(self, sought: Iterable[WantedPeer], admitted: Iterable[bytes], game: bytes | None) -> None:
        """Whom to dial and whom to let in without a code, where that differs from before."""
        wanted = tuple(sought)
        if wanted != self._sought:
            self._sought = wanted
            self.do(SeekPeers(wanted))
        admit = AdmitPeers(frozenset(admitted), game)
        if admit != self._admitted:
            self._admitted = admit
            self.do(admit)

    def keep_company(self, game: bytes) -> None:
        """A lobby opens after `game`: its clients go on finding each other, and need no code to come back."""
        self._company, self._played = self._sought, game

    def meet_in_lobby(
        self, sought: Iterable[WantedPeer], admitted: Iterable[bytes], removed: frozenset[bytes] = frozenset()
    ) -> None:
        """As `meet`, and whoever we played with just now, but those whom the host removed."""
        company = [peer for peer in self._company if peer.pk not in removed]
        wanted = {peer.pk: peer for peer in (*company, *sought)}
        self.meet(wanted.values(), [*admitted, *(peer.pk for peer in company)], self._played)

    def meet_again(
        self,
        clients: Iterable[bytes],
        game: bytes,
        remembered: Mapping[bytes, tuple[str, ...]] = _NOWHERE,
        also: Iterable[bytes] = (),
    ) -> None:
        """Keep a link to each of these clients for as long as `game` lasts, wherever they were last seen ([H-26]).

        `also` are let in without being looked for.
        """
        self._company, self._played = (), None
        known = {**remembered, **{peer.pk: peer.addresses for peer in self._sought}}
        keys = sorted(clients)
        sought = []
        for key in keys:
            link = self.linked(key)
            seen = () if link is None or link.address is None else (link.address,)
            sought.append(WantedPeer(key, tuple(dict.fromkeys((*seen, *known.get(key, ()))))))
        self.meet(sought, [*keys, *also], game)
