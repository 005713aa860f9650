"""`sorry-lan arena`: bots against bots over the same cards, and what the games prove about them and their seats.

Any signal stops it cleanly: what is known by then is told. arena/ plays and counts.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Final

from sorry_lan.arena.crew import Crew, WorkerLost
from sorry_lan.arena.match import Entrant, Match
from sorry_lan.arena.scores import Confidence, Scores, no_scores
from sorry_lan.bots.levels import LEVELS
from sorry_lan.cli import options
from sorry_lan.cli.arena_words import lost_text, progress_text, scores_json, scores_lines
from sorry_lan.cli.arguments import Arguments, UsageError
from sorry_lan.cli.options import Manner
from sorry_lan.cli.output import complain, say
from sorry_lan.cli.progress import Bar
from sorry_lan.rules.board import Colour
from sorry_lan.ui.catalogue import _
from sorry_lan.wire.limits import MAX_SEATS, MIN_SEATS

RANDOM: Final = "random"
"""The name of the entrant that takes any choice: what every level has to beat."""
_LOST: Final = 4
_BY_SIGNAL: Final = {"SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129}
_USUAL_GAMES: Final = 1000
_MOST_GAMES: Final = 10_000_000
_MOST_SEED: Final = 2**32 - 1
_MOST_JOBS: Final = 256


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played, by how many processes, and how to tell it; a deal is one game for each order of bots."""

    match: Match
    deals: int
    jobs: int
    confidence: Confidence
    manner: Manner

    @property
    def games(self) -> int:
        """All games of all deals."""
        return self.deals * len(self.match.line_ups())


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was played until the end, or until a signal or a lost worker: 0 or the exit code of that."""

    scores: Scores
    code: int
    seconds: float


class Stopped(Exception):  # noqa: N818 - it says what happened
    """A signal asks to stop; raised wherever the main thread is just then."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def run(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Play the match of a command line and tell what it came to; its exit code."""
    plan = plan_of(arguments)
    with Bar(sys.stderr, environment) as bar:
        outcome = played(plan, bar)
    if outcome.code == _LOST:
        complain(lost_text())
    if plan.manner is Manner.JSON:
        say([scores_json(plan.match, outcome.scores, plan.confidence, outcome.code, outcome.seconds)])
    else:
        say(scores_lines(plan.match, outcome.scores, plan.confidence, outcome.code))
    return outcome.code


def plan_of(arguments: Arguments) -> Plan:
    """The plan of a command line; UsageError where it makes none."""
    entrants = tuple(_entrant(word) for word in (arguments.operand or "").split())
    if not MIN_SEATS <= len(entrants) <= MAX_SEATS:
        raise UsageError(
            _("arena needs 2 to 4 bots behind it, one a seat, each one of {names}.").format(names=", ".join(_names()))
        )
    seed = _number(arguments, "--seed", 0, _MOST_SEED, int.from_bytes(os.urandom(4), "big"))
    match = Match(entrants, options.rules(arguments), _colours(arguments, len(entrants)), seed)
    games = _number(arguments, "--games", 1, _MOST_GAMES, _USUAL_GAMES)
    deals = -(-games // len(match.line_ups()))
    jobs = min(deals, _number(arguments, "--jobs", 1, _MOST_JOBS, _cores()))
    return Plan(match, deals, jobs, _confidence(arguments), options.manner(arguments))


def played(plan: Plan, bar: Bar) -> Outcome:
    """Play all deals, or as many as can be."""
    scores = no_scores(plan.match)
    began_s = time.monotonic()
    code = 0
    try:
        with _stopping(), Crew(plan.match, plan.jobs) as crew:
            for some in crew.play(plan.deals):
                scores = scores.plus(some)
                bar.show(scores.games, plan.games, progress_text(scores.games, plan.games, _pace(scores, began_s)))
    except Stopped as stopped:
        code = stopped.code
    except WorkerLost:
        code = _LOST
    return Outcome(scores, code, time.monotonic() - began_s)


def _pace(scores: Scores, began_s: float) -> float:
    """Games a second."""
    return scores.games / max(time.monotonic() - began_s, 1e-3)


@contextmanager
def _stopping() -> Iterator[None]:
    """A first signal raises Stopped inside; until it is told what is known, a second one ends the program at once."""
    known = {getattr(signal, name): code for name, code in _BY_SIGNAL.items() if hasattr(signal, name)}
    heard = [number for number in known if signal.getsignal(number) is not signal.SIG_IGN]
    at_once = {number: signal.getsignal(number) for number in heard}

    def stop(number: int, _frame: FrameType | None) -> None:
        for each in heard:
            signal.signal(each, at_once[each])
        raise Stopped(known[signal.Signals(number)])

    for number in heard:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, at_once[number])


def _names() -> tuple[str, ...]:
    return (RANDOM, *LEVELS)


def _entrant(word: str) -> Entrant:
    name = word.lower()
    if name not in _names():
        raise UsageError(
            _("There is no bot {name}; there are {known}.").format(name=ascii(word[:40]), known=", ".join(_names()))
        )
    return Entrant(name, None if name == RANDOM else LEVELS.index(name))


def _colours(arguments: Arguments, seats: int) -> tuple[Colour, ...]:
    """--colours, else those that a table with so many seats has by itself."""
    given = arguments.one("--colours")
    if given is None:
        return tuple(Colour)[:seats]
    by_label = {colour.label: colour for colour in Colour}
    words = [word.strip().lower() for word in given.split(",")]
    if not set(words) <= by_label.keys() or len(set(words)) != len(words) or len(words) != seats:
        raise UsageError(
            _("--colours takes {n} different ones of {colours}, with a comma between, not {text}.").format(
                n=seats, colours=", ".join(by_label), text=ascii(given[:40])
            )
        )
    return tuple(sorted(by_label[word] for word in words))


def _confidence(arguments: Arguments) -> Confidence:
    given = arguments.one("--confidence")
    known = {str(int(each)): each for each in Confidence}
    if given is not None and given not in known:
        raise UsageError(
            _("--confidence takes one of {known}, not {text}.").format(known=", ".join(known), text=ascii(given[:40]))
        )
    return known.get(given or "", Confidence.USUAL)


def _number(arguments: Arguments, flag: str, low: int, high: int, usual: int) -> int:
    given = arguments.one(flag)
    return usual if given is None else options.number(flag, given, low, high)


def _cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
