"""Addresses as people type them, and this computer's own as they are to be read out.

Finds addresses without sending a packet. Discovery of other tables is not done here.
"""

from __future__ import annotations

import ipaddress
import socket
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import trio

_MOST_PORT: Final = 65_535
_LOOKUP_S: Final = 0.5
"""Asking for the own host name may go to a name server that is not there."""
_MOST_ZONES: Final = 8
_SIOCGIFADDR: Final = 0x8915
"""Linux's question for the IPv4 address of an interface."""
_TOWARDS: Final = (
    (socket.AF_INET, "192.0.2.1"),
    (socket.AF_INET, "10.255.255.254"),
    (socket.AF_INET, "172.31.255.254"),
    (socket.AF_INET, "192.168.255.254"),
    (socket.AF_INET, "169.254.255.254"),
    (socket.AF_INET6, "2001:db8::1"),
    (socket.AF_INET6, "fd00::1"),
)
"""Targets whose routes tell which of our addresses would be used; nothing is ever sent there."""


class BadAddress(ValueError):  # noqa: N818 - says what is the case
    """What was typed is no address."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a table may be reached: a name, an IPv4 or an IPv6 address (with its %zone), and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(typed: str, default_port: int) -> Address:
    """`host`, `host:port`, `1.2.3.4:port`, `[v6]:port`, bare `v6` with or without %zone; BadAddress for all else."""
    text = typed.strip()
    if text.startswith("["):
        host, closed, rest = text[1:].partition("]")
        if not closed or (rest and not rest.startswith(":")):
            raise BadAddress(typed)
        return Address(_v6(host), _port(rest[1:]) if rest else default_port)
    if text.count(":") > 1:
        return Address(_v6(text), default_port)
    host, colon, port = text.partition(":")
    return Address(_name(host), _port(port) if colon else default_port)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(_MOST_PORT)):
        raise BadAddress(text)
    port = int(text)
    if not 1 <= port <= _MOST_PORT:
        raise BadAddress(text)
    return port


def _v6(text: str) -> str:
    try:
        return str(ipaddress.IPv6Address(text))
    except ValueError as wrong:
        raise BadAddress(text) from wrong


def _name(text: str) -> str:
    """A host name or IPv4 address; what only looks like one is left to the resolver, as long as it is one word."""
    if not text or len(text) > 253 or not text.isprintable() or any(c.isspace() or c in "/\\@?#%[]" for c in text):
        raise BadAddress(text)
    return text


def plain_host(host: str) -> str:
    """The address of a socket's other end in its shortest form: IPv4 seen through an IPv6 socket is IPv4."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


def zoned(address: Address) -> tuple[Address, ...]:
    """The addresses to call: a link-local one without its %zone could be behind any interface of this computer.

    A zone means nothing on another computer, so what peers tell of each other has none.
    """
    try:
        parsed = ipaddress.IPv6Address(address.host)
        if not parsed.is_link_local or parsed.scope_id is not None:
            return (address,)
        names = [name for _index, name in socket.if_nameindex()]
    except (ValueError, OSError):
        return (address,)
    return tuple(Address(f"{address.host}%{name}", address.port) for name in names[:_MOST_ZONES]) or (address,)


async def own_addresses() -> tuple[str, ...]:
    """This computer's addresses, those that friends most likely reach first; loopback only where there is nothing else.

    Empty where the system has no network at all, not even loopback.
    """
    found = [*_routed()]
    with trio.move_on_after(_LOOKUP_S):
        found += await trio.to_thread.run_sync(_of_host_name, abandon_on_cancel=True)
    if all(ipaddress.ip_address(host).is_loopback for host in found):
        # A cable between two computers has no route to anywhere, and yet friends at its other end.
        found += _of_interfaces()
    return best_first(found)


def best_first(found: Iterable[str]) -> tuple[str, ...]:
    """Each address once, ranked; link-local and loopback ones only while there is no better one."""
    ranked: dict[str, int] = {}
    for host in found:
        rank = _rank(host)
        if rank is not None:
            ranked.setdefault(host, rank)
    if not ranked:
        return ()
    tier = min(ranked.values()) // 10
    return tuple(sorted((host for host in ranked if ranked[host] // 10 == tier), key=lambda host: ranked[host]))


def _rank(host: str) -> int | None:
    """Small is good; the tens are tiers, of which only the best that exists is told to people."""
    address = ipaddress.ip_address(host)
    if address.is_unspecified or address.is_multicast:
        return None
    if address.is_loopback:
        return 20 + (address.version == 6)
    if address.is_link_local:
        return 10 + (address.version == 6)
    if address.version == 6:
        return 5
    # Container bridges of their usual makers sit in 172.16/12; homes use the other two private ranges.
    return 2 if address in ipaddress.ip_network("172.16.0.0/12") else 1 if address.is_private else 3


def _routed() -> Iterable[str]:
    for family, target in _TOWARDS:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                # Connecting a datagram socket only asks the routing table.
                probe.connect((target, 9))
                yield probe.getsockname()[0]
        except OSError:
            continue


def _of_host_name() -> list[str]:
    try:
        entries = socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return [str(address[0]) for _family, _kind, _protocol, _name, address in entries]


def _of_interfaces() -> list[str]:
    """What the interfaces of this computer have, as Linux tells it; nothing elsewhere."""
    if sys.platform != "linux":
        return []
    import fcntl  # noqa: PLC0415 - not everywhere

    found = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _index, name in socket.if_nameindex():
            with suppress(OSError):
                told = fcntl.ioctl(asking.fileno(), _SIOCGIFADDR, struct.pack("256s", name.encode()))
                found.append(socket.inet_ntoa(told[20:24]))
    with suppress(OSError, ValueError):
        lines = Path("/proc/net/if_inet6").read_text("ascii").splitlines()
        found += [str(ipaddress.IPv6Address(bytes.fromhex(line.split()[0]))) for line in lines]
    return found
