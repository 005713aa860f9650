"""How fast the command answers: `--version` and `--help` beside an interpreter that does nothing, in turns.

`python -m benchmarks.startup [--rounds N] [--json]`
Each round starts every one of them once, so that whatever else the machine does troubles all alike.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from benchmarks.machine import machine, machine_line

MOST_RATIO: Final = 3.0
BARE: Final = "python -c pass"


def commands() -> dict[str, list[str]]:
    """What is started; the installed script only where it lies beside this interpreter."""
    python = sys.executable
    found = {
        BARE: [python, "-c", "pass"],
        "python -m sorry_lan --version": [python, "-m", "sorry_lan", "--version"],
        "python -m sorry_lan --help": [python, "-m", "sorry_lan", "--help"],
    }
    script = Path(python).with_name("sorry-lan")
    if script.exists():
        found["sorry-lan --version"] = [str(script), "--version"]
        found["sorry-lan --help"] = [str(script), "--help"]
    return found


def measure(rounds: int) -> dict[str, float]:
    """The median of each in ms."""
    times: dict[str, list[float]] = {name: [] for name in commands()}
    for _ in range(rounds):
        for name, command in commands().items():
            began = time.monotonic()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            times[name].append((time.monotonic() - began) * 1000)
    return {name: round(statistics.median(each), 1) for name, each in times.items()}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.startup", description="Time to answer --version.")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    args = parser.parse_args()
    medians = measure(args.rounds)
    ratios = {name: round(time / medians[BARE], 2) for name, time in medians.items()}
    folder = Path(tempfile.gettempdir())
    if args.json:
        print(json.dumps({"machine": machine(folder), "ms": medians, "ratio": ratios}))
        return 0
    print(machine_line(folder))
    print(f"{'':32}{'median':>9}   ms, as a multiple of the first")
    for name, time_ms in medians.items():
        print(f"{name:32}{time_ms:9.1f}   {ratios[name]:.2f}")
    print(f"aim: --version at most {MOST_RATIO}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
