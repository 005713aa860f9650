# ruff: noqa: ARG001 - a clock among the arguments makes time virtual; nothing is asked of it
from __future__ import annotations

import trio
import trio.testing

from sorry_lan.app.inbox import Inbox
from sorry_lan.app.timers import Timers
from sorry_lan.table.commands import CancelTimer, SetTimer
from sorry_lan.table.events import FrameArrived, LeaveAsked, Timer, TimerFired


async def test_what_was_put_is_taken_in_order() -> None:
    inbox = Inbox()
    frames = [FrameArrived(1, bytes([n])) for n in range(5)]
    for frame in frames:
        await inbox.put(frame)
    assert list(await inbox.take()) == frames


async def test_links_wait_where_there_is_no_room_and_people_never_do() -> None:
    inbox = Inbox()
    put = 0

    async def flood() -> None:
        nonlocal put
        while True:
            await inbox.put(FrameArrived(1, b"x"))
            put += 1

    async with trio.open_nursery() as nursery:
        nursery.start_soon(flood)
        await trio.testing.wait_all_tasks_blocked()
        assert put == 512
        inbox.tell(LeaveAsked())
        taken = await inbox.take()
        assert (len(taken), taken[-1]) == (513, LeaveAsked())
        await trio.testing.wait_all_tasks_blocked()
        assert put == 1024
        nursery.cancel_scope.cancel()


class Clockwork:
    """Timers and what they told, with times."""

    def __init__(self) -> None:
        self.fired: list[tuple[float, TimerFired]] = []
        self.timers = Timers(lambda what: self.fired.append((round(trio.current_time() - self.start_s, 3), what)))
        self.start_s = trio.current_time()


async def test_timers_fire_once_in_the_order_of_their_times(autojump_clock: trio.testing.MockClock) -> None:
    clockwork = Clockwork()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(clockwork.timers.run)
        clockwork.timers.start(SetTimer(Timer.AWAY, 1, 3000))
        clockwork.timers.start(SetTimer(Timer.AWAY, 2, 1000))
        await trio.testing.wait_all_tasks_blocked()
        clockwork.timers.start(SetTimer(Timer.STATUS, 0, 500))
        clockwork.timers.start(SetTimer(Timer.LINGER, 0, 9000))
        await trio.sleep(20)
        nursery.cancel_scope.cancel()
    assert clockwork.fired == [
        (0.5, TimerFired(Timer.STATUS, 0)),
        (1.0, TimerFired(Timer.AWAY, 2)),
        (3.0, TimerFired(Timer.AWAY, 1)),
        (9.0, TimerFired(Timer.LINGER, 0)),
    ]


async def test_a_timer_set_again_starts_anew_and_a_cancelled_one_stays_silent(
    autojump_clock: trio.testing.MockClock,
) -> None:
    clockwork = Clockwork()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(clockwork.timers.run)
        clockwork.timers.start(SetTimer(Timer.STATUS, 0, 1000))
        clockwork.timers.start(SetTimer(Timer.AWAY, 0, 1000))
        await trio.sleep(0.9)
        clockwork.timers.start(SetTimer(Timer.STATUS, 0, 1000))
        clockwork.timers.cancel(CancelTimer(Timer.AWAY, 0))
        clockwork.timers.cancel(CancelTimer(Timer.AWAY, 7))
        await trio.sleep(5)
        nursery.cancel_scope.cancel()
    assert clockwork.fired == [(1.9, TimerFired(Timer.STATUS, 0))]
