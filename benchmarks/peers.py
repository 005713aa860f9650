"""Real peers for the benchmarks: each a process with links, journal and identity, and a face that notes times.

Started by step.py and memory.py; by itself this module is one such process.
The face answers each question as a person would who needs `think_ms` for it.
Nothing of the program is changed; bytes are counted where links take payloads and where the system counts them.
"""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, Final

import trio

from sorry_lan.app.wiring import Access, RunOptions, Sitting, play_table
from sorry_lan.faults import Err
from sorry_lan.net import link as net_link
from sorry_lan.net.frames import close_bounded
from sorry_lan.rules.profile import Rules
from sorry_lan.table.events import Happening, LeaveAsked, RematchAsked, SeatDecided
from sorry_lan.table.news import CardDrawn, News, Played
from sorry_lan.table.notices import Notice, Stopped, TableOpened
from sorry_lan.table.settings import Auto, ReadyWhen, Role
from sorry_lan.table.view import Ask, Phase, View
from sorry_lan.wire import messages
from sorry_lan.wire.terms import Option

NAMES: Final = ("Ada", "Bob", "Chloe", "Dan")
_U8: Final = 0xCC
_PARTING_S: Final = 20.0
_TYPES: Final = {each.TYPE: each.__name__ for each in messages.Message.__args__}
_TCP_INFO_BYTES: Final = struct.Struct("=QQII")
_TCP_INFO_AT: Final = 120
"""Where Linux keeps bytes acked, bytes received, segments out and in."""


@dataclass(frozen=True)
class Part:
    """What one peer is to do; `address` and `code` are the host's, for those who join."""

    name: str
    seat: int
    seats: int
    folder: str
    games: int
    think_ms: float
    pawns: int
    steps: int = 0
    break_every: int = 0
    address: str | None = None
    code: str | None = None


@dataclass
class Game:
    """One game as one peer saw it; times are CLOCK_MONOTONIC in ns, the same clock for all processes here."""

    known: dict[int, int] = field(default_factory=dict)
    """When the card of each step was known here."""
    decided: dict[int, int] = field(default_factory=dict)
    """When this peer's seat answered the card of each step."""
    forced: list[int] = field(default_factory=list)
    """Steps that were a pass without any choice: no person was asked."""
    steps: int = 0
    rss_kb: int = 0


class Counting:
    """Bytes that this process gives to each of its links."""

    def __init__(self) -> None:
        self.payloads: dict[int, Counter[str]] = {}
        self.frames: dict[int, Counter[str]] = {}
        self.sockets: list[dict[str, Any]] = []

    def start(self) -> None:
        """Look over the links' shoulder: every payload that is queued, and the system's count at the end."""
        queue = net_link.Link.send

        def send(link: net_link.Link, payload: bytes) -> None:
            # Types from 128 on take a byte more.
            name = _TYPES[payload[2] if payload[1] == _U8 else payload[1]]
            self.payloads.setdefault(link.id, Counter())[name] += len(payload)
            self.frames.setdefault(link.id, Counter())[name] += 1
            queue(link, payload)

        async def close(stream: trio.abc.Stream) -> None:
            self._note(stream)
            await close_bounded(stream)

        net_link.Link.send = send  # type: ignore[method-assign]
        net_link.close_bounded = close

    def _note(self, stream: trio.abc.Stream) -> None:
        if not isinstance(stream, trio.SSLStream) or not sys.platform.startswith("linux"):
            return
        sock = stream.transport_stream.socket
        try:
            ends = sorted((sock.getsockname()[1], sock.getpeername()[1]))
            info = sock.getsockopt(trio.socket.IPPROTO_TCP, trio.socket.TCP_INFO, 256)
        except OSError:
            return
        sent, received, out, into = _TCP_INFO_BYTES.unpack_from(info, _TCP_INFO_AT)
        self.sockets.append({"ends": ends, "sent": sent, "received": received, "segments": out + into})


class Breaker:
    """Cuts one of this process's links without a word, as a lost network does; the peers dial again by themselves."""

    def __init__(self, seat: int) -> None:
        self._links: dict[int, net_link.Link] = {}
        self._random = Random(seat)
        self.broken = 0

    def start(self) -> None:
        """Know the links that are alive."""
        run = net_link.Link.run

        async def known(link: net_link.Link, deliver: Callable[[bytes], Awaitable[None]]) -> Err | None:
            self._links[link.id] = link
            try:
                return await run(link, deliver)
            finally:
                del self._links[link.id]

        net_link.Link.run = known  # type: ignore[method-assign]

    def cut(self) -> None:
        """Cut one, whichever."""
        if not self._links:
            return
        stream = self._links[self._random.choice(sorted(self._links))]._wire.stream  # noqa: SLF001 - no other way to it
        if isinstance(stream, trio.SSLStream):
            with suppress(OSError):
                stream.transport_stream.socket.shutdown(trio.socket.SHUT_RDWR)
                self.broken += 1


class TimingFace:
    """A person in a hurry with a stop watch."""

    def __init__(self, part: Part, say: Callable[[object], None], breaker: Breaker) -> None:
        self._part = part
        self._breaker = breaker
        self._say = say
        self._random = Random(part.seat)
        self._tell: Callable[[Happening], None] | None = None
        self._asked = (b"", -1)
        self._later: list[SeatDecided] = []
        self._wake = trio.Event()
        self._ended = b""
        self._rematch = False
        self.games: list[Game] = [Game()]
        self.cpu_before_s = 0.0
        """Processor time until the first card: starting up and joining."""

    def show(self, view: View, news: tuple[News, ...]) -> None:
        now_ns = time.monotonic_ns()
        game = self.games[-1]
        for item in news:
            match item:
                case CardDrawn(k=k):
                    self.cpu_before_s = self.cpu_before_s or time.process_time()
                    game.known[k] = now_ns
                    self._break(k)
                case Played(k=k, forced=True):
                    game.forced.append(k)
                case _:
                    pass
        if view.game is None:
            return
        for prompt in view.prompts:
            key = (view.game.game_id, prompt.k)
            if prompt.ask is Ask.CHOOSE and prompt.card is not None and key != self._asked:
                self._asked = key
                move = prompt.choices[self._random.randrange(len(prompt.choices))]
                self._later.append(SeatDecided(prompt.seat, prompt.k, prompt.card, move))
                self._wake.set()
        if view.phase is Phase.OVER and self._ended != view.game.game_id and not view.game.unconfirmed:
            self._ended = view.game.game_id
            game.steps, game.rss_kb = view.game.k, resident_kb()
            if self._part.steps:
                # Times of so many steps would be what grows.
                game.known, game.decided, game.forced = {}, {}, []
            self._say({"game": len(self.games), "steps": game.steps, "rss_kb": game.rss_kb})
            self._rematch = True
            self._wake.set()

    def _break(self, k: int) -> None:
        """Each seat in its turn cuts a link."""
        every = self._part.break_every
        if every and k and not k % every and k // every % self._part.seats == self._part.seat:
            self._breaker.cut()

    def notice(self, notice: Notice) -> None:
        match notice:
            case TableOpened(port=port, code=code):
                self._say({"port": port, "code": code})
            case Stopped():
                self._say({"stopped": str(notice)})
            case _:
                pass

    async def run(self, tell: Callable[[Happening], None]) -> None:
        while True:
            await self._wake.wait()
            self._wake = trio.Event()
            if self._later and self._part.think_ms:
                await trio.sleep(self._part.think_ms / 1000)
            while self._later:
                decided = self._later.pop(0)
                self.games[-1].decided[decided.k] = time.monotonic_ns()
                tell(decided)
            if self._rematch:
                self._rematch = False
                await self._after(tell)

    async def _after(self, tell: Callable[[Happening], None]) -> None:
        """The next game of the row, opened by the host; after the last all leave when all have seen the end."""
        if len(self.games) < self._part.games or sum(game.steps for game in self.games) < self._part.steps:
            self.games.append(Game())
            if self._part.address is None:
                await trio.sleep(0.2)
                tell(RematchAsked())
            return
        await trio.sleep(1.5)
        tell(LeaveAsked())


def resident_kb() -> int:
    """Resident memory of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise SystemExit("no VmRSS here: this benchmark needs Linux")


def main() -> int:
    part = Part(**json.loads(sys.argv[1]))

    def say(value: object) -> None:
        print(json.dumps(value), flush=True)

    counting, breaker = Counting(), Breaker(part.seat)
    if part.steps:
        breaker.start()
    else:
        counting.start()
    hosting = part.address is None
    options = RunOptions(
        role=Role.HOST if hosting else Role.JOINER,
        folder=Path(part.folder),
        people=(Sitting(part.name, part.seat, None),),
        title="Benchmark",
        rules=Rules(pawns=part.pawns),
        options=Option.NONE,
        seats=part.seats if hosting else 1,
        bots=(),
        ready=ReadyWhen.AT_ONCE,
        auto=Auto.DRAW,
        auto_level=0,
        access=Access.CODE,
        code=part.code,
        port=0,
        address=part.address,
    )
    code = -1

    async def play() -> None:
        nonlocal code
        face = TimingFace(part, say, breaker)
        code = await play_table(options, face)
        say(
            {
                "games": [asdict(game) for game in face.games],
                "payloads": list(counting.payloads.values()),
                "frames": list(counting.frames.values()),
                "sockets": counting.sockets,
                "cpu_s": time.process_time(),
                "cpu_before_s": face.cpu_before_s,
                "broken": breaker.broken,
            }
        )

    trio.run(play)
    return code


@dataclass(frozen=True)
class Told:
    """What one peer reported: its games, payload bytes and frames by type of each link, what the sockets counted."""

    games: list[Game]
    payloads: list[dict[str, int]]
    frames: list[dict[str, int]]
    sockets: list[dict[str, Any]]
    cpu_s: float
    cpu_before_s: float
    broken: int


@dataclass(frozen=True)
class Plan:
    """What is played: games in a row, milliseconds that a person thinks, pawns of each seat (fewer: shorter games).

    With `steps`, as many games more as it takes; then nothing is timed, and every `break_every` steps a link is cut.
    """

    games: int
    think_ms: float
    pawns: int = Rules().pawns
    seats: int = 4
    steps: int = 0
    break_every: int = 0


def play(
    folder: Path, plan: Plan, progress: Callable[[str], None], beside: Callable[[int, str], None] | None = None
) -> list[Told]:
    """Play games in a row with a process for each peer; what each reports.

    `beside` gets the port and code of the table before anybody joins it.
    """
    processes: list[subprocess.Popen[str]] = []

    def start(part: Part) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.peers", json.dumps(asdict(part))], stdout=subprocess.PIPE, text=True
        )
        processes.append(process)
        return process

    try:
        host = start(_part(0, plan, folder))
        door = json.loads(_line(host))
        if beside is not None:
            beside(door["port"], door["code"])
        for seat in range(1, plan.seats):
            start(replace(_part(seat, plan, folder), address=f"127.0.0.1:{door['port']}", code=door["code"]))
        told = [_told(process, progress if process is host else None) for process in processes]
        for process in processes:
            process.wait(_PARTING_S)
        return told
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
            process.wait()


def _part(seat: int, plan: Plan, folder: Path) -> Part:
    return Part(
        NAMES[seat], seat, plan.seats, str(folder / NAMES[seat]), plan.games, plan.think_ms, plan.pawns, plan.steps,
        plan.break_every,
    )  # fmt: skip


def _line(process: subprocess.Popen[str]) -> str:
    line = process.stdout.readline() if process.stdout else ""
    if not line:
        raise SystemExit("a peer ended before its time")
    return line


def _told(process: subprocess.Popen[str], progress: Callable[[str], None] | None) -> Told:
    while True:
        said = json.loads(_line(process))
        if "stopped" in said:
            raise SystemExit(said["stopped"])
        if "game" in said and progress:
            progress(f"game {said['game']}: {said['steps']} steps, {said['rss_kb'] / 1024:.1f} MB")
        if "games" in said:
            games = [_game(each) for each in said["games"]]
            return Told(
                games, said["payloads"], said["frames"], said["sockets"], said["cpu_s"], said["cpu_before_s"],
                said["broken"],
            )  # fmt: skip


def _game(said: dict[str, object]) -> Game:
    for name in ("known", "decided"):
        times = said[name]
        if isinstance(times, dict):
            said[name] = {int(k): ns for k, ns in times.items()}
    return Game(**said)  # type: ignore[arg-type]


if __name__ == "__main__":
    sys.exit(main())
