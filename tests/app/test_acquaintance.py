"""First meetings, known people, changed keys: what is told when, and who is noted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import trio
import trio.testing

from sorry_lan.app.acquaintance import AcquaintedFace, acquainted
from sorry_lan.store.disk import Disk
from sorry_lan.store.known_players import KnownPlayers, Player, read_known, save_known
from sorry_lan.table.encounters import FirstMet, KeyChanged
from sorry_lan.table.events import Happening
from sorry_lan.table.news import News
from sorry_lan.table.notices import Notice, PlayersNotKept, PortTaken, StoreTrouble
from sorry_lan.table.view import View
from sorry_lan.wire.messages import LobbyKind
from tests.store.build import FaultyDisk
from tests.ui.build import bot, game, in_lobby, lobby, lobby_seat, seat, view

KEY, OTHER, THIRD = b"\x01" * 32, b"\x02" * 32, b"\x03" * 32
LONG_AGO = "2020-01-01"


class Quiet:
    """A face that remembers what it was told, and runs until it is let go."""

    def __init__(self) -> None:
        self.told: list[Notice] = []
        self.shown: list[View] = []
        self.leave = trio.Event()

    def show(self, view: View, _news: tuple[News, ...]) -> None:
        self.shown.append(view)

    def notice(self, notice: Notice) -> None:
        self.told.append(notice)

    async def run(self, _tell: Callable[[Happening], None]) -> None:
        await self.leave.wait()


def the_lobby(key: bytes, name: str = "Bob") -> View:
    bob = replace(lobby_seat(1, name), key=key)
    return in_lobby(lobby((lobby_seat(0, "Ada", person=0), bob, lobby_seat(2, "Robo", LobbyKind.BOT))))


def the_game(key: bytes, name: str = "Bob") -> View:
    return view(game((seat(0, 0, "Ada"), replace(seat(1, None, name), key=key), bot(2))))


def face_for(known: KnownPlayers, folder: Path, disk: Disk | None = None) -> tuple[AcquaintedFace, Quiet]:
    quiet = Quiet()
    return AcquaintedFace(quiet, folder, disk or Disk(), (known, None)), quiet


async def played(face: AcquaintedFace, quiet: Quiet, *views: View) -> None:
    """Show these while the face runs, then leave."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(face.run, print)
        for each in views:
            face.show(each, ())
            await trio.testing.wait_all_tasks_blocked()
        quiet.leave.set()


def known(*players: tuple[bytes, str]) -> KnownPlayers:
    return KnownPlayers().with_players(tuple(Player(key, LONG_AGO, name) for key, name in players))


async def test_a_first_meeting_is_told_once_and_noted_when_the_game_begins(tmp_path: Path) -> None:
    face, quiet = face_for(KnownPlayers(), tmp_path)
    await played(face, quiet, the_lobby(KEY), the_lobby(KEY))
    assert quiet.told == [FirstMet("Bob", 1)]
    assert read_known(tmp_path)[0].players == ()
    face, quiet = face_for(KnownPlayers(), tmp_path)
    await played(face, quiet, the_lobby(KEY), the_game(KEY), the_game(KEY))
    assert quiet.told == [FirstMet("Bob", 1)]
    assert [(player.key, player.name) for player in read_known(tmp_path)[0].players] == [(KEY, "Bob")]
    assert len(quiet.shown) == 3


async def test_who_is_known_is_not_talked_about(tmp_path: Path) -> None:
    face, quiet = face_for(known((KEY, "Bob")), tmp_path)
    await played(face, quiet, the_lobby(KEY), the_game(KEY))
    assert quiet.told == []
    assert not (tmp_path / "known_players").exists()


async def test_a_changed_key_is_told_in_the_lobby_and_again_when_the_game_begins(tmp_path: Path) -> None:
    changed = KeyChanged(OTHER, "Bob", 1, LONG_AGO)
    face, quiet = face_for(known((KEY, "Bob")), tmp_path)
    await played(face, quiet, the_lobby(OTHER), the_lobby(OTHER), the_game(OTHER), the_game(OTHER))
    assert quiet.told == [changed, changed]
    after = read_known(tmp_path)[0]
    face, quiet = face_for(after, tmp_path)
    await played(face, quiet, the_lobby(OTHER), the_lobby(KEY))
    assert quiet.told == []


async def test_somebody_known_who_takes_the_name_of_another_is_told_of(tmp_path: Path) -> None:
    face, quiet = face_for(known((KEY, "Bob"), (OTHER, "Chloe")), tmp_path)
    await played(face, quiet, the_lobby(OTHER, "BOB"))
    assert quiet.told == [KeyChanged(OTHER, "BOB", 1, LONG_AGO)]


async def test_somebody_known_by_a_new_name_is_no_stranger(tmp_path: Path) -> None:
    face, quiet = face_for(known((KEY, "Bob")), tmp_path)
    await played(face, quiet, the_lobby(KEY, "Robert"), the_game(KEY, "Robert"))
    assert quiet.told == []
    assert [player.name for player in read_known(tmp_path)[0].players] == ["Bob", "Robert"]


async def test_a_damaged_file_is_told_of_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "known_players"
    path.write_text("nonsense\n", encoding="utf-8")
    quiet = Quiet()
    await played(await acquainted(quiet, tmp_path), quiet, the_game(KEY))
    assert [type(told) for told in quiet.told] == [PlayersNotKept, FirstMet]
    assert path.read_text(encoding="utf-8") == "nonsense\n"


async def test_a_disk_that_fails_is_told_of_once_and_the_game_goes_on(tmp_path: Path) -> None:
    save_known(Disk(), tmp_path, known((KEY, "Bob")))
    face, quiet = face_for(known((KEY, "Bob")), tmp_path, FaultyDisk(0))
    await played(face, quiet, the_game(OTHER, "Dan"), the_game(THIRD, "Eve"))
    kept = [told for told in quiet.told if isinstance(told, PlayersNotKept)]
    assert [told.problem.trouble for told in kept] == [StoreTrouble.NOT_WRITABLE]
    assert read_known(tmp_path)[0] == known((KEY, "Bob"))


async def test_who_came_just_before_the_end_is_noted(tmp_path: Path) -> None:
    face, quiet = face_for(KnownPlayers(), tmp_path)
    face.show(the_game(KEY), ())
    face.notice(PortTaken(1, 2))
    quiet.leave.set()
    await face.run(print)
    assert quiet.told == [FirstMet("Bob", 1), PortTaken(1, 2)]
    assert [player.key for player in read_known(tmp_path)[0].players] == [KEY]


async def test_who_only_watches_meets_nobody(tmp_path: Path) -> None:
    face, quiet = face_for(known((KEY, "Bob")), tmp_path)
    nobody_of_ours = view(game((seat(0, None, "Ada"), replace(seat(1, None, "Bob"), key=OTHER))))
    lobby_of_others = in_lobby(lobby((lobby_seat(0, "Ada"), lobby_seat(1, "Bob"))))
    await played(face, quiet, lobby_of_others, nobody_of_ours)
    assert quiet.told == []
    assert not (tmp_path / "known_players").exists()
