"""How long `games --stats` takes over many kept games: the first time, and once they have been counted.

`python -m benchmarks.kept_games [--games N] [--pawns N] [--json]`
A few real four-person games are played and stand in the folder again and again under other names.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.machine import machine, machine_line
from sorry_lan.fair.transcript import EndFrame, Ending, TableFrame, encode_file
from sorry_lan.rules.profile import Rules
from sorry_lan.store.disk import Disk
from sorry_lan.store.statistics import counted
from tests.fair.build import table

DIFFERENT: Final = 4
MOST_COLD_S: Final = 60.0
MOST_WARM_S: Final = 1.0


def transcript(number: int, pawns: int) -> bytes:
    """One whole game of four people."""
    made = table(f"statistics {number}", "hhhh", Rules(pawns=pawns))
    rng = Random(number)
    while not made.ledger.over_final:
        made.step(rng.choice)
    end = EndFrame(made.ledger.k, made.ledger.head, Ending.WON)
    return encode_file([TableFrame(made.bytes, made.consents()), *made.ledger.records, end])


def measure(games: int, pawns: int, folder: Path) -> dict[str, float]:
    """Seconds for the first time and for the next, and what the files hold in megabytes."""
    contents = [transcript(number, pawns) for number in range(min(DIFFERENT, games))]
    for number in range(games):
        (folder / f"{number:05}.sorry").write_bytes(contents[number % len(contents)])
    times = []
    for _ in range(2):
        began = time.monotonic()
        counted(folder, Disk())
        times.append(time.monotonic() - began)
    size = sum(len(contents[number % len(contents)]) for number in range(games))
    return {"first_s": round(times[0], 3), "again_s": round(times[1], 6), "megabytes": round(size / 1e6, 1)}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kept_games", description="Time to count kept games.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--pawns", type=int, default=Rules().pawns, help="fewer make shorter games")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(args.games, args.pawns, Path(folder))
        facts, line = machine(Path(folder)), machine_line(Path(folder))
    if args.json:
        print(json.dumps({"machine": facts, "games": args.games, **found}))
        return 0
    print(line)
    print(f"{args.games} games of four people, {found['megabytes']} MB")
    print(f"first time {found['first_s']:8.2f} s   (aim: at most {MOST_COLD_S * args.games / 1000:.0f})")
    print(f"again      {found['again_s']:8.3f} s   (aim: at most {MOST_WARM_S})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
