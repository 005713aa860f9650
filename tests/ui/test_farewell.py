"""What stands in the terminal after the screen has gone."""

from __future__ import annotations

import pytest

from sorry_lan.fair.entry import Leaving
from sorry_lan.faults import Err
from sorry_lan.table.commands import FileKind
from sorry_lan.table.events import DrawAsked, LeaveAsked
from sorry_lan.table.news import Confirmed, GameStarted, GoneOnWithoutUs, TableClosed, Won
from sorry_lan.table.notices import (
    CodeChanged,
    Connecting,
    FileSaved,
    JoinProblem,
    PortTaken,
    Problem,
    Stopped,
    StrangerCalled,
    TableOpened,
)
from sorry_lan.table.view import Phase, View
from sorry_lan.ui.farewell import Farewell
from sorry_lan.ui.texts_errors import closed_text
from tests.ui.build import game, in_lobby, lobby, view

KEPT = "The game is kept; go on with: sorry-lan resume"
SAVED = FileSaved(FileKind.TRANSCRIPT, "/games/a.sorry")
CLOSED = View(Phase.CLOSED, None, None, ())


def test_who_won_and_where_the_file_is_come_last_and_in_that_order() -> None:
    farewell = Farewell()
    farewell.show(view(game(), phase=Phase.OVER), (Won(0, 30), Confirmed(())))
    farewell.notice(SAVED)
    won, confirmed, kept = farewell.lines()
    assert won.endswith("has every pawn Home and wins!")
    assert confirmed == "The end is confirmed by all."
    assert kept.endswith("sorry-lan verify /games/a.sorry")


def test_only_the_last_of_several_games_is_told_of() -> None:
    farewell = Farewell()
    farewell.show(view(game(), phase=Phase.OVER), (Won(0, 30),))
    farewell.notice(SAVED)
    farewell.show(view(game()), (GameStarted(bytes(32)),))
    assert farewell.lines() == (KEPT,)


def test_why_the_table_is_closed_is_told() -> None:
    farewell = Farewell()
    farewell.show(in_lobby(lobby()), ())
    farewell.show(CLOSED, (TableClosed(Err.REMOVED),))
    assert farewell.lines() == (closed_text(Err.REMOVED),)


def test_whom_was_called_is_told_only_where_no_table_came_of_it() -> None:
    farewell = Farewell()
    farewell.notice(Connecting("192.0.2.7:7777"))
    farewell.notice(Stopped(JoinProblem(Problem.REFUSED, Err.TIMEOUT, "192.0.2.7:7777")))
    called, why = farewell.lines()
    assert called == "Connecting to 192.0.2.7:7777 ..."
    assert why.startswith("192.0.2.7:7777 answers")
    farewell.show(in_lobby(lobby()), ())
    assert farewell.lines() == (why,)


def test_how_to_join_is_over_with_the_table() -> None:
    farewell = Farewell()
    for notice in (
        TableOpened(("192.0.2.7",), 7777, None),
        CodeChanged("maple-otter-tulip"),
        PortTaken(7777, 7778),
        StrangerCalled("192.0.2.9", Err.BAD_FRAME),
    ):
        farewell.notice(notice)
    assert farewell.lines() == ()


@pytest.mark.parametrize(
    ("phase", "told", "lines"),
    [
        (Phase.MOVE, DrawAsked(0), (KEPT,)),
        (Phase.MOVE, LeaveAsked(Leaving.FOR_NOW), (KEPT,)),
        (Phase.MOVE, LeaveAsked(), (KEPT,)),
        (Phase.MOVE, LeaveAsked(Leaving.FOR_GOOD), ()),
        (Phase.FROZEN, LeaveAsked(), (KEPT,)),
        (Phase.OVER, LeaveAsked(), ()),
    ],
)
def test_a_game_that_was_left_goes_on_unless_it_was_left_for_good(
    phase: Phase, told: DrawAsked | LeaveAsked, lines: tuple[str, ...]
) -> None:
    farewell = Farewell()
    farewell.show(view(game(), phase=phase), ())
    farewell.told(told)
    farewell.show(CLOSED, ())
    assert farewell.lines() == lines


def test_whoever_was_left_behind_reads_that_and_of_no_key_that_is_gone() -> None:
    farewell = Farewell()
    farewell.show(view(game(), Phase.LEFT_OUT), (GoneOnWithoutUs(bytes(32)),))
    assert farewell.lines()[0] == "The others went on without you."
