"""Interrupts at random moments of the full screen: `python -m tests.ui.stress [--runs 300] [--seed 1]`.

Every run must end with 130, at once, without a trace, on a terminal as it was.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from typing import Final

from tests.ui.tty import Tty

MOST_S: Final = 1.5
_STARTED: Final = """
import os, sys
from sorry_lan.cli import main
told, hears = int(sys.argv.pop(1)), main._end_at_once
main._end_at_once = lambda: (hears(), os.write(told, b"."))
sys.exit(main.main())
"""
"""Tells when the program hears signals: its first act, before which the interpreter answers them."""


def one(seed: int) -> str:
    """What is wrong after a run with one to three interrupts at moments of that seed; empty where nothing is."""
    moments = random.Random(seed)
    started, telling = os.pipe()
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-c", _STARTED, str(telling), "play", "--name", "Ada", "--identity", folder]
        with Tty(words, pass_fds=(telling,)) as tty:
            os.close(telling)
            os.read(started, 1)
            os.close(started)
            _interrupt(tty, moments)
            end = tty.end()
    what = []
    if end.code != 130:
        what.append(f"exit code {end.code}")
    if not end.clean:
        what.append(f"left {end}")
    if b"Traceback" in tty.raw or b"bug" in tty.raw:
        what.append(f"says {tty.raw[-800:]!r}")
    return ", ".join(what)


def _interrupt(tty: Tty, moments: random.Random) -> None:
    _read_for(tty, moments.uniform(0, MOST_S))
    for _ in range(moments.randint(1, 3)):
        tty.kill(signal.SIGINT)
        _read_for(tty, moments.choice((0, 0.001, 0.02, 0.3)))
    # The first one in a running game only asks; whoever means it presses again.
    again = time.monotonic() + 2
    while tty.process.poll() is None and time.monotonic() < again:
        tty.read(0.05)
    if tty.process.poll() is None:
        tty.kill(signal.SIGINT)


def _read_for(tty: Tty, seconds: float) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        tty.read(left)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.ui.stress", description="Interrupts at random moments.")
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    bad = 0
    for seed in range(given.seed, given.seed + given.runs):
        wrong = one(seed)
        if wrong:
            bad += 1
            sys.stdout.write(f"seed {seed}: {wrong}\n")
    sys.stdout.write(f"{given.runs} runs, {bad} bad\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
