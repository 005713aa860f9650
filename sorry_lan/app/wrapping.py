"""A face around another one: hands everything on both ways; what is built on it says only what it does beside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from sorry_lan.app.runner import Face, ForegroundFace
from sorry_lan.table.events import Happening
from sorry_lan.table.news import News
from sorry_lan.table.notices import Notice
from sorry_lan.table.view import View

Inner = TypeVar("Inner", bound=Face)


class FaceAround(Generic[Inner]):
    """Does what the face inside does."""

    __slots__ = ("_face",)

    def __init__(self, face: Inner) -> None:
        self._face = face

    def show(self, view: View, news: tuple[News, ...]) -> None:
        """As the face does."""
        self._face.show(view, news)

    def notice(self, notice: Notice) -> None:
        """As the face does."""
        self._face.notice(notice)

    async def run(self, tell: Callable[[Happening], None]) -> None:
        """As the face does."""
        await self._face.run(tell)


class ForegroundFaceAround(FaceAround[ForegroundFace]):
    """The same for a face that is asked about Ctrl-C."""

    __slots__ = ()

    def interrupted(self) -> bool:
        """As the face does."""
        return self._face.interrupted()
