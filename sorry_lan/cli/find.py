"""`sorry-lan list`, and the choice of a table before `join` where nobody said which."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import trio

from sorry_lan import __version__
from sorry_lan.app.wishes import problem_exit_code
from sorry_lan.cli import options
from sorry_lan.cli.arguments import Arguments, UsageError
from sorry_lan.cli.options import Manner, manner, seconds
from sorry_lan.cli.output import complain, say
from sorry_lan.fair.engine import engine_digest
from sorry_lan.net.discovery import Lookout
from sorry_lan.net.where import BadAddress, parse_where
from sorry_lan.table.notices import CodeUse, Fit, FoundTable, NoTable, Program, Silence
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.chosen import Chosen
from sorry_lan.ui.json_tables import table_gone_line, table_line
from sorry_lan.ui.texts_finding import no_table_text, slip_text, table_text
from sorry_lan.wire import limits
from sorry_lan.wire.messages import VERSION_MAX, VERSION_MIN

_LOOK_S: Final = 2.0
"""With starting up and ending, a list stands there within three seconds."""
_QUIET_S: Final = 0.5
"""Once there is a table, so long without another one ends the search."""


class NobodyThere(Exception):  # noqa: N818 - says what is the case
    """No table was chosen; the exit code, after everything was said."""

    def __init__(self, exit_code: int) -> None:
        super().__init__(str(exit_code))
        self.exit_code = exit_code


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a search came to."""

    tables: tuple[FoundTable, ...]
    silence: Silence
    ours: Program


def run(arguments: Arguments) -> int:
    """`sorry-lan list`: 0 where a table was found, 3 where none was."""
    wanted = arguments.one("--seconds")
    look_s = seconds("--seconds", wanted) if wanted is not None else _LOOK_S
    if manner(arguments) is Manner.JSON:
        seen = _search(look_s, look_s, _told_by_line)
    else:
        seen = _search(look_s, look_s if wanted is not None else _QUIET_S, _untold)
        say(f"  {table_text(table, seen.ours)}" for table in seen.tables)
    if seen.tables:
        return 0
    problem = NoTable(seen.silence, 0, CodeUse.NONE)
    complain(no_table_text(problem))
    return problem_exit_code(problem)


def choose(arguments: Arguments) -> Chosen:
    """The table to join: the one that a person at the terminal picks, else the only one there is.

    Raises:
        NobodyThere: there is none, or the person wants none; UsageError: several, and nobody to ask.
    """
    person = manner(arguments) is not Manner.JSON and not arguments.has("--yes") and _at_terminal()
    while True:
        if person:
            say([_("Looking for tables in this network ...")])
        seen = _search(_LOOK_S, _QUIET_S, _untold)
        able = tuple(table for table in seen.tables if table.fit is Fit.FITS)
        if not person:
            return _only(seen, able)
        numbers = {table.key: str(number) for number, table in enumerate(able, 1)}
        say(f"  {numbers.get(table.key, '-')}  {table_text(table, seen.ours)}" for table in seen.tables)
        if not seen.tables:
            say([no_table_text(NoTable(seen.silence, 0, CodeUse.NEEDED))])
        chosen = _asked(able)
        if chosen is not None:
            return chosen


def _only(seen: _Seen, able: tuple[FoundTable, ...]) -> Chosen:
    if len(able) == 1:
        return _at(able[0])
    if able:
        listed = "\n".join(f"  {table_text(table, seen.ours)}" for table in able)
        told = _("There are {n} tables; say which, by its address:\n{tables}")
        raise UsageError(told.format(n=len(able), tables=listed))
    if seen.tables:
        for table in seen.tables:
            complain(table_text(table, seen.ours))
        raise NobodyThere(_DIFFERS)
    problem = NoTable(seen.silence, 0, CodeUse.NEEDED)
    complain(no_table_text(problem))
    raise NobodyThere(problem_exit_code(problem))


_DIFFERS: Final = 5


def _at(table: FoundTable) -> Chosen:
    return Chosen(table.address, None, table.card.code)


def _asked(able: tuple[FoundTable, ...]) -> Chosen | None:
    """What the person types; None to look again."""
    while True:
        say([_("Number of a table, an address or a code (Enter: look again, d: doctor, q: leave):")])
        # Not sys.stdin.readline: that would keep what is typed ahead from the table's own reader.
        typed = os.read(sys.stdin.fileno(), 4096)
        text = typed.decode(errors="replace").strip()
        if not typed or text.lower() == "q":
            raise NobodyThere(0)
        if not text:
            return None
        if text.lower() == "d":
            _doctor(able[0].address if len(able) == 1 else None)
            continue
        if text.isascii() and text.isdigit() and len(text) < 3:
            if 1 <= int(text) <= len(able):
                return _at(able[int(text) - 1])
            say([_("There is no table {n}.").format(n=int(text))])
            continue
        try:
            return where(text)
        except UsageError as wrong:
            say([str(wrong)])


def _doctor(address: str | None) -> None:
    """What is in the way to the only table there is, or else to any."""
    from sorry_lan.cli import doctor  # noqa: PLC0415 - most people never need it

    doctor.run(Arguments("doctor", address, {}))


def nowhere(arguments: Arguments, environment: Mapping[str, str]) -> bool:
    """Whether somebody is to join and nobody said where, with a person there to ask."""
    alone = arguments.command == "join" and arguments.operand is None and not arguments.has("--yes")
    return alone and options.code(arguments, environment) is None


def where(text: str) -> Chosen:
    """The one box: an address, a code, or both; UsageError with the right spelling."""
    try:
        found = parse_where(text, limits.DEFAULT_PORT)
    except BadAddress as wrong:
        raise UsageError(slip_text(wrong.slip, text, wrong.near)) from wrong
    return Chosen(None if found.address is None else str(found.address), found.code, CodeUse.NEEDED)


def _at_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


Telling = Callable[[tuple[FoundTable, ...], tuple[FoundTable, ...], Program], None]


def _untold(_before: tuple[FoundTable, ...], _now: tuple[FoundTable, ...], _ours: Program) -> None:
    """Only the end counts."""


def _told_by_line(before: tuple[FoundTable, ...], now: tuple[FoundTable, ...], ours: Program) -> None:
    """What changed, as JSON lines; how long an answer took is no change."""
    old = {table.key: replace(table, latency_ms=0.0) for table in before}
    new = {table.key for table in now}
    say(table_gone_line(table.address) for table in before if table.key not in new)
    say(table_line(table, ours) for table in now if old.get(table.key) != replace(table, latency_ms=0.0))


def _search(look_s: float, quiet_s: float, tell: Telling) -> _Seen:
    return trio.run(_searched, look_s, quiet_s, tell)


async def _searched(look_s: float, quiet_s: float, tell: Telling) -> _Seen:
    """Look for `look_s`, or until nothing new came for `quiet_s`."""
    program = Program(VERSION_MIN, VERSION_MAX, __version__[: limits.MAX_APP], None)
    lookout = Lookout(program)
    end_s = time.monotonic() + look_s
    before: tuple[FoundTable, ...] = ()
    weighed = trio.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)

        async def weigh() -> None:
            digest = await trio.to_thread.run_sync(engine_digest, abandon_on_cancel=True)
            lookout.ours = replace(program, engine=digest)
            weighed.set()

        nursery.start_soon(weigh)
        quiet_at_s = float("inf")
        count = 0
        while (left_s := min(end_s, quiet_at_s) - time.monotonic()) > 0:
            with trio.move_on_after(left_s):
                await lookout.change()
            if len(lookout.tables) > count:
                count = len(lookout.tables)
                quiet_at_s = time.monotonic() + quiet_s
            await weighed.wait()
            tell(before, lookout.tables, lookout.ours)
            before = lookout.tables
        found = _Seen(lookout.tables, lookout.silence, lookout.ours)
        nursery.cancel_scope.cancel()
    return found
