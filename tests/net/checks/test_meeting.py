"""The doctor's handshake at real listeners on loopback, each one of a kind that it must tell apart."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import pytest
import trio

from sorry_lan.faults import Err, RemoteFault
from sorry_lan.net import handshake
from sorry_lan.net.checks import meeting
from sorry_lan.net.checks.peer import handshake as told_handshake
from sorry_lan.net.checks.probe import Met
from sorry_lan.net.checks.system import SystemProbe
from sorry_lan.net.handshake import Introduction, LinkLost, SetupRefused, answer, farewell
from sorry_lan.net.tls import Credentials, fresh_credentials, secure_listener
from sorry_lan.table.diagnosis import Found
from sorry_lan.wire.codec import encode_message
from sorry_lan.wire.messages import Bye
from tests.net.build import OpenDoor, introduction, keeper

Serve = Callable[[trio.SocketStream], Awaitable[None]]


@pytest.fixture(scope="module")
def credentials(tmp_path_factory: pytest.TempPathFactory) -> Credentials:
    return fresh_credentials(tmp_path_factory.mktemp("tls"))


@asynccontextmanager
async def serving(serve: Serve) -> AsyncIterator[int]:
    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(partial(trio.serve_tcp, host="127.0.0.1"), serve, 0)
        yield listeners[0].socket.getsockname()[1]
        nursery.cancel_scope.cancel()


async def met(serve: Serve, me: Introduction | None = None) -> Met:
    async with serving(serve) as port:
        with trio.fail_after(5):
            stream = await trio.open_tcp_stream("127.0.0.1", port)
            return await meeting.meet(stream, me or introduction(7))


def table(credentials: Credentials, door: OpenDoor, engine: bytes | None = None) -> Serve:
    """A host as net/mesh.py answers, without a game behind it."""

    async def serve(stream: trio.SocketStream) -> None:
        try:
            wire = await secure_listener(stream, credentials)
            me = introduction(0) if engine is None else introduction(0, engine)
            try:
                await answer(wire, me, door, b"\x05" * 32, "192.0.2.9")
            except (SetupRefused, RemoteFault) as refused:
                await wire.part(farewell(refused))
            else:
                await wire.drain()
        except LinkLost:
            pass

    return serve


def saying(credentials: Credentials, *payloads: bytes) -> Serve:
    """A listener of ours that answers a HELLO with these frames."""

    async def serve(stream: trio.SocketStream) -> None:
        wire = await secure_listener(stream, credentials)
        await wire.receive()
        for payload in payloads:
            await wire.send(payload)
        await wire.part(None)

    return serve


async def test_an_open_table_is_met_and_both_programs_are_told(credentials: Credentials) -> None:
    told = await met(table(credentials, OpenDoor()))
    assert told.found is Found.MEETS
    assert told.programs is not None
    assert [program.app for program in told.programs] == ["0.1.0", "0.1.0"]


async def test_a_table_with_a_code_is_told_without_a_guess_at_it(credentials: Credentials) -> None:
    guarded, changes = keeper()
    told = await met(table(credentials, OpenDoor(guarded)))
    assert (told.found, told.programs is not None, changes) == (Found.CODE, True, [])


async def test_other_rules_are_told_with_both_digests(credentials: Credentials) -> None:
    told = await met(table(credentials, OpenDoor(), b"\xaa" * 32))
    assert told.found is Found.ENGINE
    assert told.programs is not None
    assert (told.programs[0].engine, told.programs[1].engine) == (b"\xe0" * 32, b"\xaa" * 32)


async def test_another_version_is_told_with_both_ranges(credentials: Credentials) -> None:
    hello = handshake._my_hello(introduction(0), bytes(32), None, handshake.Intent.LOBBY, None)
    other = encode_message(replace(hello, vmin=2, vmax=3, app="9.9"))
    told = await met(saying(credentials, other))
    assert told.found is Found.VERSION
    assert told.programs is not None
    assert (told.programs[1].vmin, told.programs[1].vmax, told.programs[1].app) == (2, 3, "9.9")


@pytest.mark.parametrize(
    ("code", "found"),
    [
        (Err.TOO_MANY_CONNECTIONS, Found.BUSY),
        (Err.SHUTTING_DOWN, Found.HUNG_UP),
        (Err.SCHEMA, Found.BROKE_RULE),
    ],
)
async def test_a_good_bye_is_told_by_its_reason(code: Err, found: Found, credentials: Credentials) -> None:
    assert (await met(saying(credentials, encode_message(Bye(int(code), ""))))).found is found


async def test_nonsense_inside_the_encryption_is_a_broken_rule(credentials: Credentials) -> None:
    assert (await met(saying(credentials, b"\x91\x05"))).found is Found.BROKE_RULE


async def test_hanging_up_after_the_encryption_is_told(credentials: Credentials) -> None:
    assert (await met(saying(credentials))).found is Found.HUNG_UP


async def test_a_web_server_is_another_service() -> None:
    async def http(stream: trio.SocketStream) -> None:
        await stream.receive_some()
        await stream.send_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
        await stream.aclose()

    assert (await met(http)).found is Found.OTHER_SERVICE


async def test_a_connection_that_is_closed_at_once_hung_up() -> None:
    async def closes(stream: trio.SocketStream) -> None:
        await stream.aclose()

    assert (await met(closes)).found is Found.HUNG_UP


async def test_the_probe_meets_by_address_with_the_real_rules(credentials: Credentials) -> None:
    async with serving(table(credentials, OpenDoor(), (await meeting.introduction()).engine)) as port:
        finding = await told_handshake(SystemProbe(), "127.0.0.1", port)
    assert finding.found is Found.MEETS
    assert (await told_handshake(SystemProbe(), "127.0.0.1", port)).found is Found.HUNG_UP


async def test_a_listener_that_says_nothing_is_left_with_its_connection_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended = trio.Event()

    async def mute(stream: trio.SocketStream) -> None:
        while await stream.receive_some():
            pass
        ended.set()

    monkeypatch.setattr("sorry_lan.net.checks.peer.MEET_S", 0.05)
    monkeypatch.setattr(meeting, "engine_digest", lambda: bytes(32))
    async with serving(mute) as port:
        assert (await told_handshake(SystemProbe(), "127.0.0.1", port)).found is Found.MUTE
        with trio.fail_after(5):
            await ended.wait()


async def test_nobody_is_the_doctor_twice() -> None:
    one, other = await meeting.introduction(), await meeting.introduction()
    assert one.key.public != other.key.public
    assert (one.name, one.port) == ("doctor", None)
