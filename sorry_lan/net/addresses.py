"""This computer's own addresses as they are to be read out: ranked, and each one tried before it is told.

What people type is net/where.py's matter; finding other tables is net/discovery.py's.
"""

from __future__ import annotations

import ipaddress
import socket
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import trio

from sorry_lan.net.dial import Unreached, connect
from sorry_lan.net.frames import close_bounded
from sorry_lan.net.interfaces import Interface, Kind, up_interfaces
from sorry_lan.net.where import Address
from sorry_lan.table.notices import Reach

_MOST_ZONES: Final = 8
_MOST_TOLD: Final = 4
_TRY_S: Final = 1.0
_RELEASE: Final = Path("/proc/sys/kernel/osrelease")
_WSL_NAT: Final = ipaddress.ip_network("172.16.0.0/12")
_TIERS: Final = {(Kind.LAN, False): 0, (Kind.LAN, True): 1, (Kind.VPN, False): 2, (Kind.VIRTUAL, False): 3}
"""By kind and whether the address is link-local; only the best tier that there is gets told to people."""
_REST: Final = 4
_HERE: Final = 5


@dataclass(frozen=True, slots=True)
class Own:
    """Addresses to read out, best first, and who can be expected to reach them."""

    hosts: tuple[str, ...]
    reach: Reach


def plain_host(host: str) -> str:
    """The address of a socket's other end in its shortest form: IPv4 seen through an IPv6 socket is IPv4."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


def is_numeric(host: str) -> bool:
    """Whether `host` is an address, and no name that has to be looked up."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


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


async def own_addresses(port: int) -> Own:
    """What to read out for a listener at `port`: the best addresses that take a connection."""
    interfaces = await trio.to_thread.run_sync(up_interfaces)
    ranked = ranked_hosts(interfaces)
    works: set[str] = set()

    async def attempt(host: str, called: str) -> None:
        try:
            stream = await connect(Address(called, port), _TRY_S)
        except Unreached:
            return
        works.add(host)
        await close_bounded(stream)

    async with trio.open_nursery() as nursery:
        for interface in interfaces:
            for host in interface.addresses:
                nursery.start_soon(partial(attempt, host, interface.reached(host)))
    return told(tuple((host, tier) for host, tier in ranked if host in works), _is_wsl())


def ranked_hosts(interfaces: tuple[Interface, ...]) -> tuple[tuple[str, int], ...]:
    """Each address once with its tier, those that friends most likely reach first."""
    found: dict[str, tuple[int, int]] = {}
    for interface in interfaces:
        for host in interface.addresses:
            found.setdefault(host, (_tier(interface, host), _within(host)))
    return tuple((host, found[host][0]) for host in sorted(found, key=lambda each: found[each]))


def told(ranked: tuple[tuple[str, int], ...], wsl: bool) -> Own:  # noqa: FBT001 - a fact, no switch
    """The addresses of the best tier; none of loopback, which is only ever typed on this computer."""
    tier = min((tier for _host, tier in ranked), default=_HERE)
    if tier == _HERE:
        return Own((), Reach.NOBODY)
    hosts = tuple(host for host, of in ranked if of == tier)[:_MOST_TOLD]
    fours = [ipaddress.ip_address(host) for host in hosts if ":" not in host]
    if wsl and fours and all(address in _WSL_NAT for address in fours):
        return Own(hosts, Reach.WSL)
    return Own(hosts, (Reach.LAN, Reach.LAN, Reach.VPN, Reach.VIRTUAL, Reach.LAN)[tier])


def _tier(interface: Interface, host: str) -> int:
    address = ipaddress.ip_address(host)
    if address.is_loopback or interface.kind is Kind.LOOPBACK:
        return _HERE
    return _TIERS.get((interface.kind, address.is_link_local), _REST)


def _within(host: str) -> int:
    """Among addresses that are as good otherwise: homes use 192.168 and 10, and IPv4 is easier to type."""
    address = ipaddress.ip_address(host)
    if address.version == 6:
        return 3
    return 1 if address in _WSL_NAT else 0 if address.is_private else 2


def _is_wsl() -> bool:
    """Whether this Linux runs inside Windows."""
    if sys.platform != "linux":
        return False
    try:
        return "microsoft" in _RELEASE.read_text("ascii", errors="replace").lower()
    except OSError:
        return False
