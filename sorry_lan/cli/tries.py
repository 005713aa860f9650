"""A try to join that may come to nothing: whether it did, and why, for whoever can try again, or only watch."""

from __future__ import annotations

from typing import Final

from sorry_lan.app.wiring import ForegroundFace
from sorry_lan.app.wrapping import ForegroundFaceAround
from sorry_lan.faults import Err
from sorry_lan.table.news import News, TableClosed
from sorry_lan.table.notices import JoinProblem, NoTable, Notice, Problem, Stopped
from sorry_lan.table.view import View

_TOO_LATE: Final = frozenset((Err.TABLE_FULL, Err.GAME_IN_PLAY))


class Tries:
    """What came of the last try; `problem` is None where there was a table, or where trying again would not help.

    `too_late`: there was one, but without a seat for us: it was full, or its game begun.
    """

    __slots__ = ("_again", "problem", "too_late")

    def __init__(self, *, again: bool = True) -> None:
        """`again`: whether there is a page to try again from; without one every problem ends the program."""
        self._again = again
        self.problem: JoinProblem | NoTable | None = None
        self.too_late = False

    def watching(self, face: ForegroundFace) -> ForegroundFace:
        """The face, for one more try."""
        self.problem, self.too_late = None, False
        return _WatchedFace(face, self)

    def heard(self, notice: Notice) -> None:
        """What the try ended in, if this says so."""
        if not isinstance(notice, Stopped) or not self._again:
            return
        problem = notice.problem
        if isinstance(problem, NoTable) or (
            isinstance(problem, JoinProblem) and problem.problem is not Problem.ELSEWHERE
        ):
            self.problem = problem

    def told(self, news: tuple[News, ...]) -> None:
        """What happened at the table, as far as it matters here."""
        self.too_late = self.too_late or any(isinstance(item, TableClosed) and item.code in _TOO_LATE for item in news)


class _WatchedFace(ForegroundFaceAround):
    """Hands everything on, and tells what the table stopped for."""

    __slots__ = ("_tries",)

    def __init__(self, face: ForegroundFace, tries: Tries) -> None:
        super().__init__(face)
        self._tries = tries

    def show(self, view: View, news: tuple[News, ...]) -> None:
        """As the face does."""
        self._tries.told(news)
        self._face.show(view, news)

    def notice(self, notice: Notice) -> None:
        """As the face does."""
        self._tries.heard(notice)
        self._face.notice(notice)
