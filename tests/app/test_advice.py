"""Hints are thought of in a thread as soon as there is something to choose, and everything else passes at once."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
import trio

from sorry_lan.app import advice
from sorry_lan.app.advice import AdvisedFace
from sorry_lan.rules.board import START, track
from sorry_lan.rules.cards import Card
from sorry_lan.table.events import Happening, LeaveAsked
from sorry_lan.table.news import News
from sorry_lan.table.notices import Connecting, Notice
from sorry_lan.table.view import View
from tests.ui.build import at, choose, draw, game

GAME = at(game(), [(track(22), track(27), START), (track(32), track(20), START)])


class Inner:
    """A face that runs until it is told to end."""

    def __init__(self) -> None:
        self.views: list[View] = []
        self.notices: list[Notice] = []
        self.ends = trio.Event()

    def show(self, view: View, news: tuple[News, ...]) -> None:
        assert news == ()
        self.views.append(view)

    def notice(self, notice: Notice) -> None:
        self.notices.append(notice)

    def interrupted(self) -> bool:
        return True

    async def run(self, tell: Callable[[Happening], None]) -> None:
        await self.ends.wait()
        tell(LeaveAsked())


async def test_what_can_be_asked_is_thought_about_beside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Card, int]] = []
    thought = threading.Event()

    def think(_prompt: object, card: Card, _game: object) -> None:
        asked.append((card, threading.get_ident()))
        thought.set()

    monkeypatch.setattr(advice, "hint", think)
    inner, told = Inner(), []
    face = AdvisedFace(inner)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(face.run, told.append)
        face.show(draw(GAME), ())
        await trio.testing.wait_all_tasks_blocked()
        assert asked == []
        face.show(choose(GAME, Card.TEN), ())
        await trio.to_thread.run_sync(thought.wait)
        inner.ends.set()
    assert [card for card, _ in asked] == [Card.TEN]
    assert asked[0][1] != threading.get_ident()
    assert [type(what) for what in told] == [LeaveAsked]
    assert len(inner.views) == 2


async def test_notices_and_interrupts_pass() -> None:
    inner = Inner()
    face = AdvisedFace(inner)
    face.notice(Connecting("192.0.2.1:7777"))
    assert inner.notices == [Connecting("192.0.2.1:7777")]
    assert face.interrupted()
