"""What a step cannot be faster than: its disk, its wire and its signatures, with nothing else around them.

Two answers in the same conditions as the game beside them. `parts` measures each thing by itself and adds them up as
they follow one another on the critical path. `together` lets four bare processes do it all at once: no trio, no tables,
no codec, only blocking TLS sockets, append and fsync, sign and verify, in the order of a step.
"""

from __future__ import annotations

import os
import selectors
import socket
import ssl
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from sorry_lan.net.tls import client_context, fresh_credentials
from sorry_lan.wire.keys import NO_GAME, Context, SecretKey, verify

SIZES: Final = {"move": 188, "ack": 150, "reveal": 148}
"""Bytes of a frame, and about those of a journal record, by kind of entry."""
RECORD_BYTES: Final = 1_150
"""A finished step's record, which lies in the journal before the next share does."""
_HEAD: Final = 2
_SIG: Final = 64


@dataclass(frozen=True)
class Parts:
    """Medians in ms; `*_all` is the slowest of those that must all be done: 3 acknowledge, 4 reveal."""

    delay: float
    fsync_one: float
    fsync_three: float
    fsync_four: float
    sign: float
    verify: float

    @property
    def total(self) -> float:
        """Three delays; one MOVE, three ACKs at once, four REVEALs at once; 3 signatures, 1 + 3 + 3 checks."""
        return 3 * self.delay + self.fsync_one + self.fsync_three + self.fsync_four + 3 * self.sign + 7 * self.verify

    @property
    def alone(self) -> float:
        """The same with a disk that nobody else syncs at that moment."""
        return 3 * (self.delay + self.fsync_one) + 3 * self.sign + 7 * self.verify


def measure_parts(folder: Path, rounds: int) -> Parts:
    key = SecretKey(bytes(range(32)))
    body = bytes(76)
    sig = key.sign(Context.ENTRY, NO_GAME, body)
    return Parts(
        delay=_delay_ms(rounds * 5),
        fsync_one=_fsync_ms(folder, 1, rounds, SIZES["move"]),
        fsync_three=_fsync_ms(folder, 3, rounds, SIZES["ack"]),
        fsync_four=_fsync_ms(folder, 4, rounds, RECORD_BYTES + SIZES["reveal"]),
        sign=_median_ms(lambda: key.sign(Context.ENTRY, NO_GAME, body), rounds * 5),
        verify=_median_ms(lambda: verify(key.public, Context.ENTRY, NO_GAME, body, sig), rounds * 5),
    )


def _median_ms(act: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        began = time.monotonic_ns()
        act()
        times.append(time.monotonic_ns() - began)
    return statistics.median(times) / 1e6


# -- a bare wire ---------------------------------------------------------------------------------------------------


def _listen() -> tuple[socket.socket, int]:
    listener = socket.create_server(("127.0.0.1", 0))
    return listener, listener.getsockname()[1]


def _accept(listener: socket.socket, context: ssl.SSLContext) -> ssl.SSLSocket:
    raw, _ = listener.accept()
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return context.wrap_socket(raw, server_side=True)


def _call(port: int) -> ssl.SSLSocket:
    raw = socket.create_connection(("127.0.0.1", port))
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return client_context().wrap_socket(raw)


def _echo(port: int) -> None:
    wire = _call(port)
    while data := wire.recv(65_536):
        wire.sendall(data)


def _delay_ms(rounds: int) -> float:
    """Half a round trip of one entry between two processes."""
    with tempfile.TemporaryDirectory() as folder:
        credentials = fresh_credentials(Path(folder))
    listener, port = _listen()
    process = get_context("fork").Process(target=_echo, args=(port,), daemon=True)
    process.start()
    wire = _accept(listener, credentials.context)

    def trip() -> None:
        wire.sendall(bytes(SIZES["ack"]))
        got = 0
        while got < SIZES["ack"]:
            got += len(wire.recv(65_536))

    try:
        return _median_ms(trip, rounds) / 2
    finally:
        wire.close()
        listener.close()
        process.join(5)


# -- a bare disk ---------------------------------------------------------------------------------------------------


def _sync_when_told(folder: str, size: int, pipe: Connection) -> None:
    descriptor = os.open(Path(folder) / f"floor.{os.getpid()}", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    while pipe.recv():
        os.write(descriptor, bytes(size))
        os.fsync(descriptor)
        pipe.send(time.monotonic_ns())


def _fsync_ms(folder: Path, writers: int, rounds: int, size: int) -> float:
    """From the word go until the slowest of `writers` processes has appended and synced `size` bytes."""
    context = get_context("fork")
    pipes, processes = [], []
    for _ in range(writers):
        ours, theirs = context.Pipe()
        process = context.Process(target=_sync_when_told, args=(str(folder), size, theirs), daemon=True)
        process.start()
        pipes.append(ours)
        processes.append(process)
    times = []
    for _ in range(rounds):
        began = time.monotonic_ns()
        for pipe in pipes:
            pipe.send(1)
        times.append(max([pipe.recv() for pipe in pipes]) - began)
        time.sleep(0.002)
    for pipe, process in zip(pipes, processes, strict=True):
        pipe.send(0)
        process.join(5)
    return statistics.median(times) / 1e6


# -- all of it at once ---------------------------------------------------------------------------------------------


class Bare:
    """One of the bare processes: wires to all others, one file, one key."""

    def __init__(self, seat: int, seats: int, folder: str, pipe: Connection) -> None:
        self._seat = seat
        self._pipe = pipe
        self._keys = [SecretKey(bytes([each + 1]) * 32) for each in range(seats)]
        self._file = os.open(Path(folder) / f"bare.{seat}", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        credentials = fresh_credentials(Path(folder))
        listener, port = _listen()
        pipe.send(port)
        ports = pipe.recv()
        by_seat = {}
        for other in range(seat):
            by_seat[other] = _call(ports[other])
            by_seat[other].sendall(bytes([seat]))
        for _ in range(seats - seat - 1):
            wire = _accept(listener, credentials.context)
            by_seat[wire.recv(1)[0]] = wire
        self._ready = selectors.DefaultSelector()
        self._buffers: dict[int, bytes] = {}
        for other, wire in by_seat.items():
            self._ready.register(wire, selectors.EVENT_READ, other)
            self._buffers[other] = b""
        self._wires = list(by_seat.values())
        self._heard: dict[tuple[str, int], int] = {}

    def run(self) -> None:
        self._pipe.send("ready")
        while (k := self._pipe.recv()) >= 0:
            self._step(k)
            self._pipe.send(time.monotonic_ns())

    def _step(self, k: int) -> None:
        seats = len(self._keys)
        mover, mine = k % seats, self._seat
        if mine == mover:
            self._say("move", bytes(SIZES["move"]), b"")
        else:
            self._await({("move", mover)})
            self._say("ack", bytes(SIZES["ack"]), b"")
        self._await({("ack", seat) for seat in range(seats) if seat not in (mover, mine)})
        self._say("reveal", bytes(SIZES["reveal"]), bytes(RECORD_BYTES))
        self._await({("reveal", seat) for seat in range(seats) if seat != mine})

    def _say(self, kind: str, entry: bytes, record: bytes) -> None:
        body = bytes([len(kind)]) * (len(entry) - _HEAD - _SIG)
        frame = len(entry).to_bytes(_HEAD, "big") + body + self._keys[self._seat].sign(Context.ENTRY, NO_GAME, body)
        os.write(self._file, record + frame)
        os.fsync(self._file)
        for wire in self._wires:
            wire.sendall(frame)

    def _await(self, due: set[tuple[str, int]]) -> None:
        while not all(self._heard.get(each) for each in due):
            for key, _ in self._ready.select():
                self._hear(int(key.data), key.fileobj)  # type: ignore[arg-type]
        for each in due:
            self._heard[each] -= 1

    def _hear(self, seat: int, wire: ssl.SSLSocket) -> None:
        data = self._buffers[seat] + wire.recv(65_536)
        while len(data) > _HEAD:
            size = int.from_bytes(data[:_HEAD], "big")
            if len(data) < size:
                break
            body, sig, data = data[_HEAD : size - _SIG], data[size - _SIG : size], data[size:]
            if not verify(self._keys[seat].public, Context.ENTRY, NO_GAME, body, sig):
                raise SystemExit("the floor is broken")
            kind = {len(name): name for name in SIZES}[body[0]]
            self._heard[kind, seat] = self._heard.get((kind, seat), 0) + 1
        self._buffers[seat] = data


def _bare(seat: int, seats: int, folder: str, pipe: Connection) -> None:
    Bare(seat, seats, folder, pipe).run()


def measure_together(folder: Path, seats: int, rounds: int, think_ms: float) -> list[float]:
    """Times in ms of bare steps, from the mover's decision to the last process that has all it needs."""
    context = get_context("fork")
    pipes, processes = [], []
    for seat in range(seats):
        ours, theirs = context.Pipe()
        process = context.Process(target=_bare, args=(seat, seats, str(folder), theirs), daemon=True)
        process.start()
        pipes.append(ours)
        processes.append(process)
    ports = [pipe.recv() for pipe in pipes]
    for pipe in pipes:
        pipe.send(ports)
    for pipe in pipes:
        pipe.recv()
    times = []
    for k in range(rounds):
        time.sleep(think_ms / 1000)
        mover = k % seats
        for seat in range(seats):
            if seat != mover:
                pipes[seat].send(k)
        began = time.monotonic_ns()
        pipes[mover].send(k)
        times.append((max([pipe.recv() for pipe in pipes]) - began) / 1e6)
    for pipe, process in zip(pipes, processes, strict=True):
        pipe.send(-1)
        process.join(5)
    return times
