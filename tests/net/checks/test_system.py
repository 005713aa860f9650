"""The real probe, at what every Linux has: loopback, its own files and commands."""

from __future__ import annotations

import errno
import socket
import sys
import time
from pathlib import Path

import pytest
import trio

from sorry_lan.net.checks import system
from sorry_lan.net.checks.guards import Ran
from sorry_lan.net.checks.probe import Knock, Neighbour
from sorry_lan.net.checks.system import SystemProbe, asleep_s, neighbour_of, read_text, run
from sorry_lan.net.interfaces import Kind
from sorry_lan.table.diagnosis import Found, System


@pytest.mark.parametrize(
    ("platform", "told"), [("linux", System.LINUX), ("darwin", System.MACOS), ("aix", System.OTHER)]
)
def test_the_system_is_told_by_its_platform(platform: str, told: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert SystemProbe().system is told


def test_linux_inside_windows_is_told_by_its_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = tmp_path / "osrelease"
    monkeypatch.setattr(system, "_RELEASE", release)
    for text, wsl in (("5.15.90.1-microsoft-standard-WSL2\n", True), ("6.1.0-18-amd64\n", False)):
        release.write_text(text)
        assert SystemProbe().wsl is wsl
    monkeypatch.setattr(system, "_RELEASE", tmp_path / "missing")
    assert not SystemProbe().wsl


async def test_an_open_port_a_closed_one_and_their_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sorry_lan.net.checks.meeting.engine_digest", lambda: bytes(32))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        reply = await SystemProbe().knock("127.0.0.1", port, 5.0)
        assert (reply.knock, 0 <= reply.after_s < 5) == (Knock.OPEN, True)
    assert (await SystemProbe().knock("127.0.0.1", port, 5.0)).knock is Knock.REFUSED
    assert (await SystemProbe().meet("127.0.0.1", port)).found is Found.HUNG_UP


async def test_a_port_that_does_not_answer_is_silent_after_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(_host: str, _port: int) -> trio.SocketStream:
        await trio.sleep_forever()
        raise AssertionError

    monkeypatch.setattr(system, "_connected", never)
    reply = await SystemProbe().knock("192.0.2.1", 7777, 0.05)
    assert (reply.knock, reply.after_s) == (Knock.SILENT, 0.05)


@pytest.mark.parametrize(
    ("number", "host", "platform", "knock"),
    [
        (errno.EHOSTUNREACH, "192.0.2.1", "linux", Knock.UNREACHABLE),
        (errno.ENETUNREACH, "192.0.2.1", "linux", Knock.UNREACHABLE),
        (65, "192.0.2.1", "darwin", Knock.UNREACHABLE),
        (errno.ECONNRESET, "192.0.2.1", "linux", Knock.RESET),
        (errno.ETIMEDOUT, "192.0.2.1", "linux", Knock.SILENT),
        (errno.EPERM, "192.0.2.1", "linux", Knock.FORBIDDEN),
        (errno.EACCES, "192.0.2.1", "linux", Knock.FORBIDDEN),
        (errno.EACCES, "2001:db8::1", "linux", Knock.UNREACHABLE),
        (errno.EACCES, "2001:db8::1", "win32", Knock.FORBIDDEN),
    ],
)
async def test_errors_of_connecting_are_told_apart(
    number: int, host: str, platform: str, knock: Knock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(_host: str, _port: int) -> trio.SocketStream:
        raise OSError(number, "no")

    monkeypatch.setattr(sys, "platform", platform)
    probe = SystemProbe()
    monkeypatch.undo()
    monkeypatch.setattr(system, "_connected", fails)
    assert (await probe.knock(host, 7777, 1.0)).knock is knock


async def test_names_are_resolved_by_the_system() -> None:
    assert "127.0.0.1" in await SystemProbe().resolve("localhost")
    assert await SystemProbe().resolve("nosuch.invalid") == ()
    assert await SystemProbe().resolve("a" * 64 + ".invalid") == ()


async def test_the_way_to_loopback_leaves_by_loopback() -> None:
    probe = SystemProbe()
    assert any(each.kind is Kind.LOOPBACK for each in await probe.interfaces())
    way = await probe.way("127.0.0.1")
    assert way is not None
    assert (way.source, way.kind, way.gateway) == ("127.0.0.1", Kind.LOOPBACK, None)
    unknown = await SystemProbe().way("127.0.0.1")
    assert unknown is not None
    assert unknown.interface is None


async def test_a_gateway_is_read_from_what_the_system_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    async def shows(words: tuple[str, ...]) -> Ran | None:
        return Ran(0, f"{words[-1]} via 192.0.2.1 dev eth0 src 192.0.2.9")

    monkeypatch.setattr(system, "run", shows)
    way = await SystemProbe().way("127.0.0.1")
    assert way is not None
    assert way.gateway == "192.0.2.1"


async def test_an_address_that_cannot_be_gone_to_has_no_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "_source", lambda _host: None)
    assert await SystemProbe().way("192.0.2.1") is None


def test_an_own_address_is_told_with_its_zone_by_name() -> None:
    assert system._text(("fe80::1", 9, 0, socket.if_nametoindex("lo"))) == "fe80::1%lo"
    assert system._text(("fe80::1%eth0", 9, 0, 1)) == "fe80::1%eth0"
    assert system._text(("fe80::1", 9, 0, 4_000_000)) == "fe80::1"
    assert system._text(("2001:db8::1", 9, 0, 0)) == "2001:db8::1"
    assert system._source("fe80::1%nosuch0") is None


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        ("10.0.0.2 dev eth0 lladdr 02:00:00:00:00:02 REACHABLE", Neighbour.PRESENT),
        ("10.0.0.2 dev eth0 lladdr 02:00:00:00:00:02 STALE", Neighbour.UNKNOWN),
        ("10.0.0.2 dev eth0  FAILED", Neighbour.ABSENT),
        ("10.0.0.2 dev eth0  INCOMPLETE", Neighbour.ABSENT),
        ("", Neighbour.UNKNOWN),
    ],
)
def test_a_neighbour_is_there_only_while_it_was_heard_just_now(shown: str, told: Neighbour) -> None:
    assert neighbour_of(shown) is told


async def test_a_neighbour_is_asked_for_behind_its_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []

    async def shows(words: tuple[str, ...]) -> Ran | None:
        asked.append(words)
        return None if len(asked) > 1 else Ran(0, "fe80::2 REACHABLE")

    monkeypatch.setattr(system, "run", shows)
    assert await SystemProbe().neighbour("fe80::2%eth0") is Neighbour.PRESENT
    assert await SystemProbe().neighbour("192.0.2.1") is Neighbour.UNKNOWN
    assert asked == [
        ("ip", "neigh", "show", "to", "fe80::2", "dev", "eth0"),
        ("ip", "neigh", "show", "to", "192.0.2.1"),
    ]


async def test_a_command_is_run_without_a_shell_and_never_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await run(("no-such-command-anywhere",)) is None
    assert await run(("echo", "a  $HOME")) == Ran(0, "a  $HOME\n")
    assert await run(("false",)) == Ran(1, "")
    monkeypatch.setattr(system, "_COMMAND_S", 0.1)
    assert await run(("sleep", "30")) is None


def test_a_file_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    assert read_text(str(tmp_path)) is None


def test_sleep_is_the_difference_of_two_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "_CLOCKS", (("CLOCK_MONOTONIC", "CLOCK_MONOTONIC"),))
    told = asleep_s()
    assert told is not None
    assert abs(told) < 1
    monkeypatch.setattr(system, "_CLOCKS", (("CLOCK_NONE", "CLOCK_MONOTONIC"), ("CLOCK_MONOTONIC", "CLOCK_NONE")))
    assert asleep_s() is None
    assert hasattr(time, "CLOCK_MONOTONIC")


async def test_firewalls_and_searches_are_asked_of_the_real_system(monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(_words: tuple[str, ...]) -> Ran | None:
        return None

    monkeypatch.setattr(system, "run", nothing)
    monkeypatch.setattr("sorry_lan.net.checks.mdns.LISTEN_S", 0.01)
    probe = SystemProbe()
    assert await probe.firewalls() == ()
    assert (await probe.echoes(())).back == ()
    slept = probe.asleep_s()
    assert slept is None or slept >= -1


async def test_what_the_handshake_needs_is_worked_out_once() -> None:
    probe = SystemProbe()
    await probe.ready()
    first = probe._me
    await probe.ready()
    assert probe._me is first
