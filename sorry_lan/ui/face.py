"""A text client on real streams: what the table shows is printed, what is typed is told to the table.

One class for people (plain.py) and programs (json_session.py): the session decides what lines mean.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

import trio

from sorry_lan.table.events import Happening, LeaveAsked
from sorry_lan.table.news import News
from sorry_lan.table.notices import Notice
from sorry_lan.table.view import View
from sorry_lan.ui.answers import Answer, Stay
from sorry_lan.ui.console import Garbled, Keyboard, Printer, Streams
from sorry_lan.ui.pacing import Pacing, Picture
from sorry_lan.ui.taste import Pace

_DRAIN_S: Final = 2.0
"""How long the last lines may take: longer, and nobody is reading."""


class Session(Protocol):
    """A conversation: pure, so that a test can hold it without a stream."""

    def greeting(self) -> tuple[str, ...]:
        """The first lines."""
        ...

    def noticed(self, notice: Notice) -> tuple[str, ...]:
        """The lines of a notice."""
        ...

    def picture(self, view: View, news: tuple[News, ...]) -> tuple[str, ...]:
        """The lines of a new picture."""
        ...

    def typed(self, line: str) -> Answer:
        """What a line of input does."""
        ...

    def interrupted(self) -> tuple[str, ...]:
        """The lines of the question that an interrupt leads to; none where it simply ends the program."""
        ...

    def undecodable(self) -> Answer:
        """What a line does that is no text."""
        ...

    def overlong(self) -> Answer:
        """What a line does that is too long."""
        ...

    def ended(self) -> Answer:
        """What the end of input does."""
        ...


def answer_to(session: Session, line: str | Garbled) -> Answer:
    """What a line that came in does, garbled or not."""
    match line:
        case Garbled.UNDECODABLE:
            return session.undecodable()
        case Garbled.OVERLONG:
            return session.overlong()
        case str():
            return session.typed(line)


class TextFace:
    """Shows a table on standard output and reads standard input; `run` it beside the table."""

    __slots__ = ("_keyboard", "_more", "_pacing", "_printer", "_session")

    def __init__(self, session: Session, where: Streams, pace: Pace = Pace.NONE) -> None:
        """`pace` is for people who read along; a bot's turn is then followed by a pause, which any line ends."""
        self._session = session
        self._pacing = Pacing(pace)
        self._more = trio.Event()
        self._keyboard = Keyboard(where.keyboard_fd, where.keyboard_encoding)
        self._printer = Printer(where.printer_fd, where.printer_encoding)
        self._printer.put(session.greeting())

    def show(self, view: View, news: tuple[News, ...]) -> None:
        """A new picture and what happened since the last one."""
        self._pacing.add(view, news)
        self._print_due()

    def notice(self, notice: Notice) -> None:
        """Something beside the picture."""
        self._pacing.note(notice)
        self._print_due()

    def interrupted(self) -> bool:
        """Ctrl-C: whether people are asked about it now."""
        lines = self._session.interrupted()
        self._printer.put(lines)
        return bool(lines) and not self._printer.gone.is_set()

    async def run(self, tell: Callable[[Happening], None]) -> None:
        """Read until cancelled; the end of input, or of whoever reads the output, is told as LeaveAsked."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._watch, tell)
            nursery.start_soon(self._print_later)
            await self._read(tell)

    def close(self) -> None:
        """Print what is still queued, for a limited time."""
        self._print(self._pacing.all())
        self._printer.close(_DRAIN_S)

    def _print_due(self) -> None:
        self._print(self._pacing.due(trio.current_time() if self._pacing.pauses else 0.0))
        self._more.set()

    async def _print_later(self) -> None:
        """Print what waits, when it is due."""
        while True:
            self._more = trio.Event()
            due_s = self._pacing.next_s()
            if due_s is None:
                await self._more.wait()
            else:
                await trio.sleep_until(due_s)
                self._print(self._pacing.due(trio.current_time()))

    def _print(self, items: list[Picture | Notice]) -> None:
        for item in items:
            if isinstance(item, Picture):
                self._printer.put(self._session.picture(item.view, item.news))
            else:
                self._printer.put(self._session.noticed(item))

    async def _watch(self, tell: Callable[[Happening], None]) -> None:
        gone = trio.Event()
        token = trio.lowlevel.current_trio_token()

        def told() -> None:
            with suppress(trio.RunFinishedError):
                token.run_sync_soon(gone.set)

        self._printer.when_gone(told)
        await gone.wait()
        tell(LeaveAsked())

    async def _read(self, tell: Callable[[Happening], None]) -> None:
        while (lines := await self._keyboard.more()) is not None:
            for line in lines:
                # What is typed answers what is to be seen, and brings the rest into view.
                answer = answer_to(self._session, line)
                self._do(answer, tell)
                self._print(self._pacing.all())
                if answer.stay is Stay.LEAVE:
                    return
        self._do(self._session.ended(), tell)

    def _do(self, answer: Answer, tell: Callable[[Happening], None]) -> None:
        self._printer.put(answer.lines)
        for happening in answer.happenings:
            tell(happening)
