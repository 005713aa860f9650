"""The network interfaces of this computer that are up, what kind each is, and their addresses.

Owns the ifaddr library. Sends nothing; which addresses are read out to people is net/addresses.py's matter.
"""

from __future__ import annotations

import ipaddress
import socket
import struct
import sys
from dataclasses import dataclass
from enum import Enum, unique
from pathlib import Path
from typing import Final

import ifaddr

_UP: Final = 0x1
_LOOPBACK: Final = 0x8
_POINT_TO_POINT: Final = 0x10
_RUNNING: Final = 0x40
_GET_FLAGS: Final = {"linux": 0x8913, "darwin": 0xC0206911}
"""SIOCGIFFLAGS, by platform; elsewhere what has an address counts as up."""
_SYSFS: Final = Path("/sys/class/net")
_VPN_NAMES: Final = (
    "tun", "tap", "wg", "ppp", "utun", "ipsec", "tailscale", "zt", "nordlynx", "proton", "vpn", "gpd", "cscotun",
)  # fmt: skip
_VIRTUAL_NAMES: Final = (
    "docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "lxc", "lxd", "incus", "cni", "flannel", "cali", "podman",
    "vnet", "vethernet",
)  # fmt: skip
_VPN_WORDS: Final = ("vpn", "tap-windows", "wireguard", "wintun", "tailscale", "zerotier", "hamachi")
_VIRTUAL_WORDS: Final = ("virtualbox", "vmware", "hyper-v", "docker", "wsl")


@unique
class Kind(Enum):
    """What is most likely behind an interface."""

    LAN = "lan"
    VPN = "vpn"
    VIRTUAL = "virtual"
    """Containers or virtual machines of this computer."""
    LOOPBACK = "loopback"


@dataclass(frozen=True, slots=True)
class Interface:
    """One interface that is up; `addresses` are IPv4 and IPv6 in the system's order, without %zones."""

    name: str
    index: int
    kind: Kind
    addresses: tuple[str, ...]

    def reached(self, host: str) -> str:
        """One of its addresses as this computer calls it: link-local IPv6 needs the zone."""
        parsed = ipaddress.ip_address(host)
        return f"{host}%{self.name}" if parsed.version == 6 and parsed.is_link_local else host


def up_interfaces() -> tuple[Interface, ...]:
    """All of them with an address, in the system's order; none where the system has no network at all."""
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:
        return ()
    found: dict[str, Interface] = {}
    for adapter in adapters:
        name = adapter.name.partition(":")[0]  # "eth0:1" is a second address of eth0
        flags = _flags(name)
        if flags is not None and (flags & _UP == 0 or flags & _RUNNING == 0):
            continue
        told = tuple(address.ip if isinstance(address.ip, str) else str(address.ip[0]) for address in adapter.ips)
        before = found.get(name)
        hosts = (*(before.addresses if before else ()), *told)
        if hosts:
            kind = kind_of(name, adapter.nice_name, flags, hosts, _bridge(name))
            found[name] = Interface(name, adapter.index or 0, kind, tuple(dict.fromkeys(hosts)))
    return tuple(found.values())


@unique
class Bridge(Enum):
    """Whether an interface is a bridge of this computer."""

    NONE = "none"
    INNER = "inner"
    """It joins nothing but virtual things."""
    OUTER = "outer"
    """A real network card is part of it: its address is the one of the LAN."""


def kind_of(name: str, nice_name: str, flags: int | None, hosts: tuple[str, ...], bridge: Bridge) -> Kind:
    """The kind of an interface with these addresses; `nice_name` is what Windows calls it, `flags` None: not known."""
    low, nice = name.lower(), nice_name.lower()
    if (flags or 0) & _LOOPBACK or all(ipaddress.ip_address(host).is_loopback for host in hosts):
        return Kind.LOOPBACK
    if (flags or 0) & _POINT_TO_POINT or low.startswith(_VPN_NAMES) or any(word in nice for word in _VPN_WORDS):
        return Kind.VPN
    if bridge is Bridge.OUTER:
        return Kind.LAN
    virtual = low.startswith(_VIRTUAL_NAMES) or nice.startswith(_VIRTUAL_NAMES)
    if bridge is Bridge.INNER or virtual or any(word in nice for word in _VIRTUAL_WORDS):
        return Kind.VIRTUAL
    return Kind.LAN


def _flags(name: str) -> int | None:
    """The system's flags of an interface, None where it does not tell."""
    request = _GET_FLAGS.get(sys.platform)
    if request is None:
        return None
    import fcntl  # noqa: PLC0415 - not everywhere

    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            told = fcntl.ioctl(asking.fileno(), request, struct.pack("32s", name.encode()))
    except OSError:
        return None
    return int(struct.unpack_from("H", told, 16)[0])


def _bridge(name: str) -> Bridge:
    """As Linux tells it in /sys."""
    home = _SYSFS / name
    try:
        if not (home / "bridge").is_dir():
            return Bridge.NONE
        ports = [port.name for port in (home / "brif").iterdir()]
    except OSError:
        return Bridge.NONE
    return Bridge.OUTER if any((_SYSFS / port / "device").exists() for port in ports) else Bridge.INNER
