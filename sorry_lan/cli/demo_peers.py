"""The processes of a demo: each a peer with an identity of its own, spoken to as any program would (docs/json.md).

They end with the nursery they were started in, whatever happens; nobody else's process is touched.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import trio

from sorry_lan.cli.options import CODE_VARIABLE
from sorry_lan.ui.catalogue import _

STALL_S: Final = 60.0
"""A peer that says nothing for so long will say nothing more: a step takes milliseconds."""
CANNOT_REACH: Final = 4
_MOST_BYTES: Final = 1 << 20
_CHUNK: Final = 1 << 16

Said = dict[str, object]
"""One object of a peer's stream."""


class Failed(Exception):  # noqa: N818 - a sentence and an exit code
    """A peer failed, and with it the demo; the text is one sentence for people."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class Door:
    """Where the host listens, and its join code."""

    port: int
    code: str


class Peer:
    """One process from its start to its end; `saved` is the file of its game."""

    def __init__(self, name: str, colour: str, folder: Path) -> None:
        self.name = name
        self.saved: Path | None = None
        self.opened = trio.Event()
        self.door: Door | None = None
        self._colour = colour
        self._folder = folder
        self._complaint = ""
        self._process: trio.Process | None = None

    async def start(self, words: tuple[str, ...], nursery: trio.Nursery) -> None:
        """Start `sorry-lan` with these words in the nursery, which ends it when it is cancelled."""
        command = [sys.executable, "-m", "sorry_lan", *words]
        command += [
            "--auto",
            "--json",
            "--name",
            self.name,
            "--colour",
            self._colour,
            "--identity",
            os.fspath(self._folder),
        ]
        environment = {name: value for name, value in os.environ.items() if name != CODE_VARIABLE}
        pipes = partial(
            trio.run_process, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False
        )
        self._process = await nursery.start(partial(pipes, command, env=environment))

    async def listen(self, tell: Callable[[Said], None]) -> None:
        """Hand on all it says until it ends; Failed where it ends without a saved game or falls silent."""
        process = self._process
        if process is None or process.stdout is None or process.stderr is None:
            raise Failed(_("{name} was not started.").format(name=self.name), CANNOT_REACH)
        errors = bytearray()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_collect, process.stderr, errors)
            async for line in self._lines(process.stdout):
                said = _object(line)
                self._note(said)
                tell(said)
        code = await process.wait()
        if self.saved is None:
            why = self._complaint or bytes(errors[-400:]).decode(errors="replace").strip()
            raise Failed(_("{name} stopped: {why}").format(name=self.name, why=why or "?"), code or CANNOT_REACH)

    async def _lines(self, stream: trio.abc.ReceiveStream) -> AsyncIterator[bytes]:
        pending = b""
        while True:
            with trio.move_on_after(STALL_S) as waiting:
                data = await stream.receive_some(_CHUNK)
            if waiting.cancelled_caught or len(pending) > _MOST_BYTES:
                raise Failed(_("{name} has fallen silent.").format(name=self.name), CANNOT_REACH)
            if not data:
                return
            *lines, pending = (pending + data).split(b"\n")
            for line in lines:
                yield line

    def _note(self, said: Said) -> None:
        match said:
            case {"type": "opened", "port": int(port), "code": str(code)}:
                self.door = Door(port, code)
                self.opened.set()
            case {"type": "saved", "kind": "transcript", "path": str(path)}:
                self.saved = Path(path)
            case {"type": "stopped" | "refused" | "closed" | "fault", "text": str(text)}:
                self._complaint = text
            case _:
                pass


async def _collect(stream: trio.abc.ReceiveStream, into: bytearray) -> None:
    async for data in stream:
        if len(into) < _CHUNK:
            into += data


def _object(line: bytes) -> Said:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


async def play(peers: tuple[Peer, ...], table: tuple[str, ...], tell: Callable[[Said], None]) -> None:
    """The first peer hosts with the flags of `table`, the others join it; until all have ended. Failed in a group."""
    host, *guests = peers
    async with trio.open_nursery() as processes, trio.open_nursery() as listening:
        await host.start(("host", "--port", "0", "--no-discovery", *table), processes)
        listening.start_soon(host.listen, tell)
        with trio.move_on_after(STALL_S):
            await host.opened.wait()
        if host.door is None:
            raise Failed(_("{name} did not open a table.").format(name=host.name), CANNOT_REACH)
        for guest in guests:
            where = f"127.0.0.1:{host.door.port}"
            await guest.start(("join", where, "--code", host.door.code), processes)
            listening.start_soon(guest.listen, _nobody)


def _nobody(_said: Said) -> None:
    """The guests' streams tell what the host's tells."""
