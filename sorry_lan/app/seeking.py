"""The way to a table that is to be joined: by its address, or by its code alone.

With a code every table that is found is asked until one takes it, the likeliest first, and once only: each counts a
wrong code as a guess.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import Final, Protocol

import trio

from sorry_lan.app.keeping import Memory
from sorry_lan.app.runner import Face
from sorry_lan.app.wishes import RunOptions
from sorry_lan.faults import Err
from sorry_lan.net.code import plain_code
from sorry_lan.net.mesh import Mesh
from sorry_lan.net.where import Address, BadAddress, parse_address
from sorry_lan.table.notices import (
    CodeUse,
    Connecting,
    Fit,
    FoundTable,
    JoinProblem,
    NoTable,
    Openness,
    Problem,
    Searching,
    Silence,
)
from sorry_lan.wire import limits

SEARCH_S: Final = 2.5
"""With starting up and ending, people have their answer well within six seconds."""
_QUIET_S: Final = 1.5
"""Once a table has refused the code, so long without another one ends the search."""
_NEXT_S: Final = 0.4
"""So long a table may take before another one is asked beside it; most answer in a tenth of a second."""
_NOT_THIS_ONE: Final = frozenset(
    (Problem.CODE_WRONG, Problem.CODE_NOT_USED, Problem.TIMED_OUT, Problem.REFUSED, Problem.UNREACHABLE, Problem.RESET)
)
"""What an untaken code, or a table that has just gone, looks like; anything else tells people more."""


class Lookout(Protocol):
    """See net/discovery.py."""

    @property
    def tables(self) -> tuple[FoundTable, ...]:
        """Those found so far."""

    @property
    def silence(self) -> Silence:
        """Why there may be none."""

    async def change(self) -> None:
        """Wait until there are others."""

    async def run(self) -> None:
        """Look until cancelled."""


async def reach_table(
    options: RunOptions, face: Face, mesh: Mesh, memory: Memory, lookout: Lookout
) -> JoinProblem | NoTable | None:
    """None once there is a link to the table that was asked for; else why there is none."""
    code = None if options.code is None else plain_code(options.code)

    async def call(typed: str) -> JoinProblem | None:
        try:
            address = parse_address(typed, limits.DEFAULT_PORT)
        except BadAddress:
            return JoinProblem(Problem.ADDRESS, Err.TIMEOUT, typed)
        face.notice(Connecting(str(address)))
        return await _called(mesh, address, code, memory)

    if options.address is not None:
        return await call(options.address)
    face.notice(Searching(SEARCH_S))
    return await by_code(lookout, call)


async def _called(mesh: Mesh, address: Address, code: str | None, memory: Memory) -> JoinProblem | None:
    """Call as one of a game in play, then as anybody; None once there is a link."""
    if memory.kept:
        problem = await mesh.join(address, None, memory.kept[0].game_id)
        if code is None or problem is None or problem.code is not Err.CODE_REQUIRED:
            return problem
    return await mesh.join(address, code)


Calling = Callable[[str], Awaitable[JoinProblem | None]]


async def by_code(lookout: Lookout, call: Calling, seconds: float = SEARCH_S) -> JoinProblem | NoTable | None:
    """None once `call(address)` has come through; else why no table took the code.

    Anybody can announce a table and say anything there, or nothing: none of that ends the search for the right one.
    """
    tried: dict[str, JoinProblem] = {}
    asked: set[str] = set()
    answered = trio.Event()
    async with trio.open_nursery() as looking:
        looking.start_soon(lookout.run)
        end_s = trio.current_time() + seconds
        async with trio.open_nursery() as calls:
            search = trio.CancelScope(deadline=end_s)

            async def ask(table: FoundTable) -> None:
                nonlocal answered
                problem = await call(table.address)
                if problem is None:
                    looking.cancel_scope.cancel()
                    return
                tried[table.key] = problem
                search.deadline = min(end_s, trio.current_time() + _QUIET_S)
                answered.set()
                answered = trio.Event()

            with search:
                while True:
                    table = likeliest(lookout.tables, asked)
                    if table is None:
                        await lookout.change()
                        continue
                    asked.add(table.key)
                    calls.start_soon(ask, table)
                    # The more of them keep us waiting, the sooner the next one is asked beside them.
                    with trio.move_on_after(_NEXT_S / (len(asked) - len(tried))):
                        await answered.wait()
            # A call that has begun is not given up because the search is over.
        looking.cancel_scope.cancel()
    if len(tried) < len(asked):
        return None
    return _why_none(lookout, tried)


def _why_none(lookout: Lookout, tried: dict[str, JoinProblem]) -> JoinProblem | NoTable:
    """What is said where no table took the code: rather what one of them said than that it was not the right one."""
    telling = [problem for problem in tried.values() if problem.problem not in _NOT_THIS_ONE]
    wrong_codes = sum(problem.code is Err.JOIN_CODE for problem in tried.values())
    if telling or (tried and not wrong_codes):
        return next(iter(telling or tried.values()))
    return NoTable(None if lookout.tables else lookout.silence, wrong_codes, CodeUse.NEEDED)


def likeliest(tables: tuple[FoundTable, ...], asked: Collection[str]) -> FoundTable | None:
    """The table to ask next: with a code, not asked before; lobbies with free seats first."""
    left = [each for each in tables if each.key not in asked and may_take_code(each)]
    return min(left, key=lambda each: (each.card.openness is Openness.PLAY, each.card.free == 0), default=None)


def may_take_code(table: FoundTable) -> bool:
    """Whether a table could be the one of a code."""
    return table.fit is Fit.FITS and table.card.code is CodeUse.NEEDED
