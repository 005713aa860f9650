# ruff: noqa: ARG001 - a clock among the arguments makes time virtual; nothing is asked of it
from __future__ import annotations

import errno
import gc
import socket
import ssl
import stat
import weakref
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import trio
import trio.testing

from sorry_lan.net import listener, tls
from sorry_lan.net.addresses import Address
from sorry_lan.net.dial import Unreached, connect, connect_any, connect_problem, secure
from sorry_lan.net.frames import Wire, close_bounded, drop
from sorry_lan.net.handshake import LinkLost
from sorry_lan.net.listener import ListenError, Listening, accept_forever, open_port
from sorry_lan.net.tls import client_context, fresh_credentials, secure_caller, secure_listener
from sorry_lan.table.notices import ListenTrouble, Problem


async def test_one_port_serves_both_families() -> None:
    opened = await open_port(0)
    assert {sock.getsockname()[1] for sock in opened.sockets} == {opened.port}
    assert {sock.family for sock in opened.sockets} >= {socket.AF_INET}
    opened.close()


async def test_a_busy_port_that_was_asked_for_is_an_error_with_its_number() -> None:
    first = await open_port(0)
    with pytest.raises(ListenError) as caught:
        await open_port(first.port)
    assert (caught.value.problem.trouble, caught.value.problem.port) == (ListenTrouble.PORT_BUSY, first.port)
    first.close()


async def test_a_port_busy_on_ipv6_alone_is_busy() -> None:
    with socket.socket(socket.AF_INET6) as other:
        other.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        other.bind(("::", 0))
        other.listen()
        with pytest.raises(ListenError) as caught:
            await open_port(other.getsockname()[1])
    assert caught.value.problem.trouble is ListenTrouble.PORT_BUSY


async def test_the_default_port_gives_way_to_the_next_free_one(monkeypatch: pytest.MonkeyPatch) -> None:
    busy = await open_port(0)
    monkeypatch.setattr(listener.limits, "DEFAULT_PORT", busy.port)
    second = await open_port(None)
    assert second.port != busy.port
    second.close()
    busy.close()


async def test_a_port_can_be_listened_at_again_at_once() -> None:
    first = await open_port(0)
    stream = await trio.open_tcp_stream("127.0.0.1", first.port)
    sock, _ = await first.sockets[0].accept()
    sock.close()
    first.close()
    again = await open_port(first.port)
    again.close()
    await stream.aclose()


Opening = Callable[[int, int], OSError | None]


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[Opening], None]:
    """Makes opening a family at a port fail with what a function says."""
    real = listener._open_family

    def plant(say: Opening) -> None:
        async def open_family(family: socket.AddressFamily, port: int) -> object:
            wrong = say(family, port)
            if wrong is not None:
                raise wrong
            return await real(family, port)

        monkeypatch.setattr(listener, "_open_family", open_family)

    return plant


@pytest.mark.parametrize(
    ("number", "trouble"),
    [
        (errno.EACCES, ListenTrouble.PORT_FORBIDDEN),
        (errno.EPERM, ListenTrouble.PORT_FORBIDDEN),
        (errno.ENETDOWN, ListenTrouble.NO_NETWORK),
    ],
)
async def test_why_a_port_cannot_be_opened_is_told(
    failing: Callable[[Opening], None], number: int, trouble: ListenTrouble
) -> None:
    failing(lambda _family, _port: OSError(number, "planted"))
    for port in (None, 80):
        with pytest.raises(ListenError) as caught:
            await open_port(port)
        assert caught.value.problem.trouble is trouble
        assert caught.value.problem.reason == "planted"


async def test_where_every_default_port_is_busy_any_other_is_taken(failing: Callable[[Opening], None]) -> None:
    failing(lambda _family, port: OSError(errno.EADDRINUSE, "busy") if 7777 <= port < 7797 else None)
    opened = await open_port(None)
    assert not 7777 <= opened.port < 7797
    opened.close()


async def test_a_free_port_is_looked_for_until_both_families_have_it(failing: Callable[[Opening], None]) -> None:
    tries = 0

    def say(family: int, _port: int) -> OSError | None:
        nonlocal tries
        tries += family == socket.AF_INET6
        return OSError(errno.EADDRINUSE, "busy") if family == socket.AF_INET6 and tries < 3 else None

    failing(say)
    (await open_port(0)).close()
    assert tries == 3
    failing(lambda family, _port: OSError(errno.EADDRINUSE, "busy") if family == socket.AF_INET6 else None)
    with pytest.raises(ListenError, match="no port is free"):
        await open_port(0)


@pytest.mark.parametrize("stage", ["socket", "bind"])
async def test_a_system_without_ipv6_listens_on_ipv4_alone(monkeypatch: pytest.MonkeyPatch, stage: str) -> None:
    real = trio.socket.socket

    def without_v6(family: int, kind: int) -> object:
        if family == socket.AF_INET6 and stage == "socket":
            raise OSError(errno.EAFNOSUPPORT, "no IPv6")
        sock = real(family, kind)
        if family == socket.AF_INET6:

            async def bind(_address: object) -> None:
                await trio.lowlevel.checkpoint()
                raise OSError(errno.EADDRNOTAVAIL, "no IPv6")

            monkeypatch.setattr(sock, "bind", bind)
        return sock

    monkeypatch.setattr(trio.socket, "socket", without_v6)
    opened = await open_port(0)
    assert [sock.family for sock in opened.sockets] == [socket.AF_INET]
    opened.close()


async def test_a_system_without_any_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> object:
        raise OSError(errno.EAFNOSUPPORT, "none")

    monkeypatch.setattr(trio.socket, "socket", none)
    with pytest.raises(ListenError) as caught:
        await open_port(0)
    assert caught.value.problem.trouble is ListenTrouble.NO_NETWORK


async def test_a_socket_that_fails_otherwise_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object) -> object:
        raise OSError(errno.EMFILE, "too many")

    monkeypatch.setattr(trio.socket, "socket", exhausted)
    with pytest.raises(ListenError):
        await open_port(0)


async def test_accepting_survives_exhaustion_and_callers_that_are_gone(autojump_clock: trio.testing.MockClock) -> None:
    class Listener:
        def __init__(self) -> None:
            self.calls = 0

        async def accept(self) -> tuple[object, tuple[str, int] | None]:
            await trio.lowlevel.checkpoint()
            self.calls += 1
            if self.calls == 3:
                return nobody, None
            if self.calls == 1:
                raise OSError(errno.EMFILE, "too many")
            if self.calls == 2:
                raise OSError(errno.ECONNABORTED, "gone")
            if self.calls > 4:
                await trio.sleep_forever()
            return trio.socket.socket(), ("192.0.2.1", 1)

    nobody = trio.socket.socket()
    taken: list[str] = []

    async def take(stream: trio.SocketStream, host: str) -> None:
        taken.append(host)
        await stream.aclose()

    start_s = trio.current_time()
    with trio.move_on_after(10):
        await accept_forever(Listener(), take)  # type: ignore[arg-type]
    assert taken == ["192.0.2.1"]
    assert nobody.fileno() == -1
    assert trio.current_time() - start_s >= 0.1


async def test_every_failure_of_connecting_has_its_own_problem() -> None:
    closed = await open_port(0)
    closed.close()
    for address, problem in (
        (Address("127.0.0.1", closed.port), Problem.REFUSED),
        (Address("no-such-host.invalid", 1), Problem.NAME_UNKNOWN),
        (Address("x" * 70 + ".invalid", 1), Problem.NAME_UNKNOWN),
    ):
        with pytest.raises(Unreached) as caught:
            await connect(address, 5)
        assert caught.value.problem is problem


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (ConnectionRefusedError(errno.ECONNREFUSED, "x"), Problem.REFUSED),
        (TimeoutError(errno.ETIMEDOUT, "x"), Problem.TIMED_OUT),
        (OSError(errno.EHOSTUNREACH, "x"), Problem.UNREACHABLE),
        (OSError(65, "macOS: no route to host"), Problem.UNREACHABLE),
        (OSError(errno.ENETUNREACH, "x"), Problem.UNREACHABLE),
        (ConnectionResetError(errno.ECONNRESET, "x"), Problem.RESET),
        (socket.gaierror(socket.EAI_NONAME, "x"), Problem.NAME_UNKNOWN),
        (UnicodeError("label too long"), Problem.NAME_UNKNOWN),
        (OSError("bare"), Problem.UNREACHABLE),
    ],
)
def test_what_connecting_can_raise_is_understood_alone_and_wrapped(wrong: Exception, problem: Problem) -> None:
    assert connect_problem(wrong) is problem
    wrapped = OSError("all attempts failed")
    wrapped.__cause__ = ExceptionGroup("several", [OSError(errno.ENETUNREACH, "x"), wrong])
    assert connect_problem(wrapped) is problem


async def test_a_connection_that_never_answers_is_given_up(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object, **__: object) -> object:
        await trio.sleep_forever()
        return None

    monkeypatch.setattr(trio, "open_tcp_stream", never)
    with pytest.raises(Unreached) as caught:
        await connect(Address("192.0.2.1", 1), 5)
    assert caught.value.problem is Problem.TIMED_OUT


async def test_of_many_addresses_the_first_that_answers_is_used() -> None:
    opened = await open_port(0)
    closed = await open_port(0)
    closed.close()
    stream = await connect_any((Address("127.0.0.1", closed.port), Address("127.0.0.1", opened.port)), 5)
    assert stream.socket.getpeername()[1] == opened.port
    await stream.aclose()
    with pytest.raises(Unreached) as caught:
        await connect_any((Address("127.0.0.1", closed.port),), 5)
    assert caught.value.problem is Problem.REFUSED
    with pytest.raises(Unreached):
        await connect_any((), 5)
    opened.close()


async def test_a_second_connection_that_was_won_too_late_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    streams: list[trio.testing.MemoryReceiveStream] = []

    async def both_at_once(*_: object, **__: object) -> object:
        with trio.CancelScope(shield=True):
            await trio.testing.wait_all_tasks_blocked(0.01)
        mine, other = trio.testing.memory_stream_pair()
        streams.append(other.receive_stream)
        return mine

    monkeypatch.setattr(trio, "open_tcp_stream", both_at_once)
    await connect_any((Address("a", 1), Address("b", 1)), 5)
    ends = [stream for stream in streams if await _ended(stream)]
    assert (len(streams), len(ends)) == (2, 1)


async def _ended(stream: trio.testing.MemoryReceiveStream) -> bool:
    with trio.move_on_after(0.01):
        return await stream.receive_some(1) == b""
    return False


Server = Callable[[trio.SocketStream], Awaitable[None]]


async def _with_server(server: Server) -> Problem | None:
    """What securing a connection to this server meets."""
    opened = await open_port(0)
    found: Problem | None = None

    async def take(stream: trio.SocketStream, _host: str) -> None:
        await server(stream)
        await stream.aclose()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(accept_forever, opened.sockets[0], take)
        stream = await connect(Address("127.0.0.1", opened.port), 5)
        try:
            wire = await secure(stream, client_context())
        except Unreached as wrong:
            found = wrong.problem
        else:
            await wire.part(None)
        nursery.cancel_scope.cancel()
    opened.close()
    return found


@pytest.mark.spec("H-1")
async def test_what_is_not_ours_is_told_from_what_broke(tmp_path: Path) -> None:
    other = fresh_credentials(tmp_path).context
    other.set_alpn_protocols(["http/1.1"])
    plain = fresh_credentials(tmp_path)

    async def http(stream: trio.SocketStream) -> None:
        await stream.receive_some()
        await stream.send_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    async def ssh(stream: trio.SocketStream) -> None:
        await stream.send_all(b"SSH-2.0-OpenSSH_9.6\r\n")
        await stream.receive_some()

    async def web(stream: trio.SocketStream) -> None:
        with pytest.raises(LinkLost):
            await secure_listener(stream, tls.Credentials(other, bytes(32)))

    async def hang_up(stream: trio.SocketStream) -> None:
        await stream.receive_some()

    async def reset(stream: trio.SocketStream) -> None:
        await stream.receive_some()
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")

    async def ours(stream: trio.SocketStream) -> None:
        wire = await secure_listener(stream, plain)
        await wire.drain()

    assert await _with_server(http) is Problem.NOT_SORRY_LAN
    assert await _with_server(ssh) is Problem.NOT_SORRY_LAN
    assert await _with_server(web) is Problem.NOT_SORRY_LAN
    assert await _with_server(hang_up) is Problem.RESET
    assert await _with_server(reset) is Problem.RESET
    assert await _with_server(ours) is None


async def test_a_cancelled_handshake_leaves_no_connection() -> None:
    mine, other = trio.testing.memory_stream_pair()
    with trio.CancelScope() as scope:
        scope.cancel()
        await secure(mine, client_context())
    assert await other.receive_some() == b""


async def _tls_pair(folder: Path) -> tuple[Wire, Wire]:
    credentials = fresh_credentials(folder)
    mine, other = trio.testing.memory_stream_pair()
    wires: list[Wire] = []

    async def serve() -> None:
        wires.append(await secure_listener(other, credentials))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve)
        client = await secure_caller(mine, client_context())
    return client, wires[0]


@pytest.mark.parametrize("close", [close_bounded, drop])
async def test_a_closed_tls_stream_leaves_nothing_to_collect(
    tmp_path: Path, close: Callable[[trio.abc.Stream], Awaitable[None]]
) -> None:
    gc.collect()
    gc.disable()  # a link that breaks every few minutes must not wait for a look through everything
    try:
        client, server = await _tls_pair(tmp_path)
        streams = [weakref.ref(client.stream), weakref.ref(server.stream)]
        await close(client.stream)
        await close(server.stream)
        with pytest.raises(LinkLost):
            await server.receive()
        del client, server
        await trio.testing.wait_all_tasks_blocked()
        assert [stream() for stream in streams] == [None, None]
    finally:
        gc.enable()


@pytest.mark.spec("H-1", "H-2")
async def test_both_ends_see_the_same_certificate_under_tls_1_3(tmp_path: Path) -> None:
    client, server = await _tls_pair(tmp_path)
    assert client.fingerprint == server.fingerprint
    for wire in (client, server):
        assert isinstance(wire.stream, trio.SSLStream)
        assert wire.stream.version() == "TLSv1.3"
        assert wire.stream.selected_alpn_protocol() == "sorry-lan"
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client.send, b"hello")
        assert await server.receive() == b"hello"
    await close_bounded(client.stream)
    await close_bounded(server.stream)


def test_two_processes_have_two_certificates_and_leave_no_key_behind(tmp_path: Path) -> None:
    assert fresh_credentials(tmp_path).fingerprint != fresh_credentials(tmp_path).fingerprint
    assert list(tmp_path.iterdir()) == []


def test_the_key_file_is_private_while_it_lives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modes: list[int] = []
    real = Path.unlink

    def spy(path: Path, missing_ok: bool = False) -> None:
        if path.exists():
            modes.append(stat.S_IMODE(path.stat().st_mode))
        real(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", spy)
    fresh_credentials(tmp_path)
    assert modes == [0o600]
    assert list(tmp_path.iterdir()) == []


def test_where_the_key_cannot_be_kept_for_a_moment_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        fresh_credentials(tmp_path / "missing")


async def test_a_tls_client_that_offers_nothing_of_ours_is_lost(tmp_path: Path) -> None:
    credentials = fresh_credentials(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    mine, other = trio.testing.memory_stream_pair()

    async def serve() -> None:
        with pytest.raises(LinkLost):
            await secure_listener(other, credentials)
        await close_bounded(other)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve)
        stream = trio.SSLStream(mine, context)
        await stream.do_handshake()
        await close_bounded(stream)


def test_listening_closes_all_its_sockets() -> None:
    class Sock:
        closed = False

        def close(self) -> None:
            self.closed = True

    sockets = (Sock(), Sock())
    Listening(sockets, 1).close()  # type: ignore[arg-type]
    assert all(sock.closed for sock in sockets)
