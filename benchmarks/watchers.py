"""What eight watchers cost a game who ask for its steps again and again, as fast as a link may.

`python -m benchmarks.watchers [--folder DIR] [--rounds N] [--think-ms T] [--json]`
Games of four real peers, as in step.py, alternate: one without watchers, one with eight at the host, in a process of
their own that is no honest client: each asks for the first sixteen steps whenever its budget at the host allows it.
The ratio of the two medians means something whatever else the machine does.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

import trio

from benchmarks.machine import machine, machine_line
from benchmarks.peers import Plan, play
from benchmarks.step import SEATS, Times, steps_of, times_of
from sorry_lan.fair.engine import engine_digest
from sorry_lan.faults import RemoteFault
from sorry_lan.net.dial import Unreached, connect_any, secure
from sorry_lan.net.handshake import Call, Introduction, LinkLost, SetupRefused, greet
from sorry_lan.net.tls import client_context
from sorry_lan.net.where import Address
from sorry_lan.rules.profile import Rules
from sorry_lan.wire import limits
from sorry_lan.wire.codec import decode_message, encode_message
from sorry_lan.wire.keys import SecretKey
from sorry_lan.wire.messages import Intent, Ping, Status, StepRecord, Want

MOST_RATIO: Final = 1.2
_PAUSE_S: Final = limits.MAX_WANT / limits.ENTRY_REFILL_PER_S
"""Between two WANTs of sixteen steps a budget is full enough for the next."""
_CONNECT_S: Final = 10.0
_EVERY_S: Final = 0.5


@dataclass
class Flood:
    """What the watchers have done so far."""

    linked: int = 0
    wants: int = 0
    records: int = 0
    lost: int = 0


async def _watch(number: int, port: int, code: str, engine: bytes, flood: Flood) -> None:
    """One watcher; whenever it is shown out it comes again."""
    me = Introduction(SecretKey(os.urandom(32)), f"Watcher {number}", "flood", os.urandom(16), 1, engine, None)
    # The host takes two codes a second.
    await trio.sleep(number / limits.PAKE_PER_S)
    while True:
        try:
            await _asking(me, Address("127.0.0.1", port), code, flood)
        except* (LinkLost, RemoteFault, SetupRefused):
            flood.lost += 1
        except* Unreached:
            # The game is over, and its host gone.
            pass
        await trio.sleep(_EVERY_S)


async def _asking(me: Introduction, address: Address, code: str, flood: Flood) -> None:
    """Ask for the first steps as long as the link lasts; raises what ends it."""
    wire = await secure(await connect_any((address,), _CONNECT_S), client_context())
    await greet(wire, me, Call(Intent.WATCH, None, code, None, str(address), os.urandom(32)))
    wire.trust()
    flood.linked += 1
    game: list[bytes] = []

    async def ask() -> None:
        while True:
            flood.wants += bool(game)
            await wire.send(encode_message(Want(game[0], 0, limits.MAX_WANT) if game else Ping(0)))
            await trio.sleep(_PAUSE_S)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        while True:
            payload = await wire.receive()
            # Steps are not even looked at: what this process costs is not what is measured.
            flood.records += payload[1] == StepRecord.TYPE
            message = decode_message(payload) if payload[1] == Status.TYPE else None
            if isinstance(message, Status):
                game[:] = [message.game]


async def _flood(port: int, code: str) -> None:
    flood, engine = Flood(), engine_digest()
    async with trio.open_nursery() as nursery:
        for number in range(limits.MAX_WATCHERS):
            nursery.start_soon(_watch, number, port, code, engine, flood)
        while True:
            print(json.dumps(asdict(flood)), flush=True)
            await trio.sleep(_EVERY_S)


class Flooding:
    """The watchers' process, once there is a table; `last` is what it said last."""

    def __init__(self) -> None:
        self.last = Flood()
        self._process: subprocess.Popen[str] | None = None

    def begin(self, port: int, code: str) -> None:
        """Start it, and wait until all watch."""
        command = [sys.executable, "-m", "benchmarks.watchers", "--flood", str(port), code]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        while self.last.linked < limits.MAX_WATCHERS:
            self._read()
            if time.monotonic() > deadline:
                raise SystemExit(f"only {self.last.linked} watchers came in")

    def end(self) -> None:
        """Stop it and take its last word."""
        if self._process is not None:
            self._process.kill()
            with suppress(EOFError):
                while True:
                    self._read()
            self._process.wait()

    def _read(self) -> None:
        line = self._process.stdout.readline() if self._process and self._process.stdout else ""
        if not line.endswith("\n"):
            raise EOFError
        self.last = Flood(**json.loads(line))


@contextmanager
def flooding() -> Iterator[Flooding]:
    """Watchers that are gone afterwards."""
    watchers = Flooding()
    try:
        yield watchers
    finally:
        watchers.end()


@dataclass(frozen=True)
class Result:
    calm: Times
    flooded: Times
    ratio: float
    floods: list[Flood] = field(default_factory=list)


def measure(folder: Path, plan: Plan, rounds: int) -> Result:
    calm: list[float] = []
    flooded: list[float] = []
    floods = []
    for number in range(rounds):
        with tempfile.TemporaryDirectory(dir=folder) as inner:
            calm += steps_of([peer.games[0] for peer in play(Path(inner), plan, lambda _line: None)])
        with tempfile.TemporaryDirectory(dir=folder) as inner, flooding() as watchers:
            peers = play(Path(inner), plan, lambda _line: None, watchers.begin)
            flooded += steps_of([peer.games[0] for peer in peers])
        floods.append(watchers.last)
        print(f"round {number + 1} of {rounds}: {watchers.last}", file=sys.stderr)
    ratio = statistics.median(flooded) / statistics.median(calm)
    return Result(times_of(calm), times_of(flooded), round(ratio, 2), floods)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.watchers", description="What watchers cost a game.")
    parser.add_argument("--folder", type=Path, help="a folder on the disk to be measured (default: a temporary one)")
    parser.add_argument("--rounds", type=int, default=3, help="games without and with watchers (default 3 each)")
    parser.add_argument("--think-ms", type=float, default=20.0, help="how long a person thinks (default 20)")
    parser.add_argument("--pawns", type=int, default=Rules().pawns, help="of each seat; fewer make shorter games")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    parser.add_argument("--flood", nargs=2, metavar=("PORT", "CODE"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.flood:
        trio.run(_flood, int(args.flood[0]), args.flood[1])
    with tempfile.TemporaryDirectory(dir=args.folder or Path(tempfile.gettempdir())) as name:
        folder = Path(name)
        result = measure(folder, Plan(1, args.think_ms, args.pawns, SEATS), args.rounds)
        if args.json:
            print(json.dumps({"machine": machine(folder), **asdict(result)}))
        else:
            print(machine_line(folder))
            for what, times in (("without watchers", result.calm), ("with eight that flood", result.flooded)):
                print(f"one step {what:24}{times.median:9.2f}{times.p90:9.2f}   ms ({times.count} steps)")
            print(f"ratio {result.ratio:.2f} (aim: at most {MOST_RATIO})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
