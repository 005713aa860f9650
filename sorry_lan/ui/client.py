"""The full-screen client without its terminal: pictures of the table, keys and clicks in; screens out (full_screen.py).

Pure: time comes in with each call. Says which keys_*.py a key belongs to; draw_screen.py says which page is drawn.
"""

from __future__ import annotations

import math
from dataclasses import replace

from sorry_lan.table.events import LeaveAsked
from sorry_lan.table.news import News, RematchOpened, Won
from sorry_lan.table.notices import Notice
from sorry_lan.table.view import View
from sorry_lan.ui import choosing, keys_game, keys_line, keys_lobby
from sorry_lan.ui.answers import Answer, Stay
from sorry_lan.ui.board_map import spot_at
from sorry_lan.ui.canvas import Canvas, Picture
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.draw_game import bottom_of, layout_of
from sorry_lan.ui.draw_screen import draw_screen
from sorry_lan.ui.examination import Examination
from sorry_lan.ui.full_screen import Key, Mouse, Shown
from sorry_lan.ui.screen_state import Ground, Mode, Over, Screen
from sorry_lan.ui.shown import TITLE_CELLS, shown
from sorry_lan.ui.taste import Taste
from sorry_lan.ui.texts_screen import turn_text
from sorry_lan.ui.typing import inserted

_KEYS = {key.value: key for key in Key}
_LOOK_S = 0.2
"""How often an examination under way is looked at."""
_LINE = "line:"
"""What the zone of a line of the list begins with."""


class Client:
    """One person's screen at one table."""

    __slots__ = ("_drawn", "_end_due", "_screen", "_size")

    def __init__(self, taste: Taste) -> None:
        self._screen = Screen(taste)
        self._drawn = Picture(())
        self._size = (0, 0)
        self._end_due = False
        """Whether the page of the end opens by itself once the last move was seen."""

    @property
    def examination(self) -> Examination:
        """What this screen has the doctor look at."""
        return self._screen.examination

    def show(self, view: View, news: tuple[News, ...], now_s: float) -> None:
        """A new picture of the table and what happened since the last one."""
        screen = self._screen
        before = screen.ground
        screen.heard.hear(view, news, now_s, screen.state.pace)
        for item in news:
            if isinstance(item, Won):
                self._end_due = True
            if isinstance(item, RematchOpened):
                self._end_due = False
        if screen.ground is not before:
            # Whoever is being asked about leaving is still asked.
            over = Over.LEAVE if screen.state.over is Over.LEAVE else Over.NOTHING
            screen.state = replace(screen.state, over=over, mode=Mode.KEYS, scroll=0)
        self._settle(now_s)

    def notice(self, notice: Notice, now_s: float) -> None:
        """Something beside the picture."""
        self._screen.heard.notice(notice)
        self._settle(now_s)

    def typed(self, key: Key | str, now_s: float) -> Answer:
        """One key. A sign that comes faster than people type is no key, but may be part of a line."""
        self._settle(now_s)
        self._screen.guard.key(now_s)
        return self._settled(self._key(key))

    def pasted(self, text: str, now_s: float) -> Answer:
        """A bracketed paste: goes into a line that is being typed, and nowhere else."""
        self._settle(now_s)
        screen = self._screen
        if screen.state.mode is Mode.KEYS:
            screen.say(_("Pasted text plays nothing; / or t first opens a line for it."))
        else:
            screen.state = replace(screen.state, typing=inserted(screen.state.typing, text))
        return Answer()

    def clicked(self, x: int, y: int, now_s: float) -> Answer:
        """A click on a cell of the last drawn picture."""
        self._settle(now_s)
        screen = self._screen
        screen.guard.key(now_s)
        if screen.frame is not None and screen.state.over is Over.NOTHING:
            screen.heard.film.skip()
            return self._settled(Answer())
        return self._settled(self._click(x, y))

    def draw(self, width: int, height: int, now_s: float) -> Shown:
        """The screen of that many columns and rows, any size from 1x1."""
        self._settle(now_s)
        screen = self._screen
        canvas = Canvas(width, height)
        draw_screen(canvas, screen)
        self._drawn, self._size = canvas.picture(), (width, height)
        mouse = screen.state.mouse if screen.ground is Ground.GAME else Mouse.OFF
        return Shown(self._drawn, self._title(), mouse, screen.bells, self._next_tick_s())

    def _settle(self, now_s: float) -> None:
        screen = self._screen
        screen.settle(now_s)
        if self._end_due and screen.frame is None:
            self._end_due = False
            if screen.state.over is Over.NOTHING and screen.state.mode is Mode.KEYS:
                screen.open(Over.END)

    def _settled(self, answer: Answer) -> Answer:
        self._settle(self._screen.now_s)
        return answer

    def _key(self, key: Key | str) -> Answer:
        screen = self._screen
        state, view = screen.state, screen.heard.view
        match key:
            case Key.INTERRUPT if state.over is Over.LEAVE or not keys_game.asks_first(view):
                return Answer((), (LeaveAsked(),), Stay.INTERRUPT)
            case Key.INTERRUPT:
                screen.state = replace(state, mode=Mode.KEYS)
                screen.open(Over.LEAVE)
                return Answer()
            case Key.END_OF_INPUT:
                return Answer((), (LeaveAsked(),), Stay.LEAVE)
            case _:
                pass
        screen.say("")
        if state.over is Over.LEAVE:
            return keys_game.leave_pressed(screen, key)
        if state.mode is not Mode.KEYS:
            return keys_line.pressed(screen, key)
        if isinstance(key, str) and screen.guard.hasty(screen.now_s):
            return Answer()
        if screen.frame is not None and state.over is Over.NOTHING:
            screen.heard.film.skip()
            screen.settle(screen.now_s)
            if key in keys_game.ACTS or key is Key.ESCAPE:
                return Answer()
        return self._plain_key(key)

    def _plain_key(self, key: Key | str) -> Answer:
        """A key while no line is typed and no question is asked about leaving."""
        screen = self._screen
        view = screen.heard.view
        if screen.looks_on and key in keys_game.PLAYERS_KEYS:
            return keys_game.looked_on(screen, key)
        if key == "t" and screen.ground is not Ground.NOTHING:
            keys_game.open_line(screen, Mode.CHAT)
            return Answer()
        if key == "/":
            keys_game.open_line(screen, Mode.COMMAND)
            return Answer()
        if screen.ground is Ground.LOBBY and view is not None and view.lobby is not None:
            if screen.state.over is Over.NOTHING:
                return keys_lobby.pressed(screen, key, view.lobby)
            if screen.state.over is Over.RULES and (chosen := keys_lobby.rules_pressed(screen, key, view.lobby)):
                return chosen
            return keys_game.page_pressed(screen, key)
        if screen.ground is not Ground.GAME:
            return self._key_without_table(key)
        if screen.state.over is not Over.NOTHING:
            return keys_game.page_pressed(screen, key)
        return keys_game.pressed(screen, key)

    def _key_without_table(self, key: Key | str) -> Answer:
        screen = self._screen
        if key == "q":
            return Answer((), (LeaveAsked(),), Stay.LEAVE)
        if screen.state.over is Over.DOCTOR:
            return keys_game.page_pressed(screen, key)
        if key == "d":
            screen.examine()
        return Answer()

    def _click(self, x: int, y: int) -> Answer:
        """The zone under a cell as its key; on the board its spot, on a line of the list that line."""
        screen = self._screen
        zone = self._drawn.zone_at(x, y)
        layout = layout_of(*self._size)
        on_game = screen.ground is Ground.GAME and screen.state.over is Over.NOTHING
        game = screen.heard.game
        if on_game and layout is not None and game is not None:
            where = spot_at(layout.size, bottom_of(screen, game), x - layout.board.x, y - layout.board.y)
            if where is not None:
                return self._choose(choosing.at_spot(screen.choices, screen.state.picking, where))
        if zone is None:
            return Answer()
        if zone.key.startswith(_LINE):
            number = int(zone.key.removeprefix(_LINE))
            return self._choose(choosing.at_line(screen.choices, screen.state.picking, number))
        return self._key(_KEYS.get(zone.key, zone.key))

    def _choose(self, picking: choosing.Picking) -> Answer:
        """A click picks; a click on what is picked already plays it, as Enter would."""
        screen = self._screen
        if screen.heard.moments.seen is not None or screen.state.mode is not Mode.KEYS or not screen.choices:
            return Answer()
        old = screen.state.picking
        if picking.cursor is not None and (picking.prefix, picking.cursor) == (old.prefix, old.cursor):
            return keys_game.pressed(screen, Key.ENTER)
        screen.say("")
        screen.state = replace(screen.state, picking=picking)
        # The second click of a double click must not play what the first one picked.
        screen.guard.changed(screen.now_s)
        return Answer()

    def _title(self) -> str:
        """The window's title: whose turn it is, where there is a game."""
        screen = self._screen
        view = screen.heard.view
        if view is None or (view.game is None and view.lobby is None):
            return "sorry-lan"
        if screen.ground is Ground.LOBBY and view.lobby is not None:
            return f"{shown(view.lobby.title, TITLE_CELLS)} - sorry-lan"
        game = view.game
        if game is None:
            return "sorry-lan"
        turn = turn_text(screen.question, game.seats[game.position.turn], game)
        return f"{turn} - {shown(game.title, TITLE_CELLS)} - sorry-lan"

    def _next_tick_s(self) -> float | None:
        """When the film goes on, or a second more has passed for somebody who is away."""
        screen = self._screen
        now_s = screen.now_s
        due = [] if (film := screen.heard.film.next_s(now_s)) is None else [film]
        if screen.state.over is Over.DOCTOR and screen.examination.running:
            due.append(now_s + _LOOK_S)
        due += [since_s + math.floor(now_s - since_s) + 1 for since_s in screen.heard.away_s.values()]
        return min(due, default=None)
