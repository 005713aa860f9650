"""From a key to its echo on a terminal, beside the same screen on bare asyncio; and what an unread terminal stops.

`python -m benchmarks.keys [--keys N] [--still SECONDS] [--json]`
Both programs run at once, each on a pseudo terminal of its own, and get their keys in turns.
"""

from __future__ import annotations

import argparse
import asyncio
import fcntl
import json
import os
import pty
import select
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.input import create_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.key_processor import KeyProcessor
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout
from prompt_toolkit.output.vt100 import Vt100_Output

from benchmarks.machine import machine, machine_line
from sorry_lan.app.guest import Guest
from sorry_lan.table.news import News
from sorry_lan.table.notices import Notice
from sorry_lan.table.view import View
from sorry_lan.ui.answers import Answer
from sorry_lan.ui.canvas import Canvas, Ink
from sorry_lan.ui.full_screen import Key, Mouse, Shown
from sorry_lan.ui.painter import Glass, Painter
from sorry_lan.ui.palette import Depth, Ground, styles
from sorry_lan.ui.screen import ScreenFace
from sorry_lan.ui.terminal import Terminal, open_terminal, window_size

MOST_RATIO: Final = 1.5
MOST_GAP_S: Final = 0.5
LOOKS: Final = styles(Depth.COLOURS, Ground.DARK)
_BARE, _GUEST = "asyncio alone", "trio as its guest"
_ECHOED: Final = "!#$%&*+=@~"
_BEAT_S: Final = 0.05
_PAUSE_S: Final = 0.02


class Echo:
    """A screen full of signs that shows the last key; with a `pace_s` it is another one after that time."""

    def __init__(self, pace_s: float | None = None) -> None:
        self.last = " "
        self.looks = 0
        self._pace_s = pace_s

    def show(self, view: View, news: tuple[News, ...], now_s: float) -> None:
        """There is no table."""

    def notice(self, notice: Notice, now_s: float) -> None:
        """As above."""

    def typed(self, key: Key | str, now_s: float) -> Answer:
        del now_s
        self.last = key if isinstance(key, str) else " "
        return Answer()

    def pasted(self, text: str, now_s: float) -> Answer:
        del text, now_s
        return Answer()

    def clicked(self, x: int, y: int, now_s: float) -> Answer:
        del x, y, now_s
        return Answer()

    def draw(self, width: int, height: int, now_s: float) -> Shown:
        self.looks += 1
        canvas = Canvas(width, height)
        for y in range(1, height):
            sign = "." if self._pace_s is None else "ab"[self.looks % 2]
            canvas.put(0, y, sign * width, (Ink.PLAIN, Ink.RED, Ink.BLUE)[y % 3])
        canvas.put(0, 0, f"> {self.last}", Ink.INPUT)
        return Shown(canvas.picture(), "echo", Mouse.OFF, 0, None if self._pace_s is None else now_s + self._pace_s)


def run_guest(port: int | None) -> None:
    """As the program does it; with a port, a beat goes there twenty times a second."""
    terminal = open_terminal(sys.stdin, sys.stdout, "xterm-256color", Depth.COLOURS)
    with Guest(terminal.rescue) as guest:
        face = ScreenFace(Echo(None if port is None else 0.02), terminal, guest, LOOKS)

        async def program() -> None:
            async with trio.open_nursery() as nursery:
                if port is not None:
                    nursery.start_soon(_beat, port)
                nursery.start_soon(face.run, lambda _happening: None)
                await anext(guest)
                nursery.cancel_scope.cancel()

        guest.run(program)
        face.close()


async def _beat(port: int) -> None:
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    while True:
        await stream.send_all(b".")
        await trio.sleep(_BEAT_S)


def run_bare() -> None:
    """The same screen as anybody would write it: keys handled at once, output that may block."""
    output = Vt100_Output(sys.stdout, lambda: window_size(sys.stdout), term="xterm-256color", enable_cpr=False)
    terminal = Terminal(create_input(sys.stdin), output, None, (sys.stdin, sys.stdout))
    echo = Echo()
    glass = Glass()
    bindings = KeyBindings()

    @bindings.add(Keys.Any)
    def _(event: KeyPressEvent) -> None:
        echo.typed(event.data, 0)

    async def program() -> None:
        app: Application[None] = Application(
            layout=Layout(glass), full_screen=True, input=terminal.input, output=output, erase_when_done=True
        )
        app.ttimeoutlen = 0.05
        app.renderer = Painter(terminal, glass, LOOKS, partial(echo.draw, now_s=0.0))
        app.key_processor = KeyProcessor(bindings)
        await app.run_async()

    asyncio.run(program())


@contextmanager
def on_terminal(*words: str) -> Iterator[int]:
    """A program of this module on a pseudo terminal of its own; the end that is typed on and read."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [sys.executable, "-m", "benchmarks.keys", "--child", *words]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, start_new_session=True) as child:
        os.close(theirs)
        try:
            yield ours
        finally:
            child.kill()
            child.wait()
            os.close(ours)


def _until(terminal: int, sign: bytes) -> None:
    found = b""
    while sign not in found:
        assert select.select([terminal], [], [], 60)[0], "no echo"
        found = os.read(terminal, 65536)


def echo_times(keys: int) -> dict[str, list[float]]:
    """Milliseconds from each key to its sign."""
    times: dict[str, list[float]] = {_BARE: [], _GUEST: []}
    with on_terminal("bare") as bare, on_terminal("guest") as guest:
        both = ((_BARE, bare), (_GUEST, guest))
        for _name, terminal in both:
            _until(terminal, b".....")
        for number in range(keys + 10):
            sign = _ECHOED[number % len(_ECHOED)].encode()
            for name, terminal in both if number % 2 else reversed(both):
                time.sleep(_PAUSE_S)
                while select.select([terminal], [], [], 0)[0]:
                    os.read(terminal, 65536)
                began = time.perf_counter()
                os.write(terminal, sign)
                _until(terminal, sign)
                if number >= 10:  # the first ones fill caches
                    times[name].append((time.perf_counter() - began) * 1000)
    return times


def longest_gap_s(still_s: float) -> float:
    """The longest time without a beat while nobody reads a terminal that is drawn on fifty times a second."""
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        on_terminal("guest", str(listening.getsockname()[1])) as terminal,
    ):
        _until(terminal, b"aaaaa")
        peer, _address = listening.accept()
        with peer:
            peer.settimeout(60)
            arrived = [time.monotonic()]
            while arrived[-1] - arrived[0] < still_s:
                assert peer.recv(4096), "the program ended"
                arrived.append(time.monotonic())
    return max(after - before for before, after in pairwise(arrived))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.keys", description="From a key to its echo.")
    parser.add_argument("--keys", type=int, default=300, help="how many for each program (300)")
    parser.add_argument("--still", type=float, default=12.0, help="seconds that the terminal stands still (12)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        if args.child[0] == "bare":
            run_bare()
        else:
            run_guest(int(args.child[1]) if len(args.child) > 1 else None)
        return 0
    times = echo_times(args.keys)
    gap_s = longest_gap_s(args.still)
    medians = {name: statistics.median(each) for name, each in times.items()}
    nineties = {name: sorted(each)[len(each) * 9 // 10] for name, each in times.items()}
    ratio = medians[_GUEST] / medians[_BARE]
    folder = Path(tempfile.gettempdir())
    if args.json:
        told = {
            "machine": machine(folder),
            "ms": {name: round(each, 2) for name, each in medians.items()},
            "p90_ms": {name: round(each, 2) for name, each in nineties.items()},
            "ratio": round(ratio, 2),
            "longest_gap_s": round(gap_s, 3),
        }
        print(json.dumps(told))
        return 0
    print(machine_line(folder))
    for name, median in medians.items():
        print(f"{name:20}{median:7.2f} ms median {nineties[name]:7.2f} ms p90")
    print(f"ratio of the medians {ratio:.2f}, aim: at most {MOST_RATIO}")
    print(f"longest gap of beats on a still terminal {gap_s:.3f} s, aim: at most {MOST_GAP_S}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
