"""Watching over real sockets: a watcher's own process, and one whose player goes away."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from sorry_lan.app.wiring import Access, RunOptions, Sitting, play_table
from sorry_lan.fair.verify import Finding, verify_transcript
from sorry_lan.faults import Err
from sorry_lan.table.events import LeaveAsked
from sorry_lan.table.news import LostSight, Sees, TableClosed, Watches
from sorry_lan.table.notices import FileSaved, TableOpened
from sorry_lan.table.settings import Auto, Role
from sorry_lan.wire.terms import Option
from tests.app.build import Memory, options


def opened(face: Memory) -> bool:
    return any(isinstance(notice, TableOpened) for notice in face.notices)


def reaching(host: Memory, wanted: RunOptions) -> RunOptions:
    return replace(wanted, address=f"127.0.0.1:{host.opened.port}", code=host.opened.code, access=Access.CODE)


def watcher(folder: Path, host: Memory, name: str = "Wim") -> RunOptions:
    sitting = (Sitting(name, None, None),)
    return replace(reaching(host, options(folder, 3)), role=Role.WATCHER, people=sitting, folder=folder / name)


def saved(face: Memory) -> bytes:
    (path,) = [notice.path for notice in face.notices if isinstance(notice, FileSaved)]
    return Path(path).read_bytes()


@pytest.mark.spec("S-10")
async def test_a_watcher_in_a_process_of_its_own_checks_the_game_and_keeps_the_file_of_the_players(
    tmp_path: Path,
) -> None:
    """A55: it comes to the lobby with the code alone, has no seat, and ends with the game."""
    host, guest = Memory(), Memory()
    codes: list[int] = []

    async def plays(wanted: RunOptions, face: Memory) -> None:
        codes.append(await play_table(wanted, face))

    with trio.fail_after(120):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(plays, options(tmp_path, 0), host)
            await host.until(opened)
            command = [sys.executable, "-m", "sorry_lan", "join", f"127.0.0.1:{host.opened.port}", "--watch", "--json"]
            command += ["--auto", "--name", "Wim", "--code", str(host.opened.code)]
            command += ["--identity", str(tmp_path / "wim")]
            process = await trio.lowlevel.open_process(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            await host.until(lambda face: Watches("Wim") in face.news)
            nursery.start_soon(plays, reaching(host, options(tmp_path, 1)), guest)
            assert process.stdout is not None
            data = b"".join([part async for part in process.stdout])
            assert await process.wait() == 0
    lines = [json.loads(line) for line in data.splitlines()]
    assert codes == [0, 0]
    kinds = {str(line["type"]) for line in lines}
    assert {"sees", "lobby", "started", "lot", "card", "played", "won", "confirmed", "saved"} <= kinds
    assert "prompt" not in kinds
    (file,) = (tmp_path / "wim" / "games").glob("*.sorry")
    assert file.read_bytes() == saved(host) == saved(guest)
    assert verify_transcript(file.read_bytes()).finding is Finding.WON
    assert list((tmp_path / "wim" / "games").glob("*.journal")) == []


async def test_a_watcher_goes_on_through_another_player_and_the_code_is_asked_for_there_too(tmp_path: Path) -> None:
    faces = [Memory() for _ in range(3)]
    watching, stranger = Memory(), Memory()
    ended: dict[str, int] = {}

    async def client(name: str, wanted: RunOptions, face: Memory) -> None:
        ended[name] = await play_table(wanted, face)

    with trio.fail_after(120):
        async with trio.open_nursery() as nursery:
            slow = replace(options(tmp_path, 0, 3), auto=Auto.DRAW)
            nursery.start_soon(client, "0", slow, faces[0])
            await faces[0].until(opened)
            nursery.start_soon(client, "1", reaching(faces[0], options(tmp_path, 1, 3)), faces[1])
            gone = trio.CancelScope()

            async def goes() -> None:
                with gone:
                    await client("2", reaching(faces[0], options(tmp_path, 2, 3)), faces[2])

            nursery.start_soon(goes)
            nursery.start_soon(client, "w", watcher(tmp_path, faces[0]), watching)
            await watching.until(lambda face: bool(face.views and face.views[0].game))
            # Without the code nobody watches, whoever shows the game.
            open_door = replace(watcher(tmp_path, faces[0], "Zoe"), code=None)
            await client("z", open_door, stranger)
            # The host leaves; its game waits, and the watcher looks at it through somebody else.
            faces[0].say(LeaveAsked())
            await watching.until(lambda face: len([item for item in face.news if isinstance(item, Sees)]) == 2)
            watching.say(LeaveAsked())
            faces[1].say(LeaveAsked())
            gone.cancel()
    assert ended["z"] == 7
    assert [item for item in watching.news if isinstance(item, LostSight)] == [LostSight("Ada")]
    through = [item.name for item in watching.news if isinstance(item, Sees)]
    assert through[0] == "Ada"
    assert through[1] in {"Bob", "Chloe"}
    assert ended["w"] == 0


@pytest.mark.spec("S-12")
async def test_where_the_host_forbids_it_a_watcher_is_told_so(tmp_path: Path) -> None:
    """A55: exit code 7."""
    host, watching = Memory(), Memory()
    ended: list[int] = []
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_table, replace(options(tmp_path, 0), options=Option.NO_WATCHERS), host)
            await host.until(opened)
            ended.append(await play_table(watcher(tmp_path, host), watching))
            host.say(LeaveAsked())
    assert ended == [7]
    assert TableClosed(Err.WATCHING_NOT_ALLOWED) in watching.news
