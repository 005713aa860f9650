"""One end of multicast DNS on every interface that is up: a service is announced, or others are asked for.

Owns the zeroconf library, which lives in threads of its own. What a service means is for discovery.py and reunion.py.
"""

from __future__ import annotations

import ipaddress
import logging
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import trio

from sorry_lan.net.addresses import ranked_hosts
from sorry_lan.net.interfaces import Interface, Kind, up_interfaces

if TYPE_CHECKING:
    from zeroconf import IPVersion, ServiceBrowser, ServiceInfo, ServiceStateChange, Zeroconf

log = logging.getLogger(__name__)

_MOST_HOSTS: Final = 12
_RESOLVE_MS: Final = 1500
CLOSE_S: Final = 1.0
"""So long saying good-bye may take."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a service announces: its record, its port, and its addresses, IPv6 link-local ones with their zone."""

    record: Mapping[bytes, bytes | None]
    port: int
    hosts: tuple[str, ...]


class Station:
    """zeroconf on what is up, for one kind of service. Every method blocks.

    `resolve` may run beside the others, which take turns.
    """

    def __init__(self, name: str, kind: str) -> None:
        """`name` is unique in the network, of letters, digits and "-"; `kind` is a service type."""
        self._name = name
        self._kind = kind
        self._zeroconf: Zeroconf | None = None
        self._on: tuple[Interface, ...] = ()
        self._info: ServiceInfo | None = None
        self._browser: ServiceBrowser | None = None

    def follow(self) -> tuple[Interface, ...]:
        """Be on exactly the interfaces that are up; those."""
        interfaces = up_interfaces()
        if interfaces == self._on:
            return interfaces
        choice: list[str | int] = [host for each in interfaces for host in each.addresses if ":" not in host]
        choice += [each.index for each in interfaces if _speaks_v6(each)]
        log.info("discovery on %s", ", ".join(each.name for each in interfaces) or "nothing")
        from zeroconf import Zeroconf  # noqa: PLC0415 - slow to load, and not everybody looks for tables

        if not choice:
            self.close()
        elif self._zeroconf is None:
            self._zeroconf = Zeroconf(choice, ip_version=_version(choice))
        else:
            self._zeroconf.update_interfaces(choice, _version(choice))
        self._on = interfaces
        return interfaces

    def publish(self, record: Mapping[str, str], port: int) -> None:
        """Announce this record, unless it is announced already."""
        if self._zeroconf is None:
            return
        from zeroconf import ServiceInfo  # noqa: PLC0415 - as above

        hosts = announced_hosts(self._on)
        info = ServiceInfo(
            self._kind,
            f"{self._name}.{self._kind}",
            port=port,
            properties=dict(record),
            server=f"{self._name}.local.",
            parsed_addresses=list(hosts),
        )
        if self._info is None:
            # The name is random: nobody has to be asked whether it is free.
            self._zeroconf.register_service(info, cooperating_responders=True)
        elif info.text != self._info.text or set(info.parsed_addresses()) != set(self._info.parsed_addresses()):
            self._zeroconf.update_service(info)
        self._info = info

    def ask(self, heard: Callable[[str, str], None]) -> None:
        """Ask the network anew; `heard` is told each name, and whether that is "Added", "Updated" or "Removed".

        What is known already is told again.
        """
        if self._zeroconf is None:
            return
        from zeroconf import ServiceBrowser  # noqa: PLC0415 - as above

        def told(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
            _unused = zeroconf, service_type
            heard(name, state_change.name)

        if self._browser is not None:
            self._browser.cancel()
        self._browser = ServiceBrowser(self._zeroconf, self._kind, handlers=[told])

    def resolve(self, name: str) -> Told | None:
        """What the service of this full name tells; None where nobody answers."""
        if self._zeroconf is None:
            return None
        info = self._zeroconf.get_service_info(self._kind, name, _RESOLVE_MS)
        if info is None or info.port is None:
            return None
        hosts = tuple(_named_zone(host) for host in info.parsed_scoped_addresses())
        return Told(info.properties, info.port, hosts[:_MOST_HOSTS])

    def close(self) -> None:
        """Say good-bye and stop."""
        zeroconf, self._zeroconf = self._zeroconf, None
        browser, self._browser = self._browser, None
        self._info = None
        self._on = ()
        if browser is not None:
            # It is a thread of its own, which the library leaves waiting for ever.
            browser.cancel()
        if zeroconf is not None:
            zeroconf.close()


def _speaks_v6(interface: Interface) -> bool:
    """Loopback needs IPv6 only where it has nothing else."""
    six = any(":" in host for host in interface.addresses)
    return six and (interface.kind is not Kind.LOOPBACK or not any(":" not in host for host in interface.addresses))


def _version(choice: list[str | int]) -> IPVersion:
    """A system without IPv6 cannot even open a socket for it."""
    from zeroconf import IPVersion  # noqa: PLC0415 - as above

    four = any(isinstance(each, str) for each in choice)
    six = any(isinstance(each, int) for each in choice)
    return IPVersion.All if four and six else IPVersion.V6Only if six else IPVersion.V4Only


def announced_hosts(interfaces: tuple[Interface, ...]) -> tuple[str, ...]:
    """The addresses to announce: loopback's only where there is nothing else, for others would reach themselves."""
    hosts = [host for host, _tier in ranked_hosts(interfaces)]
    outer = [host for host in hosts if not ipaddress.ip_address(host).is_loopback]
    return tuple((outer or hosts)[:_MOST_HOSTS])


def _named_zone(host: str) -> str:
    """A link-local address with the name of its interface, as people know it, instead of the number."""
    bare, percent, zone = host.partition("%")
    if percent and zone.isdigit():
        with suppress(OSError):
            return f"{bare}%{socket.if_indextoname(int(zone))}"
    return host


async def tried(work: Callable[[], None], limiter: trio.CapacityLimiter | None = None) -> None:
    """In a thread; what goes wrong with multicast is never the end of a game, and may be over in a second."""
    try:
        await trio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=limiter)
    except Exception as wrong:  # noqa: BLE001 - the library raises whatever its sockets and its threads do
        log.warning("discovery: %r", wrong)
