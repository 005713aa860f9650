"""Whole games of real clients while strangers, broken disks and broken links do their worst."""

from __future__ import annotations

import errno
import hashlib
import socket
import struct
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from sorry_lan.app import wiring
from sorry_lan.app.wiring import play_table
from sorry_lan.fair.entry import decode_body, slot
from sorry_lan.fair.verify import verify_transcript
from sorry_lan.net.link import Link
from sorry_lan.rules.profile import Rules
from sorry_lan.store.disk import Disk
from sorry_lan.store.games import kept_games
from sorry_lan.table.news import CardDrawn, DiskState, Won
from sorry_lan.table.notices import FileSaved, TableOpened
from sorry_lan.ui.texts_news import news_lines
from sorry_lan.wire import limits
from sorry_lan.wire.codec import decode_message
from sorry_lan.wire.messages import Entry
from tests.app.build import Memory, options, play_all


def transcripts(faces: list[Memory]) -> list[bytes]:
    return [
        Path(notice.path).read_bytes() for face in faces for notice in face.notices if isinstance(notice, FileSaved)
    ]


def assert_one_game(faces: list[Memory]) -> None:
    assert all(any(isinstance(news, Won) for news in face.news) for face in faces)
    files = transcripts(faces)
    assert (len(files), len(set(files))) == (len(faces), 1)


def _noise(seed: int) -> bytes:
    return b"".join(hashlib.sha256(bytes([seed % 256, n])).digest() for n in range(1 + seed % 8))


STARTS = [b"", b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"\x7f\xff\xff\xff"]


async def _pester(port: int) -> None:
    """Strangers without end: noise, protocols that are not ours, resets, silence."""
    silent: list[trio.SocketStream] = []
    number = 0
    try:
        while True:
            number += 1
            # The host closes whoever is too many, at any moment.
            with suppress(OSError, trio.BrokenResourceError):
                stream = await trio.open_tcp_stream("127.0.0.1", port)
                silent.append(stream)
                if number % 5:
                    await stream.send_all(STARTS[number % len(STARTS)] + _noise(number))
                    if number % 3 == 0:
                        stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    silent.remove(stream)
                    await stream.aclose()
            await trio.sleep(0.002)
    finally:
        for stream in silent:
            stream.socket.close()


async def test_a_game_goes_on_whatever_strangers_send_to_its_ports(tmp_path: Path) -> None:
    faces = [Memory(), Memory()]
    async with trio.open_nursery() as nursery:

        async def strangers() -> None:
            await faces[0].until(lambda face: any(isinstance(notice, TableOpened) for notice in face.notices))
            await _pester(faces[0].opened.port)

        nursery.start_soon(strangers)
        with trio.fail_after(120):
            assert await play_all(tmp_path, 2, faces) == [0, 0]
        nursery.cancel_scope.cancel()
    assert_one_game(faces)
    assert len(faces[0].notices) < 200


class BreakingDisk(Disk):
    """Works, but a stretch of its writes and syncs fails."""

    def __init__(self, failing: range) -> None:
        self.calls = 0
        self.failing = failing

    def write(self, descriptor: int, data: bytes) -> int:
        self.calls += 1
        if self.calls in self.failing:
            super().write(descriptor, data[:3])
            raise OSError(errno.ENOSPC, "planted")
        return super().write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        self.calls += 1
        if self.calls in self.failing:
            raise OSError(errno.EIO, "planted")
        super().sync(descriptor)


async def test_a_disk_that_fails_in_a_game_delays_it_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sorry_lan.app.outbox._RETRY_S", 0.05)
    disks = iter((BreakingDisk(range(60, 75)), Disk()))
    monkeypatch.setattr(wiring, "Disk", lambda: next(disks, Disk()))
    faces = [Memory(), Memory()]
    with trio.fail_after(120):
        assert await play_all(tmp_path, 2, faces) == [0, 0]
    assert_one_game(faces)
    states = [news.works for face in faces for news in face.news if isinstance(news, DiskState)]
    assert states[:2] == [False, True]


class WornDisk(Disk):
    """From a game's first record on each call number `every`, counted over writes and syncs, fails; half is written."""

    def __init__(self, every: int) -> None:
        self.calls = 0
        self.every = every
        self.failed = 0
        self.playing = False

    def open(self, path: Path, flags: int) -> int:
        self.playing |= path.suffix == ".journal"
        return super().open(path, flags)

    def _fails(self) -> bool:
        self.calls += self.playing
        failing = self.playing and self.calls % self.every == 0
        self.failed += failing
        return failing

    def write(self, descriptor: int, data: bytes) -> int:
        if self._fails():
            super().write(descriptor, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "planted")
        return super().write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        if self._fails():
            raise OSError(errno.EIO, "planted")
        super().sync(descriptor)


@pytest.mark.parametrize("every", [3, 4, 5, 7, 11, 17])
async def test_a_disk_that_fails_every_few_calls_loses_nothing_and_forks_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    monkeypatch.setattr("sorry_lan.app.outbox._RETRY_S", 0.001)
    # Whoever ends while its disk fails says no good-bye; the other need not wait for half a minute here.
    monkeypatch.setattr(limits, "LINGER_MS", 2000)
    worn = WornDisk(every)
    disks = iter((worn, Disk()))
    monkeypatch.setattr(wiring, "Disk", lambda: next(disks, Disk()))
    faces = [Memory(), Memory()]
    with trio.fail_after(120):
        # With one pawn the luckiest games are over before the disk has failed twice.
        assert await play_all(tmp_path, 2, faces, Rules(pawns=2)) == [0, 0]
    assert worn.failed > 1
    assert_one_game(faces)
    states = [news for face in faces for news in face.news if isinstance(news, DiskState)]
    assert {news.works for news in states} == {True, False}
    assert "cannot write the game to its disk" in news_lines(DiskState(works=False), faces[0].views[-1])[0]
    verdict = verify_transcript(transcripts(faces)[0])
    for index in (0, 1):
        (game,) = kept_games(tmp_path / str(index) / "games")
        assert game.saved is not None
        slots = [slot(decode_body(signed.body)) for signed in game.saved.own]
        assert len(slots) == len(set(slots))
        assert len(game.saved.records) == verdict.steps


async def test_links_that_break_in_a_game_are_made_again_and_no_step_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every link breaks after some hundred frames, in the middle of whatever goes on."""
    real = Link.send
    sent: dict[int, int] = {}

    def breaking(link: Link, payload: bytes) -> None:
        sent[id(link)] = sent.get(id(link), 0) + 1
        if sent[id(link)] == 150 and len(payload) > 100:
            link._scope.cancel()
            return
        real(link, payload)

    monkeypatch.setattr(Link, "send", breaking)
    faces = [Memory(), Memory(), Memory()]
    with trio.fail_after(120):
        assert await play_all(tmp_path, 3, faces) == [0, 0, 0]
    assert_one_game(faces)


async def test_nothing_that_was_signed_leaves_before_it_is_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything a client sends is searched for its own entries; each must be in a synced file already."""
    synced: set[bytes] = set()
    early: list[bytes] = []

    class Watched(Disk):
        def __init__(self) -> None:
            self.written: dict[int, bytes] = {}

        def write(self, descriptor: int, data: bytes) -> int:
            self.written[descriptor] = self.written.get(descriptor, b"") + data
            return super().write(descriptor, data)

        def sync(self, descriptor: int) -> None:
            super().sync(descriptor)
            synced.add(self.written.pop(descriptor, b""))

    real = Link.send

    def watched(link: Link, payload: bytes) -> None:
        message = decode_message(payload)
        if isinstance(message, Entry) and not any(message.sig in block for block in synced):
            early.append(payload)
        real(link, payload)

    monkeypatch.setattr(wiring, "Disk", Watched)
    monkeypatch.setattr(Link, "send", watched)
    faces = [Memory(), Memory()]
    with trio.fail_after(120):
        assert await play_all(tmp_path, 2, faces) == [0, 0]
    assert any(isinstance(news, CardDrawn) for news in faces[0].news)
    assert early == []
    assert len(synced) > 50


async def test_a_client_that_is_killed_in_the_lobby_leaves_its_seat_to_others(tmp_path: Path) -> None:
    host, first, second = Memory(), Memory(), Memory()
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            codes: list[int] = []

            async def hosting() -> None:
                codes.append(await play_table(options(tmp_path, 0, 3), host))

            nursery.start_soon(hosting)
            await host.until(lambda face: any(isinstance(notice, TableOpened) for notice in face.notices))
            wanted = [
                replace(options(tmp_path, n, 3), address=f"127.0.0.1:{host.opened.port}", code=host.opened.code)
                for n in (1, 2, 3)
            ]
            with trio.CancelScope() as killed:

                async def gone() -> None:
                    await first.until(lambda face: any(view.lobby is not None for view in face.views))
                    killed.cancel()

                async with trio.open_nursery() as inner:
                    inner.start_soon(gone)
                    await play_table(wanted[0], first)
            nursery.start_soon(play_table, wanted[1], second)
            nursery.start_soon(play_table, wanted[2], Memory())
            await second.until(lambda face: any(isinstance(news, Won) for news in face.news))
    assert codes == [0]
    assert (tmp_path / "1" / "identity").exists()
