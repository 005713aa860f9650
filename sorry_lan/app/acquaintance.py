"""Whether the people at a table are those that their names say: met for the first time, known, or with another key.

A face like any other, between the table and the real one. Whoever a game has begun with is noted (store/known_players).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import trio

from sorry_lan.app.runner import Face
from sorry_lan.app.wrapping import FaceAround
from sorry_lan.store.disk import Disk, StoreError
from sorry_lan.store.known_players import KnownPlayers, Player, read_known, save_known
from sorry_lan.table.encounters import FirstMet, KeyChanged
from sorry_lan.table.events import Happening
from sorry_lan.table.news import News
from sorry_lan.table.notices import PlayersNotKept, StoreProblem
from sorry_lan.table.view import LobbySeatView, SeatView, View
from sorry_lan.wire.messages import LobbyKind
from sorry_lan.wire.terms import SeatKind


class AcquaintedFace(FaceAround[Face]):
    """Hands everything on, and tells of strangers and of changed keys: in the lobby, and again when the game begins."""

    __slots__ = ("_disk", "_folder", "_kept", "_known", "_problem", "_seen", "_told", "_wake")

    def __init__(self, face: Face, folder: Path, disk: Disk, read: tuple[KnownPlayers, StoreProblem | None]) -> None:
        """`folder` is the identity's; `read` is what read_known found there."""
        super().__init__(face)
        self._folder = folder
        self._disk = disk
        self._known, self._problem = read
        self._told: set[tuple[str, bytes, str]] = set()
        self._seen: tuple[bool, tuple[tuple[int, bytes, str, int | None], ...]] = (False, ())
        self._kept = self._known
        self._wake = trio.Event()
        if self._problem is not None:
            face.notice(PlayersNotKept(self._problem))

    def show(self, view: View, news: tuple[News, ...]) -> None:
        """As the face does; then what is to be said of the others. Who only watches meets nobody."""
        self._face.show(view, news)
        seats: tuple[SeatView, ...] = () if view.game is None else view.game.seats
        places: tuple[LobbySeatView, ...] = () if seats or view.lobby is None else view.lobby.seats
        seen = bool(seats), tuple((seat.kind, seat.key, seat.name, seat.person) for seat in seats or places)
        # Most pictures have another board or another turn: nobody is looked up for those.
        if seen == self._seen:
            return
        self._seen = seen
        if {seat.person for seat in seats} | {place.person for place in places} <= {None}:
            return
        for place in places:
            if place.kind == LobbyKind.HUMAN and place.person is None:
                self._meet("lobby", place)
        others = [seat for seat in seats if seat.kind == SeatKind.HUMAN and seat.person is None]
        for seat in others:
            self._meet("game", seat)
        self._note(others)

    async def run(self, tell: Callable[[Happening], None]) -> None:
        """As the face does, and note whom a game has begun with."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._keep)
            await self._face.run(tell)
            nursery.cancel_scope.cancel()

    def _meet(self, where: str, seat: LobbySeatView | SeatView) -> None:
        """Say what is to be said of somebody, once in the lobby and, where it matters, once more in the game."""
        if (where, seat.key, seat.name) in self._told:
            return
        before = ("lobby", seat.key, seat.name) in self._told
        self._told.add((where, seat.key, seat.name))
        if self._known.knows(seat.key, seat.name):
            return
        since = self._known.since(seat.name)
        if since is not None:
            self._face.notice(KeyChanged(seat.key, seat.name, seat.colour, since))
        elif not before and not self._known.knows_key(seat.key):
            self._face.notice(FirstMet(seat.name, seat.colour))

    def _note(self, seats: list[SeatView]) -> None:
        today = time.strftime("%Y-%m-%d", time.gmtime())
        self._known = self._known.with_players(tuple(Player(seat.key, today, seat.name) for seat in seats))
        if self._known != self._kept:
            self._wake.set()

    async def _keep(self) -> None:
        try:
            while True:
                await self._wake.wait()
                self._wake = trio.Event()
                await self._write()
        finally:
            with trio.CancelScope(shield=True):
                await self._write()

    async def _write(self) -> None:
        """What could not be read whole is not written; what cannot be written is told of once."""
        now = self._known
        if now == self._kept or self._problem is not None:
            return
        try:
            await trio.to_thread.run_sync(save_known, self._disk, self._folder, now)
        except StoreError as wrong:
            self._problem = wrong.problem
            self._face.notice(PlayersNotKept(wrong.problem))
        else:
            self._kept = now


async def acquainted(face: Face, folder: Path) -> AcquaintedFace:
    """The face, with what the identity in `folder` knows of others."""
    return AcquaintedFace(face, folder, Disk(), await trio.to_thread.run_sync(read_known, folder))
