"""trio as the guest of an asyncio loop, for the full-screen client, whose terminal library lives on that.

Takes the signals from before the loop until the process ends. Knows no table and draws nothing (U54).
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType
from typing import Final, Generic, Protocol, Self, TypeVar

import trio

from sorry_lan.app.wishes import BY_SIGNAL

_STUCK: Final = 5
"""So many signals that nobody took mean that the loop stands still: the process then ends where it is."""

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)


class _Outcome(Protocol[_T_co]):
    """What trio hands over at its end."""

    def unwrap(self) -> _T_co:
        """The value, or the exception."""


class Guest:
    """One loop for both libraries; enter it before the terminal is touched and stay in it until that is restored.

    Inside, a signal is only noted: it never raises KeyboardInterrupt half way through something.
    """

    __slots__ = ("_arrived", "_last_way_out", "_token", "_waiting")

    def __init__(self, last_way_out: Callable[[], None]) -> None:
        """`last_way_out` puts the terminal in order from inside a signal handler, without waiting for anything."""
        self._last_way_out = last_way_out
        self._waiting: deque[signal.Signals] = deque()
        self._arrived = trio.Event()
        self._token: trio.lowlevel.TrioToken | None = None

    def __enter__(self) -> Self:
        # What is ignored stays ignored: nohup, and a shell's background.
        for number in BY_SIGNAL:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._caught)
        return self

    def __exit__(self, *_error: object) -> None:
        # The process ends now: a late signal must not hit an interpreter that is half taken down.
        for number in BY_SIGNAL:
            signal.signal(number, signal.SIG_IGN)

    def run(self, main: Callable[[], Awaitable[_T]], clock: trio.abc.Clock | None = None) -> _T:
        """Run a trio program to its end, as `trio.run` does."""
        with asyncio.Runner() as runner:
            return runner.run(self._host(main, clock)).unwrap()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> signal.Signals:
        """In trio: the next signal, or `interrupt()`, that nobody has taken."""
        self._token = trio.lowlevel.current_trio_token()
        while not self._waiting:
            self._arrived = trio.Event()
            await self._arrived.wait()
        return self._waiting.popleft()

    def interrupt(self) -> None:
        """The same as a SIGINT from outside."""
        self._note(signal.SIGINT)

    async def on_host(self, work: Callable[[], Coroutine[object, None, _T]]) -> _T:
        """In trio: run an asyncio coroutine on the host's loop; cancelling reaches it, and is waited for."""
        done = trio.Event()
        task = asyncio.get_running_loop().create_task(_contained(work))
        task.add_done_callback(lambda _task: done.set())
        try:
            await done.wait()
        except trio.Cancelled:
            task.cancel()
            with trio.CancelScope(shield=True):
                await done.wait()
            if not task.cancelled() and task.result().error is not None:
                return task.result().unwrap()
            raise
        if task.cancelled():
            raise RuntimeError("the host cancelled what its guest waits for")
        return task.result().unwrap()

    async def _host(self, main: Callable[[], Awaitable[_T]], clock: trio.abc.Clock | None) -> _Outcome[_T]:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[_Outcome[_T]] = loop.create_future()
        trio.lowlevel.start_guest_run(
            main,
            run_sync_soon_threadsafe=loop.call_soon_threadsafe,
            run_sync_soon_not_threadsafe=loop.call_soon,
            done_callback=done.set_result,
            # asyncio does, as soon as the window's changes of size are listened to; trio must not take it away.
            host_uses_signal_set_wakeup_fd=True,
            clock=clock,
        )
        while True:
            # Leaving before trio has finished would abandon its tasks: a cancellation becomes an ordinary interrupt.
            try:
                return await asyncio.shield(done)
            except asyncio.CancelledError:
                if done.done():
                    return done.result()
                self.interrupt()

    def _caught(self, number: int, _frame: FrameType | None) -> None:
        self._note(signal.Signals(number))
        if len(self._waiting) >= _STUCK:
            self._last_way_out()
            os._exit(BY_SIGNAL[signal.Signals(number)])

    def _note(self, number: signal.Signals) -> None:
        self._waiting.append(number)
        if self._token is not None:
            with suppress(trio.RunFinishedError):  # too late: everybody is leaving already
                self._token.run_sync_soon(self._wake)

    def _wake(self) -> None:
        self._arrived.set()


@dataclass(frozen=True, slots=True)
class _Result(Generic[_T]):
    """How a coroutine ended: with a value, or with an error."""

    values: tuple[_T, ...]
    error: BaseException | None

    def unwrap(self) -> _T:
        """The value, or the exception."""
        if self.error is not None:
            raise self.error
        return self.values[0]


async def _contained(work: Callable[[], Coroutine[object, None, _T]]) -> _Result[_T]:
    """Whatever ends the work, as a value: asyncio lets some exceptions of a task end its loop, and so the guest."""
    try:
        return _Result((await work(),), None)
    except asyncio.CancelledError:
        raise
    except BaseException as error:  # noqa: BLE001 - it is raised again in trio
        return _Result((), error)
