"""Two ends of a link in one process: introductions, doors, frame streams and TLS over memory."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

import trio
import trio.testing

from sorry_lan.faults import RemoteFault
from sorry_lan.net.code import CodeKeeper
from sorry_lan.net.frames import Wire
from sorry_lan.net.handshake import Call, Introduction, LinkLost, SetupRefused, answer, farewell, greet
from sorry_lan.wire.keys import SecretKey
from sorry_lan.wire.messages import Hello, Intent

T = TypeVar("T")
ENGINE = b"\xe0" * 32
CODE = "maple-lamp-tulip"
OTHER_CODE = "tulip-lamp-maple"


def introduction(index: int, engine: bytes = ENGINE, port: int | None = None, instance: int = 0) -> Introduction:
    key = SecretKey(bytes([index + 1]) * 32)
    return Introduction(key, f"Player {index}", "0.1.0", bytes([index, instance]) * 8, 1, engine, port)


def call(code: str | None = None, expected: bytes | None = None, intent: Intent = Intent.LOBBY) -> Call:
    return Call(intent, None, code, expected, "host:7777", b"\x0c" * 32)


@dataclass
class OpenDoor:
    """Lets everybody in, or those who know `keeper`'s code."""

    keeper: CodeKeeper | None = None
    keys: frozenset[bytes] = frozenset()

    def knows(self, pk: bytes) -> bool:
        return pk in self.keys


def keeper(code: str = CODE) -> tuple[CodeKeeper, list[str]]:
    """A keeper of `code` and the codes that replaced it."""
    changes: list[str] = []
    fresh = (f"fresh-code-{n}" for n in range(100))
    return CodeKeeper(code, lambda: next(fresh), changes.append), changes


@dataclass
class Outcome:
    """How one end fared."""

    hello: Hello | None = None
    error: SetupRefused | RemoteFault | LinkLost | None = None

    @property
    def code(self) -> int | None:
        match self.error:
            case SetupRefused():
                return int(self.error.problem.code)
            case RemoteFault():
                return int(self.error.code)
            case _:
                return None


async def outcome(wire: Wire, half: Awaitable[Hello]) -> Outcome:
    """Run one half as net/mesh.py does: whoever refuses says so and hangs up."""
    try:
        return Outcome(hello=await half)
    except (SetupRefused, RemoteFault) as wrong:
        await wire.part(farewell(wrong))
        return Outcome(error=wrong)
    except LinkLost as wrong:
        await wire.part(None)
        return Outcome(error=wrong)


@dataclass
class Meeting:
    """Both ends of one handshake."""

    client: Outcome = field(default_factory=Outcome)
    server: Outcome = field(default_factory=Outcome)


async def meet(
    caller: Introduction,
    listener: Introduction,
    wanted: Call,
    door: OpenDoor,
    wires: tuple[Wire, Wire] | None = None,
) -> Meeting:
    """A handshake between two ends, over memory unless `wires` (the caller's, the listener's) are given."""
    client_wire, server_wire = wires or memory_wires()
    meeting = Meeting()

    async def serve() -> None:
        meeting.server = await outcome(server_wire, answer(server_wire, listener, door, b"\x05" * 32, "192.0.2.9"))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve)
        meeting.client = await outcome(client_wire, greet(client_wire, caller, wanted))
    return meeting


def memory_wires(client_print: bytes = b"\xf0" * 32, server_print: bytes = b"\xf0" * 32) -> tuple[Wire, Wire]:
    one, other = trio.testing.memory_stream_pair()
    return Wire(one, client_print), Wire(other, server_print)


async def run_inline(work: Callable[..., T], *args: object, **_how: object) -> T:
    """Stands in for trio.to_thread.run_sync where time is virtual."""
    await trio.lowlevel.checkpoint()
    return work(*args)
