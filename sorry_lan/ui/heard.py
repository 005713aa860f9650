"""All that a screen has heard from its table: the latest picture, the log, positions, marks, the film, who is away.

Answers no key and draws nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from sorry_lan.rules.cards import Card
from sorry_lan.table.encounters import KeyChanged
from sorry_lan.table.news import CardDrawn, EnginesDiffer, FaultProven, GameStarted, News, Played
from sorry_lan.table.notices import CodeChanged, Connecting, FileSaved, Invitation, Notice, TableOpened
from sorry_lan.table.view import Ask, GameView, Phase, Presence, Prompt, View
from sorry_lan.ui.log import Log
from sorry_lan.ui.marks import Marks, after
from sorry_lan.ui.moments import Moments
from sorry_lan.ui.motion import Film, Whose, moving, turning
from sorry_lan.ui.tally import Tally, tally_with
from sorry_lan.ui.taste import Pace
from sorry_lan.ui.texts_fairness import Trouble
from sorry_lan.ui.texts_moves import effects_text
from sorry_lan.ui.texts_notices import notice_lines
from sorry_lan.ui.texts_people import encounter_text

_GONE: Final = frozenset({Presence.AWAY, Presence.RECONNECTING})

Asked = tuple[bytes, int, int, Ask]
"""What makes a question the same question: game, step, seat, what is asked."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """The card on top of the discard pile."""

    k: int
    seat: int
    card: Card


class Heard:
    """What this client knows of its table; `away_s` says since when seats are away."""

    __slots__ = (
        "_chosen_k",
        "answered",
        "away_s",
        "changed",
        "drawn",
        "film",
        "joined",
        "log",
        "marks",
        "moments",
        "notices",
        "opened",
        "picture",
        "saved",
        "tally",
        "troubles",
        "view",
        "whereabouts",
        "won",
    )

    def __init__(self) -> None:
        self.view: View | None = None
        self.log = Log()
        self.moments = Moments()
        self.film = Film()
        self.marks = Marks()
        self.away_s: dict[int, float] = {}
        self.drawn: Drawn | None = None
        self.opened: TableOpened | None = None
        self.joined = ""
        """The address of the table, where it is somebody else's."""
        self.whereabouts: tuple[str, ...] = ()
        """The sentences about where the table is, which a page with the address need not repeat."""
        self.picture: tuple[str, ...] = ()
        """The rows of a picture of the line that others type."""
        self.saved: tuple[FileSaved, ...] = ()
        self.changed: dict[bytes, str] = {}
        """What is to be known of those who have another key than before, by key."""
        self.tally = Tally()
        self.troubles: tuple[Trouble, ...] = ()
        self.notices: tuple[Notice, ...] = ()
        self.answered: Asked | None = None
        self._chosen_k: int | None = None
        """The step that somebody here was asked to choose in last."""
        self.won = ""
        """What the winning move did."""

    @property
    def game(self) -> GameView | None:
        """The game of the latest picture."""
        return None if self.view is None else self.view.game

    @property
    def own(self) -> frozenset[int]:
        """The seats of people here."""
        game = self.game
        return frozenset() if game is None else frozenset(s.index for s in game.seats if s.person is not None)

    def hear(self, view: View, news: tuple[News, ...], now_s: float, pace: Pace) -> None:
        """A new picture, and the news between it and the last."""
        self.view = view
        if view.looking is not None and view.looking.behind:
            pace = Pace.NONE
        for item in news:
            self._news(item, view, now_s, pace)
        if view.prompts:
            self.film.hurry(now_s)
        self._chosen_k = next((prompt.k for prompt in view.prompts if prompt.ask is Ask.CHOOSE), self._chosen_k)
        game = view.game
        if game is None:
            self.away_s.clear()
            return
        if not self.moments.known:
            self.moments.begin(game.position, game.k)
        gone = {seat.index for seat in game.seats if seat.presence in _GONE and view.phase is not Phase.OVER}
        self.away_s = {seat: self.away_s.get(seat, now_s) for seat in gone}

    def notice(self, notice: Notice) -> None:
        """Something beside the picture."""
        match notice:
            case TableOpened():
                self.opened, self.whereabouts = notice, notice_lines(notice)
            case CodeChanged(code) if self.opened is not None:
                self.opened = replace(self.opened, code=code)
            case Connecting(address):
                self.joined, self.whereabouts = address, notice_lines(notice)
            case Invitation():
                self.picture = notice_lines(notice)
                return
            case FileSaved():
                self.saved = (*self.saved, notice)
            case KeyChanged():
                self.changed = {**self.changed, notice.key: encounter_text(notice)}
            case _:
                pass
        self.notices = (*self.notices, notice)[-20:]
        for line in notice_lines(notice):
            self.log.add(line)

    def prompt(self) -> Prompt | None:
        """The first question nobody has answered yet."""
        if self.view is None or self.view.game is None:
            return None
        game = self.view.game
        return next((prompt for prompt in self.view.prompts if asked(prompt, game) != self.answered), None)

    def _news(self, item: News, view: View, now_s: float, pace: Pace) -> None:
        self.log.hear(item, view)
        game = view.game
        if game is not None:
            self.tally = tally_with(self.tally, item, game)
        match item:
            case FaultProven() | EnginesDiffer():
                self.troubles = (*self.troubles, item)
            case GameStarted() if game is not None:
                self.film.skip()
                self.moments.begin(game.position, 0)
                self.marks, self.drawn, self.answered, self._chosen_k = Marks(), None, None, None
                self.saved, self.troubles = (), ()
            case CardDrawn(k, seat, card) if game is not None:
                self.drawn = Drawn(k, seat, card)
                position = self.moments.latest or game.position
                self.film.add(turning(item, position, pace), now_s)
            case Played() if game is not None:
                # A seat of ours may be played by the computer: then nobody here knows what it did.
                whose = Whose.OWN if item.seat in self.own and item.k == self._chosen_k else Whose.OTHERS
                self.film.add(moving(item, pace, whose), now_s)
                self.moments.add(item)
                self.marks = after(self.marks, item, self.own)
                if item.after.winner is not None:
                    self.won = effects_text(item.effects, item.before)
            case _:
                pass


def asked(prompt: Prompt, game: GameView) -> Asked:
    """What makes this question the same as another."""
    return game.game_id, prompt.k, prompt.seat, prompt.ask
