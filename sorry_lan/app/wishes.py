"""What a person asked for, as values, and the exit codes that answer it ([E-1])."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field
from enum import Enum, unique
from pathlib import Path
from typing import Final

from sorry_lan.faults import Err
from sorry_lan.rules.profile import Rules
from sorry_lan.table.notices import (
    Blocks,
    Finding,
    GameProblem,
    GameTrouble,
    JoinProblem,
    NoTable,
    Problem,
    StartProblem,
    StoreTrouble,
)
from sorry_lan.table.programs import BotProblem
from sorry_lan.table.settings import Auto, Naming, Offers, ReadyWhen, Role
from sorry_lan.wire.terms import Option

_USAGE: Final = 2
_NOTHING_FOUND: Final = 3
_CANNOT_REACH: Final = 4
_DIFFERS: Final = 5
_UNFAIR: Final = 6
_REFUSED: Final = 7
_IN_USE: Final = 8
_NOT_WRITABLE: Final = 9
_EXIT: Final = {
    Err.GOODBYE: 0,
    Err.VERSION: _DIFFERS,
    Err.ENGINE_DIFFERS: _DIFFERS,
    Err.DIVERGED: _DIFFERS,
    Err.IDENTITY_SIGNATURE: _UNFAIR,
    Err.UNEXPECTED_IDENTITY: _UNFAIR,
    Err.EQUIVOCATION: _UNFAIR,
    Err.CONNECTED_ELSEWHERE: _IN_USE,
    Err.OWN_IDENTITY: _USAGE,
} | dict.fromkeys(
    (
        Err.JOIN_CODE,
        Err.CODE_REQUIRED,
        Err.TABLE_FULL,
        Err.STALE_TABLE,
        Err.DUPLICATE,
        Err.PARENT_DIFFERS,
        Err.REMOVED,
        Err.GAME_IN_PLAY,
        Err.NOT_A_SEAT,
        Err.UNKNOWN_GAME,
        Err.WATCHERS_FULL,
        Err.WATCHING_NOT_ALLOWED,
    ),
    _REFUSED,
)
"""Exit codes by error number ([E-1]); what is not here cannot be reached: 4."""


def ending_signals(module: object) -> dict[signal.Signals, int]:
    """What the program returns when a signal ends it, for those that the `signal` module of this system has.

    Windows sends SIGBREAK when the console is closed, and for Ctrl-Break; it has no SIGHUP.
    """
    codes = (("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129), ("SIGBREAK", 129))
    return {getattr(module, name): code for name, code in codes if hasattr(module, name)}


BY_SIGNAL: Final = ending_signals(signal)
"""What the program returns when a signal ends it, in order."""


@unique
class Access(Enum):
    """Whether a hosted table asks for a join code."""

    CODE = "code"
    OPEN = "open"


@unique
class Resume(Enum):
    """What becomes of a game that this identity has not finished."""

    WHERE_INTERRUPTED = "where-interrupted"
    """The same command takes up a game that broke off, without anybody leaving it."""
    ASKED = "asked"
    """A saved game is asked for, and nothing else."""
    NEVER = "never"
    """A new table."""


@unique
class Goodbye(Enum):
    """When a good-bye counts that comes before it is known whether there is a table at all."""

    WHEN_ANSWERED = "when-answered"
    """Without input, joining still says why not."""
    AT_ONCE = "at-once"
    """Somebody is there who wants to go."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """One person at this keyboard, as asked for."""

    name: str
    colour: int | None
    age: int | None
    naming: Naming = Naming.GIVEN


@dataclass(frozen=True, slots=True)
class RunOptions:
    """All that a person asked for.

    `folder` is the identity's; `address` is where to join, as typed (None: wherever the code is taken); `code` is the
    one to give (joining) or to ask for (hosting; None: a fresh one); `port` None is the default for hosts and any for
    joiners; `game` is how the id of the saved game to resume begins ("": the latest that can go on); `finding` and
    `advertised` say whether a hosted table is announced, and which address is told instead of those that it has;
    `picture` of what the line for others is shown as a picture, if at all.
    """

    role: Role
    folder: Path
    people: tuple[Sitting, ...]
    title: str
    rules: Rules
    options: Option
    seats: int
    bots: tuple[int, ...]
    ready: ReadyWhen
    auto: Auto
    auto_level: int
    access: Access = Access.CODE
    code: str | None = field(default=None, repr=False)
    port: int | None = None
    address: str | None = None
    offers: Offers = Offers.PEOPLE
    resume: Resume = Resume.WHERE_INTERRUPTED
    game: str = ""
    goodbye: Goodbye = Goodbye.WHEN_ANSWERED
    finding: Finding = Finding.SILENT
    advertised: str | None = None
    picture: Blocks | None = None


def exit_code(code: Err) -> int:
    """What the program returns for an error number ([E-1])."""
    return _EXIT.get(code, _CANNOT_REACH)


def problem_exit_code(problem: StartProblem) -> int:
    """What the program returns where no table came about."""
    if isinstance(problem, GameProblem):
        return _DIFFERS if problem.trouble is GameTrouble.OTHER_ENGINE else _NOTHING_FOUND
    if isinstance(problem, NoTable):
        return _REFUSED if problem.tried else _NOTHING_FOUND
    if isinstance(problem, JoinProblem):
        return _USAGE if problem.problem is Problem.ADDRESS else exit_code(problem.code)
    if isinstance(problem, BotProblem):
        return _CANNOT_REACH
    trouble = problem.trouble
    if isinstance(trouble, StoreTrouble):
        return _IN_USE if trouble is StoreTrouble.IN_USE else _NOT_WRITABLE
    return _CANNOT_REACH
