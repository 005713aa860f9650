"""A face that can call the doctor: what its screen asks to have looked at is looked at beside the table."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import trio

from sorry_lan.app.wiring import ForegroundFace
from sorry_lan.app.wrapping import ForegroundFaceAround
from sorry_lan.net.checks.probe import Probe
from sorry_lan.net.checks.run import diagnose
from sorry_lan.net.checks.system import SystemProbe
from sorry_lan.net.where import Address, BadAddress, parse_address
from sorry_lan.table.events import Happening
from sorry_lan.ui.examination import Examination, Wanted
from sorry_lan.wire.limits import DEFAULT_PORT


class ExaminingFace(ForegroundFaceAround):
    """Hands everything on, and serves the examination of its screen while it runs."""

    __slots__ = ("_examination", "_probe")

    def __init__(
        self, face: ForegroundFace, examination: Examination, probe: Callable[[], Probe] = SystemProbe
    ) -> None:
        super().__init__(face)
        self._examination = examination
        self._probe = probe

    async def run(self, tell: Callable[[Happening], None]) -> None:
        """As the face does; what is still being looked at ends with it."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._serve)
            await self._face.run(tell)
            nursery.cancel_scope.cancel()

    async def _serve(self) -> None:
        asked, asks = trio.open_memory_channel[None](1)

        def wake() -> None:
            with suppress(trio.WouldBlock):
                asked.send_nowait(None)

        self._examination.serve(wake)
        async for _ask in asks:
            wanted = self._examination.wanted
            if wanted is not None:
                await self._examine(wanted)

    async def _examine(self, wanted: Wanted) -> None:
        address = _address(wanted)
        peer = None if address is None else address.short(DEFAULT_PORT)
        port = address.port if address is not None else wanted.port or DEFAULT_PORT
        host = None if address is None else address.host
        self._examination.done(await diagnose(self._probe(), host, peer, port, self._examination.heard))


def _address(wanted: Wanted) -> Address | None:
    """Where the table is, if anybody said so: somebody who joins by a code alone named no computer."""
    with suppress(BadAddress):
        return parse_address(wanted.address, DEFAULT_PORT)
    return None
