"""`join --watch`, `host --no-watchers`, and the offer to whoever comes too late."""

from __future__ import annotations

import io
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sorry_lan.app.wiring import Resume, RunOptions
from sorry_lan.cli import options, watch
from sorry_lan.cli.arguments import UsageError, parse
from sorry_lan.cli.tries import Tries
from sorry_lan.faults import Err
from sorry_lan.table.news import LobbyChanged, TableClosed
from sorry_lan.table.settings import Role
from sorry_lan.ui.texts_errors import closed_text
from sorry_lan.wire.terms import Option
from tests.app.build import options as asked_for


@pytest.fixture
def joining(tmp_path: Path) -> RunOptions:
    return asked_for(tmp_path, 1)


def test_watching_is_one_person_without_a_seat_and_nothing_is_taken_up(joining: RunOptions) -> None:
    two = replace(joining, people=joining.people * 2)
    found = watch.watching(two)
    assert (found.role, len(found.people), found.resume) == (Role.WATCHER, 1, Resume.NEVER)
    assert (found.address, found.code) == (two.address, two.code)


@pytest.mark.parametrize("flag", ["--port 7", "--on-away wait", "--bot-program x"])
def test_what_only_a_seat_can_use_does_not_go_with_watching(flag: str) -> None:
    with pytest.raises(UsageError, match="leave it away with --watch"):
        options.watches(parse(["join", "x", "--watch", *flag.split()]))


def test_the_flags() -> None:
    assert options.watches(parse(["join", "x", "--watch"]))
    assert not options.watches(parse(["join", "x"]))
    assert options.forbidden(parse(["host", "--no-watchers", "--no-hints"])) == Option.NO_WATCHERS | Option.NO_HINTS


@pytest.mark.parametrize(
    ("code", "late"), [(Err.TABLE_FULL, True), (Err.GAME_IN_PLAY, True), (Err.REMOVED, False), (Err.GOODBYE, False)]
)
def test_too_late_is_who_finds_the_table_full_or_the_game_begun(code: Err, *, late: bool) -> None:
    tries = Tries(again=False)
    tries.told((LobbyChanged(), TableClosed(code)))
    assert tries.too_late is late
    assert ("--watch" in closed_text(code)) is late


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """What is written there is typed by the person."""
    reading, writing = os.pipe()
    stdin = io.TextIOWrapper(os.fdopen(reading, "rb"))
    monkeypatch.setattr("sys.stdin", stdin)
    yield writing
    os.close(writing)
    stdin.close()


@pytest.mark.parametrize(
    ("typed", "roles"),
    [
        (b"y\n", [Role.JOINER, Role.WATCHER]),
        (b" Ja\n", [Role.JOINER, Role.WATCHER]),
        (b"\n", [Role.JOINER]),
        (b"n\n", [Role.JOINER]),
    ],
)
def test_who_comes_too_late_is_asked_and_a_yes_watches(
    typing: int, joining: RunOptions, capsys: pytest.CaptureFixture[str], typed: bytes, roles: list[Role]
) -> None:
    tries, shown = Tries(again=False), []
    handler = signal.getsignal(signal.SIGINT)

    def show(wanted: RunOptions) -> int:
        shown.append(wanted.role)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        tries.too_late = True
        return 7 if wanted.role is Role.JOINER else 0

    os.write(typing, typed)
    try:
        code = watch.played_or_watched(joining, show, tries, may_ask=True)
        assert len(roles) > 1 or signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGINT, handler)
    assert (shown, code) == (roles, 0 if len(roles) > 1 else 7)
    assert "Watch instead?" in capsys.readouterr().out


def test_nobody_is_asked_where_nobody_is_there_or_there_was_a_seat(joining: RunOptions) -> None:
    tries, shown = Tries(again=False), []

    def show(wanted: RunOptions) -> int:
        shown.append(wanted.role)
        return 7

    assert watch.played_or_watched(joining, show, tries, may_ask=True) == 7
    tries.too_late = True
    assert watch.played_or_watched(joining, show, tries, may_ask=False) == 7
    assert watch.played_or_watched(watch.watching(joining), show, tries, may_ask=True) == 7
    assert shown == [Role.JOINER, Role.JOINER, Role.WATCHER]
