"""Fuzzing: `python -m tests.fuzz run|replay|atheris`; `run` needs nothing but Python, `atheris` that tool."""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from tests.fuzz.corpus import seeds
from tests.fuzz.targets import TARGETS, tried
from tests.fuzz.work import work

CHUNK = 20_000
SLOW = {"transcript": 200, "journal": 4}
"""How many times fewer executions these get: each replays part of a game."""


def run_command(options: argparse.Namespace) -> int:
    """`run`: seeded mutations of the corpus, in plain Python."""
    names = list(TARGETS) if options.target == "all" else [options.target]
    shares = {name: options.executions // len(names) // SLOW.get(name, 1) for name in names}
    jobs = [
        (name, options.seed + at, min(CHUNK // SLOW.get(name, 1), share - at))
        for name, share in shares.items()
        for at in range(0, share, CHUNK // SLOW.get(name, 1))
    ]
    began, escaped = time.monotonic(), 0
    done: dict[str, list[int]] = {name: [0, 0] for name in names}
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        for name, tries, through, wrong in pool.imap_unordered(work, jobs):
            done[name][0] += tries
            done[name][1] += through
            if wrong:
                escaped += 1
                print(f"ESCAPE from {name}: {wrong}", flush=True)
    for name, (tries, through) in done.items():
        print(f"  {name:10} {tries:9} executions, {through} let through")
    total = sum(tries for tries, _ in done.values())
    print(f"{total} executions, {escaped} escapes, {total / (time.monotonic() - began):.0f} a second")
    return 1 if escaped else 0


def replay_command(options: argparse.Namespace) -> int:
    """`replay`: the corpus itself, as every test run does."""
    names = list(TARGETS) if options.target == "all" else [options.target]
    for name in names:
        through = sum(tried(TARGETS[name], data) for data in seeds(name))
        print(f"  {name:10} {len(seeds(name)):6} seeds, {through} let through")
    return 0


def atheris_command(options: argparse.Namespace) -> int:
    """`atheris`: guided by coverage of our own code, seeded with the corpus."""
    try:
        atheris = importlib.import_module("atheris")
    except ImportError:
        print("atheris is not installed: pip install '.[fuzz]' (Python 3.11)")
        return 2
    name = options.target
    atheris.instrument_all() if options.deep else None
    target = TARGETS[name]

    def one(data: bytes) -> None:
        tried(target, data)

    with tempfile.TemporaryDirectory() as folder:
        for data in seeds(name):
            (Path(folder) / sha256(data).hexdigest()[:16]).write_bytes(data)
        limits = [f"-max_total_time={options.seconds}", f"-seed={options.seed + 1}", "-max_len=70000", "-verbosity=0",
                  "-print_final_stats=1"]  # fmt: skip
        atheris.Setup([sys.argv[0], *limits, folder], atheris.instrument_func(one))
        atheris.Fuzz()
    return 0


COMMANDS = {"run": run_command, "replay": replay_command, "atheris": atheris_command}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("command", choices=list(COMMANDS))
    parser.add_argument("--target", default="all", choices=["all", *TARGETS])
    parser.add_argument("--executions", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--deep", action="store_true", help="atheris: instrument everything, at a tenth of the speed")
    options = parser.parse_args(arguments)
    if options.command == "atheris" and options.target == "all":
        parser.error("atheris takes one --target")
    return COMMANDS[options.command](options)


if __name__ == "__main__":
    sys.exit(main())
