"""Fuzzing: `python -m tests.fuzz run|replay|atheris`; `run` needs nothing but Python, `atheris` that tool."""

from __future__ import annotations

import argparse
import importlib.util
import multiprocessing
import os
import re
import subprocess
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
    """`atheris`: guided by coverage of our own code, seeded with the corpus; one process for each target."""
    if importlib.util.find_spec("atheris") is None:
        print("atheris is not installed: pip install atheris (Python 3.11 to 3.13)")
        return 2
    names = list(TARGETS) if options.target == "all" else [options.target]
    shares = [1 / SLOW.get(name, 1) for name in names]
    total, failed = 0, []
    for name, share in zip(names, shares, strict=True):
        runs = int(options.executions * share / sum(shares))
        tries, code, told = guided(name, runs, options)
        total += tries
        print(f"  {name:10} {tries:9} executions, {told}", flush=True)
        if code:
            failed.append(name)
    print(f"{total} executions, {len(failed)} escapes" + (f": {failed}" if failed else ""))
    return 1 if failed else 0


def guided(name: str, runs: int, options: argparse.Namespace) -> tuple[int, int, str]:
    """One target: how many executions, the exit code of the process, and what it has to say."""
    environment = {**os.environ, **({"MSGPACK_PUREPYTHON": "1"} if options.deep else {})}
    limits = [f"-runs={runs}", f"-max_total_time={options.seconds}", f"-seed={options.seed + 1}", "-max_len=70000",
              "-print_final_stats=1", "-timeout=20", "-rss_limit_mb=1024"]  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus")
        corpus.mkdir()
        for data in seeds(name):
            (corpus / sha256(data).hexdigest()[:16]).write_bytes(data)
        begin = len(list(corpus.iterdir()))
        done = subprocess.run(
            [sys.executable, "-m", "tests.fuzz.guided", name, str(corpus), *limits, f"-artifact_prefix={folder}/"],
            env=environment, capture_output=True, text=True, errors="replace", check=False,
        )  # fmt: skip
        stats = dict(re.findall(r"^stat::(\w+):\s+(\d+)", done.stderr, re.MULTILINE))
        edges = re.findall(r"cov: (\d+)", done.stderr)
        told = (
            f"{stats.get('average_exec_per_sec', '?')} a second, {begin} seeds, {len(list(corpus.iterdir()))} in the"
            f" corpus at the end, {edges[-1] if edges else '?'} edges"
        )
        if done.returncode:
            bad = [path.read_bytes()[:400].hex() for path in sorted(Path(folder).iterdir()) if path.is_file()]
            told += f"\nESCAPE from {name}: {bad}\n{done.stderr[-2000:]}"
    return int(stats.get("number_of_executed_units", 0)), done.returncode, told


COMMANDS = {"run": run_command, "replay": replay_command, "atheris": atheris_command}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("command", choices=list(COMMANDS))
    parser.add_argument("--target", default="all", choices=["all", *TARGETS])
    parser.add_argument("--executions", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=0, help="atheris: at most so many for each target")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--deep", action="store_true", help="atheris: watch msgpack in Python too")
    options = parser.parse_args(arguments)
    return COMMANDS[options.command](options)


if __name__ == "__main__":
    sys.exit(main())
