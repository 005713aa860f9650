"""A whole game at several real terminals: everybody reads their screen and presses keys, or clicks, as people do.

`python -m tests.ui.table [--seats 4] [--pawns 3] [--hand digits|mouse] [--columns 80] [--rows 24] [--tmux]`
"""

from __future__ import annotations

import argparse
import re
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from typing import Final

from sorry_lan.fair.verify import Outcome, verify_transcript
from tests.ui.tty import Left, Tty

NAMES: Final = ("Ada", "Bob", "Chloe", "Dan")
_LONGEST_S: Final = 1800.0
_NEXT_S: Final = 0.05
"""From one finger to the next."""
_PRESS_S: Final = 0.27
"""A person needs as long to see a question; keys that come sooner count for nothing."""
_CHOICE: Final = re.compile(r"[ >]([1-9]) [RBYG]\d")

Hand = Callable[[Tty], None]


def digits(tty: Tty) -> None:
    """Enter where it draws or plays, else the number of a choice, and then Enter."""
    *_others, typed, keys = tty.text().split("\n")
    if "Enter draw" not in keys and not re.match(r"> *\d", typed):
        tty.key(b"1")
        time.sleep(_NEXT_S)
    tty.key(b"\r")


def mouse(tty: Tty) -> None:
    """The same by clicks: on a line of the list, then on the word that plays it."""
    lines = tty.text().split("\n")
    typed, keys = lines[-2], lines[-1]
    if "Enter draw" not in keys and not re.match(r"> *\d", typed):
        for y, line in enumerate(lines[:-2]):
            found = _CHOICE.search(line)
            if found:
                _click(tty, found.start(1), y)
                time.sleep(_NEXT_S)
                break
    if "Enter" in keys:
        _click(tty, keys.index("Enter"), len(lines) - 1)


HANDS: Final[dict[str, Hand]] = {"digits": digits, "mouse": mouse}


def _click(tty: Tty, x: int, y: int) -> None:
    tty.key(b"\x1b[<0;%d;%dM\x1b[<0;%d;%dm" % (x + 1, y + 1, x + 1, y + 1))


@dataclass(frozen=True)
class Bare:
    """Nothing between the program and its terminal."""

    def around(self, words: list[str]) -> list[str]:
        """The command line that runs `words`."""
        return words

    def code(self, left: Left) -> int | None:
        """What the program returned."""
        return left.code


@dataclass(frozen=True)
class Tmux:
    """A tmux of its own between them, with a server that ends with the program; its files go to `folder`."""

    folder: Path

    def around(self, words: list[str]) -> list[str]:
        """See Bare."""
        self.folder.mkdir(parents=True, exist_ok=True)
        settings = self.folder / "tmux.conf"
        settings.write_text("set -g mouse on\nset -g status off\nset -s escape-time 0\n")
        inside = ["sh", "-c", '"$@"; echo $? >"$0"', str(self.folder / "code"), *words]
        return ["tmux", "-S", str(self.folder / "tmux"), "-f", str(settings), "new-session", *inside]

    def code(self, left: Left) -> int | None:
        """See Bare; tmux returns a code of its own."""
        written = self.folder / "code"
        return int(written.read_text()) if left.code == 0 and written.exists() else None


TMUX: Final = shutil.which("tmux") is not None


def play(
    folder: Path,
    seats: int,
    pawns: int,
    hands: Sequence[Hand],
    *,
    size: tuple[int, int] = (24, 80),
    rounds: int | None = None,
    within: Callable[[Path], Bare | Tmux] = lambda _folder: Bare(),
) -> list[Left]:
    """Play a game to its end, or so many rounds, and leave; how everybody's program ended. The hands take turns.

    One seat plays against a bot, and its cards are drawn for it: that is soon over.
    """
    port = free_port()
    names = NAMES[:seats]
    table = ["host", "--seats", str(seats), "--port", str(port), "--open"]
    if seats == 1:
        table = ["play", "--bots", "1", "--auto-draw"]
    table += ["--rule", f"pawns={pawns}"]
    table += ["--rule", "pawns_out=1"] if pawns == 1 else []  # a short game is not to wait for a way out of Start
    with ExitStack() as everybody:
        ttys: list[Tty] = []
        rooms: list[Bare | Tmux] = []
        for name in names:
            words = table if name == names[0] else ["join", f"127.0.0.1:{port}", "--open"]
            rooms.append(within(folder / name))
            ttys.append(everybody.enter_context(Tty(rooms[-1].around(_command(folder, name, words)), *size)))
            ttys[-1].sees("deck" if seats == 1 else "(you" if name == names[0] else f"{name} (")
        goal = "confirmed by all" if rounds is None else f"round {rounds + 1} "
        _play_on(names, ttys, list(islice(cycle(hands), seats)), goal)
        for tty in ttys:
            if rounds is not None:
                tty.press(b"\x03", "Leave the running game?")
            # A key so soon after another one counts for nothing.
            time.sleep(_PRESS_S)
            tty.key(b"q" if rounds is None else b"n")
        ends = [tty.end() for tty in ttys]
        return [replace(end, code=room.code(end)) for end, room in zip(ends, rooms, strict=True)]


def _command(folder: Path, name: str, words: list[str]) -> list[str]:
    flags = ["--yes", "--no-animation", "--confirm", "never", "--identity", str(folder / name)]
    return [sys.executable, "-m", "sorry_lan", *words, "--name", name, *flags]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


def _play_on(names: Sequence[str], ttys: Sequence[Tty], hands: Sequence[Hand], goal: str) -> None:
    """Until these words stand on everybody's screen."""
    end = time.monotonic() + _LONGEST_S
    again = dict.fromkeys(names, 0.0)
    reached: set[str] = set()
    while len(reached) < len(ttys):
        assert time.monotonic() < end, "\n\n".join(tty.text() for tty in ttys)
        for name, tty, hand in zip(names, ttys, hands, strict=True):
            tty.read(0.02)
            if goal in tty.text():
                reached.add(name)
            assert tty.process.poll() is None, tty.raw[-2000:]
            if f"YOUR TURN, {name}" in tty.text().partition("\n")[0] and time.monotonic() > again[name]:
                hand(tty)
                again[name] = time.monotonic() + _PRESS_S


def transcripts(folder: Path) -> set[bytes]:
    """What everybody kept; one and the same, and it holds."""
    kept = {path.read_bytes() for path in folder.glob("*/games/*.sorry")}
    assert all(verify_transcript(data).outcome is Outcome.HOLDS for data in kept)
    return kept


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.ui.table", description="A game at several terminals.")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--pawns", type=int, default=3)
    parser.add_argument("--hand", choices=HANDS, default="digits")
    parser.add_argument("--rows", type=int, default=24)
    parser.add_argument("--columns", type=int, default=80)
    parser.add_argument("--tmux", action="store_true", help="each program in a tmux of its own")
    given = parser.parse_args()
    within = Tmux if given.tmux else lambda _folder: Bare()
    with tempfile.TemporaryDirectory() as name:
        began = time.monotonic()
        size = (given.rows, given.columns)
        ends = play(Path(name), given.seats, given.pawns, [HANDS[given.hand]], size=size, within=within)
        kept = len(transcripts(Path(name)))
    for end in ends:
        sys.stdout.write(f"exit code {end.code}, terminal {'as it was' if end.clean else end}\n{end.after}\n")
    sys.stdout.write(f"{kept} transcript, {time.monotonic() - began:.0f} s\n")
    return 0 if kept == 1 and all(end.code == 0 and end.clean for end in ends) else 1


if __name__ == "__main__":
    sys.exit(main())
