"""The real program with a fault planted in it: `python -m tests.ui.broken WHERE command...` fails at the key `x`."""

from __future__ import annotations

import sys

import trio

from sorry_lan.app.timers import Timers
from sorry_lan.cli.main import main
from sorry_lan.ui.answers import Answer
from sorry_lan.ui.client import Client
from sorry_lan.ui.full_screen import Key, Shown

_typed = Client.typed
_draw = Client.draw
_run = Timers.run


class Fault:
    """Whether the key was pressed, and where that is to hurt."""

    where = sys.argv.pop(1)
    pressed = False


def typed(client: Client, key: Key | str, now_s: float) -> Answer:
    if key == "x":
        Fault.pressed = True
        if Fault.where == "key":
            raise ZeroDivisionError("planted")
    return _typed(client, key, now_s)


def draw(client: Client, width: int, height: int, now_s: float) -> Shown:
    if Fault.pressed and Fault.where == "drawing":
        raise ZeroDivisionError("planted")
    return _draw(client, width, height, now_s)


async def run(timers: Timers) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_run, timers)
        while Fault.where == "task":
            await trio.sleep(0.01)
            if Fault.pressed:
                raise ZeroDivisionError("planted")


setattr(Client, "typed", typed)  # noqa: B010 - a planted fault, in a process of its own
setattr(Client, "draw", draw)  # noqa: B010 - as above
setattr(Timers, "run", run)  # noqa: B010 - as above

if __name__ == "__main__":
    sys.exit(main())
