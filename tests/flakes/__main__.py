"""Flakes: the unit and conformance tests, many times in random orders: `python -m tests.flakes --runs 200`.

A process for every ten orders, with a hash seed of its own; the first order of each process runs all tests, the other
nine leave out those that took longer than `--slow-ms` in the very first one (whole games, mostly).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

AREAS = ("rules", "wire", "bots", "fair", "store", "table", "conformance", "ui", "net")
"""Unit and conformance tests: everything that needs no process but its own."""
ORDERS = 10


def batch(seeds: Sequence[int], tests: Sequence[str], output: Path, slow: Path | None) -> None:
    """Run these orders in one new process."""
    told = {"seeds": list(seeds), "output": str(output), "slow": str(slow) if slow else "", "tests": list(tests)}
    environment = {**os.environ, "PYTHONHASHSEED": str(seeds[0] + 1)}
    environment.pop("PYTEST_ADDOPTS", None)
    subprocess.run(
        [sys.executable, "-m", "tests.flakes.batch", json.dumps(told)], env=environment, stdout=subprocess.DEVNULL,
        check=False,
    )  # fmt: skip


def runs_of(output: Path) -> list[dict[str, Any]]:
    """What has been told so far."""
    return [json.loads(line) for line in output.read_text().splitlines()] if output.exists() else []


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all orders; 1 when any test failed in any of them, or an order ended before its time."""
    parser = argparse.ArgumentParser(prog="python -m tests.flakes", description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="of the first order; each following is one more")
    parser.add_argument("--whole-every", type=int, default=ORDERS, help="every so many orders, nothing is left out")
    parser.add_argument("--slow-ms", type=int, default=200)
    parser.add_argument("--tests", nargs="+", default=[f"tests/{area}" for area in AREAS])
    options = parser.parse_args(arguments)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        output, slow = Path(folder, "runs"), Path(folder, "slow")
        for at in range(0, options.runs, ORDERS):
            seeds = range(options.seed + at, options.seed + min(at + ORDERS, options.runs))
            quick = seeds
            if at % options.whole_every == 0:
                batch(seeds[:1], options.tests, output, None)
                quick = seeds[1:]
                if at == 0:
                    took = runs_of(output)[0]["took_s"]
                    slow.write_text(json.dumps([name for name, s in took.items() if s * 1000 > options.slow_ms]))
            if quick:
                batch(quick, options.tests, output, slow)
            told = runs_of(output)
            failed = [(each["seed"], name) for each in told for name in each["failed"]]
            minutes = (time.monotonic() - began) / 60
            print(f"{len(told)} of {options.runs} runs, {len(failed)} failures, {minutes:.1f} min", flush=True)
        whole = max(each["tests"] for each in told)
        whole_runs = sum(each["tests"] == whole for each in told)
    for seed, name in failed:
        print(f"seed {seed}: {name}")
    print(
        f"{len(told)} runs, {whole_runs} of them of all {whole} tests, the others of"
        f" {min(each['tests'] for each in told)}: {len(failed)} failures"
    )
    return 1 if failed or len(told) < options.runs else 0


if __name__ == "__main__":
    sys.exit(main())
