"""A learning switch in user space: every frame between hosts may be delayed, lost, doubled, overtaken or cut off.

A process of its own with a TAP interface in each namespace. Faults come from one seed, orders as JSON lines.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import heapq
import json
import os
import random
import selectors
import struct
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

_TUNSETIFF: Final = 0x400454CA
_TAP_WITHOUT_HEADER: Final = 0x0002 | 0x1000
_CLONE_NEWNET: Final = 0x40000000
_BURST: Final = 64
"""Frames read from one interface before the others have their turn."""
_LONGEST_FRAME: Final = 65_536
_GROUP: Final = 0x01
"""The bit of a destination's first byte that means more than one receiver."""
_ORDERS: Final = -1
_PROTOCOL_V4: Final = 14 + 9
_PROTOCOL_V6: Final = 14 + 6
_AFTER_V6: Final = 14 + 40
"""Where these stand in a frame whose IPv6 packet has no extension headers."""


def aimed_at(frame: bytes) -> tuple[int, int] | None:
    """The protocol (6: TCP, 17: UDP) and the port that a frame is for; None for what has none."""
    kind = frame[12:14]
    if kind == b"\x08\x00" and len(frame) > _PROTOCOL_V4:
        protocol, at = frame[_PROTOCOL_V4], 14 + 4 * (frame[14] & 0x0F)
    elif kind == b"\x86\xdd" and len(frame) > _AFTER_V6:
        protocol, at = frame[_PROTOCOL_V6], _AFTER_V6
    else:
        return None
    return (protocol, int.from_bytes(frame[at + 2 : at + 4], "big")) if protocol in (6, 17) else None


@dataclass(frozen=True, slots=True)
class Faults:
    """What befalls each copy of a frame: seconds, and probabilities."""

    delay_s: float = 0.0
    jitter_s: float = 0.0
    loss: float = 0.0
    dup: float = 0.0
    reorder: float = 0.0


@dataclass(slots=True)
class Counted:
    """What happened so far, in frames."""

    carried: int = 0
    lost: int = 0
    doubled: int = 0
    overtook: int = 0
    cut: int = 0


@dataclass(slots=True)
class Switch:
    """Ports are the numbers of hosts; `cut` holds (from, to) pairs between which nothing passes.

    `dropped` holds (to, protocol, port): what a firewall in front of a host would not let in.
    """

    taps: dict[int, int]
    luck: random.Random
    faults: Faults = field(default_factory=Faults)
    cut: frozenset[tuple[int, int]] = frozenset()
    dropped: frozenset[tuple[int, int, int]] = frozenset()
    counted: Counted = field(default_factory=Counted)
    _seen: dict[bytes, int] = field(default_factory=dict)
    _flying: list[tuple[float, int, int, bytes]] = field(default_factory=list)
    _number: int = 0

    def run(self) -> None:
        """Carry frames and obey until standard input ends."""
        chosen = selectors.DefaultSelector()
        for port, tap in self.taps.items():
            chosen.register(tap, selectors.EVENT_READ, port)
        chosen.register(sys.stdin.fileno(), selectors.EVENT_READ, _ORDERS)
        _say({"ready": True})
        while True:
            self._land()
            wait_s = max(0.0, self._flying[0][0] - time.monotonic()) if self._flying else None
            for key, _ in chosen.select(wait_s):
                if key.data != _ORDERS:
                    self._read(key.data)
                elif not self._obey(sys.stdin.readline()):
                    return

    def _land(self) -> None:
        while self._flying and self._flying[0][0] <= time.monotonic():
            _, _, port, frame = heapq.heappop(self._flying)
            try:
                os.write(self.taps[port], frame)
            except OSError as wrong:
                # The interface is down, or its queue is full: a cable loses frames too.
                if wrong.errno not in (errno.EIO, errno.EAGAIN, errno.ENOBUFS):
                    raise

    def _read(self, port: int) -> None:
        for _ in range(_BURST):
            try:
                frame = os.read(self.taps[port], _LONGEST_FRAME)
            except OSError:
                return
            self._seen[frame[6:12]] = port
            known = None if frame[0] & _GROUP else self._seen.get(frame[:6])
            for to in self.taps if known is None else (known,):
                if to != port:
                    self._carry(port, to, frame)

    def _carry(self, port: int, to: int, frame: bytes) -> None:
        self.counted.carried += 1
        aimed = aimed_at(frame) if self.dropped else None
        if (port, to) in self.cut or (aimed is not None and (to, *aimed) in self.dropped):
            self.counted.cut += 1
            return
        if self.luck.random() < self.faults.loss:
            self.counted.lost += 1
            return
        copies = 1 + (self.luck.random() < self.faults.dup)
        self.counted.doubled += copies - 1
        for _ in range(copies):
            late_s = self.faults.delay_s + self.luck.uniform(-1, 1) * self.faults.jitter_s
            if self.luck.random() < self.faults.reorder:
                late_s = 0.0
                self.counted.overtook += 1
            self._number += 1
            heapq.heappush(self._flying, (time.monotonic() + max(late_s, 0.0), self._number, to, frame))

    def _obey(self, line: str) -> bool:
        if not line:
            return False
        order = json.loads(line)
        if "faults" in order:
            self.faults = replace(Faults(), **order["faults"])
        if "cut" in order:
            self.cut = frozenset((one, other) for one, other in order["cut"])
        if "dropped" in order:
            self.dropped = frozenset((to, protocol, port) for to, protocol, port in order["dropped"])
        counted = self.counted
        _say({name: getattr(counted, name) for name in Counted.__slots__})
        return True


def _say(what: dict[str, object]) -> None:
    print(json.dumps(what), flush=True)


def namespaces() -> Path:
    """Where `ip netns` keeps them: it depends on who built it."""
    found = (Path("/run/netns"), Path("/var/run/netns"))
    return next((folder for folder in found if folder.is_dir()), found[0])


def open_tap(namespace: str, name: str) -> int:
    """A TAP interface in a named network namespace; its descriptor works from anywhere."""
    libc = ctypes.CDLL(None, use_errno=True)
    there = os.open(namespaces() / namespace, os.O_RDONLY)
    try:
        if libc.setns(there, _CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"cannot enter the namespace {namespace}")
    finally:
        os.close(there)
    tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tap, _TUNSETIFF, struct.pack("16sH22x", name.encode(), _TAP_WITHOUT_HEADER))
    return tap


def main(words: list[str]) -> None:
    """`SEED NAMESPACE...`: host number n lives in the n-th namespace."""
    seed, *hosts = words
    taps = {port: open_tap(host, "eth0") for port, host in enumerate(hosts)}
    Switch(taps, random.Random(int(seed))).run()


if __name__ == "__main__":
    main(sys.argv[1:])
