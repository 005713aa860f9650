"""`sorry-lan verify FILE`: judge a finished game from its file alone, which is opened for reading only.

The exit code is the verdict: 0 holds, 10 holds but the win is unconfirmed, 6 false, 5 other engine, 2 no game file.
"""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from typing import Final

from sorry_lan.cli.options import Manner
from sorry_lan.cli.output import complain, say
from sorry_lan.fair.verify import Outcome, Verdict, verify_transcript
from sorry_lan.rules.cards import CARDS, card_label
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.shown import NAME_CELLS, shown
from sorry_lan.ui.texts_verify import verdict_lines
from sorry_lan.wire.limits import MAX_JOURNAL

USAGE: Final = 2
_PATH_CELLS: Final = 400
_CHUNK: Final = 1 << 20


class Unreadable(Exception):  # noqa: N818 - a sentence for people
    """The file cannot be judged at all; the text says why."""


def run(path: str, manner: Manner) -> int:
    """Print the verdict on the file at `path`; its exit code."""
    try:
        verdict = verify_transcript(read_game(path))
    except Unreadable as wrong:
        if manner is Manner.JSON:
            say([json.dumps({"v": 1, "type": "error", "text": str(wrong)})])
        else:
            complain(str(wrong))
        return USAGE
    # The verdict is the exit code, so a reader of the text that stops early changes nothing.
    with suppress(BrokenPipeError):
        say([verdict_json(verdict)] if manner is Manner.JSON else verdict_lines(verdict))
    return int(verdict.outcome)


def read_game(path: str) -> bytes:
    """The bytes of a regular file of at most 16 MiB; Unreadable with a sentence for everything else."""
    name = shown(path, _PATH_CELLS)
    try:
        # A pipe without a writer would keep a plain open() waiting for ever.
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError as wrong:
        raise Unreadable(_("There is no file {name}.").format(name=name)) from wrong
    except (OSError, ValueError) as wrong:
        why = wrong.strerror if isinstance(wrong, OSError) and wrong.strerror else str(wrong)
        raise Unreadable(_("{name} cannot be read: {why}.").format(name=name, why=why)) from wrong
    try:
        return _read(fd, name)
    except OSError as wrong:
        raise Unreadable(_("{name} cannot be read: {why}.").format(name=name, why=wrong.strerror)) from wrong
    finally:
        os.close(fd)


def _read(fd: int, name: str) -> bytes:
    about = os.fstat(fd)
    if stat.S_ISDIR(about.st_mode):
        raise Unreadable(_("{name} is a folder; name a file in it.").format(name=name))
    if not stat.S_ISREG(about.st_mode):
        raise Unreadable(_("{name} is not a plain file.").format(name=name))
    if about.st_size == 0:
        raise Unreadable(_("{name} is empty.").format(name=name))
    found = bytearray()
    while data := os.read(fd, _CHUNK):
        found += data
        if len(found) > MAX_JOURNAL:
            raise Unreadable(_("{name} is larger than any game file can be.").format(name=name))
    return bytes(found)


def verdict_json(verdict: Verdict) -> str:
    """The verdict as one JSON object (docs/json.md)."""
    seats = verdict.terms.seats if verdict.terms else ()
    players = [
        {
            "seat": index,
            "name": shown(seat.name, NAME_CELLS),
            "kind": ("human", "bot", "stand_in")[seat.kind],
            "drawn": {card_label(card): n for card, n in zip(CARDS, verdict.draws[index], strict=True)},
            "expected": {
                card_label(card): round(float(n), 3) for card, n in zip(CARDS, verdict.expected(index), strict=True)
            },
        }
        for index, seat in enumerate(seats)
    ]
    return json.dumps(
        {
            "v": 1,
            "type": "verdict",
            "holds": verdict.outcome in (Outcome.HOLDS, Outcome.UNCONFIRMED),
            "outcome": verdict.outcome.name.lower(),
            "finding": verdict.finding.value.replace(" ", "_"),
            "steps": verdict.steps,
            "game": verdict.game_id.hex() if verdict.game_id else None,
            "words": list(verdict.words) if verdict.words else None,
            "first": verdict.first,
            "winner": verdict.winner,
            "unconfirmed": list(verdict.unconfirmed),
            "blamed": verdict.blamed,
            "shares": verdict.shares,
            "cautions": [caution.value.replace(" ", "_") for caution in verdict.cautions],
            "players": players,
            "text": verdict_lines(verdict)[0],
        }
    )
