"""Plays a game against bots in a real terminal (tmux) and keeps pictures of it: README's picture is made like this.

    python -m tools.take_pictures docs/pictures 120x40 80x24 --turns 12

For each size: the first own card that leaves something to choose, once some turns were played.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sorry_lan.ui.palette import Ground
from tools.screen_svg import grid_of_capture, svg

_PLAY: Final = (sys.executable, "-m", "sorry_lan", "play", "--name", "Ada", "--bots", "3", "--speed", "fast")
_PATIENCE_S: Final = 60.0
_LOOK_EVERY_S: Final = 0.2
_UNGUARDED_S: Final = 0.5
"""Longer than the time in which a new prompt takes no keys."""
_CHOICE: Final = re.compile(r"[ >][1-9] [RBYG][1-4] ")


@dataclass(frozen=True, slots=True)
class Terminal:
    """A window of a tmux server of its own."""

    socket: str

    def tmux(self, *words: str) -> str:
        """What a tmux command prints."""
        done = subprocess.run(["tmux", "-L", self.socket, *words], check=True, capture_output=True, text=True)
        return done.stdout

    def press(self, *keys: str) -> None:
        """Press keys, by the names tmux has for them."""
        self.tmux("send-keys", *keys)

    def text(self) -> str:
        """The signs on the screen."""
        return self.tmux("capture-pane", "-p")

    def keep(self, path: Path) -> None:
        """Write what is on the screen as a picture."""
        path.write_text(svg(grid_of_capture(self.tmux("capture-pane", "-e", "-N", "-p")), Ground.DARK))

    def when(self, pattern: str) -> None:
        """Wait until the screen shows something."""
        end_s = time.monotonic() + _PATIENCE_S
        while not re.search(pattern, self.text()):
            if time.monotonic() > end_s:
                raise TimeoutError(f"the screen never showed {pattern!r}:\n{self.text()}")
            time.sleep(_LOOK_EVERY_S)


@contextmanager
def playing(size: str) -> Iterator[Terminal]:
    """The program in a terminal of that size, with a home of its own."""
    width, height = size.split("x")
    terminal = Terminal(f"pictures-{os.getpid()}-{size}")
    with tempfile.TemporaryDirectory() as home:
        places = [f"XDG_STATE_HOME={home}/state", f"XDG_CONFIG_HOME={home}/config"]
        command = ["env", "-u", "NO_COLOR", "LANG=C.UTF-8", "TERM=tmux-256color", *places, *_PLAY]
        terminal.tmux("-f", os.devnull, "new-session", "-d", "-x", width, "-y", height, *command)
        try:
            yield terminal
        finally:
            terminal.tmux("kill-server")


def take(size: str, folder: Path, turns: int) -> None:
    """The pictures of one size."""
    with playing(size) as terminal:
        terminal.when("Space ready|YOUR TURN|deck")
        terminal.press("Space")
        drawn, end_s = 0, time.monotonic() + _PATIENCE_S * turns
        while time.monotonic() < end_s:
            time.sleep(_UNGUARDED_S)
            text = terminal.text()
            if "Enter draw" in text:
                terminal.press("Enter")
                drawn += 1
            elif "Enter play" in text and drawn > turns and len(_CHOICE.findall(text)) >= 3:
                terminal.press("1")
                time.sleep(_UNGUARDED_S)
                terminal.keep(folder / f"game-{size}.svg")
                return
            elif "Enter play" in text:
                terminal.press("1")
                time.sleep(_UNGUARDED_S)
                terminal.press("Enter")
            elif re.search(r"(?m)^ *Enter ", text):
                terminal.press("Enter")
    raise TimeoutError(f"no card left anything to choose:\n{text}")


def main() -> int:
    """Take the pictures that were asked for."""
    parser = argparse.ArgumentParser(description="Pictures of the program, taken from a real terminal.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("sizes", nargs="+", help="such as 120x40")
    parser.add_argument("--turns", type=int, default=4, help="own turns to play before the picture")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    for size in asked.sizes:
        take(size, asked.folder, asked.turns)
    return 0


if __name__ == "__main__":
    sys.exit(main())
