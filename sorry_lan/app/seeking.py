"""The way to a table that is to be joined: by its address, or by its code alone.

With a code every table that is found is asked, the likeliest first, and once only: each counts a wrong code as a guess.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
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
_NOT_THIS_ONE: Final = frozenset(
    (Problem.CODE_WRONG, Problem.CODE_NOT_USED, Problem.TIMED_OUT, Problem.REFUSED, Problem.UNREACHABLE, Problem.RESET)
)
"""What an untaken code, or a table that has just gone, looks like; anything else is said by the right one."""


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
    """None once `call(address)` has come through; else why no table took the code."""
    tried: dict[str, JoinProblem] = {}
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        end_s = trio.current_time() + seconds
        with trio.move_on_at(end_s) as search:
            while trio.current_time() < end_s:
                table = likeliest(lookout.tables, tried)
                if table is None:
                    await lookout.change()
                    continue
                # A call that has begun is not given up because the search is over.
                with trio.CancelScope(shield=True):
                    problem = await call(table.address)
                if problem is None or problem.problem not in _NOT_THIS_ONE:
                    nursery.cancel_scope.cancel()
                    return problem
                tried[table.key] = problem
                search.deadline = min(end_s, trio.current_time() + _QUIET_S)
        nursery.cancel_scope.cancel()
    asked = sum(problem.code is Err.JOIN_CODE for problem in tried.values())
    if tried and not asked:
        return next(iter(tried.values()))
    return NoTable(None if lookout.tables else lookout.silence, asked, CodeUse.NEEDED)


def likeliest(tables: tuple[FoundTable, ...], tried: dict[str, JoinProblem]) -> FoundTable | None:
    """The table to ask next: with a code, not asked before; lobbies with free seats first."""
    left = [each for each in tables if each.key not in tried and may_take_code(each)]
    return min(left, key=lambda each: (each.card.openness is Openness.PLAY, each.card.free == 0), default=None)


def may_take_code(table: FoundTable) -> bool:
    """Whether a table could be the one of a code."""
    return table.fit is Fit.FITS and table.card.code is CodeUse.NEEDED
