"""What still stands in the terminal when the screen is gone: how the game ended, where its file is, why it stopped.

Pure: pictures and notices in, lines out.
"""

from __future__ import annotations

from sorry_lan.fair.entry import Leaving
from sorry_lan.table.encounters import CallerWaits, FirstMet, KeyChanged
from sorry_lan.table.events import Happening, LeaveAsked
from sorry_lan.table.news import (
    Confirmed,
    EnginesDiffer,
    FaultProven,
    GameSaved,
    GameStarted,
    GoneOn,
    GoneOnWithoutUs,
    News,
    Refused,
    TableClosed,
    TakenUp,
    Won,
)
from sorry_lan.table.notices import (
    CodeChanged,
    Connecting,
    FileNotSaved,
    FileSaved,
    Invitation,
    JournalSetAside,
    Notice,
    PlayersNotKept,
    PortTaken,
    Searching,
    Stopped,
    StrangerCalled,
    TableOpened,
)
from sorry_lan.table.phases import IN_PLAY
from sorry_lan.table.view import Phase, View
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.texts_news import news_lines
from sorry_lan.ui.texts_notices import notice_lines

_LASTING = Won | Confirmed | EnginesDiffer | FaultProven | GameSaved | Refused | TableClosed
_BEGINS = GameStarted | GoneOn | TakenUp
_KEPT = IN_PLAY | {Phase.FROZEN, Phase.RESUMING, Phase.LEFT_OUT}


class Farewell:
    """Collects what matters afterwards."""

    __slots__ = ("_calls", "_files", "_kept", "_news", "_phase")

    def __init__(self) -> None:
        self._calls: tuple[str, ...] = ()
        self._news: list[str] = []
        self._files: list[str] = []
        self._phase: Phase | None = None
        self._kept = False

    def show(self, view: View, news: tuple[News, ...]) -> None:
        """A new picture of the table and what happened since the last one."""
        self._phase = view.phase
        # Once people leave, the table is closed: what counts is what stood there before.
        self._kept = view.phase in _KEPT or (self._kept and view.phase is Phase.CLOSED)
        for item in news:
            if isinstance(item, _BEGINS):  # what came before is an older game's
                self._news.clear()
                self._files.clear()
            elif isinstance(item, GoneOnWithoutUs):
                self._news.append(_("The others went on without you."))  # what could be done about it is over
            elif isinstance(item, _LASTING):
                self._news += news_lines(item, view)

    def notice(self, notice: Notice) -> None:
        """Something beside the picture."""
        match notice:
            case FileSaved() | FileNotSaved() | JournalSetAside() | Stopped() | PlayersNotKept() | KeyChanged():
                self._files += notice_lines(notice)
            case Connecting():
                self._calls = notice_lines(notice)
            case TableOpened() | Invitation() | Searching() | CodeChanged() | PortTaken():
                pass  # over with the table
            case StrangerCalled() | CallerWaits() | FirstMet():
                pass  # as above

    def told(self, happening: Happening) -> None:
        """What people do."""
        if isinstance(happening, LeaveAsked) and happening.reason is Leaving.FOR_GOOD:
            self._kept = False

    def lines(self) -> tuple[str, ...]:
        """The lines, oldest first."""
        calls = self._calls if self._phase is None else ()
        kept = (_("The game is kept; go on with: sorry-lan resume"),) if self._kept else ()
        return (*calls, *self._news, *self._files, *kept)
