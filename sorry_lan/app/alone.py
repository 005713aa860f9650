"""A face without a table behind it: shown until its people are done, and a signal ends it in order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

import trio

from sorry_lan.app.wiring import ForegroundFace, Host, until_signal


def run_alone(face: ForegroundFace, host: Host, beside: Callable[[], Awaitable[None]] = trio.sleep_forever) -> int:
    """Show the face to its end, with `beside` running as long; 0, or the exit code of the signal that ended it."""

    async def shown() -> int:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(beside)
            await face.run(lambda _happening: None)
            nursery.cancel_scope.cancel()
        return 0

    return host.run(partial(until_signal, shown, face, host))
