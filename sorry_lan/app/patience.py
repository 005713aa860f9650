"""Holds a good-bye back until it is known whether there is a table at all: without input, joining still says why not.

Everything else passes at once.
"""

from __future__ import annotations

from collections.abc import Callable

import trio

from sorry_lan.app.runner import Face
from sorry_lan.app.wrapping import FaceAround
from sorry_lan.table.events import Happening, LeaveAsked


class PatientFace(FaceAround[Face]):
    """A face whose LeaveAsked waits for `answered`; joining takes six seconds at most."""

    __slots__ = ("answered",)

    def __init__(self, face: Face, answered: trio.Event) -> None:
        super().__init__(face)
        self.answered = answered

    async def run(self, tell: Callable[[Happening], None]) -> None:
        """As the face does, but for the good-bye."""
        async with trio.open_nursery() as nursery:

            async def later(happening: LeaveAsked) -> None:
                await self.answered.wait()
                tell(happening)

            def pass_on(happening: Happening) -> None:
                if isinstance(happening, LeaveAsked):
                    nursery.start_soon(later, happening)
                else:
                    tell(happening)

            await self._face.run(pass_on)
