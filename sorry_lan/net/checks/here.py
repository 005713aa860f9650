"""What this computer is like by itself: its networks, firewalls and sleep. Pure: answers in, findings out."""

from __future__ import annotations

import ipaddress
from typing import Final

from sorry_lan.net.checks.probe import Firewall, Guard, Way
from sorry_lan.net.interfaces import Interface, Kind
from sorry_lan.table.diagnosis import Check, Finding, Found, Tool

_NOTABLE_S: Final = 1.0
_LONG_S: Final = 60.0
_WSL_NAT: Final = ipaddress.ip_network("172.16.0.0/12")


def network(interfaces: tuple[Interface, ...], default: Way | None, *, wsl: bool) -> Finding:
    """Which networks this computer is in; `default` is the way to everywhere else."""
    outer = [each for each in interfaces if each.kind is not Kind.LOOPBACK]
    real = [each for each in outer if each.kind is Kind.LAN]
    hosts = [host for each in real for host in each.addresses]
    about = tuple(f"{each.name} {', '.join(each.reached(host) for host in each.addresses)}" for each in outer)
    if not interfaces:
        return Finding(Check.NETWORK, Found.NO_NETWORK)
    if not outer:
        return Finding(Check.NETWORK, Found.ALONE)
    if wsl and not any(_of_lan(host) for host in hosts):
        return Finding(Check.NETWORK, Found.WSL, about)
    if default is not None and default.kind is Kind.VPN:
        return Finding(Check.NETWORK, Found.TUNNEL, about)
    if not real:
        kind = Found.TUNNEL if any(each.kind is Kind.VPN for each in outer) else Found.VIRTUAL
        return Finding(Check.NETWORK, kind, about)
    if all(ipaddress.ip_address(host).is_link_local for host in hosts):
        return Finding(Check.NETWORK, Found.LINK_LOCAL, about)
    return Finding(Check.NETWORK, Found.LAN, about)


def _of_lan(host: str) -> bool:
    """Whether an address inside WSL2 is one of the real network (mirrored mode), not of its address translation."""
    address = ipaddress.ip_address(host)
    return address.version == 4 and not address.is_link_local and address not in _WSL_NAT


def firewall(found: tuple[Firewall, ...]) -> Finding:
    """Whether a firewall here may keep others out."""
    for guard, told in (
        (Guard.ON, Found.FIREWALL_ON),
        (Guard.UNSURE, Found.FIREWALL_UNSURE),
        (Guard.OFF, Found.FIREWALL_OFF),
    ):
        names = tuple(each.tool.value for each in found if each.guard is guard)
        if names:
            return Finding(Check.FIREWALL, told, names)
    return Finding(Check.FIREWALL, Found.UNGUARDED)


def tool_in_charge(found: tuple[Firewall, ...]) -> Tool | None:
    """The firewall to give commands for: the first that is on, else the first that may be."""
    for guard in (Guard.ON, Guard.UNSURE):
        for each in found:
            if each.guard is guard:
                return each.tool
    return None


def clock(before_s: float | None, after_s: float | None) -> Finding:
    """Whether this computer sleeps; both are its sleep since it was started, before and after the other checks."""
    if before_s is None or after_s is None:
        return Finding(Check.CLOCK, Found.UNTOLD)
    if after_s - before_s >= _NOTABLE_S:
        return Finding(Check.CLOCK, Found.SLEPT, value=after_s - before_s)
    if after_s >= _LONG_S:
        return Finding(Check.CLOCK, Found.SLEEPS, value=after_s)
    return Finding(Check.CLOCK, Found.STEADY)
