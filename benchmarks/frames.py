"""What the full screen sends and how long it draws: a game with bots, picture by picture, in time that is made up.

`python -m benchmarks.frames [--moments N] [--json]`
The pictures are those of the real client; they go through the real renderer into memory.
"""

from __future__ import annotations

import argparse
import io
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput
from prompt_toolkit.layout import Layout
from prompt_toolkit.output.vt100 import Vt100_Output

from benchmarks.machine import machine, machine_line
from sorry_lan.app.wiring import Resume, RunOptions, Sitting, play_table
from sorry_lan.fair.verify import examine
from sorry_lan.rules.profile import PROFILES
from sorry_lan.table.events import Happening
from sorry_lan.table.news import News
from sorry_lan.table.notices import Notice
from sorry_lan.table.settings import Auto, ReadyWhen, Role
from sorry_lan.table.view import View
from sorry_lan.ui.client import Client
from sorry_lan.ui.full_screen import Shown
from sorry_lan.ui.painter import Glass, Painter
from sorry_lan.ui.palette import Depth, Ground, styles
from sorry_lan.ui.replay_model import Timeline, timeline_of
from sorry_lan.ui.taste import Taste
from sorry_lan.ui.terminal import Terminal
from sorry_lan.wire.terms import Option

SIZES: Final = ((80, 24), (120, 40))
MOST_STEP_BYTES: Final = 300
MOST_FRAME_MS: Final = 10.0
_LONGEST_FILM: Final = 1000


class Nobody:
    """A face that nobody looks at."""

    def show(self, view: View, news: tuple[News, ...]) -> None:
        """The game is looked at afterwards."""

    def notice(self, notice: Notice) -> None:
        """As above."""

    async def run(self, tell: Callable[[Happening], None]) -> None:
        del tell
        await trio.sleep_forever()


def game(folder: Path) -> Timeline:
    """A kept game of one seat that plays by itself, and three bots."""
    options = RunOptions(
        role=Role.LOCAL,
        folder=folder,
        people=(Sitting("Ada", None, None),),
        title="Ada's table",
        rules=PROFILES["standard"],
        options=Option.NONE,
        seats=4,
        bots=(0, 0, 0),
        ready=ReadyWhen.AT_ONCE,
        auto=Auto.ALL,
        auto_level=0,
        resume=Resume.NEVER,
    )
    trio.run(play_table, options, Nobody())
    (kept,) = (folder / "games").glob("*.sorry")
    timeline = timeline_of(examine(kept.read_bytes()), "a game")
    assert timeline is not None
    return timeline


class Stage:
    """A client and a renderer that writes into memory, with a clock of its own."""

    def __init__(self, columns: int, rows: int) -> None:
        self.written = io.StringIO()
        output = Vt100_Output(self.written, lambda: Size(rows, columns), term="xterm-256color", enable_cpr=False)
        nowhere = io.TextIOWrapper(io.BytesIO())
        terminal = Terminal(DummyInput(), output, None, (nowhere, nowhere))
        glass = Glass()
        self.client = Client(Taste())
        self.now_s = 0.0
        self.shown: Shown | None = None
        self._app: Application[None] = Application(
            layout=Layout(glass), input=terminal.input, output=output, full_screen=True
        )
        self._app.renderer = Painter(terminal, glass, styles(Depth.COLOURS, Ground.DARK), self._draw)

    def paint(self) -> tuple[int, float]:
        """Bytes and milliseconds of one more picture."""
        before = self.written.tell()
        began = time.thread_time()
        self._app.renderer.render(self._app, self._app.layout)
        took_ms = (time.thread_time() - began) * 1000
        return len(self.written.getvalue()[before:].encode()), took_ms

    def _draw(self, columns: int, rows: int) -> Shown:
        self.shown = self.client.draw(columns, rows, self.now_s)
        return self.shown


@dataclass
class Figures:
    """Bytes of the first picture, of steps of the film, of all other pictures; milliseconds of each picture."""

    first_bytes: int
    step_bytes: list[int] = field(default_factory=list)
    other_bytes: list[int] = field(default_factory=list)
    frame_ms: list[float] = field(default_factory=list)

    def told(self) -> dict[str, float]:
        steps = sorted(self.step_bytes)
        return {
            "first_bytes": self.first_bytes,
            "steps": len(steps),
            "step_bytes_median": statistics.median(steps),
            "step_bytes_p90": steps[len(steps) * 9 // 10],
            "other_bytes_median": statistics.median(self.other_bytes),
            "frame_ms_median": round(statistics.median(self.frame_ms), 2),
            "frame_ms_p99": round(sorted(self.frame_ms)[len(self.frame_ms) * 99 // 100], 2),
        }


def measure(timeline: Timeline, moments: int, columns: int, rows: int) -> Figures:
    """Play the first moments of a game as the client films them."""
    stage = Stage(columns, rows)
    stage.client.show(timeline.at(0).view, (), stage.now_s)
    figures = Figures(stage.paint()[0])
    for number in range(1, min(moments, timeline.last) + 1):
        shot = timeline.at(number)
        stage.client.show(shot.view, shot.news, stage.now_s)
        _note(figures, stage, figures.other_bytes)
        for _ in range(_LONGEST_FILM):
            if stage.shown is None or stage.shown.next_tick_s is None:
                break
            stage.now_s = max(stage.now_s, stage.shown.next_tick_s)
            _note(figures, stage, figures.step_bytes)
        stage.now_s += 1
    return figures


def _note(figures: Figures, stage: Stage, where: list[int]) -> None:
    size, took_ms = stage.paint()
    where.append(size)
    figures.frame_ms.append(took_ms)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.frames", description="Bytes and time of pictures.")
    parser.add_argument("--moments", type=int, default=60, help="how much of the game to play (60)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        timeline = game(folder)
        where, line = machine(folder), machine_line(folder)
    told = {f"{columns}x{rows}": measure(timeline, args.moments, columns, rows).told() for columns, rows in SIZES}
    if args.json:
        print(json.dumps({"machine": where, "sizes": told}))
        return 0
    print(line)
    for size, figures in told.items():
        print(size)
        for what, figure in figures.items():
            print(f"  {what:22}{figure:9}")
    print(f"aim at 80x24: a step at most {MOST_STEP_BYTES} bytes, a picture at most {MOST_FRAME_MS} ms, in the median")
    return 0


if __name__ == "__main__":
    sys.exit(main())
