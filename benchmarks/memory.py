"""Whether a peer stays small: resident memory after each of many games in a row in one process, over real links.

`python -m benchmarks.memory [--games N] [--steps N] [--reconnects] [--folder DIR] [--json]`
Four processes play a game and then a rematch after another, in a hurry; each looks at its own memory at each end.
With `--reconnects` a link is cut every 50 steps, each seat's in turn, and made again while the game goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Final

from benchmarks.machine import machine, machine_line
from benchmarks.peers import NAMES, Plan, play
from sorry_lan.rules.profile import Rules

SEATS: Final = 4
MOST_MB: Final = 80.0
MOST_GROWTH_MB: Final = 5.0
BREAK_EVERY: Final = 50
WARM: Final = 5
"""After so many games everything that is loaded once has been loaded."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description="Resident memory of a peer.")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--steps", type=int, default=0, help="as many games more as it takes for so many steps")
    parser.add_argument("--seats", type=int, default=SEATS)
    parser.add_argument("--reconnects", action="store_true", help=f"cut a link every {BREAK_EVERY} steps")
    parser.add_argument("--pawns", type=int, default=Rules().pawns, help="of each seat; fewer make shorter games")
    parser.add_argument("--folder", type=Path, help="where the peers keep their files (default: a temporary folder)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as name:
        where, facts = machine_line(Path(name)), machine(Path(name))
        steps_wanted = max(args.steps, 1)
        plan = Plan(args.games, 0.0, args.pawns, args.seats, steps_wanted, BREAK_EVERY if args.reconnects else 0)
        told = play(Path(name), plan, lambda line: print(line, file=sys.stderr))
    broken = sum(each.broken for each in told)
    steps = [game.steps for game in told[0].games]
    memory = {
        peer: [round(game.rss_kb / 1024, 1) for game in each.games] for peer, each in zip(NAMES, told, strict=False)
    }
    largest = max(max(row) for row in memory.values())
    warm = min(WARM, len(steps)) - 1
    growth = max(row[-1] - row[warm] for row in memory.values())
    if args.json:
        found = {"machine": facts, "steps": steps, "mb": memory, "largest_mb": largest, "growth_mb": growth}
        print(json.dumps({**found, "broken": broken}))
        return 0
    print(where)
    print(f"{'game':>5}{'steps':>7}" + "".join(f"{peer:>9}" for peer in memory) + "   MB resident")
    for number, count in enumerate(steps):
        print(f"{number + 1:5}{count:7}" + "".join(f"{row[number]:9.1f}" for row in memory.values()))
    print(
        f"{sum(steps)} steps, {broken} links cut; largest {largest:.1f} MB (aim: {MOST_MB:.0f}), from game {warm + 1}"
        f" to the last {growth:+.1f} MB (aim: {MOST_GROWTH_MB:.0f})"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
