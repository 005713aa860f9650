"""The screen between keys and pictures, with piped keys and no terminal, in virtual time."""

from __future__ import annotations

import asyncio
import io
import os
import select
import signal
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final
from unicodedata import normalize

import pyte
import pytest
import trio
import trio.testing
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Screen, WritePosition
from prompt_toolkit.output.vt100 import Vt100_Output

from sorry_lan.app.guest import Guest
from sorry_lan.faults import Err
from sorry_lan.table.commands import FileKind
from sorry_lan.table.events import Happening, LeaveAsked
from sorry_lan.table.news import TableClosed
from sorry_lan.table.notices import FileSaved
from sorry_lan.table.view import Phase, View
from sorry_lan.ui.canvas import Canvas, Ink
from sorry_lan.ui.full_screen import Key, Mouse
from sorry_lan.ui.painter import Glass
from sorry_lan.ui.palette import Depth, Ground, styles
from sorry_lan.ui.screen import ScreenFace
from sorry_lan.ui.shown import cells
from sorry_lan.ui.terminal import Terminal
from tests.ui.standin import StandIn

LOOKS: Final = styles(Depth.COLOURS, Ground.DARK)


@pytest.fixture(autouse=True)
def _own_signals() -> Iterator[None]:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


class Stalling(Terminal):
    """A terminal in memory that can be told to be behind."""

    def __init__(self, keys: PipeInput) -> None:
        self.written = io.StringIO()
        self.size = Size(rows=24, columns=80)
        output = Vt100_Output(self.written, lambda: self.size, term="xterm-256color", enable_cpr=False)
        nowhere = io.TextIOWrapper(io.BytesIO())
        super().__init__(keys, output, None, (nowhere, nowhere))
        self.stalled = False
        self.drained: Callable[[], None] = lambda: None

    def behind(self) -> bool:
        return self.stalled

    def when_drained(self, drained: Callable[[], None]) -> None:
        self.drained = drained


@dataclass
class Stage:
    """A screen that runs, and what the test needs to play with it."""

    client: StandIn
    keys: PipeInput
    terminal: Stalling
    face: ScreenFace
    clock: trio.testing.MockClock
    guest: Guest
    told: list[Happening] = field(default_factory=list)
    ended: trio.Event = field(default_factory=trio.Event)

    async def type(self, text: str) -> None:
        """Type, and wait until it was seen and drawn."""
        self.keys.send_text(text)
        await self.settle()

    async def settle(self) -> None:
        """Wait until both loops have nothing to do; virtual time stands still."""
        quiet = 0
        while quiet < 5:
            await trio.testing.wait_all_tasks_blocked()
            await self.guest.on_host(_turn)
            waits = select.select([self.keys.fileno()], [], [], 0)[0]
            busy = waits or self.face._app.invalidated or self.face._batch
            quiet = 0 if busy else quiet + 1

    async def sees(self, seen: Callable[[], bool]) -> None:
        """Wait for something that comes by real time: the library's own, for an Escape that stays alone."""
        while not seen():
            await self.guest.on_host(_turn)

    @property
    def text(self) -> str:
        return self.client.text

    @property
    def written(self) -> str:
        return self.terminal.written.getvalue()

    async def run(self) -> None:
        await self.face.run(self.told.append)
        self.ended.set()


async def _turn() -> None:
    await asyncio.sleep(0)


def played(play: Callable[[Stage], Awaitable[None]]) -> Stage:
    """Run `play` beside a screen; the screen is cancelled where it did not end by itself."""
    clock = trio.testing.MockClock()
    with create_pipe_input() as keys, Guest(lambda: None) as guest:
        client = StandIn()
        terminal = Stalling(keys)
        face = ScreenFace(client, terminal, guest, LOOKS)
        stage = Stage(client, keys, terminal, face, clock, guest)

        async def main() -> None:
            with trio.fail_after(100):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(stage.run)
                    await stage.settle()
                    await play(stage)
                    nursery.cancel_scope.cancel()

        guest.run(main, clock=clock)
        face.close()
    return stage


def test_signs_are_typed_one_by_one_and_drawn() -> None:
    async def play(stage: Stage) -> None:
        for sign in "hé7":
            await stage.type(sign)
        assert stage.client.told == ["h", "é", "7"]

    stage = played(play)
    assert "é" in stage.written


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("|宽宽|", "|宽宽|"),
        ("|한|ｱ|", "|한|ｱ|"),
        ("|q\u0323\u0301|", "|q\u0323\u0301|"),
        # The library and the canvas disagree on these; a row keeps its width all the same.
        ("|\u1161|", "|?|"),
        ("|\u2630|", "|?|"),
        ("|\u302e|", "|??|"),
    ],
)
def test_signs_of_two_cells_and_of_none_leave_the_rest_of_their_row_in_place(text: str, seen: str) -> None:
    async def play(stage: Stage) -> None:
        stage.client.text = text
        await stage.type("#")
        screens.append(shown_by(stage))

    screens: list[pyte.Screen] = []
    played(play)
    assert screens[0].display[_ECHO].strip() == normalize("NFC", f"> {seen}#")
    assert screens[0].buffer[_ECHO][2 + cells(text)].data == "#"


_ECHO: Final = 1
"""The row in which the stand-in shows what was typed, behind a sign and a space."""


def shown_by(stage: Stage) -> pyte.Screen:
    """What a terminal shows of all that was written."""
    shown = pyte.Screen(80, 24)
    pyte.Stream(shown).feed(stage.written)
    return shown


def test_a_sign_of_two_cells_goes_whole_when_one_of_them_is_written_over() -> None:
    texts = ("a宽宽宽b", "宽宽宽ab", "aa宽aa宽", "宽", "")

    async def play(stage: Stage) -> None:
        for text in texts:
            stage.client.text = text
            await stage.type("#")
            rows.append(shown_by(stage).display[_ECHO].strip())

    rows: list[str] = []
    played(play)
    assert rows == [f"> {text}#" for text in texts]


def test_a_row_that_the_window_cuts_ends_before_half_a_sign() -> None:
    glass, screen = Glass(), Screen()
    canvas = Canvas(6, 1)
    canvas.put(0, 0, "ab宽\u0323宽")
    glass.picture = canvas.picture()
    glass.write_to_screen(screen, MouseHandlers(), WritePosition(0, 0, 5, 1), "", erase_bg=False, z_index=None)
    assert [screen.data_buffer[0][x].char for x in range(6)] == ["a", "b", "宽\u0323", "", " ", " "]


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("\r", Key.ENTER),
        ("\n", Key.ENTER),
        ("\x7f", Key.BACKSPACE),
        ("\x08", Key.BACKSPACE),
        ("\t", Key.TAB),
        ("\x1b[Z", Key.BACK_TAB),
        ("\x1b[A", Key.UP),
        ("\x1bOB", Key.DOWN),
        ("\x1b[D", Key.LEFT),
        ("\x1b[C", Key.RIGHT),
        ("\x1b[H", Key.HOME),
        ("\x1b[F", Key.END),
        ("\x1b[5~", Key.PAGE_UP),
        ("\x1b[6~", Key.PAGE_DOWN),
        ("\x1b[3~", Key.DELETE),
        ("\x03", Key.INTERRUPT),
        ("\x04", Key.END_OF_INPUT),
    ],
)
def test_each_key_has_its_meaning(typed: str, key: Key) -> None:
    async def play(stage: Stage) -> None:
        stage.client.asks = 1
        await stage.type(typed)
        assert stage.client.told == [key]

    played(play)


def test_an_escape_that_stays_alone_is_one_after_a_moment() -> None:
    async def play(stage: Stage) -> None:
        stage.keys.send_text("\x1b")
        await stage.sees(lambda: bool(stage.client.told))
        assert stage.client.told == [Key.ESCAPE]

    played(play)


@pytest.mark.parametrize("typed", ["\x1bOP", "\x1b[24~", "\x01", "\x1b[1;5A", "\x1b[99;99R", "\x1b[<64;3;3M"])
def test_keys_that_mean_nothing_do_nothing(typed: str) -> None:
    async def play(stage: Stage) -> None:
        await stage.type(typed)
        assert stage.client.told == []

    played(play)


def test_no_key_that_does_anything_is_a_function_key_or_goes_with_alt() -> None:
    with create_pipe_input() as keys, Guest(lambda: None) as guest:
        face = ScreenFace(StandIn(), Stalling(keys), guest, LOOKS)
        bound = [binding.keys for binding in face.bindings().bindings]
    assert all(len(sequence) == 1 for sequence in bound)
    assert not {key for sequence in bound for key in sequence} & {Keys[f"F{n}"] for n in range(1, 25)}
    assert len(bound) == 22


def test_what_the_terminal_says_was_pasted_is_pasted() -> None:
    async def play(stage: Stage) -> None:
        await stage.type("\x1b[200~1\r\x1b[201~")
        assert stage.client.told == [("pasted", "1\n")]

    played(play)


def test_what_comes_at_once_without_a_word_is_pasted_too_and_so_is_what_follows_closely() -> None:
    async def play(stage: Stage) -> None:
        await stage.type("say 7")
        await stage.type("\r")
        stage.clock.jump(0.2)
        await stage.type("\r")
        assert stage.client.told == [("pasted", "say 7"), ("pasted", "\n"), Key.ENTER]

    played(play)


def test_clicks_reach_the_client_only_while_it_wants_them() -> None:
    async def play(stage: Stage) -> None:
        await stage.type("\x1b[<0;3;4M")
        await stage.type("m")
        await stage.type("\x1b[<0;3;4M")
        await stage.type("m")
        await stage.type("\x1b[<0;3;4M")
        assert stage.client.told == ["m", ("clicked", 2, 3), "m"]

    stage = played(play)
    assert stage.written.index("\x1b[?1000h") < stage.written.index("\x1b[?1000l")


def test_the_bell_rings_once_for_a_higher_number() -> None:
    async def play(stage: Stage) -> None:
        await stage.type("b")
        await stage.type("a")
        stage.client.bells = 5
        await stage.type("a")
        stage.client.bells = 4
        await stage.type("a")

    assert played(play).written.replace("stand-in\x07", "").count("\x07") == 2


def test_the_title_of_the_window_follows_and_holds_no_control_sign() -> None:
    async def play(stage: Stage) -> None:
        await stage.type("a")
        stage.client.title = "your\x9c\x1b turn"
        await stage.type("a")

    stage = played(play)
    assert stage.written.count("\x1b]2;stand-in\x07") == 1
    assert stage.written.count("\x1b]2;your turn\x07") == 1


def test_a_picture_that_changes_by_itself_is_drawn_when_it_said_so() -> None:
    async def play(stage: Stage) -> None:
        stage.client.tick_s = 3.0
        await stage.type("a")
        drawn = len(stage.client.sizes)
        stage.clock.jump(2.9)
        await stage.settle()
        assert len(stage.client.sizes) == drawn
        stage.client.tick_s = None
        stage.clock.jump(0.2)
        await stage.settle()
        assert len(stage.client.sizes) == drawn + 1
        stage.clock.jump(50)
        await stage.settle()
        assert len(stage.client.sizes) == drawn + 1

    played(play)


def test_a_picture_that_is_always_late_does_not_spin() -> None:
    async def play(stage: Stage) -> None:
        stage.client.tick_s = 0.0
        await stage.type("a")
        drawn = len(stage.client.sizes)
        await stage.settle()
        assert len(stage.client.sizes) == drawn
        stage.clock.jump(0.02)
        await stage.settle()
        assert len(stage.client.sizes) == drawn + 1

    played(play)


def test_time_never_goes_back_for_the_client() -> None:
    async def play(stage: Stage) -> None:
        for sign in "abc":
            await stage.type(sign)
            stage.clock.jump(1)

    stage = played(play)
    assert stage.client.times == sorted(stage.client.times)


VIEW: Final = View(Phase.CLOSED, None, None, ())


def test_pictures_and_notices_of_the_table_reach_the_client_and_are_drawn() -> None:
    async def play(stage: Stage) -> None:
        drawn = len(stage.client.sizes)
        stage.face.show(VIEW, ())
        await stage.settle()
        assert len(stage.client.sizes) == drawn + 1
        stage.face.notice(FileSaved(FileKind.TRANSCRIPT, "/games/a.sorry"))
        await stage.settle()
        assert len(stage.client.sizes) == drawn + 2
        assert stage.client.told == [(VIEW, ()), FileSaved(FileKind.TRANSCRIPT, "/games/a.sorry")]

    played(play)


def test_the_last_important_lines_stand_on_the_normal_screen_afterwards() -> None:
    async def play(stage: Stage) -> None:
        stage.face.show(VIEW, (TableClosed(Err.GOODBYE),))
        stage.face.notice(FileSaved(FileKind.TRANSCRIPT, "/games/a.sorry"))

    after = played(play).written.rpartition("\x1b[?1049l")[2]
    assert "sorry-lan verify /games/a.sorry\r\n" in after


def test_leaving_tells_the_table_and_ends_the_screen() -> None:
    async def play(stage: Stage) -> None:
        stage.keys.send_text("q")
        await stage.ended.wait()
        assert stage.told == [LeaveAsked()]

    played(play)


def test_leaving_twice_at_once_leaves_once() -> None:
    async def play(stage: Stage) -> None:
        stage.keys.send_text("qq")
        await stage.ended.wait()

    played(play)


def test_an_interrupt_may_be_a_question_first_and_ends_then() -> None:
    async def play(stage: Stage) -> None:
        stage.client.asks = 1
        drawn = len(stage.client.sizes)
        assert stage.face.interrupted()
        await stage.settle()
        assert len(stage.client.sizes) == drawn + 1
        assert not stage.face.interrupted()
        assert not stage.face.interrupted()
        assert stage.client.told == [Key.INTERRUPT, Key.INTERRUPT]
        assert await anext(stage.guest) is signal.SIGINT

    played(play)


def test_the_key_for_an_interrupt_is_one() -> None:
    async def play(stage: Stage) -> None:
        stage.client.asks = 1
        await stage.type("\x03")
        await stage.type("\x03")
        assert await anext(stage.guest) is signal.SIGINT
        assert not stage.face.interrupted()

    played(play)


def test_an_interrupt_without_a_screen_ends_the_program() -> None:
    with create_pipe_input() as keys, Guest(lambda: None) as guest:
        assert not ScreenFace(StandIn(), Stalling(keys), guest, LOOKS).interrupted()


def test_input_that_ends_is_told_to_the_client_and_to_the_table() -> None:
    async def play(stage: Stage) -> None:
        stage.keys.close()
        await stage.ended.wait()
        assert stage.client.told == [Key.END_OF_INPUT]
        assert stage.told[-1] == LeaveAsked()

    played(play)


@pytest.mark.parametrize(("key", "where"), [("x", "typing"), ("d", "drawing")])
def test_what_breaks_ends_the_screen_with_that_error_and_the_terminal_in_order(key: str, where: str) -> None:
    seen: list[Stalling] = []

    async def play(stage: Stage) -> None:
        seen.append(stage.terminal)
        stage.keys.send_text(key)
        await trio.sleep_forever()

    with pytest.RaisesGroup(pytest.RaisesExc(ZeroDivisionError, match=where), flatten_subgroups=True):
        played(play)
    written = seen[0].written.getvalue()
    assert written.rindex("\x1b[?1049l") > written.rindex("\x1b[?1049h")
    assert written.rindex("\x1b[?2004l") > written.rindex("\x1b[?2004h")
    assert written.rindex("\x1b[?25h") > written.rindex("\x1b[?25l")


def test_a_first_picture_that_fails_leaves_nothing_on() -> None:
    with create_pipe_input() as keys, Guest(lambda: None) as guest:
        client = StandIn()
        client.breaks = True
        terminal = Stalling(keys)
        face = ScreenFace(client, terminal, guest, LOOKS)
        with pytest.RaisesGroup(ZeroDivisionError, flatten_subgroups=True):
            guest.run(partial(face.run, lambda _happening: None))
    assert "\x1b[?1049h" not in terminal.written.getvalue()


def test_a_failure_elsewhere_on_the_loop_ends_the_screen_too_and_once() -> None:
    async def play(stage: Stage) -> None:
        async def fail() -> None:
            loop = asyncio.get_running_loop()
            loop.call_exception_handler({"message": "something unnamed"})

        await stage.guest.on_host(fail)
        await trio.sleep_forever()

    with pytest.RaisesGroup(pytest.RaisesExc(RuntimeError, match="something unnamed"), flatten_subgroups=True):
        played(play)


def test_a_terminal_that_is_behind_gets_no_pictures_until_it_has_caught_up() -> None:
    async def play(stage: Stage) -> None:
        stage.terminal.stalled = True
        drawn, before = len(stage.client.sizes), stage.written
        for sign in "abc":
            await stage.type(sign)
        assert (len(stage.client.sizes), stage.written) == (drawn, before)
        stage.terminal.stalled = False
        await trio.to_thread.run_sync(stage.terminal.drained)
        await stage.settle()
        assert len(stage.client.sizes) == drawn + 1
        await trio.to_thread.run_sync(stage.terminal.drained)
        await stage.settle()
        assert len(stage.client.sizes) == drawn + 1

    assert played(play).text == "ac"


def test_ctrl_l_paints_everything_anew() -> None:
    async def play(stage: Stage) -> None:
        before = len(stage.written)
        await stage.type("\x0c")
        assert "stand-in 80x24" in stage.written[before:]
        assert "\x1b[2J" in stage.written[before:]

    played(play)


def test_ctrl_z_leaves_the_screen_stops_the_group_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(stage: Stage) -> None:
        shown: list[str] = []

        def stop(group: int, number: int) -> None:
            assert (group, number) == (0, signal.SIGTSTP)
            shown.append(stage.written)

        monkeypatch.setattr(os, "kill", stop)
        await stage.type("\x1a")
        assert shown[0].rindex("\x1b[?1049l") > shown[0].rindex("\x1b[?1049h")
        again = stage.written[len(shown[0]) :]
        assert "stand-in 80x24" in again
        assert "\x1b]2;stand-in\x07" in again
        await stage.type("a")
        assert stage.text == "a"

    played(play)


@pytest.mark.parametrize("size", [(1, 1), (1, 500), (300, 1), (24, 80), (300, 500)])
def test_a_window_of_any_size_is_filled_and_never_called_too_small(size: tuple[int, int]) -> None:
    async def play(stage: Stage) -> None:
        stage.terminal.size = Size(*size)
        await stage.type("a")
        assert stage.client.sizes[-1] == (size[1], size[0])

    assert "too small" not in played(play).written.lower()


def test_every_ink_has_a_look() -> None:
    assert set(LOOKS) == set(Ink)
    assert Mouse.OFF is StandIn().mouse
