"""A bot's turn is seen as a person's is: one after the other, each long enough, on the screen and line by line.

Virtual time; the bots of these tests play as real ones do: all of them at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import trio
import trio.lowlevel
import trio.testing

from sorry_lan.rules.cards import CARDS
from sorry_lan.rules.engine import choices
from sorry_lan.table.events import DrawAsked, Happening
from sorry_lan.table.news import News, Played
from sorry_lan.table.notices import PortTaken
from sorry_lan.table.view import GameView
from sorry_lan.ui.console import Keyboard, Printer, Streams
from sorry_lan.ui.face import TextFace
from sorry_lan.ui.full_screen import Key
from sorry_lan.ui.motion import BACKLOG, SEEN_S
from sorry_lan.ui.pacing import ASKED, PAUSE_S, Pacing, Picture
from sorry_lan.ui.plain import PlainSession
from sorry_lan.ui.taste import Pace, Taste
from tests.ui.build import bot, choose, draw, drawn, game, played, seat, view
from tests.ui.desk import Desk

PACES = (Pace.SLOW, Pace.NORMAL, Pace.FAST)
TABLE = game((seat(0, 0), bot(1, "Robo"), bot(2, "Hal"), bot(3, "Tik")), first=1)


def bots_turns(of: GameView, seed: int, until: int = 0, most: int = 1000) -> tuple[GameView, tuple[News, ...]]:
    """The game after all turns of bots until seat `until` has it, or so many; and all the news of them."""
    random = Random(seed)
    news: list[News] = []
    for _ in range(most):
        if of.position.turn == until or of.winner is not None:
            break
        card = random.choice(CARDS)
        news.append(drawn(of, card))
        of, told = played(of, card, random.choice(choices(of.position, of.rules, card)))
        news += told
    return of, tuple(news)


def turns_of(news: tuple[News, ...]) -> list[Played]:
    return [item for item in news if isinstance(item, Played)]


def shown_for(desk: Desk, limit_s: float = 600.0) -> dict[int, float]:
    """For how long the film shows each step, until the film is over; always forward."""
    found: dict[int, float] = {}
    ends_s = desk.now_s + limit_s
    while (tick_s := desk.see().next_tick_s) is not None and desk.now_s < ends_s:
        frame = desk.client._screen.frame
        if frame is not None:
            assert not found or frame.k >= max(found)
            found[frame.k] = found.get(frame.k, 0.0) + tick_s - desk.now_s
        desk.now_s = tick_s
    return found


# -- the screen ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
def test_each_turn_of_three_bots_is_in_view_long_enough_and_none_is_left_out(pace: Pace, size: tuple[int, int]):
    for seed in range(5):
        of, news = bots_turns(TABLE, seed)
        desk = Desk(Taste(pace=pace), size).show(view(TABLE)).show(draw(of), *news)
        assert "YOUR TURN" not in desk.text()
        seen = shown_for(desk)
        assert list(seen) == [turn.k for turn in turns_of(news)]
        assert min(seen.values()) >= SEEN_S - 0.001
        assert desk.press(Key.ENTER) == (DrawAsked(0),)


def test_any_key_skips_to_the_question():
    of, news = bots_turns(TABLE, 1)
    desk = Desk(Taste()).show(view(TABLE)).show(draw(of), *news)
    assert desk.press(" ") == ()
    assert desk.client._screen.frame is None
    assert desk.press(Key.ENTER) == (DrawAsked(0),)


def test_without_animation_nothing_waits():
    of, news = bots_turns(TABLE, 1)
    desk = Desk(Taste(pace=Pace.NONE)).show(view(TABLE)).show(draw(of), *news)
    assert desk.press(Key.ENTER) == (DrawAsked(0),)


def test_who_only_watches_bots_sees_their_whole_game_however_fast_it_was():
    of, news = bots_turns(TABLE, 3, until=9, most=120)
    desk = Desk(Taste(pace=Pace.FAST)).show(view(TABLE)).show(view(of), *news)
    seen = shown_for(desk)
    assert list(seen) == [turn.k for turn in turns_of(news)]
    assert min(seen.values()) >= SEEN_S - 0.001


def test_a_table_that_waits_for_somebody_here_does_not_wait_for_a_long_film():
    of, news = bots_turns(TABLE, 3, until=9, most=120)
    desk = Desk(Taste(pace=Pace.SLOW)).show(view(TABLE)).show(view(of), *news)
    asked = replace(of, position=replace(of.position, turn=0))
    desk.show(draw(asked))
    began_s = desk.now_s
    seen = shown_for(desk)
    assert len(seen) == BACKLOG // 2
    assert desk.now_s - began_s < 60


def test_what_the_computer_plays_on_an_own_seat_is_in_view_as_long_as_others_moves():
    of = replace(TABLE, position=replace(TABLE.position, turn=0))
    card = CARDS[0]
    after, news = played(of, card, choices(of.position, of.rules, card)[0])
    by_itself = Desk(Taste(pace=Pace.FAST)).show(view(of)).show(view(after), *news)
    assert sum(shown_for(by_itself).values()) >= SEEN_S - 0.001
    chosen = Desk(Taste(pace=Pace.FAST)).show(choose(of, card)).show(view(after), *news)
    assert sum(shown_for(chosen).values()) < SEEN_S / 2


# -- line by line --------------------------------------------------------------------------------------------------


def released(pacing: Pacing, now_s: float) -> list[tuple[float, Picture]]:
    """What comes, and when, until nothing waits."""
    found = [(now_s, item) for item in pacing.due(now_s)]
    while (due_s := pacing.next_s()) is not None:
        now_s = max(due_s, now_s)
        found += [(now_s, item) for item in pacing.due(now_s)]
    return [(at_s, item) for at_s, item in found if isinstance(item, Picture)]


@pytest.mark.parametrize("pace", PACES)
def test_a_pause_follows_each_turn_of_a_bot_and_the_question_comes_last(pace: Pace):
    assert PAUSE_S[pace] >= SEEN_S
    of, news = bots_turns(TABLE, 2)
    pacing = Pacing(pace)
    pacing.add(draw(of), news)
    found = released(pacing, 50.0)
    turns = turns_of(news)
    assert [item.news[-1] for _, item in found[:-1]] == turns
    assert [at_s for at_s, _ in found] == pytest.approx([50.0 + number * PAUSE_S[pace] for number in range(len(found))])
    assert [bool(item.view.prompts) for _, item in found] == [False] * len(turns) + [True]
    assert [told for _, item in found for told in item.news] == list(news)


def test_pictures_that_come_one_by_one_are_kept_apart_too():
    pacing = Pacing(Pace.FAST)
    of, now_s = TABLE, 0.0
    seen: list[float] = []
    while of.position.turn != 0:
        of, news = bots_turns(of, 7, most=1)
        pacing.add(view(of), news)
        now_s += 0.01
        seen += [now_s for _ in pacing.due(now_s)]
    assert len(seen) == 1
    assert len(released(pacing, now_s)) == 2


def test_people_are_shown_at_once():
    of = game((seat(0, 0), seat(1), bot(2)), first=1)
    card = CARDS[0]
    after, news = played(of, card, choices(of.position, of.rules, card)[0])
    pacing = Pacing(Pace.SLOW)
    pacing.add(view(after), news)
    pacing.add(view(after), ())
    assert len(pacing.due(1.0)) == 2
    assert pacing.next_s() is None


def test_a_notice_keeps_its_place():
    of, news = bots_turns(TABLE, 2)
    pacing = Pacing(Pace.NORMAL)
    pacing.add(view(of), news)
    pacing.note(PortTaken(1, 2))
    assert PortTaken(1, 2) not in pacing.due(1.0)
    assert pacing.all()[-1] == PortTaken(1, 2)
    assert pacing.due(1.0) == []


def test_where_somebody_is_asked_only_so_many_turns_are_waited_for():
    of, news = bots_turns(TABLE, 3, until=9, most=40)
    bots = [turn for turn in turns_of(news) if turn.seat != 0]
    pacing = Pacing(Pace.NORMAL)
    pacing.add(draw(replace(of, position=replace(of.position, turn=0))), news)
    assert len(pacing.due(1.0)) == len(bots) - ASKED > ASKED
    assert len(released(pacing, 1.0)) == ASKED + 1
    pacing.add(view(of), news)
    assert len(pacing.due(100.0)) == 1


def test_without_pace_nothing_is_cut_and_nothing_waits():
    of, news = bots_turns(TABLE, 2)
    pacing = Pacing(Pace.NONE)
    assert not pacing.pauses
    pacing.add(draw(of), news)
    assert pacing.due(0.0) == [Picture(draw(of), news, pauses=False)]


class Terminal:
    """What a text face prints, one list a time; and lines that are typed when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, pace: Pace, sink: int) -> None:
        self.printed: list[tuple[str, ...]] = []
        self._type, self._typed = trio.open_memory_channel[list[str]](9)

        def put(_printer: Printer, lines: tuple[str, ...]) -> None:
            self.printed += [lines] if lines else []

        async def more(_keyboard: Keyboard) -> list[str]:
            return await self._typed.receive()

        monkeypatch.setattr(Printer, "put", put)
        monkeypatch.setattr(Keyboard, "more", more)
        self.face = TextFace(PlainSession(), Streams(None, "utf-8", sink, "utf-8"), pace)
        self.printed.clear()

    def type(self, *lines: str) -> None:
        self._type.send_nowait(list(lines))

    @property
    def text(self) -> str:
        return "\n".join(line for lines in self.printed for line in lines)


@pytest.fixture
def sink() -> Iterator[int]:
    """A descriptor that takes everything: without one nobody would be reading."""
    with Path(os.devnull).open("wb") as opened:
        yield opened.fileno()


async def test_lines_come_turn_by_turn_and_any_line_ends_the_waiting_without_playing(
    monkeypatch: pytest.MonkeyPatch, mock_clock: trio.testing.MockClock, sink: int
):
    of, news = bots_turns(TABLE, 2)
    terminal = Terminal(monkeypatch, Pace.NORMAL, sink)
    told: list[Happening] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(terminal.face.run, told.append)
        terminal.face.show(draw(of), news)
        await trio.testing.wait_all_tasks_blocked()
        assert terminal.text.count(" drew ") == 1
        mock_clock.jump(PAUSE_S[Pace.NORMAL] - 0.01)
        await trio.testing.wait_all_tasks_blocked()
        assert terminal.text.count(" drew ") == 1
        mock_clock.jump(0.02)
        await trio.testing.wait_all_tasks_blocked()
        assert terminal.text.count(" drew ") == 2
        terminal.type("")
        await trio.testing.wait_all_tasks_blocked()
        assert terminal.text.count(" drew ") == len(turns_of(news)) >= 3
        assert "Press Enter to draw" in terminal.text
        assert told == []
        terminal.type("")
        await trio.testing.wait_all_tasks_blocked()
        assert told == [DrawAsked(0)]
        nursery.cancel_scope.cancel()


async def test_what_still_waits_at_the_end_is_printed(monkeypatch: pytest.MonkeyPatch, sink: int):
    of, news = bots_turns(TABLE, 2)
    terminal = Terminal(monkeypatch, Pace.SLOW, sink)
    terminal.face.show(view(of), news)
    terminal.face.notice(PortTaken(7777, 7800))
    assert terminal.text.count(" drew ") == 1
    terminal.face.close()
    assert terminal.text.count(" drew ") == len(turns_of(news))
    assert terminal.text.endswith("this table listens on 7800.")
