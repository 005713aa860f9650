"""Writes protocol/vectors/levels.json: positions and what the hard and the expert bot answer. `--check` only compares.

These answers are the ones of sorry_lan/bots: no second implementation stands behind them, unlike behind bots.json.
Run from the repository's root: python -m tools.level_vectors [--check]
"""

from __future__ import annotations

import json
import sys
from itertools import islice
from pathlib import Path

from sorry_lan.bots.choose import choose
from sorry_lan.bots.levels import LEVELS
from sorry_lan.rules.moves import to_action
from sorry_lan.rules.profile import to_uints, variations
from tests.bots.games import questions

TARGET = Path(__file__).resolve().parent.parent / "protocol" / "vectors" / "levels.json"
ABOUT = "What the hard and the expert bot answer (SPEC.md 5.7); written by the program itself."
FIRST, EVERY = 6, 13
"""One position after so many choices of a game, and another that many later."""


def cases() -> list[dict[str, object]]:
    """Two positions of a game under each of the 27 rules, in turn for 2, 3 and 4 players."""
    found: list[dict[str, object]] = []
    for number, (name, rules) in enumerate(variations()):
        asked = list(islice(questions(rules, 2 + number % 3, number), FIRST, FIRST + EVERY + 1, EVERY))
        for place, (position, card, secret) in enumerate(asked):
            given = {
                "rules": list(to_uints(rules)),
                "colours": [int(colour) for colour in position.colours],
                "locations": [list(row) for row in position.pawns],
                "turn": position.turn,
                "card": int(card),
                "secret": secret.hex(),
            }
            out = {
                level: list(to_action(choose(position, rules, card, LEVELS.index(level), secret)))
                for level in ("hard", "expert")
            }
            case = {"id": f"levels/{name}-{place}", "group": "levels", "spec": ["F-31"], "why": "a position of a game"}
            found.append(case | {"in": given, "out": out})
    return found


def text() -> str:
    """The file, one case a line."""
    rows = ",\n".join(json.dumps(case) for case in cases())
    head = json.dumps({"format": 1, "file": "levels", "about": ABOUT})
    return f'{head[:-1]}, "cases": [\n{rows}\n]}}\n'


def main(arguments: list[str]) -> int:
    """0 if the vectors are as written, or were written."""
    if arguments == ["--check"]:
        return int(TARGET.read_text(encoding="utf-8") != text())
    TARGET.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
