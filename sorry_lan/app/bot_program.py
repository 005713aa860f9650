"""A program that plays the seats of this client over pipes, while people watch (--bot-program).

It is told and answers what a client with --json writes and reads (docs/json.md). Nothing it does or leaves undone stops
the client: whatever goes wrong is one BotProblem, and the client leaves the table as after a crash, with its seat kept.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from enum import Enum, unique
from functools import partial
from typing import Final

import trio

from sorry_lan.app.leash import Leash
from sorry_lan.app.wiring import ForegroundFace
from sorry_lan.table.events import Happening, LeaveAsked
from sorry_lan.table.news import News
from sorry_lan.table.notices import Notice, Stopped
from sorry_lan.table.programs import BotProblem, BotTrouble
from sorry_lan.table.view import Phase, View
from sorry_lan.ui.answers import Answer, Stay
from sorry_lan.ui.console import LineSplitter
from sorry_lan.ui.face import answer_to
from sorry_lan.ui.json_session import JsonSession

_CHUNK: Final = 4096
_COMPLAINT_BYTES: Final = 2000
_PARTING_S: Final = 1.0
"""What it has to end by itself once it is told nothing more, and again once it is asked to."""
_DRAIN_S: Final = 0.5
"""How long the last words of a program that has ended may take."""
_DONE: Final = frozenset({Phase.OVER, Phase.CLOSED})


@unique
class _End(Enum):
    """How a program may stop playing without any harm."""

    LEFT = "left"
    """It said that it leaves."""
    ENDED = "ended"
    """It writes no more."""


class ProgramFace:
    """Hands everything on to another face, but its questions to the program; `problem` is why it plays no more."""

    def __init__(self, face: ForegroundFace, command: tuple[str, ...], hidden: frozenset[str] = frozenset()) -> None:
        """`hidden` are the variables of the environment that the program is not to see."""
        self._face = face
        self._command = command
        self._hidden = hidden
        self._session = JsonSession()
        self._send, self._lines = trio.open_memory_channel[bytes](math.inf)
        self._unread = 0
        self._questions: frozenset[tuple[bytes, int, int, str]] = frozenset()
        self._phase: Phase | None = None
        self._changed = trio.Event()
        self._complaint = b""
        self._complained = trio.Event()
        self.problem: BotProblem | None = None
        self._tell(self._session.greeting())

    def show(self, view: View, news: tuple[News, ...]) -> None:
        """People see the picture without its questions."""
        self._phase = view.phase
        self._tell(self._session.picture(view, news))
        game = view.game
        asked = () if game is None else ((game.game_id, each.k, each.seat, each.ask.value) for each in view.prompts)
        self._questions = frozenset(asked)
        self._changed.set()
        self._face.show(replace(view, prompts=()), news)

    def notice(self, notice: Notice) -> None:
        """Told to both."""
        self._tell(self._session.noticed(notice))
        self._face.notice(notice)

    def interrupted(self) -> bool:
        """As the face does."""
        return self._face.interrupted()

    async def run(self, tell: Callable[[Happening], None]) -> None:
        """Run the face and the program; the process is gone afterwards."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._play, tell)
            await self._face.run(tell)
            nursery.cancel_scope.cancel()

    def _tell(self, lines: tuple[str, ...]) -> None:
        """Queue lines for the program."""
        for line in lines:
            data = f"{line}\n".encode()
            self._unread += len(data)
            self._send.send_nowait(data)
        self._changed.set()

    async def _play(self, tell: Callable[[Happening], None]) -> None:
        """Let the program play until it leaves or something is wrong with it; then this client leaves."""
        try:
            process = await self._started()
        except OSError as wrong:
            self._give_up(BotProblem(BotTrouble.BOT_NOT_STARTED, wrong.strerror or str(wrong)), tell)
            return
        try:
            found = await self._watched(process, tell)
            problem = self._outcome(process, found)
        finally:
            with trio.CancelScope(shield=True):
                await _ended(process)
        if problem is not None:
            self._give_up(problem, tell)
        elif found is _End.ENDED:
            tell(LeaveAsked())

    async def _started(self) -> trio.Process:
        environment = {name: value for name, value in os.environ.items() if name not in self._hidden}
        pipes = partial(
            trio.lowlevel.open_process,
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        )
        # Ctrl-C at our terminal is a question to people here; the program must not die of it.
        if sys.platform == "win32":
            return await pipes(creationflags=subprocess.CREATE_NEW_PROCESS_GROUP)
        return await pipes(start_new_session=True)

    async def _watched(self, process: trio.Process, tell: Callable[[Happening], None]) -> BotProblem | _End:
        """How it went on until there was nothing more to go on with."""
        leash = Leash(trio.current_time())
        found: list[BotProblem | _End] = []
        async with trio.open_nursery() as nursery:

            async def until(work: Callable[[], Awaitable[BotProblem | _End]]) -> None:
                found.append(await work())
                nursery.cancel_scope.cancel()

            nursery.start_soon(until, partial(self._read, process, leash, tell))
            nursery.start_soon(until, partial(self._patience, leash))
            nursery.start_soon(until, partial(self._exit, process))
            nursery.start_soon(self._write, process)
            nursery.start_soon(self._listen_to_complaints, process)
        return found[0]

    async def _read(self, process: trio.Process, leash: Leash, tell: Callable[[Happening], None]) -> BotProblem | _End:
        """Do what the program says, until it says that it leaves, or says nothing any more."""
        splitter = LineSplitter("utf-8")
        while data := await _more(process):
            lines = splitter.feed(data)
            problem = leash.wrote(len(data), len(lines), trio.current_time())
            if problem is not None:
                return problem
            for line in lines:
                answer = answer_to(self._session, line)
                for happening in answer.happenings:
                    tell(happening)
                if answer.stay is Stay.LEAVE:
                    return _End.LEFT
                self._tell(answer.lines)
                problem = self._judged(answer, leash)
                if problem is not None:
                    return problem
        with trio.move_on_after(_DRAIN_S):
            await process.wait()
            await self._complained.wait()
        return _End.ENDED

    async def _exit(self, process: trio.Process) -> _End:
        """Notice its end, though somebody else may have its output still."""
        await process.wait()
        await trio.sleep(2 * _DRAIN_S)
        return _End.ENDED

    def _judged(self, answer: Answer, leash: Leash) -> BotProblem | None:
        if answer.happenings:
            leash.right()
        elif answer.lines:
            return leash.wrong(str(json.loads(answer.lines[-1])["text"]))
        return None

    async def _patience(self, leash: Leash) -> BotProblem:
        """Wait until a question has stood for too long, or too much was not read."""
        while True:
            self._changed = trio.Event()
            leash.asked(self._questions, trio.current_time())
            problem = leash.silent(trio.current_time()) or leash.unread(self._unread)
            if problem is not None:
                return problem
            due_s = leash.due_s()
            with trio.move_on_at(math.inf if due_s is None else due_s):
                await self._changed.wait()

    async def _write(self, process: trio.Process) -> None:
        """Tell the program everything, as fast as it reads."""
        if process.stdin is not None:
            # It may close its input and play on as far as it can; its end is noticed elsewhere.
            with suppress(trio.BrokenResourceError):
                async for data in self._lines:
                    await process.stdin.send_all(data)
                    self._unread -= len(data)

    async def _listen_to_complaints(self, process: trio.Process) -> None:
        """Keep the end of what it writes to standard error."""
        if process.stderr is not None:
            with suppress(trio.BrokenResourceError):
                while data := await process.stderr.receive_some(_CHUNK):
                    self._complaint = (self._complaint + data)[-_COMPLAINT_BYTES:]
        self._complained.set()

    def _outcome(self, process: trio.Process, found: BotProblem | _End) -> BotProblem | None:
        """What is wrong; a program may leave, and may end once the game is over."""
        if found is not _End.ENDED:
            return found if isinstance(found, BotProblem) else None
        if self._phase in _DONE:
            return None
        lines = self._complaint.decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return BotProblem(BotTrouble.BOT_ENDED, last, process.returncode)

    def _give_up(self, problem: BotProblem, tell: Callable[[Happening], None]) -> None:
        self.problem = problem
        self._face.notice(Stopped(problem))
        tell(LeaveAsked())


async def _more(process: trio.Process) -> bytes:
    """The next bytes it writes; none once it writes no more."""
    if process.stdout is None:
        return b""
    try:
        return bytes(await process.stdout.receive_some(_CHUNK))
    except trio.BrokenResourceError:
        return b""


async def _ended(process: trio.Process) -> None:
    """See to it that the process is gone: first by the end of its input, then by asking, then by force."""
    if process.stdin is not None:
        with suppress(trio.BrokenResourceError):
            await process.stdin.aclose()
    with trio.move_on_after(_PARTING_S):
        await process.wait()
        return
    process.terminate()
    with trio.move_on_after(_PARTING_S):
        await process.wait()
        return
    process.kill()
    await process.wait()
