"""A face that also writes down what happens, for the log: notices, news, phases and what people did.

Neither secrets (logs.py takes them out) nor what people say to each other.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from sorry_lan.app.wiring import ForegroundFace
from sorry_lan.app.wrapping import ForegroundFaceAround
from sorry_lan.table.events import Happening, Spoke
from sorry_lan.table.news import News, Said
from sorry_lan.table.notices import Notice
from sorry_lan.table.view import Phase, View
from sorry_lan.ui.texts_news import news_lines
from sorry_lan.ui.texts_notices import notice_lines

_LOG = logging.getLogger("sorry_lan.face")


class LoggedFace(ForegroundFaceAround):
    """Hands everything on to another face; the log's formatter takes codes and keys out."""

    __slots__ = ("_phase",)

    def __init__(self, face: ForegroundFace) -> None:
        super().__init__(face)
        self._phase: Phase | None = None

    def show(self, view: View, news: tuple[News, ...]) -> None:
        """A new picture: its phase where that changed, and its news."""
        if view.phase is not self._phase:
            self._phase = view.phase
            _LOG.info("phase %s", view.phase.value)
        for item in news:
            if isinstance(item, Said):
                continue
            for line in news_lines(item, view):
                _LOG.info("%s", line)
        self._face.show(view, news)

    def notice(self, notice: Notice) -> None:
        """Something beside the picture."""
        for line in notice_lines(notice):
            _LOG.info("%s", line)
        self._face.notice(notice)

    def interrupted(self) -> bool:
        """Ctrl-C, and what it led to."""
        asked = self._face.interrupted()
        _LOG.info("interrupted: %s", "asked" if asked else "ends")
        return asked

    async def run(self, tell: Callable[[Happening], None]) -> None:
        """Run the face; what people do is noted, what they say is not."""

        def noted(happening: Happening) -> None:
            if not isinstance(happening, Spoke):
                _LOG.info("told %r", happening)
            tell(happening)

        await self._face.run(noted)
