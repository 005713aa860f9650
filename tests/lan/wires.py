"""Hosts with as many cables as a scenario wants: network namespaces joined by pairs of virtual cards. Linux, as root.

Beside lab.py, whose hosts have one card each on a switch that loses frames.
"""

from __future__ import annotations

import os
import sys
import uuid
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from tests.lan.lab import _IP, LabFailed, ip

_PREFIX: Final = "sorry-lan-lab"


class Wires:
    """Namespaces by short names; loopback is up in each."""

    def __init__(self, *names: str) -> None:
        mark = f"{_PREFIX}-{os.getpid()}-{uuid.uuid4().hex[:6]}"
        self._full = {name: f"{mark}-{name}" for name in names}
        self._made: list[str] = []

    def __enter__(self) -> Self:
        try:
            for full in self._full.values():
                ip("netns", "add", full)
                self._made.append(full)
                ip("-n", full, "link", "set", "lo", "up")
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Remove everything."""
        while self._made:
            with suppress(LabFailed):
                ip("netns", "del", self._made.pop())

    def cable(self, one: str, one_card: str, other: str, other_card: str) -> None:
        """A cable between two hosts, plugged into these cards; down until `up`."""
        # Both ends get names of their own first: the two hosts may call their cards alike.
        left, right = f"v{uuid.uuid4().hex[:8]}", f"v{uuid.uuid4().hex[:8]}"
        ip("link", "add", left, "type", "veth", "peer", "name", right)
        for host, card, end in ((one, one_card, left), (other, other_card, right)):
            ip("link", "set", end, "netns", self._full[host])
            self.do(host, "link", "set", end, "name", card)
            self.do(host, "link", "set", card, "addrgenmode", "none")

    def up(self, host: str, card: str, *addresses: str) -> None:
        """Give a card these addresses ("10.0.0.1/24") and switch it on."""
        for address in addresses:
            extra = ("nodad",) if ":" in address else ()
            self.do(host, "addr", "add", address, "dev", card, *extra)
        self.do(host, "link", "set", card, "up")

    def do(self, host: str, *words: str) -> None:
        """One `ip` command on a host."""
        ip("-n", self._full[host], *words)

    def inside(self, host: str) -> tuple[str, ...]:
        """The words that make a command run on a host."""
        return (_IP or "ip", "netns", "exec", self._full[host])


def program() -> tuple[str, ...]:
    """The words that start sorry-lan."""
    return (sys.executable, "-m", "sorry_lan")
