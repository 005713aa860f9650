"""Thinks of the hint before anybody asks for it, in a thread: the bot takes its time, the screen must not.

Everything that is shown or told passes at once.
"""

from __future__ import annotations

from collections.abc import Callable

import trio

from sorry_lan.app.runner import ForegroundFace
from sorry_lan.app.wrapping import ForegroundFaceAround
from sorry_lan.table.events import Happening
from sorry_lan.table.news import News
from sorry_lan.table.view import View
from sorry_lan.ui.hints import hint, questions


class AdvisedFace(ForegroundFaceAround):
    """A face for people, who may ask for a hint as soon as their card is shown."""

    __slots__ = ("_changed", "_view")

    def __init__(self, face: ForegroundFace) -> None:
        super().__init__(face)
        self._view: View | None = None
        self._changed = trio.Event()

    def show(self, view: View, news: tuple[News, ...]) -> None:
        """As the face does; questions in the picture are thought about from now on."""
        self._face.show(view, news)
        self._view = view
        self._changed.set()

    async def run(self, tell: Callable[[Happening], None]) -> None:
        """As the face does."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._think)
            await self._face.run(tell)
            nursery.cancel_scope.cancel()

    async def _think(self) -> None:
        while True:
            await self._changed.wait()
            self._changed = trio.Event()
            for prompt, card, game in () if self._view is None else questions(self._view):
                await trio.to_thread.run_sync(hint, prompt, card, game, abandon_on_cancel=True)
