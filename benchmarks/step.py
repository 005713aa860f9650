"""How long one step takes: from a person's move until all four know the next card; and what a game costs on the wire.

`python -m benchmarks.step [--folder DIR] [--games N] [--think-ms T] [--json]`
Four processes play over loopback TLS, each with a journal that is synced before anything leaves.
Before and after each game the floor of the same machine is measured (floor.py), so that the ratio means something
whatever else the machine does. Steps whose answer or whose next answer was a pass without any choice are left out:
nobody was asked there, so no clock started.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from benchmarks.floor import Parts, measure_parts, measure_together
from benchmarks.machine import machine, machine_line
from benchmarks.peers import Game, Plan, Told, play
from sorry_lan.rules.profile import Rules

SEATS: Final = 4
LINKS: Final = SEATS * (SEATS - 1) // 2
MOST_BYTES: Final = 500_000
MOST_RATIO: Final = 2.0
_FRAME_HEAD: Final = 4


@dataclass(frozen=True)
class Times:
    """Milliseconds."""

    count: int
    median: float
    p90: float


def times_of(values: list[float]) -> Times:
    ordered = sorted(values)
    if not ordered:
        raise SystemExit("nothing was measured")
    return Times(len(ordered), round(statistics.median(ordered), 2), round(ordered[int(len(ordered) * 0.9)], 2))


def steps_of(games: list[Game]) -> list[float]:
    """Times of the steps of one game, seen by all its peers, in ms."""
    forced = {k for game in games for k in game.forced}
    found = []
    for game in games:
        for k, decided in game.decided.items():
            known = [other.known.get(k + 1) for other in games]
            if k + 1 not in forced and None not in known:
                found.append((max(time for time in known if time) - decided) / 1e6)
    return found


@dataclass(frozen=True)
class Bytes:
    """One game's cost on one link, both directions: the mean by type, and the largest that a socket counted."""

    by_type: dict[str, int]
    frames: dict[str, int]
    framed: int
    socket: int
    segments: int


def bytes_of(games: list[list[Told]]) -> Bytes:
    """The mean of the games; each is what its peers report."""
    payloads: Counter[str] = Counter()
    frames: Counter[str] = Counter()
    largest: list[tuple[int, int]] = []
    for told in games:
        for peer in told:
            for link in peer.payloads:
                payloads.update(link)
            for link in peer.frames:
                frames.update(link)
        # Both ends report a connection.
        sockets = {tuple(each["ends"]): each for peer in told for each in peer.sockets}
        largest.append(max((each["sent"] + each["received"], each["segments"]) for each in sockets.values()))
    count = LINKS * len(games)
    return Bytes(
        {name: round(size / count) for name, size in payloads.most_common()},
        {name: round(number / count) for name, number in frames.items()},
        round((payloads.total() + _FRAME_HEAD * frames.total()) / count),
        max(size for size, _ in largest),
        max(segments for _, segments in largest),
    )


@dataclass(frozen=True)
class Result:
    step: Times
    together: Times
    parts: list[Parts]
    ratio: float
    ratio_of_parts: float
    steps_a_game: list[int]
    bytes_a_game: Bytes
    cpu_ms_a_step: float


def measure(folder: Path, plan: Plan, rounds: int) -> Result:
    steps: list[float] = []
    together: list[float] = []
    parts: list[Parts] = []
    told: list[list[Told]] = []

    def floor() -> None:
        parts.append(measure_parts(folder, rounds))
        together.extend(measure_together(folder, SEATS, rounds, plan.think_ms))

    lengths = []
    floor()
    for number in range(plan.games):
        with tempfile.TemporaryDirectory(dir=folder) as inner:
            peers = play(Path(inner), replace(plan, games=1), lambda _line: None)
        steps += steps_of([peer.games[0] for peer in peers])
        lengths.append(peers[0].games[0].steps)
        told.append(peers)
        print(f"game {number + 1} of {plan.games}: {lengths[-1]} steps", file=sys.stderr)
        floor()
    step, bare = times_of(steps), times_of(together)
    total = statistics.median(each.total for each in parts)
    return Result(
        step,
        bare,
        parts,
        round(step.median / bare.median, 2),
        round(step.median / total, 2),
        lengths,
        bytes_of(told),
        round(1000 * sum(peer.cpu_s - peer.cpu_before_s for peers in told for peer in peers) / SEATS / sum(lengths), 2),
    )


def show(result: Result, where: str) -> None:
    median = {
        name: statistics.median(getattr(each, name) for each in result.parts)
        for name in ("delay", "fsync_one", "fsync_three", "fsync_four", "sign", "verify", "total", "alone")
    }
    print(where)
    print(f"{'':34}{'median':>9}{'p90':>9}   ms")
    for name, times in (
        ("one step, four real peers", result.step),
        ("its floor, four bare processes", result.together),
    ):
        print(f"{name:34}{times.median:9.2f}{times.p90:9.2f}   ({times.count} steps)")
    print(f"{'its floor, part by part, added up':34}{median['total']:9.2f}")
    print(f"  3 message delays of {median['delay']:.3f}, 3 signatures of {median['sign']:.3f},")
    print(f"  7 checks of {median['verify']:.3f}; append and fsync of one {median['fsync_one']:.2f},")
    print(f"  of the slowest of three {median['fsync_three']:.2f}, of four {median['fsync_four']:.2f}")
    print(f"ratio to the bare processes {result.ratio:.2f}, to the sum {result.ratio_of_parts:.2f} (aim: {MOST_RATIO})")
    print(f"processor time of one peer for one step: {result.cpu_ms_a_step} ms")
    costs = result.bytes_a_game
    print(f"\nbytes of one game on one link, both ways ({', '.join(map(str, result.steps_a_game))} steps)")
    for name, size in costs.by_type.items():
        print(f"  {name:<14}{size:9}   {costs.frames[name]:6} frames")
    print(f"  {'with framing':<14}{costs.framed:9}")
    print(f"  {'on the socket':<14}{costs.socket:9}   with TLS, the largest link; {costs.segments} segments")
    print(f"  aim: at most {MOST_BYTES}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.step", description="Time and bytes of a step.")
    parser.add_argument("--folder", type=Path, help="a folder on the disk to be measured (default: a temporary one)")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--think-ms", type=float, default=20.0, help="how long a person thinks (default 20)")
    parser.add_argument("--pawns", type=int, default=Rules().pawns, help="of each seat; fewer make shorter games")
    parser.add_argument("--rounds", type=int, default=60, help="of each measurement of the floor (default 60)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder or Path(tempfile.gettempdir())) as name:
        folder = Path(name)
        result = measure(folder, Plan(args.games, args.think_ms, args.pawns, SEATS), args.rounds)
        if args.json:
            print(json.dumps({"machine": machine(folder), **asdict(result)}))
        else:
            show(result, machine_line(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
