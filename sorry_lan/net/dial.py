"""Calling a listener: from addresses to TLS, with every way it can fail told apart ([H-1], [H-11]).

Who answers is net/handshake.py's matter.
"""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator

import trio

from sorry_lan.net.frames import Wire, close_bounded
from sorry_lan.net.handshake import LinkLost
from sorry_lan.net.tls import NotOurs, secure_caller
from sorry_lan.net.where import Address
from sorry_lan.table.notices import Problem

_BY_ERRNO = {
    errno.ECONNREFUSED: Problem.REFUSED,
    errno.ETIMEDOUT: Problem.TIMED_OUT,
    errno.ECONNRESET: Problem.RESET,
    errno.ECONNABORTED: Problem.RESET,
    errno.EPIPE: Problem.RESET,
}
"""Everything else that connecting can raise means that the system found no way there."""


class Unreached(Exception):  # noqa: N818 - says what is the case
    """No link could be made; `problem` says how it failed."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.value)
        self.problem = problem


async def connect(address: Address, limit_s: float) -> trio.SocketStream:
    """A connection to `address` within `limit_s`, all addresses of a name tried side by side.

    Raises:
        Unreached: and why.
    """
    with trio.move_on_after(limit_s):
        try:
            return await trio.open_tcp_stream(address.host, address.port, happy_eyeballs_delay=0.25)
        except (OSError, UnicodeError) as wrong:
            raise Unreached(connect_problem(wrong)) from wrong
    raise Unreached(Problem.TIMED_OUT)


async def connect_any(addresses: tuple[Address, ...], limit_s: float) -> trio.SocketStream:
    """A connection to whichever of `addresses` answers first; Unreached with the last failure where none does."""
    won: list[trio.SocketStream] = []
    failed = [Problem.UNREACHABLE]

    async def attempt(address: Address, scope: trio.CancelScope) -> None:
        try:
            stream = await connect(address, limit_s)
        except Unreached as wrong:
            failed.append(wrong.problem)
            return
        if won:
            await close_bounded(stream)
            return
        won.append(stream)
        scope.cancel()

    async with trio.open_nursery() as nursery:
        for address in addresses:
            nursery.start_soon(attempt, address, nursery.cancel_scope)
    if not won:
        raise Unreached(failed[-1])
    return won[0]


async def secure(stream: trio.abc.Stream, context: ssl.SSLContext) -> Wire:
    """TLS on a fresh connection; Unreached NOT_SORRY_LAN or RESET. The stream is closed on every failure."""
    try:
        return await secure_caller(stream, context)
    except NotOurs as wrong:
        await close_bounded(stream)
        raise Unreached(Problem.NOT_SORRY_LAN) from wrong
    except LinkLost as wrong:
        await close_bounded(stream)
        raise Unreached(Problem.RESET) from wrong
    except BaseException:
        await close_bounded(stream)
        raise


def connect_problem(wrong: BaseException) -> Problem:
    """What an exception of connecting means; of several, the one that says most."""
    found = {_problem_of(leaf) for leaf in _leaves(wrong)}
    order = (Problem.REFUSED, Problem.NAME_UNKNOWN, Problem.RESET, Problem.TIMED_OUT)
    return next((problem for problem in order if problem in found), Problem.UNREACHABLE)


def _problem_of(wrong: BaseException) -> Problem:
    if isinstance(wrong, socket.gaierror | UnicodeError):
        return Problem.NAME_UNKNOWN
    number = wrong.errno if isinstance(wrong, OSError) else None
    return _BY_ERRNO.get(number or 0, Problem.UNREACHABLE)


def _leaves(wrong: BaseException) -> Iterator[BaseException]:
    """The errors behind an error: trio wraps the failures of all addresses."""
    if isinstance(wrong, BaseExceptionGroup):
        for inner in wrong.exceptions:
            yield from _leaves(inner)
    elif isinstance(wrong, OSError) and wrong.errno is None and wrong.__cause__ is not None:
        yield from _leaves(wrong.__cause__)
    else:
        yield wrong
