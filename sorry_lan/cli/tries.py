"""A try to join that may come to nothing: whether it did, and why, for whoever can try again."""

from __future__ import annotations

from collections.abc import Callable

from sorry_lan.app.wiring import ForegroundFace
from sorry_lan.table.events import Happening
from sorry_lan.table.news import News
from sorry_lan.table.notices import JoinProblem, NoTable, Notice, Problem, Stopped
from sorry_lan.table.view import View


class Tries:
    """What came of the last try; `problem` is None where there was a table, or where trying again would not help."""

    __slots__ = ("problem",)

    def __init__(self) -> None:
        self.problem: JoinProblem | NoTable | None = None

    def watching(self, face: ForegroundFace) -> ForegroundFace:
        """The face, for one more try."""
        self.problem = None
        return _WatchedFace(face, self)

    def heard(self, notice: Notice) -> None:
        """What the try ended in, if this says so."""
        if not isinstance(notice, Stopped):
            return
        problem = notice.problem
        if isinstance(problem, NoTable) or (
            isinstance(problem, JoinProblem) and problem.problem is not Problem.ELSEWHERE
        ):
            self.problem = problem


class _WatchedFace:
    """Hands everything on, and tells what the table stopped for."""

    __slots__ = ("_face", "_tries")

    def __init__(self, face: ForegroundFace, tries: Tries) -> None:
        self._face = face
        self._tries = tries

    def show(self, view: View, news: tuple[News, ...]) -> None:
        """As the face does."""
        self._face.show(view, news)

    def notice(self, notice: Notice) -> None:
        """As the face does."""
        self._tries.heard(notice)
        self._face.notice(notice)

    def interrupted(self) -> bool:
        """As the face does."""
        return self._face.interrupted()

    async def run(self, tell: Callable[[Happening], None]) -> None:
        """As the face does."""
        await self._face.run(tell)
