"""A small FullScreen that shows what it was told, and a program around it that the pty tests drive.

`python -m tests.ui.standin [PORT]`: keys are echoed, some break things; with a port it beats there and keeps drawing.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Awaitable, Callable
from functools import partial

import trio

from sorry_lan.app.guest import Guest
from sorry_lan.app.wishes import BY_SIGNAL
from sorry_lan.table.events import Happening, LeaveAsked
from sorry_lan.table.news import News
from sorry_lan.table.notices import Notice
from sorry_lan.table.view import View
from sorry_lan.ui.answers import Answer, Stay
from sorry_lan.ui.canvas import Canvas, Ink
from sorry_lan.ui.full_screen import Key, Mouse, Shown
from sorry_lan.ui.palette import Depth
from sorry_lan.ui.screen import ScreenFace
from sorry_lan.ui.terminal import open_terminal


class StandIn:
    """Remembers everything; `q` leaves, `x` and `d` break typing and drawing, `m` wants clicks, `b` rings."""

    def __init__(self) -> None:
        self.told: list[object] = []
        self.times: list[float] = []
        self.sizes: list[tuple[int, int]] = []
        self.mouse = Mouse.OFF
        self.bells = 0
        self.title = "stand-in"
        self.tick_s: float | None = None
        self.breaks = False
        self.asked = 0
        self.asks = 0
        self.text = ""
        self.restless = False

    def show(self, view: View, news: tuple[News, ...], now_s: float) -> None:
        self._note((view, news), now_s)

    def notice(self, notice: Notice, now_s: float) -> None:
        self._note(notice, now_s)

    def typed(self, key: Key | str, now_s: float) -> Answer:
        self._note(key, now_s)
        match key:
            case "q" | Key.END_OF_INPUT:
                return Answer((), (LeaveAsked(),), Stay.LEAVE)
            case "x":
                raise ZeroDivisionError("typing")
            case "d":
                self.breaks = True
            case "m":
                self.mouse = Mouse.ON if self.mouse is Mouse.OFF else Mouse.OFF
            case "b":
                self.bells += 1
            case Key.INTERRUPT:
                self.asked += 1
                if self.asked > self.asks:
                    return Answer((), (), Stay.INTERRUPT)
            case _:
                self.text += key if isinstance(key, str) else f"<{key.value}>"
        return Answer()

    def pasted(self, text: str, now_s: float) -> Answer:
        self._note(("pasted", text), now_s)
        self.text += f"[{text!r}]"
        return Answer()

    def clicked(self, x: int, y: int, now_s: float) -> Answer:
        self._note(("clicked", x, y), now_s)
        self.text += f"({x},{y})"
        return Answer()

    def draw(self, width: int, height: int, now_s: float) -> Shown:
        self.sizes.append((width, height))
        self.times.append(now_s)
        if self.breaks:
            raise ZeroDivisionError("drawing")
        canvas = Canvas(width, height)
        canvas.put(0, 0, f"stand-in {width}x{height}", Ink.TITLE)
        canvas.put(0, 1, "> " + self.text[-max(0, width - 3) :], Ink.INPUT)
        canvas.put(0, height - 1, "#" * width, Ink.KEYS)
        if self.restless:  # every picture is another one from edge to edge
            self.tick_s = now_s + 0.02
            for y in range(2, height - 1):
                canvas.put(0, y, "ab"[len(self.sizes) % 2] * width)
        canvas.cursor = (min(2 + len(self.text), width - 1), 1)
        return Shown(canvas.picture(), self.title, self.mouse, self.bells, self.tick_s)

    def _note(self, what: object, now_s: float) -> None:
        self.told.append(what)
        self.times.append(now_s)


async def beat(port: int) -> None:
    """Send a byte ten times a second."""
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    while True:
        await stream.send_all(b".")
        await trio.sleep(0.1)


async def program(face: ScreenFace, guest: Guest, beside: Callable[[], Awaitable[None]]) -> int:
    """What the wiring does around a face, without a table."""
    code = [0]
    left = trio.Event()

    def tell(happening: Happening) -> None:
        if isinstance(happening, LeaveAsked):
            left.set()

    async with trio.open_nursery() as nursery:

        async def watch() -> None:
            async for number in guest:
                if number == signal.SIGINT and face.interrupted():
                    continue
                code[0] = BY_SIGNAL[number]
                nursery.cancel_scope.cancel()
                return

        async def show() -> None:
            await face.run(tell)
            await left.wait()
            nursery.cancel_scope.cancel()

        nursery.start_soon(watch)
        nursery.start_soon(show)
        nursery.start_soon(beside)
    return code[0]


def main() -> int:
    terminal = open_terminal(sys.stdin, sys.stdout, os.environ.get("TERM", ""), Depth.COLOURS)
    client = StandIn()
    client.restless = len(sys.argv) > 1
    beside = partial(beat, int(sys.argv[1])) if client.restless else trio.sleep_forever
    with Guest(terminal.rescue) as guest:
        face = ScreenFace(client, terminal, guest, {Ink.TITLE: "reverse", Ink.KEYS: "fg:#ff5f00"})
        try:
            return guest.run(partial(program, face, guest, beside))
        except Exception as error:  # noqa: BLE001 - what the program's last line of defence does
            terminal.close((f"bug: {error!r}",), 1.0)
            return 70
        finally:
            face.close()


if __name__ == "__main__":
    sys.exit(main())
