"""The doctor's handshake: as far as anybody gets without a code, with a key of the moment, and good-bye.

Takes no seat and leaves nothing behind; the host at most reads that somebody was turned away.
"""

from __future__ import annotations

import os

import trio

from sorry_lan import __version__
from sorry_lan.fair.engine import engine_digest
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.net.checks.probe import Met
from sorry_lan.net.dial import Unreached, secure
from sorry_lan.net.frames import Wire
from sorry_lan.net.handshake import Call, Introduction, LinkLost, SetupRefused, farewell, greet
from sorry_lan.net.tls import client_context
from sorry_lan.table.diagnosis import Found
from sorry_lan.table.notices import Problem, Program
from sorry_lan.wire import limits
from sorry_lan.wire.keys import SecretKey
from sorry_lan.wire.messages import Bye, Intent

_NAME = "doctor"
_OF_PROBLEM = {
    Problem.CODE_REQUIRED: Found.CODE,
    Problem.VERSION: Found.VERSION,
    Problem.ENGINE: Found.ENGINE,
    Problem.BUSY: Found.BUSY,
    Problem.CLOSED: Found.HUNG_UP,
}


async def introduction() -> Introduction:
    """Who the doctor is: nobody that was here before."""
    engine = await trio.to_thread.run_sync(engine_digest, abandon_on_cancel=True)
    key = SecretKey(os.urandom(32))
    return Introduction(key, _NAME, __version__[: limits.MAX_APP], os.urandom(16), 1, engine, None)


async def meet(stream: trio.SocketStream, me: Introduction) -> Met:
    """What the other end of a fresh connection is; the stream is closed in any case."""
    try:
        wire = await secure(stream, client_context())
    except Unreached as wrong:
        return Met(Found.OTHER_SERVICE if wrong.problem is Problem.NOT_SORRY_LAN else Found.HUNG_UP)
    bye: Bye | None = Bye(int(Err.GOODBYE), "")
    try:
        return await _greeted(wire, me)
    except (SetupRefused, RemoteFault) as refused:
        bye = farewell(refused)
        return _refusal(refused)
    except LinkLost:
        return Met(Found.HUNG_UP)
    finally:
        await wire.part(bye)


async def _greeted(wire: Wire, me: Introduction) -> Met:
    hello = await greet(wire, me, Call(Intent.LOBBY, None, None, None, "", os.urandom(32)))
    return Met(Found.MEETS, (me.program, Program(hello.vmin, hello.vmax, hello.app, hello.engine)))


def _refusal(refused: SetupRefused | RemoteFault) -> Met:
    if isinstance(refused, RemoteFault):
        return Met(Found.BROKE_RULE)
    problem = refused.problem
    programs = None if problem.ours is None or problem.theirs is None else (problem.ours, problem.theirs)
    return Met(_OF_PROBLEM.get(problem.problem, Found.BROKE_RULE), programs)
