"""Every scenario of the lab at its full length, and what it measured: `sudo python -m tests.lan [NAME...]`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from tests.lan import finding, kills, scenarios
from tests.lan.lab import why_not
from tests.lan.peers import Fell
from tests.lan.scenarios import FULL, Figures

FULL_LENGTH: Final[Mapping[str, Callable[[], Figures]]] = {
    "stormy": lambda: scenarios.stormy(FULL),
    "silent-cut": scenarios.silent_cut,
    "killed": scenarios.killed,
    "stopped": scenarios.stopped,
    "unplugged": scenarios.unplugged,
    "moved": scenarios.moved,
    "around": lambda: scenarios.around(rules=FULL),
    "one-way": lambda: scenarios.around(((1, 2),), FULL),
    "six-only": lambda: scenarios.six_only(None, FULL),
    "link-local": lambda: scenarios.six_only(rules=FULL),
    "rooms": finding.rooms,
    "printed-lines": finding.printed_lines,
    "flapped": finding.flapped,
    "plugged-late": finding.plugged_late,
    "crashed": finding.crashed,
    "no-multicast": finding.no_multicast,
    "no-network": finding.no_network,
    "wrong-code": finding.wrong_code,
    "besieged": finding.besieged,
    "moved-house": finding.moved_house,
    **{f"only-{name.replace(' ', '-')}": partial(finding.family, name) for name in finding.FAMILIES},
    "kills": lambda: kills.run(50, 1, 4),
}


def main() -> None:
    """Exit code 1 where something that must hold did not."""
    parser = argparse.ArgumentParser(prog="python -m tests.lan")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(FULL_LENGTH))
    parser.add_argument("--times", type=int, default=1)
    asked = parser.parse_args()
    unknown = set(asked.names) - FULL_LENGTH.keys()
    if unknown:
        parser.error(f"no such scenario: {', '.join(sorted(unknown))}")
    reason = why_not()
    if reason is not None and asked.names != ["kills"]:
        raise SystemExit(reason)
    failed = 0
    for _ in range(asked.times):
        for name in asked.names or FULL_LENGTH:
            failed += not _told(name, FULL_LENGTH[name])
    raise SystemExit(1 if failed else 0)


def _told(name: str, play: Callable[[], Figures]) -> bool:
    began_s = time.monotonic()
    try:
        figures = play()
    except Fell as wrong:
        print(f"{name}: FAILED after {time.monotonic() - began_s:.1f} s: {wrong}", flush=True)
        return False
    told = ", ".join(f"{what} {value:.4g}" for what, value in figures.items())
    print(f"{name} ({time.monotonic() - began_s:.1f} s): {told}", flush=True)
    return True


if __name__ == "__main__":
    main()
