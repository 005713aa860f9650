"""The full-screen client in a real terminal: keys, clicks, pastes and sizes go to a FullScreen, its pictures come back.

Runs on asyncio beside trio (app/guest.py). Decides nothing about the game; never "too small" (U50-U56).
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from enum import Enum, unique
from functools import partial
from typing import Final, Protocol, TypeVar

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.application.run_in_terminal import run_in_terminal
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.key_processor import KeyProcessor
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout

from sorry_lan.table.events import Happening, LeaveAsked
from sorry_lan.table.news import News
from sorry_lan.table.notices import Notice
from sorry_lan.table.view import View
from sorry_lan.ui.answers import Answer, Stay
from sorry_lan.ui.canvas import Ink
from sorry_lan.ui.farewell import Farewell
from sorry_lan.ui.full_screen import FullScreen, Key, Mouse, Shown
from sorry_lan.ui.painter import Glass, Painter
from sorry_lan.ui.strokes import PASTE_GAP_S, PASTED_SIGNS, Clicked, Pasted, Stroke, click, joined, pasted
from sorry_lan.ui.terminal import Terminal

_ESCAPE_S: Final = 0.05
"""So long a lone Escape waits for the rest of a sequence: over a slow link those come in one packet, too."""
_FRAME_S: Final = 1 / 60
"""No picture follows another by itself any sooner."""
_DRAIN_S: Final = 1.0
"""A terminal that takes nothing for so long has stopped; nobody waits any longer for it."""

KEYS: Final[Mapping[Keys, Key]] = {
    Keys.ControlM: Key.ENTER,
    Keys.ControlJ: Key.ENTER,
    Keys.Escape: Key.ESCAPE,
    Keys.ControlH: Key.BACKSPACE,
    Keys.Delete: Key.DELETE,
    Keys.ControlI: Key.TAB,
    Keys.BackTab: Key.BACK_TAB,
    Keys.Up: Key.UP,
    Keys.Down: Key.DOWN,
    Keys.Left: Key.LEFT,
    Keys.Right: Key.RIGHT,
    Keys.Home: Key.HOME,
    Keys.End: Key.END,
    Keys.PageUp: Key.PAGE_UP,
    Keys.PageDown: Key.PAGE_DOWN,
    Keys.ControlC: Key.INTERRUPT,
    Keys.ControlD: Key.END_OF_INPUT,
}
"""No function keys, which many terminals keep for themselves, and no Alt, which would make each Escape wait (U58)."""

_T = TypeVar("_T")


class Host(Protocol):
    """The loop that the terminal lives on; see app/guest.py."""

    async def on_host(self, work: Callable[[], Coroutine[object, None, _T]]) -> _T:
        """Run an asyncio coroutine and wait for it."""

    def interrupt(self) -> None:
        """End the program as a SIGINT does."""


@unique
class _End(Enum):
    """How the screen ended by itself."""

    LEFT = "left"
    TERMINAL_GONE = "terminal-gone"


class ScreenFace:
    """Shows a FullScreen and tells the table what people do; `run` it beside the table, `close` it at the very end."""

    def __init__(self, client: FullScreen, terminal: Terminal, host: Host, looks: Mapping[Ink, str]) -> None:
        """`looks` is how each ink looks, as the terminal library writes styles: "fg:#ff5f00 bold"."""
        self._client = client
        self._terminal = terminal
        self._host = host
        self._farewell = Farewell()
        self._tell: Callable[[Happening], None] | None = None
        self._ending = False
        self._batch: list[Stroke] = []
        self._pasted_at_s = float("-inf")
        self._mouse = Mouse.OFF
        self._tick_s: float | None = None
        self._rearm = trio.Event()
        glass = Glass()
        self._painter = Painter(terminal, glass, looks, self._draw)
        self._app = self._application(glass)

    def show(self, view: View, news: tuple[News, ...]) -> None:
        """A new picture and what happened since the last one."""
        self._farewell.show(view, news)
        self._client.show(view, news, trio.current_time())
        self._app.invalidate()

    def notice(self, notice: Notice) -> None:
        """Something beside the picture."""
        self._farewell.notice(notice)
        self._client.notice(notice, trio.current_time())
        self._app.invalidate()

    def redraw(self) -> None:
        """What the client shows has changed by itself."""
        self._app.invalidate()

    def say_nothing(self) -> None:
        """Leave no lines on the normal screen: another screen follows, and says what came of this one."""
        self._farewell = Farewell()

    def interrupted(self) -> bool:
        """A SIGINT: whether it led to a question; False where it ends the program."""
        if self._ending or not self._app.is_running:
            return False
        answer = self._client.typed(Key.INTERRUPT, trio.current_time())
        self._ending = answer.stay is Stay.INTERRUPT
        self._do(answer)
        self._app.invalidate()
        return not self._ending

    async def run(self, tell: Callable[[Happening], None]) -> None:
        """Show the screen until cancelled or until people leave; a terminal that has gone is told as LeaveAsked."""
        self._tell = tell
        self._terminal.when_drained(self._drained)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._tick_all)
            end = await self._host.on_host(self._on_loop)
            nursery.cancel_scope.cancel()
        if end is _End.TERMINAL_GONE:
            self._do(self._client.typed(Key.END_OF_INPUT, trio.current_time()))
            tell(LeaveAsked())

    def close(self) -> None:
        """Leave the last important lines on the normal screen."""
        self._terminal.close(self._farewell.lines(), _DRAIN_S)

    async def _on_loop(self) -> _End:
        """In asyncio: the screen from its first sign to its last."""
        loop = asyncio.get_running_loop()
        before = loop.get_exception_handler()
        loop.set_exception_handler(self._failed)
        try:
            return await self._app.run_async(set_exception_handler=False, handle_sigint=False)
        except EOFError:
            return _End.TERMINAL_GONE
        finally:
            self._app.renderer.reset()  # a first picture that failed has left the other screen on
            loop.set_exception_handler(before)

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        """What goes wrong in a callback ends the screen; by default it would go on half dead."""
        error = context.get("exception")
        if not isinstance(error, BaseException):
            error = RuntimeError(str(context.get("message")))
        if self._leavable():
            self._app.exit(exception=error)
        else:
            loop.default_exception_handler(context)

    def _leavable(self) -> bool:
        return self._app.is_running and not self._app.is_done

    def _answer(self, stroke: Stroke) -> Answer:
        now_s = trio.current_time()
        match stroke:
            case Pasted(text):
                return self._client.pasted(text, now_s)
            case Clicked(x, y):
                return self._client.clicked(x, y, now_s) if self._mouse is Mouse.ON else Answer()
            case _:
                return self._client.typed(stroke, now_s)

    def _do(self, answer: Answer) -> None:
        if self._tell is not None:
            for happening in answer.happenings:
                self._farewell.told(happening)
                self._tell(happening)
        match answer.stay:
            case Stay.ON:
                pass
            case Stay.LEAVE:
                if self._leavable():
                    self._app.exit(result=_End.LEFT)
            case Stay.INTERRUPT:
                self._ending = True
                self._host.interrupt()

    async def _tick_all(self) -> None:
        """Draw again when the picture changes by itself."""
        while True:
            at_s = self._tick_s
            self._rearm = trio.Event()
            with trio.move_on_at(float("inf") if at_s is None else max(at_s, trio.current_time() + _FRAME_S)):
                await self._rearm.wait()
                continue
            self._tick_s = None
            self._app.invalidate()

    def _draw(self, columns: int, rows: int) -> Shown:
        """Have the client draw, and remember when the picture will change by itself."""
        shown = self._client.draw(columns, rows, trio.current_time())
        self._mouse = shown.mouse
        self._tick_s = shown.next_tick_s
        self._rearm.set()
        return shown

    def _drained(self) -> None:
        """From the writing thread: the terminal has caught up."""
        if self._painter.behind:
            with suppress(RuntimeError):  # the loop has just been closed
                self._app.invalidate()

    def _application(self, glass: Glass) -> Application[_End]:
        app: Application[_End] = Application(
            layout=Layout(glass),
            full_screen=True,
            erase_when_done=True,
            input=self._terminal.input,
            output=self._terminal.output,
            terminal_size_polling_interval=None,
        )
        app.ttimeoutlen = _ESCAPE_S
        app.renderer = self._painter
        # The library's own bindings know function keys and Alt; ours are all there are.
        app.key_processor = KeyProcessor(self.bindings())
        return app

    def bindings(self) -> KeyBindings:
        """All keys that do anything. Each handler says that it has not: what it leads to draws the screen, later."""
        bindings = KeyBindings()
        for key, meaning in KEYS.items():
            bindings.add(key)(partial(self._pressed, meaning))
        bindings.add(Keys.Any)(self._sign)
        bindings.add(Keys.BracketedPaste)(self._paste)
        bindings.add(Keys.Vt100MouseEvent)(self._report)
        bindings.add(Keys.ControlL)(self._paint_anew)
        if hasattr(signal, "SIGTSTP"):
            bindings.add(Keys.ControlZ)(self._suspend)
        return bindings

    def _pressed(self, key: Key, _event: KeyPressEvent) -> object:
        return self._put(key)

    def _sign(self, event: KeyPressEvent) -> object:
        sign = event.key_sequence[0].key
        return self._put(sign) if not isinstance(sign, Keys) and sign.isprintable() else NotImplemented

    def _paste(self, event: KeyPressEvent) -> object:
        return self._put(pasted(event.data))

    def _report(self, event: KeyPressEvent) -> object:
        found = click(event.data)
        return NotImplemented if found is None else self._put(found)

    def _paint_anew(self, event: KeyPressEvent) -> None:
        self._painter.forget_title()
        event.app.renderer.clear()

    def _suspend(self, _event: KeyPressEvent) -> None:
        run_in_terminal(self._stop_here)

    def _stop_here(self) -> None:
        self._painter.forget_title()
        # What still waits would come after the shell's prompt.
        self._terminal.drain(_DRAIN_S)
        # The whole group, as the terminal itself would: whoever started us is to notice.
        os.kill(0, signal.SIGTSTP)

    def _put(self, stroke: Stroke) -> object:
        """Keep a stroke until all of the same read of the terminal are there."""
        if not self._batch:
            asyncio.get_running_loop().call_soon(self._hand_over)
        self._batch.append(stroke)
        return NotImplemented

    def _hand_over(self) -> None:
        now_s = trio.current_time()
        least = 1 if now_s - self._pasted_at_s < PASTE_GAP_S else PASTED_SIGNS
        strokes = joined(self._batch, least)
        self._batch.clear()
        if any(isinstance(stroke, Pasted) for stroke in strokes):
            self._pasted_at_s = now_s
        # At once, in the loop of the terminal: a way through trio would cost two turns of its waiting thread.
        for stroke in strokes:
            self._do(self._answer(stroke))
        self._app.invalidate()
