"""The probe of a real computer: sockets, and commands and files that show something. Changes nothing."""

from __future__ import annotations

import errno
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import trio

from sorry_lan.net.checks import guards, mdns, meeting
from sorry_lan.net.checks.guards import Ran
from sorry_lan.net.checks.probe import Echoes, Firewall, Knock, Met, Neighbour, Reply, Way
from sorry_lan.net.frames import close_bounded, drop
from sorry_lan.net.handshake import Introduction
from sorry_lan.net.interfaces import Interface, up_interfaces
from sorry_lan.table.diagnosis import Found, System

_COMMAND_S: Final = 1.5
_PORT: Final = 9
_MOST_TEXT: Final = 1_000_000
_PATH: Final = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
"""Firewalls lie where the administrator looks."""
_RELEASE: Final = Path("/proc/sys/kernel/osrelease")
_SYSTEMS: Final = {"linux": System.LINUX, "darwin": System.MACOS, "win32": System.WINDOWS}
_KNOCKS: Final = {
    errno.ECONNREFUSED: Knock.REFUSED,
    errno.ECONNRESET: Knock.RESET,
    errno.ECONNABORTED: Knock.RESET,
    errno.ETIMEDOUT: Knock.SILENT,
    errno.EPERM: Knock.FORBIDDEN,
    errno.EACCES: Knock.FORBIDDEN,
}
_CLOCKS: Final = (("CLOCK_BOOTTIME", "CLOCK_MONOTONIC"), ("CLOCK_MONOTONIC", "CLOCK_UPTIME_RAW"))
"""Of Linux and of macOS: the first goes on while the computer sleeps, the second does not."""
_SockAddr = tuple[str | int | bytes, ...]
_CONFIRMED: Final = ("REACHABLE", "PERMANENT")
_MISSING: Final = ("FAILED", "INCOMPLETE")


class SystemProbe:
    """This computer as it is."""

    __slots__ = ("_interfaces", "_me", "system", "wsl")

    def __init__(self) -> None:
        self.system = _SYSTEMS.get(sys.platform, System.OTHER)
        self.wsl = self.system is System.LINUX and "microsoft" in (read_text(str(_RELEASE)) or "").lower()
        self._interfaces: tuple[Interface, ...] = ()
        self._me: Introduction | None = None

    async def interfaces(self) -> tuple[Interface, ...]:
        """As net/interfaces.py tells."""
        self._interfaces = await trio.to_thread.run_sync(up_interfaces, abandon_on_cancel=True)
        return self._interfaces

    async def way(self, host: str) -> Way | None:
        """What the routing table says; a gateway only where the `ip` command is there to tell it."""
        source = _source(host)
        if source is None:
            return None
        bare, _percent, zone = source.partition("%")
        through = next((each for each in self._interfaces if bare in each.addresses and zone in ("", each.name)), None)
        told = await run(("ip", "route", "get", host.partition("%")[0])) if "%" not in host else None
        gateway = re.search(r"\bvia (?:inet6? )?(\S+)", told.text) if told is not None and not told.exit_code else None
        return Way(
            source,
            None if through is None else through.name,
            None if through is None else through.kind,
            None if gateway is None else gateway[1],
        )

    async def resolve(self, name: str) -> tuple[str, ...]:
        """What the system's resolver knows, each address once."""
        found = []
        with suppress(OSError, UnicodeError):
            found = await trio.socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
        return tuple(dict.fromkeys(_text(address) for _family, _kind, _protocol, _name, address in found))

    async def knock(self, host: str, port: int, limit_s: float) -> Reply:
        """How a connection to a numeric address fares."""
        began_s = trio.current_time()
        with trio.move_on_after(limit_s):
            try:
                stream = await _connected(host, port)
            except OSError as wrong:
                return Reply(self._refusal(wrong, host), trio.current_time() - began_s)
            reply = Reply(Knock.OPEN, trio.current_time() - began_s)
            await drop(stream)
            return reply
        return Reply(Knock.SILENT, limit_s)

    def _refusal(self, wrong: OSError, host: str) -> Knock:
        if wrong.errno == errno.EACCES and self.system is System.LINUX and ":" in host:
            # What a firewall over there answers by IPv6 when it is told to reject.
            return Knock.UNREACHABLE
        return _KNOCKS.get(wrong.errno or 0, Knock.UNREACHABLE)

    async def neighbour(self, host: str) -> Neighbour:
        """What the `ip` command shows of the system's table."""
        bare, _percent, zone = host.partition("%")
        told = await run(("ip", "neigh", "show", "to", bare, *(("dev", zone) if zone else ())))
        return Neighbour.UNKNOWN if told is None else neighbour_of(told.text)

    async def ready(self) -> None:
        """Play the corpus of games that the rules are compared by."""
        self._me = self._me or await meeting.introduction()

    async def meet(self, host: str, port: int) -> Met:
        """TLS and HELLO on a connection of its own."""
        me = self._me or await meeting.introduction()
        try:
            stream = await _connected(host, port)
        except OSError:
            return Met(Found.HUNG_UP)
        try:
            return await meeting.meet(stream, me)
        finally:
            await close_bounded(stream)

    async def firewalls(self) -> tuple[Firewall, ...]:
        """As the tools of the system show them."""
        return await guards.firewalls(self.system, run, read_text)

    async def echoes(self, interfaces: tuple[Interface, ...]) -> Echoes:
        """By sockets of its own."""
        return await mdns.search(interfaces)

    def asleep_s(self) -> float | None:
        """The difference of two clocks, one of which stands still while the computer sleeps."""
        return asleep_s()


def asleep_s() -> float | None:
    """Seconds of sleep since the start; None where the system has no two such clocks."""
    for runs_on, stands_still in _CLOCKS:
        pair = (getattr(time, runs_on, None), getattr(time, stands_still, None))
        if isinstance(pair[0], int) and isinstance(pair[1], int):
            return time.clock_gettime(pair[0]) - time.clock_gettime(pair[1])
    return None


def neighbour_of(shown: str) -> Neighbour:
    """What a line of `ip neigh` means: an address that answered a while ago may be gone by now."""
    words = shown.split()
    if any(word in words for word in _CONFIRMED):
        return Neighbour.PRESENT
    return Neighbour.ABSENT if any(word in words for word in _MISSING) else Neighbour.UNKNOWN


async def run(words: tuple[str, ...]) -> Ran | None:
    """Run a command that shows something; None where it is not there, or does not end in time."""
    where = shutil.which(words[0], path=_PATH)
    if where is None:
        return None
    environment = {"PATH": _PATH, "LC_ALL": "C"}
    with trio.move_on_after(_COMMAND_S), suppress(OSError):
        done = await trio.run_process(
            (where, *words[1:]),
            stdin=subprocess.DEVNULL,
            capture_stdout=True,
            capture_stderr=True,
            check=False,
            env=environment,
        )
        return Ran(done.returncode, (done.stdout + done.stderr)[:_MOST_TEXT].decode("utf-8", "replace"))
    return None


def read_text(path: str) -> str | None:
    """A short text file; None where it cannot be read."""
    try:
        return Path(path).read_text("utf-8", errors="replace")
    except OSError:
        return None


def _source(host: str) -> str | None:
    """The own address from which a packet to `host` would leave; nothing is sent."""
    try:
        family, sockaddr = _numeric(host, _PORT)
        with socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect(sockaddr)
            return _text(asking.getsockname())
    except OSError:
        return None


def _numeric(host: str, port: int) -> tuple[socket.AddressFamily, _SockAddr]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    family, _kind, _protocol, _name, sockaddr = found[0]
    return family, sockaddr


def _text(sockaddr: _SockAddr) -> str:
    """The address in a socket's address, with its %zone where it has one."""
    host = str(sockaddr[0])
    zone = sockaddr[3] if len(sockaddr) > 3 else 0
    if "%" in host or not isinstance(zone, int) or not zone:
        return host
    with suppress(OSError):
        return f"{host}%{socket.if_indextoname(zone)}"
    return host


async def _connected(host: str, port: int) -> trio.SocketStream:
    """A connection to a numeric address; OSError with its number, which trio's own function would wrap."""
    family, sockaddr = _numeric(host, port)
    sock = trio.socket.socket(family, socket.SOCK_STREAM)
    try:
        await sock.connect(sockaddr)
    except BaseException:
        sock.close()
        raise
    return trio.SocketStream(sock)
