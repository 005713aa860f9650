"""`sorry-lan games --stats`: the numbers of all kept games, and of the people of this identity in them.

Local only. Game files are counted after their checksum alone; who doubts one checks it with `verify`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress

from sorry_lan.app.wishes import problem_exit_code
from sorry_lan.cli import options
from sorry_lan.cli.arguments import Arguments
from sorry_lan.cli.options import Manner
from sorry_lan.cli.output import complain, say
from sorry_lan.fair.counts import Totals, totals_of
from sorry_lan.rules.cards import CARDS, card_label
from sorry_lan.store.disk import Disk, StoreError
from sorry_lan.store.identity import own_keys
from sorry_lan.store.paths import identity_folder
from sorry_lan.store.statistics import Counted, counted
from sorry_lan.ui.shown import NAME_CELLS, shown
from sorry_lan.ui.texts_notices import problem_text
from sorry_lan.ui.texts_statistics import (
    games_text,
    legend_text,
    nobody_text,
    skipped_text,
    totals_lines,
    why_skipped_text,
)

_PATH_CELLS = 4096


def run(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Print the numbers; 0, also where there are none."""
    manner = options.manner(arguments)
    try:
        folder = identity_folder(environment, arguments.one("--identity"))
        found = counted(folder / "games", Disk())
        totals = totals_of(found.games, own_keys(folder))
    except StoreError as wrong:
        complain(problem_text(wrong.problem))
        return problem_exit_code(wrong.problem)
    with suppress(BrokenPipeError):
        say([statistics_json(found, totals)] if manner is Manner.JSON else statistics_lines(found, totals))
    return 0


def statistics_lines(found: Counted, totals: tuple[Totals, ...]) -> list[str]:
    """For people."""
    lines = [games_text(len(found.games), _finished(found))]
    for total in totals:
        lines += totals_lines(total)
    if totals:
        lines.append(legend_text())
    elif found.games:
        lines.append(nobody_text())
    return [*lines, *(skipped_text(skipped.path.name, skipped.why) for skipped in found.skipped)]


def statistics_json(found: Counted, totals: tuple[Totals, ...]) -> str:
    """One object for programs (docs/json.md)."""
    return json.dumps(
        {
            "v": 1,
            "type": "statistics",
            "games": len(found.games),
            "finished": _finished(found),
            "people": [_person(total) for total in totals],
            "skipped": [
                {"path": shown(str(skipped.path), _PATH_CELLS), "text": why_skipped_text(skipped.why)}
                for skipped in found.skipped
            ],
            "text": games_text(len(found.games), _finished(found)),
        }
    )


def _finished(found: Counted) -> int:
    return sum(game.winner is not None for game in found.games)


def _person(total: Totals) -> dict[str, object]:
    return {
        "name": shown(total.name, NAME_CELLS),
        "games": total.games,
        "finished": total.finished,
        "wins": total.wins,
        "wins_by_chance": round(float(total.chance), 3),
        "bumps_given": total.given,
        "bumps_taken": total.taken,
        "drawn": {card_label(card): n for card, n in zip(CARDS, total.drawn, strict=True)},
        "expected": {card_label(card): round(float(n), 3) for card, n in zip(CARDS, total.expected, strict=True)},
    }
