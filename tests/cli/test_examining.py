from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
import trio
import trio.testing

from sorry_lan.cli.examining import ExaminingFace
from sorry_lan.table.diagnosis import Cause, Check
from sorry_lan.table.events import Happening, LeaveAsked
from sorry_lan.table.news import News
from sorry_lan.table.notices import Connecting, Notice
from sorry_lan.table.view import View
from sorry_lan.ui.examination import Examination, Wanted
from tests.net.checks.fakes import FakeProbe
from tests.ui.build import in_lobby, lobby


@dataclass
class Screen:
    """A face whose people ask for the doctor and leave once they know."""

    examination: Examination
    asks: list[Wanted]
    told: list[object] = field(default_factory=list)
    causes: list[tuple[str | None, int, Cause]] = field(default_factory=list)

    def show(self, view: View, news: tuple[News, ...]) -> None:
        self.told.append((view, news))

    def notice(self, notice: Notice) -> None:
        self.told.append(notice)

    def interrupted(self) -> bool:
        return True

    async def run(self, tell: Callable[[Happening], None]) -> None:
        await trio.testing.wait_all_tasks_blocked()
        for wanted in self.asks:
            self.examination.ask(wanted)
            await trio.sleep(5.0)
            assert self.examination.diagnosis is not None
            diagnosis = self.examination.diagnosis
            self.causes.append((diagnosis.peer, diagnosis.port, diagnosis.cause))
        tell(LeaveAsked())


@pytest.mark.parametrize(
    ("wanted", "peer", "port", "cause"),
    [
        (Wanted("192.168.1.20:7800", None), "192.168.1.20:7800", 7800, Cause.FINE),
        (Wanted("192.168.1.20:7777", None), "192.168.1.20", 7777, Cause.FINE),
        (Wanted("", 7801), None, 7801, Cause.UNHEARD),
        (Wanted("maple-lamp-tulip", None), None, 7777, Cause.UNHEARD),
    ],
)
async def test_what_a_screen_asks_is_looked_at_beside_the_table(
    wanted: Wanted, peer: str | None, port: int, cause: Cause, autojump_clock: trio.testing.MockClock
) -> None:
    assert autojump_clock.autojump_threshold == 0
    examination = Examination()
    screen = Screen(examination, [wanted, wanted])
    told: list[Happening] = []
    await ExaminingFace(screen, examination, FakeProbe).run(told.append)
    assert screen.causes == [(peer, port, cause)] * 2
    assert len(examination.found) == len(Check)
    assert told == [LeaveAsked()]


async def test_who_leaves_does_not_wait_for_the_doctor(autojump_clock: trio.testing.MockClock) -> None:
    examination = Examination()

    class Hasty(Screen):
        async def run(self, tell: Callable[[Happening], None]) -> None:
            _unused = tell
            await trio.testing.wait_all_tasks_blocked()
            examination.ask(Wanted("", None))
            await trio.sleep(0.1)

    began_s = autojump_clock.current_time()
    await ExaminingFace(Hasty(examination, []), examination, FakeProbe).run(lambda _happening: None)
    assert autojump_clock.current_time() - began_s < 1
    assert examination.running


def test_everything_else_is_handed_on() -> None:
    examination = Examination()
    screen = Screen(examination, [])
    face = ExaminingFace(screen, examination)
    view = in_lobby(lobby())
    face.show(view, ())
    face.notice(Connecting("192.168.1.20"))
    assert screen.told == [(view, ()), Connecting("192.168.1.20")]
    assert face.interrupted()
