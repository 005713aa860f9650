"""A search by multicast DNS with plain sockets, each question marked so that its own echo can be told from all others.

The library that announces tables keeps to itself what does not work; this is here to find that out (RFC 6762).
"""

from __future__ import annotations

import errno
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import trio

from sorry_lan.net.checks.probe import Echoes
from sorry_lan.net.interfaces import Interface, Kind

LISTEN_S: Final = 3.0
_AGAIN_S: Final = 1.0
_ENOUGH_S: Final = 1.5
"""Who answers at all has done so by then; silence is listened to for longer."""
_PORT: Final = 5353
_GROUP_4: Final = "224.0.0.251"
_GROUP_6: Final = "ff02::fb"
_TTL: Final = 255
_PTR: Final = 12
_INTERNET: Final = 1
_ANSWER: Final = 0x80
_HEADER: Final = struct.Struct("!6H")
_TABLES: Final = ("_sorry-lan", "_tcp", "local")
_SERVICES: Final = ("_services", "_dns-sd", "_udp", "local")
_TABLE_LABEL: Final = b"\x0a_sorry-lan\x04_tcp"
_LONGEST: Final = 9000


def question(mark: str) -> bytes:
    """A packet that asks for tables, for services of any kind, and for a name that nobody has: the mark."""
    names = (_TABLES, _SERVICES, (mark, "local"))
    asked = b"".join(_name(name) + struct.pack("!2H", _PTR, _INTERNET) for name in names)
    return _HEADER.pack(0, 0, len(names), 0, 0, 0) + asked


def _name(labels: tuple[str, ...]) -> bytes:
    return b"".join(bytes((len(label),)) + label.encode("ascii") for label in labels) + b"\0"


def is_table(packet: bytes) -> bool:
    """Whether a packet announces a table; goodbyes, which have no time to live, are not told apart."""
    return len(packet) > _HEADER.size and bool(packet[2] & _ANSWER) and _TABLE_LABEL in packet


@dataclass(frozen=True, slots=True)
class _Spot:
    """One interface in one family; `own` is its address (IPv4 only)."""

    label: str
    index: int
    family: socket.AddressFamily
    own: str


@dataclass(slots=True)
class _Heard:
    """What came in so far."""

    own: frozenset[str]
    sent: dict[bytes, str]
    back: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    tables: set[str] = field(default_factory=set)
    own_table: bool = False

    def take(self, packet: bytes, host: str) -> None:
        """One packet and the address that it came from."""
        if packet in self.sent:
            self.back.add(self.sent[packet])
        elif host.partition("%")[0] not in self.own:
            (self.tables if is_table(packet) else self.others).add(host)
        elif is_table(packet):
            self.own_table = True

    def echoes(self) -> Echoes:
        """All of it; an interface that was heard in one family is not complained of in the same one only."""
        silent = set(self.sent.values()) - self.back
        others = self.others - self.tables
        return Echoes(
            back=tuple(sorted(self.back)),
            lost=tuple(sorted(silent - self.refused)),
            refused=tuple(sorted(silent & self.refused)),
            others=tuple(sorted(others)),
            tables=tuple(sorted(self.tables)),
            own_table=self.own_table,
        )

    def enough(self) -> bool:
        """Whether waiting longer could tell nothing new that matters."""
        return self.back == set(self.sent.values()) and bool(self.tables or self.own_table or self.others)


def _spots(interfaces: tuple[Interface, ...]) -> Iterator[_Spot]:
    outer = [each for each in interfaces if each.kind is not Kind.LOOPBACK]
    for each in outer or interfaces:
        four = next((host for host in each.addresses if ":" not in host), None)
        if four is not None:
            yield _Spot(f"{each.name} IPv4", each.index, socket.AF_INET, four)
        if any(":" in host for host in each.addresses) and each.kind is not Kind.LOOPBACK:
            yield _Spot(f"{each.name} IPv6", each.index, socket.AF_INET6, "")


async def search(interfaces: tuple[Interface, ...]) -> Echoes:
    """Ask on every interface, in both families, and listen; everything is over after LISTEN_S."""
    spots = tuple(_spots(interfaces))
    marks = {question(f"doctor-{os.urandom(8).hex()}"): spot for spot in spots}
    own = frozenset(host for each in interfaces for host in each.addresses)
    heard = _Heard(own, {packet: spot.label for packet, spot in marks.items()})
    opened: dict[socket.AddressFamily, trio.socket.SocketType] = {}
    try:
        for family in dict.fromkeys(spot.family for spot in spots):
            try:
                opened[family] = _opened(family)
            except OSError as wrong:
                if wrong.errno in (errno.EADDRINUSE, errno.EACCES):
                    return Echoes(port_held=True)
                heard.refused.update(spot.label for spot in spots if spot.family is family)
        await _converse(opened, marks, heard)
    finally:
        for sock in opened.values():
            sock.close()
    return heard.echoes()


async def _converse(
    opened: dict[socket.AddressFamily, trio.socket.SocketType], marks: dict[bytes, _Spot], heard: _Heard
) -> None:
    for spot in marks.values():
        if spot.family in opened:
            # One that is joined already, or cannot be, shows in what comes back.
            with suppress(OSError):
                _join(opened[spot.family], spot)
    with trio.move_on_after(LISTEN_S):
        async with trio.open_nursery() as nursery:
            for sock in opened.values():
                nursery.start_soon(_listen, sock, heard)
            began_s = trio.current_time()
            while True:
                for packet, spot in marks.items():
                    if spot.family in opened:
                        await _send(opened[spot.family], spot, packet, heard)
                await trio.sleep(_AGAIN_S)
                if heard.enough() and trio.current_time() - began_s >= _ENOUGH_S:
                    nursery.cancel_scope.cancel()


def _opened(family: socket.AddressFamily) -> trio.socket.SocketType:
    sock = socket.socket(family, socket.SOCK_DGRAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(AttributeError, OSError):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family is socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, _TTL)
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_LOOP, 1)
        else:
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, _TTL)
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
        sock.bind(("", _PORT))
    except BaseException:
        sock.close()
        raise
    return trio.socket.from_stdlib_socket(sock)


def _join(sock: trio.socket.SocketType, spot: _Spot) -> None:
    if spot.family is socket.AF_INET6:
        group = socket.inet_pton(socket.AF_INET6, _GROUP_6) + struct.pack("@I", spot.index)
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group)
    else:
        group = socket.inet_aton(_GROUP_4) + socket.inet_aton(spot.own)
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)


async def _send(sock: trio.socket.SocketType, spot: _Spot, packet: bytes, heard: _Heard) -> None:
    """Nothing is awaited between choosing the interface and sending: the next spot would choose another one."""
    try:
        if spot.family is socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, struct.pack("@I", spot.index))
            await sock.sendto(packet, (_GROUP_6, _PORT, 0, spot.index))
        else:
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(spot.own))
            await sock.sendto(packet, (_GROUP_4, _PORT))
        heard.refused.discard(spot.label)
    except OSError:
        heard.refused.add(spot.label)


async def _listen(sock: trio.socket.SocketType, heard: _Heard) -> None:
    while True:
        try:
            packet, came_from = await sock.recvfrom(_LONGEST)
        except OSError:
            # An interface went down, or a packet of ours was refused: others may still come.
            await trio.sleep(0.1)
            continue
        heard.take(packet, str(came_from[0]))
