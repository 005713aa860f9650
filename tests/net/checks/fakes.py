"""A computer made of answers: every check of the doctor looks at this instead of the real one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import trio

from sorry_lan.net.checks.probe import Echoes, Firewall, Knock, Met, Neighbour, Reply, Way
from sorry_lan.net.interfaces import Interface, Kind
from sorry_lan.table.diagnosis import Found, System

LO = Interface("lo", 1, Kind.LOOPBACK, ("127.0.0.1", "::1"))
ETH = Interface("eth0", 2, Kind.LAN, ("192.168.1.23", "fe80::23"))
TUN = Interface("tun0", 3, Kind.VPN, ("10.8.0.2",))
DOCKER = Interface("docker0", 4, Kind.VIRTUAL, ("172.17.0.1",))
BY_ETH = Way("192.168.1.23", "eth0", Kind.LAN, None)
BY_TUN = Way("10.8.0.2", "tun0", Kind.VPN, None)
QUICK = Reply(Knock.OPEN, 0.004)
UNANSWERED = Reply(Knock.SILENT, 2.9)
WELCOME = Met(Found.MEETS)
ECHO = Echoes(back=("eth0 IPv4",))
NEVER_S = 1000.0


@dataclass
class FakeProbe:
    """Answers as told; times are virtual seconds until an answer comes."""

    system: System = System.LINUX
    wsl: bool = False
    up: tuple[Interface, ...] = (LO, ETH)
    ways: Mapping[str, Way | None] = field(default_factory=dict)
    default: Way | None = BY_ETH
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    name_s: float = 0.0
    replies: Mapping[str, Reply] = field(default_factory=dict)
    reply: Reply = QUICK
    other: Reply = UNANSWERED
    near: Neighbour = Neighbour.UNKNOWN
    met: Met = WELCOME
    met_s: float = 0.0
    ready_s: float = 0.0
    guards: tuple[Firewall, ...] = ()
    echo: Echoes = ECHO
    echo_s: float = 3.0
    slept_s: list[float | None] = field(default_factory=lambda: [0.0, 0.0])
    fails: frozenset[str] = frozenset()
    knocked: list[tuple[str, int]] = field(default_factory=list)

    def _may_fail(self, what: str) -> None:
        if what in self.fails:
            raise ZeroDivisionError(what)

    async def interfaces(self) -> tuple[Interface, ...]:
        return self.up

    async def way(self, host: str) -> Way | None:
        self._may_fail("way")
        return self.ways.get(host, self.default)

    async def resolve(self, name: str) -> tuple[str, ...]:
        await trio.sleep(self.name_s)
        return self.names.get(name, ())

    async def knock(self, host: str, port: int, limit_s: float) -> Reply:
        self.knocked.append((host, port))
        reply = self.other if port == 9 else self.replies.get(host, self.reply)
        await trio.sleep(min(reply.after_s, limit_s))
        return reply

    async def neighbour(self, host: str) -> Neighbour:
        _unused = host
        return self.near

    async def ready(self) -> None:
        await trio.sleep(self.ready_s)

    async def meet(self, host: str, port: int) -> Met:
        _unused = host, port
        await trio.sleep(self.met_s)
        return self.met

    async def firewalls(self) -> tuple[Firewall, ...]:
        self._may_fail("firewalls")
        return self.guards

    async def echoes(self, interfaces: tuple[Interface, ...]) -> Echoes:
        _unused = interfaces
        await trio.sleep(self.echo_s)
        return self.echo

    def asleep_s(self) -> float | None:
        return self.slept_s.pop(0)
