"""A client that dies in the middle of a game comes back to its seat: real sockets, real files, the same commands."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from sorry_lan.app import wiring
from sorry_lan.app.keeping import resuming
from sorry_lan.app.wiring import play_table
from sorry_lan.app.wishes import Resume, RunOptions, Sitting
from sorry_lan.fair.entry import Leaving
from sorry_lan.store.games import GameState, kept_games
from sorry_lan.store.identity import Identity
from sorry_lan.table.events import LeaveAsked
from sorry_lan.table.news import GoesOn, GoneOn, Played, TakenUp
from sorry_lan.table.notices import GameProblem, GameTrouble, JournalSetAside, Stopped, TableOpened
from sorry_lan.table.saved import SavedGame
from sorry_lan.table.settings import Auto, Offers, Role
from sorry_lan.wire.messages import TableAgreed
from tests.app.build import Memory, options
from tests.fair.build import seed
from tests.fair.build import table as fair_table
from tests.fair.next_table import chapter, follow


class Client:
    """One process, as far as the table can tell: it can be killed, and started again with other options."""

    def __init__(self, nursery: trio.Nursery, wanted: RunOptions) -> None:
        self.wanted = wanted
        self.face = Memory()
        self.code: int | None = None
        self.done = trio.Event()
        self._scope = trio.CancelScope()
        nursery.start_soon(self._run)

    async def _run(self) -> None:
        with self._scope:
            self.code = await play_table(self.wanted, self.face)
        self.done.set()

    async def die(self) -> None:
        self._scope.cancel()
        await self.done.wait()

    async def played(self, steps: int) -> None:
        await self.face.until(lambda face: sum(isinstance(news, Played) for news in face.news) >= steps)


def kept_at(path: str) -> bytes:
    return Path(path).read_bytes()


def files(folder: Path, index: int) -> set[bytes]:
    return {path.read_bytes() for path in (folder / str(index) / "games").glob("*.sorry")}


async def table(nursery: trio.Nursery, folder: Path) -> tuple[Client, Client]:
    """Host and joiner in play; the host's person draws as fast as anybody, but can be held up."""
    host = Client(nursery, options(folder, 0))
    await host.face.until(lambda face: any(isinstance(notice, TableOpened) for notice in face.notices))
    opened = host.face.opened
    joining = replace(options(folder, 1), address=f"127.0.0.1:{opened.port}", code=opened.code)
    joiner = Client(nursery, joining)
    await joiner.played(3)
    return host, joiner


async def test_a_joiner_that_died_resumes_and_everybody_has_one_file(tmp_path: Path) -> None:
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            host, joiner = await table(nursery, tmp_path)
            await joiner.die()
            (game,) = kept_games(tmp_path / "1" / "games")
            assert game.state is GameState.INTERRUPTED
            again = Client(nursery, replace(joiner.wanted, resume=Resume.ASKED, game=game.game.hex()[:6]))
            await host.done.wait()
            await again.done.wait()
    assert (host.code, again.code) == (0, 0)
    assert len(files(tmp_path, 0) | files(tmp_path, 1)) == 1
    assert [type(news) for news in again.face.news if isinstance(news, TakenUp | GoesOn)] == [TakenUp, GoesOn]


async def test_the_line_that_joined_joins_again_though_the_table_has_a_new_code(tmp_path: Path) -> None:
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            host, joiner = await table(nursery, tmp_path)
            await joiner.die()
            again = Client(nursery, joiner.wanted)
            await host.done.wait()
            await again.done.wait()
    assert (host.code, again.code) == (0, 0)
    assert len(files(tmp_path, 0) | files(tmp_path, 1)) == 1


async def test_the_line_that_hosted_brings_the_host_back_to_its_port(tmp_path: Path) -> None:
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            host, joiner = await table(nursery, tmp_path)
            await host.die()
            again = Client(nursery, host.wanted)
            await joiner.done.wait()
            await again.done.wait()
    assert (again.code, joiner.code) == (0, 0)
    assert len(files(tmp_path, 0) | files(tmp_path, 1)) == 1


async def test_both_died_and_the_same_two_lines_bring_both_back(tmp_path: Path) -> None:
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            host, joiner = await table(nursery, tmp_path)
            await host.die()
            await joiner.die()
            second = Client(nursery, joiner.wanted)
            await second.face.until(lambda face: any(isinstance(news, TakenUp) for news in face.news))
            first = Client(nursery, host.wanted)
            await first.done.wait()
            await second.done.wait()
    assert (first.code, second.code) == (0, 0)
    assert len(files(tmp_path, 0) | files(tmp_path, 1)) == 1


async def test_a_damaged_journal_is_told_set_aside_and_the_rest_comes_from_the_other(tmp_path: Path) -> None:
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            host, joiner = await table(nursery, tmp_path)
            await joiner.die()
            (game,) = kept_games(tmp_path / "1" / "games")
            data = bytearray(game.path.read_bytes())
            data[len(data) * 2 // 3] ^= 1
            game.path.write_bytes(data)
            again = Client(nursery, replace(joiner.wanted, resume=Resume.ASKED))
            await host.done.wait()
            await again.done.wait()
    assert (host.code, again.code) == (0, 0)
    (aside,) = [notice for notice in again.face.notices if isinstance(notice, JournalSetAside)]
    assert kept_at(aside.path) == bytes(data)
    assert len(files(tmp_path, 0) | files(tmp_path, 1)) == 1


async def stopped(wanted: RunOptions, code: int = 3) -> list[object]:
    face = Memory()
    assert await play_table(wanted, face) == code
    return [notice.problem for notice in face.notices if isinstance(notice, Stopped)]


async def test_what_cannot_be_resumed_is_said(tmp_path: Path) -> None:
    asked = replace(options(tmp_path, 0), resume=Resume.ASKED)
    assert await stopped(asked) == [GameProblem(GameTrouble.NONE, "")]
    assert await stopped(replace(asked, game="ab")) == [GameProblem(GameTrouble.UNKNOWN, "ab")]
    alone = replace(options(tmp_path, 0), role=Role.LOCAL, bots=(0,))
    assert await play_table(alone, Memory()) == 0
    (game,) = kept_games(tmp_path / "0" / "games")
    assert await stopped(replace(asked, game=game.game.hex())) == [GameProblem(GameTrouble.OVER, game.game.hex())]


async def interrupted(folder: Path) -> str:
    """A game alone that broke off; its id."""
    alone = replace(options(folder, 0), role=Role.LOCAL, bots=(0,), auto=Auto.NOTHING)
    async with trio.open_nursery() as nursery:
        client = Client(nursery, alone)
        await client.face.until(lambda face: any(view.prompts for view in face.views))
        await client.die()
    (game,) = kept_games(folder / "0" / "games")
    assert game.can_go_on
    return game.game.hex()


async def test_a_game_of_the_identity_that_was_here_before_is_told_and_not_taken_up(tmp_path: Path) -> None:
    with trio.fail_after(60):
        game = await interrupted(tmp_path)
        (tmp_path / "0" / "identity").unlink()
        asked = replace(options(tmp_path, 0), resume=Resume.ASKED)
        assert await stopped(asked) == [GameProblem(GameTrouble.NONE, "")]
        assert await stopped(replace(asked, game=game)) == [GameProblem(GameTrouble.FOREIGN, game)]


async def test_a_host_with_another_identity_than_it_had_opens_a_new_table(tmp_path: Path) -> None:
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            host, joiner = await table(nursery, tmp_path)
            await host.die()
            await joiner.die()
            (tmp_path / "0" / "identity").unlink()
            again = Client(nursery, host.wanted)
            await again.face.until(lambda face: any(isinstance(notice, TableOpened) for notice in face.notices))
            assert again.face.news == []
            await again.die()


async def test_a_game_of_another_engine_is_told_and_not_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with trio.fail_after(60):
        game = await interrupted(tmp_path)
        monkeypatch.setattr(wiring, "engine_digest", lambda: bytes(32))
        asked = replace(options(tmp_path, 0), resume=Resume.ASKED)
        assert await stopped(asked) == [GameProblem(GameTrouble.NONE, "")]
        assert await stopped(replace(asked, game=game), 5) == [GameProblem(GameTrouble.OTHER_ENGINE, game)]


def test_who_was_left_out_resumes_as_the_person_it_was(tmp_path: Path) -> None:
    one = fair_table("left", "hhh")
    one.step()
    two = follow(one, without=[0])
    parent = SavedGame(TableAgreed(one.bytes, one.consents()), "Ada's table", (), one.ledger.records)
    saved = SavedGame(TableAgreed(two.bytes, two.consents()), "Ada's table", chapter(one, two).records, parent=parent)
    own = Identity(tmp_path, seed("key", "left", 0), bytes(32), 1, 0)
    found = resuming(options(tmp_path, 0), saved, own)
    assert found.role is Role.JOINER
    assert found.people == (Sitting("Ada", None, None),)


async def test_people_at_one_keyboard_resume_only_where_they_ask_for_it(tmp_path: Path) -> None:
    alone = replace(options(tmp_path, 0), role=Role.LOCAL, bots=(0,), auto=Auto.NOTHING)
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            client = Client(nursery, alone)
            await client.face.until(lambda face: any(view.prompts for view in face.views))
            await client.die()
            again = Client(nursery, replace(alone, role=Role.JOINER, resume=Resume.ASKED, auto=Auto.ALL))
            await again.done.wait()
            assert again.code == 0
            assert isinstance(again.face.news[0], TakenUp)


async def test_without_its_journals_a_client_gets_its_seat_back_in_a_game_that_went_on(tmp_path: Path) -> None:
    with trio.fail_after(90):
        async with trio.open_nursery() as nursery:
            host = Client(nursery, replace(options(tmp_path, 0, 3), offers=Offers.MAKE))
            await host.face.until(lambda face: any(isinstance(notice, TableOpened) for notice in face.notices))
            opened = host.face.opened
            others = []
            for index in (1, 2):
                joining = replace(options(tmp_path, index), address=f"127.0.0.1:{opened.port}", code=opened.code)
                others.append(Client(nursery, replace(joining, offers=Offers.MAKE)))
            joiner, leaver = others
            await leaver.played(2)
            leaver.face.say(LeaveAsked(Leaving.FOR_GOOD))
            await joiner.face.until(lambda face: any(isinstance(news, GoneOn) for news in face.news))
            await joiner.die()
            shutil.rmtree(tmp_path / "1" / "games")
            again = Client(nursery, joiner.wanted)
            await host.done.wait()
            await again.done.wait()
    assert (host.code, again.code) == (0, 0)
    assert len(files(tmp_path, 0) | files(tmp_path, 1)) == 1
    assert sum(isinstance(news, GoesOn) for news in again.face.news) == 1
