"""Learns the tables of pairs by which the expert bot judges, and writes sorry_lan/bots/pairs.bin.

Run from the repository's root, with a C compiler: python -m tools.train_pairs [--seed N] [--scale X] [--jobs N]
The learning is in train_pairs.c, which is compiled with the tables of each profile; CC names another compiler than cc.
python -m tools.train_pairs --check writes nothing: it plays random games in C, and is 1 where a card ends otherwise
there than by the rules of the program.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import zlib
from array import array
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from sorry_lan.bots.pairs import SETS, UNIT, WEIGHTS
from sorry_lan.bots.shares import NAT
from sorry_lan.rules.board import HOME, Colour
from sorry_lan.rules.cards import CARDS, full_deck
from sorry_lan.rules.fast import Outcomes, core
from sorry_lan.rules.profile import PROFILES, Rules, SorryForward, TwoDrawsAgain
from sorry_lan.rules.tables import tables

SOURCE = Path(__file__).resolve().with_suffix(".c")
TARGET = SOURCE.parent.parent / "sorry_lan" / "bots" / "pairs.bin"
COLOURS = {2: ("01", "02", "03"), 3: ("012", "013", "023", "123") + ("0123",) * 4}
"""Who plays the games, each set as often; where the first of two sits makes no difference."""
POSITIONS = {2: 20_000_000, 3: 12_000_000}
PLACES = HOME + 1


def header(rules: Rules) -> str:
    """The rules as train_pairs.c reads them; SystemExit for rules that it does not know."""
    by_colour = [tables(rules, colour) for colour in Colour]
    if any(each.vetoes for each in by_colour):
        raise SystemExit("train_pairs.c knows no slide that an own pawn forbids")
    swept = [[[*t.slides.get(loc, (0, b""))[1]] for loc in range(PLACES)] for t in by_colour]
    arrays: dict[str, Sequence[object]] = {
        f"FORTH[4][14][{PLACES}]": [[[*ends[:PLACES]] for ends in t.forth] for t in by_colour],
        f"BACK[4][5][{PLACES}]": [[[*ends[:PLACES]] for ends in t.back] for t in by_colour],
        "DOOR[4][14]": [[x if card in rules.start_cards else 0 for card, x in enumerate(t.exits)] for t in by_colour],
        f"SLIDE_END[4][{PLACES}]": [[t.slides.get(loc, (0,))[0] for loc in range(PLACES)] for t in by_colour],
        f"SWEPT[4][{PLACES}][6]": swept,
        "DECK[11][2]": [[int(card), count] for card, count in zip(CARDS, full_deck(rules), strict=True)],
    }
    numbers = {
        "PAWNS": rules.pawns,
        "CARDS": sum(full_deck(rules)),
        "TWO_DRAWS_AGAIN": int(rules.two_draws_again is TwoDrawsAgain.ALWAYS),
        "SORRY_FORWARD": int(rules.sorry_forward is SorryForward.CHOICE),
    }
    lines = [f"#define {name} {number}" for name, number in numbers.items()]
    lines += [f"static const u8 {name} = {_braced(values)};" for name, values in arrays.items()]
    return "\n".join(lines) + "\n"


def _braced(values: object) -> str:
    return "{" + (",".join(map(_braced, values)) or "0") + "}" if isinstance(values, list) else str(values)


def compiled(name: str, folder: Path) -> Path:
    """train_pairs.c with the rules of a profile."""
    place = folder / name
    place.mkdir()
    (place / "rules.h").write_text(header(PROFILES[name]), encoding="utf-8")
    program = place / "train_pairs"
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-O2", "-I", str(place), "-o", str(program), str(SOURCE), "-lm"], check=True)
    return program


def learn(program: Path, seats: int, positions: int, seed: int) -> bytes:
    """The weights of one set as they are stored."""
    raw = program.with_name(f"weights-{seats}")
    arguments = [str(positions), str(seed), str(raw), *COLOURS[seats]]
    subprocess.run([str(program), "learn", *arguments], check=True)
    weights = array("f", raw.read_bytes())
    if len(weights) != WEIGHTS:
        raise SystemExit(f"train_pairs.c has {len(weights)} weights, bots/pairs.py {WEIGHTS}")
    return bytes(max(-127, min(round(weight * NAT / UNIT), 127)) & 255 for weight in weights)


def check(program: Path, rules: Rules, seats: int) -> int:
    """Compare every end of every card in some random games; how many cards were compared."""
    compared = 0
    shown = subprocess.run([str(program), "ends", *COLOURS[seats]], check=True, capture_output=True, text=True)
    for line in shown.stdout.splitlines():
        if " " not in line:
            outcomes = Outcomes(core(rules, tuple(Colour(int(colour)) for colour in line)))
            continue
        before, card, *after = line.split(" ")
        *cells, turn, _winner = map(int, before.split(","))
        ours = sorted([*end[1], end[2], end[3]] for end in outcomes.of(bytes(cells), turn, int(card)))
        theirs = sorted([int(number) for number in end.split(",")] for end in after)
        if ours != theirs:
            raise SystemExit(f"card {card} at {before}: {theirs} in C, {ours} by the rules")
        compared += 1
    return compared


def main(arguments: Sequence[str]) -> int:
    """0 when the tables were written, or with --check are learned by the right rules."""
    parser = argparse.ArgumentParser(description="learn the tables of pairs by which the expert bot judges")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=float, default=1.0, help="more or fewer positions than usual")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--check", action="store_true", help="only compare the rules")
    chosen = parser.parse_args(arguments)
    with TemporaryDirectory() as folder, ThreadPoolExecutor(chosen.jobs) as pool:
        programs = {name: compiled(name, Path(folder)) for name in PROFILES}
        if chosen.check:
            for name, seats in SETS:
                print(f"{name}, {seats} players: {check(programs[name], PROFILES[name], seats)} cards end alike")
            return 0
        parts = pool.map(
            lambda each: learn(programs[each[0]], each[1], round(POSITIONS[each[1]] * chosen.scale), chosen.seed),
            SETS,
        )
        TARGET.write_bytes(zlib.compress(b"".join(parts), 9))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
