"""Lines in and out of real descriptors."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
import trio

from sorry_lan.table.events import LeaveAsked, Spoke
from sorry_lan.table.news import Said
from sorry_lan.table.notices import PortTaken
from sorry_lan.ui.console import (
    LINE_BYTES,
    Charset,
    Garbled,
    Keyboard,
    LineSplitter,
    Printer,
    Streams,
    streams,
)
from sorry_lan.ui.face import TextFace
from sorry_lan.ui.json_session import JsonSession
from sorry_lan.ui.plain import PlainSession
from tests.ui.build import game, in_lobby, lobby, view


def test_lines_are_cut_at_line_breaks_wherever_the_bytes_were_cut():
    splitter = LineSplitter("utf-8")
    assert splitter.feed(b"a\r\nb") == ["a"]
    assert splitter.feed("é".encode()[:1]) == []
    assert splitter.feed("é".encode()[1:] + b"\n\n") == ["bé", ""]
    assert splitter.finish() == []


def test_a_last_line_without_a_break_counts():
    splitter = LineSplitter("utf-8")
    splitter.feed(b"q")
    assert splitter.finish() == ["q"]


def test_bytes_that_are_no_text_are_one_garbled_line():
    assert LineSplitter("utf-8").feed(b"\xff\n1\n") == [Garbled.UNDECODABLE, "1"]
    assert LineSplitter("ascii").feed("é\n".encode()) == [Garbled.UNDECODABLE]


@pytest.mark.parametrize("pieces", [1, 100, 5000])
def test_a_line_beyond_all_measure_is_dropped_and_named_once(pieces):
    splitter = LineSplitter("utf-8")
    data = b"x" * (LINE_BYTES * 3) + b"\n1\n"
    found = [line for i in range(0, len(data), pieces) for line in splitter.feed(data[i : i + pieces])]
    assert found == [Garbled.OVERLONG, "1"]


def test_the_rest_of_an_overlong_line_is_no_line_at_the_end():
    splitter = LineSplitter("utf-8")
    assert splitter.feed(b"x" * (LINE_BYTES + 1)) == [Garbled.OVERLONG]
    splitter.feed(b"y")
    assert splitter.finish() == []


async def _all_lines(keyboard):
    found = []
    while (lines := await keyboard.more()) is not None:
        found += lines
    return found


async def test_a_keyboard_reads_to_its_end():
    there, here = os.pipe()
    os.write(here, b"ready\nq")
    os.close(here)
    assert await _all_lines(Keyboard(there, "utf-8")) == ["ready", "q"]
    os.close(there)


async def test_a_keyboard_that_is_given_up_leaves_what_comes_to_the_next():
    there, here = os.pipe()
    for _ in range(3):
        with trio.move_on_after(0.02):
            await Keyboard(there, "utf-8").more()
    os.write(here, b"ready\n")
    with trio.fail_after(60):
        assert await Keyboard(there, "utf-8").more() == ["ready"]
    os.close(here)
    os.close(there)


async def test_a_file_is_read_though_nothing_waits_for_it(tmp_path):
    (tmp_path / "lines").write_bytes(b"ready\nq\n")
    with (tmp_path / "lines").open("rb", buffering=0) as lines:
        assert await _all_lines(Keyboard(lines.fileno(), "utf-8")) == ["ready", "q"]


async def test_no_keyboard_or_a_closed_one_has_ended():
    assert await _all_lines(Keyboard(None, "utf-8")) == []
    there, here = os.pipe()
    os.close(there)
    assert await _all_lines(Keyboard(there, "utf-8")) == []
    os.close(here)


def test_what_is_printed_arrives_in_order_and_in_any_encoding():
    there, here = os.pipe()
    printer = Printer(here, "ascii")
    printer.put(("Zoë",))
    printer.put(())
    printer.put(("b", "c"))
    printer.close(10)
    assert os.read(there, 100) == b"Zo\\xeb\nb\nc\n"
    os.close(there)
    os.close(here)


def test_a_printer_without_readers_is_gone_and_tells_so():
    there, here = os.pipe()
    os.close(there)
    printer = Printer(here, "utf-8")
    printer.put(("x",))
    assert printer.gone.wait(10)
    told = []
    printer.when_gone(lambda: told.append(1))
    assert told == [1]
    printer.put(("y",))
    printer.close(10)
    os.close(here)


def test_a_reader_that_has_stopped_for_good_counts_as_gone():
    there, here = os.pipe()
    printer = Printer(here, "utf-8")
    for _ in range(60):
        printer.put(("x" * 99_999,))
    assert printer.gone.is_set()
    os.close(there)
    printer.close(10)
    os.close(here)


def test_streams_without_descriptors_are_none():
    assert streams(None, None, Charset.AS_STREAM) == Streams(None, "ascii", None, "ascii")
    memory = io.StringIO()
    assert streams(memory, memory, Charset.ASCII).printer_fd is None
    with Path(os.devnull).open(encoding="latin-1") as sink:
        assert streams(sink, sink, Charset.AS_STREAM) == Streams(sink.fileno(), "latin-1", sink.fileno(), "latin-1")
        assert streams(sink, sink, Charset.ASCII).printer_encoding == "ascii"


class Pipes:
    """A face on pipes: type into it, read what it printed."""

    def __init__(self, session):
        in_there, self.typing = os.pipe()
        self.reading, out_here = os.pipe()
        self._fds = [in_there, out_here]
        self.face = TextFace(session, Streams(in_there, "utf-8", out_here, "utf-8"))

    def finish(self):
        self.face.close()
        os.close(self._fds[1])
        with os.fdopen(self.reading, encoding="utf-8") as text:
            found = text.read()
        os.close(self._fds[0])
        return found


async def test_a_face_shows_reads_and_leaves_at_the_end_of_input():
    pipes = Pipes(PlainSession())
    pipes.face.notice(PortTaken(7777, 7800))
    pipes.face.show(view(game()), (Said("Bob", 1, "hi"),))
    os.write(pipes.typing, b"say hello\n\xff\n" + b"x" * 5000 + b"\n")
    os.close(pipes.typing)
    told = []
    async with trio.open_nursery() as nursery:

        def tell(happening):
            told.append(happening)
            if isinstance(happening, LeaveAsked):
                nursery.cancel_scope.cancel()

        nursery.start_soon(pipes.face.run, tell)
    assert told == [Spoke(0, "hello"), LeaveAsked()]
    lines = pipes.finish().splitlines()
    assert lines[1:] == [
        "Port 7777 is in use, so this table listens on 7800.",
        "Bob says: hi",
        "That line cannot be read as text. Type it again; h shows what can be typed.",
        "That line is too long and was left out.",
        "The game is kept; go on with: sorry-lan resume",
    ]


def test_a_face_asks_about_an_interrupt_where_its_session_does():
    pipes = Pipes(PlainSession())
    assert not pipes.face.interrupted()
    pipes.face.show(view(game()), ())
    assert pipes.face.interrupted()
    assert not pipes.face.interrupted()
    os.close(pipes.typing)
    assert "Leave the running game?" in pipes.finish()


def test_nobody_is_asked_who_cannot_read_it():
    pipes = Pipes(PlainSession())
    pipes.face.show(view(game()), ())
    pipes.face._printer.gone.set()
    assert not pipes.face.interrupted()
    os.close(pipes.typing)
    pipes.finish()


def test_a_program_is_not_asked_about_an_interrupt():
    made = JsonSession()
    made.picture(view(game()), ())
    assert made.interrupted() == ()


async def test_a_face_leaves_when_nobody_reads_it_any_more():
    pipes = Pipes(JsonSession())
    os.close(pipes.reading)
    told = []
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:

            def tell(happening):
                told.append(happening)
                nursery.cancel_scope.cancel()

            nursery.start_soon(pipes.face.run, tell)
            pipes.face.show(in_lobby(lobby()), ())
    assert told == [LeaveAsked()]
    pipes.face.close()
    for fd in (*pipes._fds, pipes.typing):
        os.close(fd)


async def test_quitting_stops_the_reading():
    pipes = Pipes(PlainSession())
    os.write(pipes.typing, b"q\nsay hello\n")
    told = []
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:

            def tell(happening):
                told.append(happening)
                nursery.cancel_scope.cancel()

            nursery.start_soon(pipes.face.run, tell)
    os.close(pipes.typing)
    assert told == [LeaveAsked()]
    assert pipes.finish().endswith("Bye.\n")
