# ruff: noqa: ARG001 - a clock among the arguments makes time virtual; nothing is asked of it
from __future__ import annotations

import itertools
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial

import pytest
import trio
import trio.testing

from sorry_lan.faults import Err, LocalMisuse
from sorry_lan.net.addresses import Address
from sorry_lan.net.frames import Wire, close_bounded
from sorry_lan.net.handshake import Call, Introduction, LinkLost, greet
from sorry_lan.net.link import Link
from sorry_lan.net.listener import Listening, open_port
from sorry_lan.net.mesh import LinkEvent, Mesh
from sorry_lan.net.tls import Credentials, client_context, fresh_credentials, secure_caller
from sorry_lan.table.commands import WantedPeer
from sorry_lan.table.encounters import CallerWaits
from sorry_lan.table.events import FrameArrived, LinkDown, LinkUp
from sorry_lan.table.notices import JoinProblem, Notice, Problem, StrangerCalled
from sorry_lan.wire import limits
from sorry_lan.wire.codec import decode_message, encode_message
from sorry_lan.wire.messages import Bye, Intent, Ping
from tests.net.build import CODE, OTHER_CODE, call, introduction, keeper


@pytest.fixture(scope="module")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Credentials:
    return fresh_credentials(tmp_path_factory.mktemp("tls"))


@dataclass
class Client:
    """A mesh and what it told."""

    mesh: Mesh
    me: Introduction
    listening: Listening | None
    events: list[LinkEvent]
    notices: list[Notice]
    changed: list[trio.Event] = field(default_factory=lambda: [trio.Event()])

    @property
    def address(self) -> Address:
        assert self.listening is not None
        return Address("127.0.0.1", self.listening.port)

    @property
    def wanted(self) -> WantedPeer:
        return WantedPeer(self.me.key.public, (str(self.address),))

    async def until(self, ready: Callable[[list[LinkEvent]], object]) -> None:
        while not ready(self.events):
            await self.changed[0].wait()

    def up(self) -> list[LinkUp]:
        down = {event.link for event in self.events if isinstance(event, LinkDown)}
        return [event for event in self.events if isinstance(event, LinkUp) and event.link not in down]

    def downs(self) -> list[LinkDown]:
        return [event for event in self.events if isinstance(event, LinkDown)]

    def frames(self) -> list[bytes]:
        return [event.payload for event in self.events if isinstance(event, FrameArrived)]


Start = Callable[..., Awaitable[Client]]


@asynccontextmanager
async def clients(identity: Credentials) -> AsyncIterator[Start]:
    """Starts clients that all end with the block."""
    opened: list[Listening] = []
    async with trio.open_nursery() as nursery:

        async def start(index: int, code: str | None = None, instance: int = 0, engine: bytes | None = None) -> Client:
            listening = await open_port(0)
            opened.append(listening)
            me = introduction(index, port=listening.port, instance=instance)
            if engine is not None:
                me = introduction(index, engine, listening.port, instance)
            events: list[LinkEvent] = []
            notices: list[Notice] = []
            client: Client

            async def tell(event: LinkEvent) -> None:
                await trio.lowlevel.checkpoint()
                events.append(event)
                client.changed[0].set()
                client.changed[0] = trio.Event()

            guard = None if code is None else keeper(code)[0]

            def told(notice: Notice) -> None:
                notices.append(notice)
                client.changed[0].set()
                client.changed[0] = trio.Event()

            mesh = Mesh(me, identity, guard, tell, told)
            client = Client(mesh, me, listening, events, notices)
            await nursery.start(mesh.run, listening)
            return client

        try:
            with trio.fail_after(20):
                yield start
        finally:
            nursery.cancel_scope.cancel()
            for listening in opened:
                listening.close()


async def join(joiner: Client, host: Client, code: str | None = None) -> JoinProblem | None:
    return await joiner.mesh.join(host.address, code)


async def test_a_joiner_and_its_host_are_linked_and_talk(identity: Credentials) -> None:
    async with clients(identity) as start:
        host, bob = await start(0), await start(1)
        assert await join(bob, host) is None
        await host.until(lambda _: host.up())
        link = host.up()[0]
        assert link.peer.pk == bob.me.key.public
        assert link.peer.host == "127.0.0.1"
        assert link.peer.port == bob.me.port
        assert link.peer.intent is Intent.LOBBY
        host.mesh.send(link.link, encode_message(Ping(5)))
        await bob.until(lambda _: bob.frames())
        assert decode_message(bob.frames()[0]) == Ping(5)


async def test_the_right_code_joins_and_a_wrong_or_missing_one_says_which(identity: Credentials) -> None:
    async with clients(identity) as start:
        host, bob = await start(0, CODE), await start(1)
        for code, problem, err in (
            (OTHER_CODE, Problem.CODE_WRONG, Err.JOIN_CODE),
            (None, Problem.CODE_REQUIRED, Err.CODE_REQUIRED),
        ):
            found = await join(bob, host, code)
            assert found is not None
            assert (found.problem, found.code, found.address) == (problem, err, str(host.address))
        assert await join(bob, host, CODE) is None


async def test_a_code_at_an_open_table_is_said_to_be_needless(identity: Credentials) -> None:
    async with clients(identity) as start:
        found = await join(await start(1), await start(0), CODE)
        assert found is not None
        assert found.problem is Problem.CODE_NOT_USED


async def test_joining_oneself_and_joining_other_rules_are_told_apart(identity: Credentials) -> None:
    async with clients(identity) as start:
        host = await start(0)
        for client, problem in (
            (host, Problem.OWN_IDENTITY),
            (await start(0, instance=9), Problem.OWN_IDENTITY),
            (await start(1, engine=b"\x01" * 32), Problem.ENGINE),
        ):
            found = await join(client, host)
            assert found is not None
            assert found.problem is problem
            assert found.ours is not None
            assert found.theirs is not None
        await trio.testing.wait_all_tasks_blocked(0.01)
        strangers = [notice for notice in host.notices if isinstance(notice, StrangerCalled)]
        assert strangers[0] == StrangerCalled("127.0.0.1", Err.OWN_IDENTITY)


async def test_every_other_way_of_failing_to_join_is_told_within_six_seconds(
    identity: Credentials, monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    """Connections are memory streams here, so that time is virtual."""

    async def silent(stream: trio.StapledStream) -> None:
        await trio.sleep_forever()

    async def hang_up(stream: trio.StapledStream) -> None:
        await stream.aclose()

    async def http(stream: trio.StapledStream) -> None:
        await stream.receive_some()
        await stream.send_all(b"HTTP/1.0 400 no\r\n\r\n")

    async def tls_then(stream: trio.StapledStream, *payloads: bytes) -> None:
        tls = trio.SSLStream(stream, identity.context, server_side=True)
        await tls.do_handshake()
        wire = Wire(tls, identity.fingerprint)
        await wire.receive()
        for payload in payloads:
            await wire.send(payload)
        if not payloads:
            await trio.sleep_forever()
        await wire.part(None)

    cases: list[tuple[Callable[[trio.StapledStream], Awaitable[None]], Problem, Err]] = [
        (silent, Problem.NOT_SORRY_LAN, Err.TIMEOUT),
        (http, Problem.NOT_SORRY_LAN, Err.TIMEOUT),
        (hang_up, Problem.RESET, Err.TIMEOUT),
        (tls_then, Problem.TIMED_OUT, Err.TIMEOUT),
        (partial(tls_then, payloads=None), Problem.RESET, Err.TIMEOUT),
    ]
    cases[-1] = (lambda stream: tls_then(stream, b"\xc1"), Problem.BROKE_RULE, Err.NOT_CANONICAL)
    cases += [
        (partial(_said, tls_then, code), problem, code)
        for code, problem in (
            (Err.TABLE_FULL, Problem.FULL),
            (Err.GAME_IN_PLAY, Problem.IN_PLAY),
            (Err.TOO_MANY_CONNECTIONS, Problem.BUSY),
            (Err.SHUTTING_DOWN, Problem.CLOSED),
            (Err.REMOVED, Problem.REMOVED),
        )
    ]
    for server, problem, code in cases:
        async with trio.open_nursery() as nursery:

            async def open_stream(
                *_: object, server: object = server, nursery: trio.Nursery = nursery, **__: object
            ) -> object:
                mine, other = trio.testing.memory_stream_pair()
                nursery.start_soon(server, other)  # type: ignore[arg-type]
                return mine

            monkeypatch.setattr(trio, "open_tcp_stream", open_stream)
            monkeypatch.setattr("sorry_lan.net.mesh._remote_host", lambda *_: "192.0.2.1")
            mesh = Mesh(introduction(1), None, None, _nothing, lambda _: None)
            start_s = trio.current_time()
            found = await mesh.join(Address("192.0.2.1", 7777), None)
            assert trio.current_time() - start_s < 6
            assert found is not None
            assert (found.problem, found.code) == (problem, code)
            nursery.cancel_scope.cancel()


async def _said(tls_then: Callable[..., Awaitable[None]], code: Err, stream: object) -> None:
    await tls_then(stream, encode_message(Bye(int(code), "")))


async def _nothing(_event: LinkEvent) -> None:
    await trio.lowlevel.checkpoint()


async def test_a_refused_connection_is_told(identity: Credentials) -> None:
    async with clients(identity) as start:
        bob = await start(1)
        closed = await open_port(0)
        closed.close()
        found = await bob.mesh.join(Address("127.0.0.1", closed.port), None)
        assert found is not None
        assert (found.problem, found.code) == (Problem.REFUSED, Err.TIMEOUT)


async def test_peers_that_seek_each_other_end_with_one_link(identity: Credentials) -> None:
    async with clients(identity) as start:
        one, two = await start(0), await start(1)
        for client, other in ((one, two), (two, one)):
            client.mesh.admit(frozenset((other.me.key.public,)), b"\x07" * 32)
            client.mesh.seek((other.wanted, client.wanted))
        for client in (one, two):
            await client.until(lambda _, client=client: client.up())
        await trio.testing.wait_all_tasks_blocked(0.25)
        assert [len(client.up()) for client in (one, two)] == [1, 1]
        caller = next(c for c in (one, two) if c.up()[0].peer.direction.value == "incoming")
        assert caller.up()[0].peer.intent is Intent.GAME
        assert caller.up()[0].peer.game == b"\x07" * 32


async def test_dials_that_cross_leave_the_one_of_the_smaller_key(
    identity: Credentials, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sorry_lan.net.seeking._HEAD_START_S", 0)
    async with clients(identity) as start:
        one, two = await start(0), await start(1)
        for client, other in ((one, two), (two, one)):
            client.mesh.seek((other.wanted,))
        for client in (one, two):
            await client.until(lambda _, client=client: client.up())
        await trio.testing.wait_all_tasks_blocked(0.1)
        for client in (one, two):
            await client.until(lambda _, client=client: len(client.up()) == 1)
        small, large = sorted((one, two), key=lambda client: client.me.key.public)
        if any(len(client.events) > 1 for client in (one, two)):
            assert small.up()[0].peer.direction.value == "outgoing"
            assert large.up()[0].peer.direction.value == "incoming"
        assert all(down.code is None for client in (one, two) for down in client.downs())


async def test_a_broken_link_is_dialled_again_within_a_second(identity: Credentials) -> None:
    async with clients(identity) as start:
        one, two = await start(0), await start(1)
        one.mesh.seek((two.wanted,))
        await one.until(lambda _: one.up())
        first = one.up()[0].link
        start_s = trio.current_time()
        one.mesh.close(first, Err.RATE, "")
        await one.until(lambda _: any(event.link != first for event in one.up()))
        assert trio.current_time() - start_s < 5


async def test_an_absent_peer_is_dialled_every_half_second_and_then_slowly(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    times: list[float] = []

    async def nobody(*_: object, **__: object) -> object:
        await trio.lowlevel.checkpoint()
        times.append(trio.current_time())
        raise ConnectionRefusedError(111, "refused")

    monkeypatch.setattr(trio, "open_tcp_stream", nobody)
    mesh = Mesh(introduction(0), None, None, _nothing, lambda _: None)
    async with trio.open_nursery() as nursery:
        await nursery.start(mesh.run, None)
        mesh.seek((WantedPeer(bytes(32), ("192.0.2.1:7", "not an address", "2001:db8::7")),))
        await trio.sleep(150)
        nursery.cancel_scope.cancel()
    single = times[::2]
    gaps = [round(b - a, 3) for a, b in itertools.pairwise(single)]
    assert set(gaps[:100]) == {0.5}
    assert all(8 <= gap <= 12 for gap in gaps[-4:])


@pytest.mark.parametrize("calls", [Intent.GAME, Intent.WATCH])
async def test_who_tells_all_the_time_where_others_listen_makes_us_dial_no_more_often(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock, calls: Intent
) -> None:
    dialled: list[str] = []

    async def nobody(host: str, *_: object, **__: object) -> object:
        dialled.append(host)
        return await trio.sleep_forever()

    monkeypatch.setattr(trio, "open_tcp_stream", nobody)
    mesh = Mesh(introduction(0), None, None, _nothing, lambda _: None, calls=calls)
    async with trio.open_nursery() as nursery:
        await nursery.start(mesh.run, None)
        for number in range(1000):
            mesh.seek((WantedPeer(bytes([number % 251]) * 32, (f"10.0.{number // 250}.{number % 250 + 1}:7",)),))
            await trio.sleep(0.002)
        assert len(dialled) <= 10
        await trio.sleep(0.8)
        assert dialled[-1] == "10.0.3.250"
        # The last word counts, also when two come at once.
        await trio.sleep(2)
        mesh.seek((WantedPeer(bytes(32), ("192.0.2.1:7",)),))
        mesh.seek((WantedPeer(bytes(32), ("192.0.2.2:7",)),))
        await trio.sleep(0.8)
        assert dialled[-1] == "192.0.2.2"
        before = len(dialled)
        await mesh.part(Err.GOODBYE)
        await trio.sleep(5)
        assert len(dialled) == before
        nursery.cancel_scope.cancel()


async def test_peers_no_longer_sought_and_peers_without_address_are_not_dialled(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    calls = 0

    async def nobody(*_: object, **__: object) -> object:
        nonlocal calls
        await trio.lowlevel.checkpoint()
        calls += 1
        raise ConnectionRefusedError(111, "refused")

    monkeypatch.setattr(trio, "open_tcp_stream", nobody)
    mesh = Mesh(introduction(0), None, None, _nothing, lambda _: None)
    async with trio.open_nursery() as nursery:
        await nursery.start(mesh.run, None)
        here = WantedPeer(bytes(32), ("192.0.2.1:7",))
        mesh.seek((here, WantedPeer(b"\x01" * 32, ())))
        mesh.seek((here,))
        await trio.sleep(2)
        assert calls >= 3
        mesh.seek(())
        before = calls
        await trio.sleep(30)
        nursery.cancel_scope.cancel()
    assert calls == before


async def test_a_newer_process_of_the_same_key_takes_the_seat_and_the_older_gives_up(identity: Credentials) -> None:
    async with clients(identity) as start:
        host = await start(0)
        old, new = await start(1), await start(1, instance=1)
        old.mesh.seek((host.wanted,))
        await old.until(lambda _: old.up())
        await host.until(lambda _: host.up())
        new.mesh.seek((host.wanted,))
        await old.until(lambda _: old.downs())
        assert [down.code for down in old.downs()] == [Err.CONNECTED_ELSEWHERE]
        await host.until(lambda _: host.downs())
        assert [down.code for down in host.downs()] == [None]
        await trio.testing.wait_all_tasks_blocked(0.7)
        assert old.up() == []
        assert [event.peer.instance for event in host.up()] == [new.me.instance]
        ups = [event for event in host.events if isinstance(event, LinkUp)]
        assert len(ups) == 2
        assert host.events.index(ups[1]) < host.events.index(host.downs()[0])


async def test_parting_says_bye_to_everyone(identity: Credentials) -> None:
    async with clients(identity) as start:
        host, bob, eve = await start(0), await start(1), await start(2)
        for client in (bob, eve):
            assert await join(client, host) is None
        await host.until(lambda _: len(host.up()) == 2)
        await host.mesh.part(Err.SHUTTING_DOWN)
        for client in (bob, eve):
            await client.until(lambda _, client=client: client.downs())
            assert client.downs()[0].code is Err.SHUTTING_DOWN
        host.mesh.send(99, b"x")
        host.mesh.close(99, Err.RATE, "")


async def test_links_before_run_are_a_mistake_of_ours() -> None:
    mesh = Mesh(introduction(0), None, None, _nothing, lambda _: None)
    with pytest.raises(LocalMisuse):
        mesh.seek((WantedPeer(bytes(32), ()),))


async def _raw(host: Client) -> trio.SocketStream:
    return await trio.open_tcp_stream("127.0.0.1", host.address.port)


GARBAGE = [
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"SSH-2.0-OpenSSH_9.6\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)) * 2,
    b"\x7f\xff\xff\xff" + bytes(64),
    b"\x00" * 4096,
    b"\xff" * 70_000,
    b"",
]


async def test_whatever_strangers_send_a_link_goes_on(identity: Credentials) -> None:
    async with clients(identity) as start:
        host, bob = await start(0), await start(1)
        assert await join(bob, host) is None
        await host.until(lambda _: host.up())
        for data in GARBAGE:
            stream = await _raw(host)
            with suppress(trio.BrokenResourceError):
                await stream.send_all(data)
            await stream.aclose()
        host.mesh.send(host.up()[0].link, encode_message(Ping(7)))
        await bob.until(lambda _: bob.frames())
        assert len(host.up()) == 1
        strangers = [notice for notice in host.notices if isinstance(notice, StrangerCalled)]
        assert len(strangers) <= 2


BOMBS = [
    b"\x7f\xff\xff\xff",
    b"\x00\x00\x00\x00",
    b"\x00\x00\x08\x01",
    (2000).to_bytes(4, "big") + b"\x91" * 2000,
    (1500).to_bytes(4, "big") + b"\xdc\xff\xff" * 500,
    (3).to_bytes(4, "big") + b"\xdd\xff\xff",
    (5).to_bytes(4, "big") + b"\xc6\x7f\xff\xff\xff",
]


async def _tls(host: Client) -> Wire:
    return await secure_caller(await _raw(host), client_context())


@pytest.mark.parametrize("bomb", BOMBS)
async def test_bombs_inside_tls_close_that_link_with_a_number(identity: Credentials, bomb: bytes) -> None:
    async with clients(identity) as start:
        host = await start(0)
        wire = await _tls(host)
        await wire.send_bytes(bomb)
        if bomb == BOMBS[4] or len(bomb) > 3:
            said = await wire.receive()
            bye = decode_message(said)
            while not isinstance(bye, Bye):
                bye = decode_message(await wire.receive())
            assert bye.code in (Err.BAD_FRAME, Err.NOT_CANONICAL, Err.SCHEMA)
        await wire.part(None)
        assert host.events == []


async def test_an_impossible_length_ends_a_connection_long_before_its_second_of_grace(identity: Credentials) -> None:
    async with clients(identity) as start:
        host = await start(0)
        wire = await _tls(host)
        began = trio.current_time()
        await wire.send_bytes(b"\x7f\xff\xff\xff")
        with suppress(LinkLost):
            while await wire.receive():
                pass
        assert trio.current_time() - began < 0.5
        await wire.part(None)


async def _authenticated(host: Client, who: Introduction, intent: Intent = Intent.LOBBY) -> Wire:
    wire = await _tls(host)
    await greet(wire, who, Call(intent, None, None, None, "h", bytes(32)))
    wire.trust()
    return wire


@pytest.mark.parametrize(
    "payload", [b"\xff\xff\xff\xff", (60_000).to_bytes(4, "big") + bytes(60_000), b"\x00\x00\x00\x01\xc1"]
)
async def test_bombs_after_auth_reach_the_table_as_frames_or_close_the_link(
    identity: Credentials, payload: bytes
) -> None:
    async with clients(identity) as start:
        host = await start(0)
        wire = await _authenticated(host, introduction(1))
        await wire.send_bytes(payload)
        if payload == b"\xff\xff\xff\xff":
            await host.until(lambda _: host.downs())
            assert host.downs()[0].code is Err.BAD_FRAME
        else:
            await host.until(lambda _: host.frames())
        await wire.part(None)


async def test_a_reset_at_any_step_costs_nothing_but_that_link(identity: Credentials) -> None:
    async with clients(identity) as start:
        host, bob = await start(0), await start(1)
        assert await join(bob, host) is None

        def reset(stream: trio.abc.Stream) -> None:
            inner = stream.transport_stream if isinstance(stream, trio.SSLStream) else stream
            assert isinstance(inner, trio.SocketStream)
            inner.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            inner.socket.close()

        stream = await _raw(host)
        reset(stream)
        wire = await _tls(host)
        reset(wire.stream)
        wire = await _tls(host)
        await wire.send(b"\x91")
        reset(wire.stream)
        wire = await _tls(host)
        with trio.move_on_after(0.05):
            await greet(_AfterHello(wire), introduction(2), call())
        reset(wire.stream)
        wire = await _authenticated(host, introduction(3))
        await host.until(lambda _: any(event.peer.pk == introduction(3).key.public for event in host.up()))
        reset(wire.stream)
        await host.until(lambda _: [event.peer.pk for event in host.up()] == [bob.me.key.public])
        assert {down.code for down in host.downs()} == {None}


class _AfterHello:
    """Frames that stop after one was heard."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.fingerprint = wire.fingerprint
        self._heard = 0

    async def send(self, payload: bytes) -> None:
        await self._wire.send(payload)

    async def receive(self) -> bytes:
        self._heard += 1
        if self._heard > 1:
            await trio.sleep_forever()
        return await self._wire.receive()


async def test_two_hundred_silent_connections_keep_no_friend_out(identity: Credentials) -> None:
    async with clients(identity) as start:
        host, bob = await start(0, CODE), await start(1)
        silent = [await _raw(host) for _ in range(200)]
        assert await join(bob, host, CODE) is None
        await trio.testing.wait_all_tasks_blocked(0.01)
        assert len(host.mesh._half) <= limits.MAX_UNAUTHENTICATED_PER_ADDRESS
        for stream in silent:
            await stream.aclose()


async def test_a_caller_has_ten_seconds_for_all_of_it_however_slowly_it_speaks(
    identity: Credentials, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sorry_lan.net.mesh._SETUP_S", 0.3)
    async with clients(identity) as start:
        host = await start(0)
        stream = await _raw(host)
        ended = False
        for _ in range(40):
            with trio.move_on_after(0.05):
                try:
                    await stream.send_all(b"\x16")
                    ended = await stream.receive_some() == b""
                except trio.BrokenResourceError:
                    ended = True
            if ended:
                break
        assert ended
        await stream.aclose()


async def test_too_many_strangers_are_told_so_and_those_at_the_table_still_come_in(
    identity: Credentials, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_WATCHERS", 0)
    monkeypatch.setattr(limits, "MAX_PEERS", 1)
    async with clients(identity) as start:
        host = await start(0)
        first = await _authenticated(host, introduction(1))
        second = await _tls(host)
        await greet(second, introduction(2), call())
        bye = decode_message(await second.receive())
        assert isinstance(bye, Bye)
        assert bye.code == Err.TOO_MANY_CONNECTIONS
        await second.part(None)
        host.mesh.admit(frozenset((introduction(3).key.public,)), None)
        third = await _authenticated(host, introduction(3))
        await host.until(lambda _: len(host.up()) == 2)
        for wire in (first, third):
            await wire.part(None)


async def test_a_handler_that_fails_takes_no_other_link_with_it(
    identity: Credentials, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with clients(identity) as start:
        host, bob = await start(0), await start(1)
        assert await join(bob, host) is None
        for wrong in (
            KeyError("k"),
            AssertionError(),
            RecursionError(),
            MemoryError(),
            ExceptionGroup("g", [ValueError()]),
        ):

            async def fail(*_: object, wrong: Exception = wrong) -> object:
                await trio.lowlevel.checkpoint()
                raise wrong

            with monkeypatch.context() as patch:
                patch.setattr("sorry_lan.net.mesh.answer", fail)
                wire = await _tls(host)
                await wire.drain()
                await wire.part(None)
        assert len(host.up()) == 1
        assert len([record for record in caplog.records if record.exc_info]) == 5


async def test_a_link_that_fails_in_a_way_that_nobody_thought_of_is_told_to_be_gone(
    identity: Credentials, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with clients(identity) as start:
        host, bob = await start(0), await start(1)

        async def fail(link: Link, _deliver: object) -> Err | None:
            await close_bounded(link._wire.stream)
            raise ExceptionGroup("g", [ValueError()])

        with monkeypatch.context() as patch:
            patch.setattr(Link, "run", fail)
            await join(bob, host)
            with trio.fail_after(2):
                await host.until(lambda _: host.downs())
        assert host.downs() == [LinkDown(host.downs()[0].link, None)]
        assert not host.mesh.any_linked()
        assert "a link failed" in caplog.messages


async def test_a_client_without_credentials_answers_nobody() -> None:
    listening = await open_port(0)
    mesh = Mesh(introduction(0), None, None, _nothing, lambda _: None)
    async with trio.open_nursery() as nursery:
        await nursery.start(mesh.run, listening)
        stream = await trio.open_tcp_stream("127.0.0.1", listening.port)
        assert await stream.receive_some() == b""
        await stream.aclose()
        nursery.cancel_scope.cancel()
    listening.close()


@asynccontextmanager
async def resetting(host: Client, times: int) -> AsyncIterator[tuple[Address, list[int]]]:
    """A way to `host` that resets the first so many connections, and the numbers of those that came."""
    came: list[int] = []

    async def copy(source: trio.SocketStream, sink: trio.SocketStream) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            async for data in source:
                await sink.send_all(data)
            await sink.send_eof()

    async def served(stream: trio.SocketStream) -> None:
        came.append(len(came) + 1)
        if len(came) <= times:
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return
        async with await trio.open_tcp_stream("127.0.0.1", host.address.port) as onward, trio.open_nursery() as both:
            both.start_soon(copy, stream, onward)
            both.start_soon(copy, onward, stream)

    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(partial(trio.serve_tcp, served, 0, host="127.0.0.1"))
        yield Address("127.0.0.1", listeners[0].socket.getsockname()[1]), came
        nursery.cancel_scope.cancel()


async def test_a_host_that_resets_the_first_connections_is_joined_all_the_same(identity: Credentials) -> None:
    async with clients(identity) as start:
        host, bob = await start(0, CODE), await start(1)
        async with resetting(host, 2) as (address, came):
            assert await bob.mesh.join(address, CODE) is None
            assert came == [1, 2, 3]


async def test_a_host_that_always_resets_is_not_called_for_ever(identity: Credentials) -> None:
    async with clients(identity) as start:
        host, bob = await start(0), await start(1)
        async with resetting(host, 99) as (address, came):
            found = await bob.mesh.join(address, None)
            assert found is not None
            assert (found.problem, len(came)) == (Problem.RESET, 4)


@pytest.mark.spec("H-13")
@pytest.mark.parametrize(("count", "code"), [(6, None), (5, CODE)])
async def test_more_than_four_at_once_from_one_address_all_come_in(
    identity: Credentials, count: int, code: str | None
) -> None:
    """Four of them are half open at a time, so that the fifth pushes the first one out, who comes again."""
    async with clients(identity) as start:
        host = await start(0, code)
        joiners = [await start(n) for n in range(1, count + 1)]
        found: list[JoinProblem | None] = []

        async def one(client: Client) -> None:
            found.append(await join(client, host, code))

        async with trio.open_nursery() as nursery:
            for client in joiners:
                nursery.start_soon(one, client)
        assert found == [None] * count


async def test_who_takes_long_to_come_in_is_told_of_and_who_does_not_is_not(identity: Credentials) -> None:
    async with clients(identity) as start:
        host = await start(0)
        assert await join(await start(1), host) is None
        quiet = await trio.open_tcp_stream("127.0.0.1", host.address.port)
        await host.until(lambda _: host.notices)
        assert host.notices == [CallerWaits("127.0.0.1")]
        await quiet.aclose()
