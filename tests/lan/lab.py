"""A LAN on one computer: hosts in network namespaces, joined by the switch of switch.py. Linux, as root.

Knows nothing of the game. Everything it makes carries the number of this process, and is removed again.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tests.lan.switch import Faults, namespaces

_PREFIX: Final = "sorry-lan-lab"
_IP: Final = shutil.which("ip", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
_ROOT: Final = Path(__file__).parents[2]
_ANSWER_S: Final = 10.0


def why_not() -> str | None:
    """Why there can be no lab here, None where there can."""
    if not sys.platform.startswith("linux"):
        return "network namespaces exist on Linux only"
    if os.geteuid() != 0:
        return "making network namespaces needs root"
    if _IP is None:
        return "the ip command (iproute2) is missing"
    if not Path("/dev/net/tun").exists():
        return "/dev/net/tun is missing"
    name = f"{_PREFIX}-{os.getpid()}-{uuid.uuid4().hex[:6]}"
    try:
        ip("netns", "add", name)
    except LabFailed as wrong:
        return f"network namespaces are not allowed here: {wrong}"
    try:
        # Both may be forbidden where the first is not.
        ip("netns", "exec", name, "true")
        ip("-n", name, "tuntap", "add", "dev", "eth0", "mode", "tap")
    except LabFailed as wrong:
        return f"network namespaces or TAP interfaces are not allowed here: {wrong}"
    finally:
        ip("netns", "del", name)
    return None


class LabFailed(Exception):  # noqa: N818 - says what is the case
    """The lab could not be built or obeyed."""


def ip(*words: str) -> None:
    """One `ip` command; LabFailed with what it complained of."""
    done = subprocess.run((_IP or "ip", *words), capture_output=True, text=True, timeout=20, check=False)
    if done.returncode:
        raise LabFailed(f"ip {' '.join(words)}: {done.stderr.strip()}")


class Lab:
    """`count` hosts, numbered from 0; host n has 10.77.0.n+1, fd77::n+1 and fe80::n+1, as far as `families` allow."""

    def __init__(self, count: int, seed: int = 1, families: tuple[int, ...] = (4, 6)) -> None:
        self.count = count
        self._families = families
        self._seed = seed
        mark = f"{_PREFIX}-{os.getpid()}-{uuid.uuid4().hex[:6]}"
        self.names = tuple(f"{mark}-{number}" for number in range(count))
        self._made: list[str] = []
        self._switch: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        _sweep()
        try:
            self._build()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _build(self) -> None:
        for name in self.names:
            ip("netns", "add", name)
            self._made.append(name)
        words = (sys.executable, "-m", "tests.lan.switch", str(self._seed), *self.names)
        self._switch = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=_ROOT)
        if "ready" not in self._answer():
            raise LabFailed("the switch did not start")
        for number, name in enumerate(self.names):
            # Nothing but what is set here: an address of the kernel's own would be one that no test knows.
            ip("-n", name, "link", "set", "eth0", "addrgenmode", "none")
            if 4 in self._families:
                ip("-n", name, "addr", "add", f"{self.v4(number)}/24", "dev", "eth0")
            if 6 in self._families:
                for address in (self.v6(number), self.link_local(number)):
                    ip("-n", name, "addr", "add", f"{address}/64", "dev", "eth0", "nodad")
            ip("-n", name, "link", "set", "lo", "up")
            ip("-n", name, "link", "set", "eth0", "up")

    def v4(self, host: int) -> str:
        """A host's IPv4 address."""
        return f"10.77.0.{host + 1}"

    def v6(self, host: int) -> str:
        """A host's IPv6 address, valid everywhere in the lab."""
        return f"fd77::{host + 1}"

    def link_local(self, host: int) -> str:
        """A host's link-local IPv6 address; whoever calls it adds %eth0."""
        return f"fe80::{host + 1}"

    def inside(self, host: int) -> tuple[str, ...]:
        """The words that make a command run on a host; it keeps the process id."""
        return (_IP or "ip", "netns", "exec", self.names[host])

    def faults(self, faults: Faults) -> None:
        """From now on these befall every frame."""
        self._order({"faults": asdict(faults)})

    def cut(self, pairs: Iterable[tuple[int, int]]) -> None:
        """From now on nothing passes from the first to the second host of exactly these pairs; nobody is told."""
        self._order({"cut": [list(pair) for pair in pairs]})

    def drop(self, *aims: tuple[int, int, int]) -> None:
        """From now on exactly these (host, protocol, port) get no packet, as behind a firewall; nobody is told."""
        self._order({"dropped": [list(aim) for aim in aims]})

    def isolate(self, *hosts: int) -> None:
        """Cut these hosts off from all others, silently and both ways; among themselves they stay connected."""
        rest = [host for host in range(self.count) if host not in hosts]
        self.cut([pair for one in hosts for other in rest for pair in ((one, other), (other, one))])

    def plug(self, host: int, state: str) -> None:
        """Set a host's own interface `up` or `down`; going down takes its IPv6 addresses with it."""
        ip("-n", self.names[host], "link", "set", "eth0", state)

    def move(self, host: int) -> None:
        """Give a host another IPv4 address, as another network or a lease that ended would; the old one is gone."""
        name, old = self.names[host], self.v4(host)
        ip("-n", name, "addr", "del", f"{old}/24", "dev", "eth0")
        ip("-n", name, "addr", "add", f"10.77.0.{host + 101}/24", "dev", "eth0")

    def counted(self) -> dict[str, int]:
        """Frames carried, lost, doubled, overtook and cut so far."""
        return self._order({})

    def _order(self, order: dict[str, object]) -> dict[str, int]:
        if self._switch is None or self._switch.stdin is None:
            raise LabFailed("there is no switch")
        self._switch.stdin.write(json.dumps(order) + "\n")
        self._switch.stdin.flush()
        return self._answer()

    def _answer(self) -> dict[str, int]:
        if self._switch is None or self._switch.stdout is None:
            raise LabFailed("there is no switch")
        line = self._switch.stdout.readline()
        if not line:
            raise LabFailed("the switch has stopped")
        found: dict[str, int] = json.loads(line)
        return found

    def close(self) -> None:
        """Remove everything; may be called again."""
        switch, self._switch = self._switch, None
        if switch is not None and switch.stdin is not None and switch.stdout is not None:
            switch.stdin.close()
            try:
                switch.wait(_ANSWER_S)
            except subprocess.TimeoutExpired:
                switch.kill()
                switch.wait()
            switch.stdout.close()
        while self._made:
            ip("netns", "del", self._made.pop())


def leftovers() -> tuple[str, ...]:
    """Namespaces of this process that are still there."""
    return tuple(sorted(path.name for path in namespaces().glob(f"{_PREFIX}-{os.getpid()}-*")))


def _sweep() -> None:
    """Remove what a lab left whose process was killed."""
    for path in namespaces().glob(f"{_PREFIX}-*"):
        owner = re.match(rf"{_PREFIX}-(\d+)-", path.name)
        if owner is not None and not Path("/proc", owner.group(1)).exists():
            with suppress(LabFailed):
                ip("netns", "del", path.name)
