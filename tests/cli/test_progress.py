"""The bar: one row on a terminal, drawn over and taken away; nothing elsewhere."""

from __future__ import annotations

import io

import pytest

from sorry_lan.cli import progress
from sorry_lan.cli.progress import Bar

XTERM = {"TERM": "xterm"}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_is_drawn_over_itself_and_gone_at_the_end(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(progress, "_EVERY_S", 0.0)
    stream = Terminal()
    with Bar(stream, XTERM) as bar:
        bar.show(1, 4, "one of four, slowly")
        bar.show(4, 4, "all")
    first, second, gone, end = stream.getvalue().split("\r")[1:]
    assert first == "[" + "#" * 7 + "." * 23 + "] one of four, slowly"
    assert second == f"[{'#' * 30}] all".ljust(len(first))
    assert gone == " " * len(f"[{'#' * 30}] all")
    assert end == ""


def test_a_bar_is_drawn_at_most_ten_times_a_second_but_always_when_all_is_done(monkeypatch: pytest.MonkeyPatch):
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    stream = Terminal()
    bar = Bar(stream, XTERM)
    for done, now[0] in ((1, 100.0), (2, 100.05), (3, 100.2), (4, 100.21)):
        bar.show(done, 4, f"{done}")
    assert [row.strip()[-1] for row in stream.getvalue().split("\r")[1:]] == ["1", "3", "4"]


@pytest.mark.parametrize(
    ("stream", "environment"),
    [(io.StringIO(), XTERM), (Terminal(), {"TERM": "dumb"}), (Terminal(), {}), (None, XTERM)],
)
def test_where_there_is_no_terminal_that_can_there_is_no_bar(stream: io.StringIO | None, environment: dict[str, str]):
    with Bar(stream, environment) as bar:
        bar.show(1, 1, "all")
    assert stream is None or stream.getvalue() == ""


def test_a_row_is_never_longer_than_the_terminal(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(progress, "_columns", lambda _stream: 20)
    stream = Terminal()
    Bar(stream, XTERM).show(1, 2, "text")
    assert stream.getvalue() == "\r[" + "#" * 15 + "..."


def test_a_bar_that_is_interrupted_while_it_is_drawn_is_gone_too():
    class Interrupted(Terminal):
        def flush(self) -> None:
            if self.getvalue().count("\r") == 1:
                raise KeyboardInterrupt

    stream = Interrupted()
    with pytest.raises(KeyboardInterrupt), Bar(stream, XTERM) as bar:
        bar.show(1, 4, "one")
    assert stream.getvalue().split("\r")[1:] == [row := "[" + "#" * 7 + "." * 23 + "] one", " " * len(row), ""]


def test_a_terminal_that_has_gone_stops_nothing():
    class Gone(Terminal):
        def write(self, _text: str) -> int:
            raise OSError(5, "Input/output error")

    with Bar(Gone(), XTERM) as bar:
        bar.show(1, 2, "text")
