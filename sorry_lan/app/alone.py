"""A face without a table behind it: shown until its people are done, and a signal ends it in order."""

from __future__ import annotations

from functools import partial

from sorry_lan.app.wiring import ForegroundFace, Host, until_signal


def run_alone(face: ForegroundFace, host: Host) -> int:
    """Show the face to its end; 0, or the exit code of the signal that ended it."""

    async def shown() -> int:
        await face.run(lambda _happening: None)
        return 0

    return host.run(partial(until_signal, shown, face, host))
