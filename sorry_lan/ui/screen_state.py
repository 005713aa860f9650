"""What a screen shows and waits for at this moment: page, input, highlighted choice, question; and when that changed.

Keys change it (keys_*.py), pictures of the table change it (client.py), draw_*.py read it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum, unique

from sorry_lan.table.view import GoingOn, Phase, Prompt
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.choosing import Choice, Picking, choices_of, start
from sorry_lan.ui.examination import Examination, Wanted
from sorry_lan.ui.full_screen import Mouse
from sorry_lan.ui.guard import Guard
from sorry_lan.ui.heard import Asked, Heard, asked
from sorry_lan.ui.motion import Frame
from sorry_lan.ui.taste import Bell, Pace, Taste
from sorry_lan.ui.typing import Typing

_AT_LOBBY = frozenset({Phase.LOBBY, Phase.PROPOSED})


@unique
class Ground(Enum):
    """What is below everything else."""

    NOTHING = "nothing"
    LOBBY = "lobby"
    GAME = "game"


@unique
class Over(Enum):
    """What lies over the lobby or the game."""

    NOTHING = "nothing"
    WHY = "why"
    FAIRNESS = "fairness"
    DECK = "deck"
    HELP = "help"
    RULES = "rules"
    DOCTOR = "doctor"
    LEAVE = "leave"
    END = "end"


@unique
class Mode(Enum):
    """Where signs go: they are keys, or written into a command or into what is said."""

    KEYS = "keys"
    COMMAND = "command"
    CHAT = "chat"


@dataclass(frozen=True, slots=True)
class State:
    """What somebody did with the screen so far.

    Attributes:
        typing: the line of COMMAND and CHAT. picking: how far a choice has come. message: an answer until the next key.
        scroll: lines of a page past its top. why: the move that the why page is about, as typed.
        selected: a seat of the lobby that the host's keys mean, None for any that fits; profile: one of the rules page;
            both by their places.
    """

    over: Over = Over.NOTHING
    mode: Mode = Mode.KEYS
    typing: Typing = field(default_factory=Typing)
    picking: Picking = field(default_factory=Picking)
    message: str = ""
    scroll: int = 0
    why: str = ""
    selected: int | None = None
    profile: int | None = None
    mouse: Mouse = Mouse.ON
    pace: Pace = Pace.NORMAL


class Screen:
    """The state, what was heard, and the question that stands there now."""

    __slots__ = (
        "_bells",
        "_going_on",
        "_rung",
        "choices",
        "examination",
        "guard",
        "heard",
        "now_s",
        "question",
        "state",
        "taste",
    )

    def __init__(self, taste: Taste) -> None:
        self.taste = taste
        self.heard = Heard()
        self.examination = Examination()
        self.guard = Guard()
        self.state = State(mouse=taste.mouse, pace=taste.pace)
        self.question: Prompt | None = None
        """What is asked and seen to be asked: not while a film still shows what came before."""
        self.choices: tuple[Choice, ...] = ()
        self.now_s = 0.0
        self._going_on: GoingOn | None = None
        self._bells = 0
        self._rung: tuple[bytes, int] | None = None

    @property
    def bells(self) -> int:
        """How many times the bell was asked for."""
        return self._bells

    @property
    def ground(self) -> Ground:
        """What is below everything else."""
        view = self.heard.view
        if view is None:
            return Ground.NOTHING
        if view.lobby is not None and view.phase in _AT_LOBBY:
            return Ground.LOBBY
        return Ground.NOTHING if view.game is None else Ground.GAME

    @property
    def looks_on(self) -> bool:
        """Whether this client only watches."""
        return self.heard.view is not None and self.heard.view.looking is not None

    @property
    def frame(self) -> Frame | None:
        """What the film shows now."""
        return self.heard.film.at(self.now_s)

    def settle(self, now_s: float) -> None:
        """Let time pass, and see whether another question stands there now."""
        self.now_s = now_s
        game, view = self.heard.game, self.heard.view
        prompt = self.heard.prompt() if self.frame is None else None
        offer = None if view is None or view.going_on is None else replace(view.going_on, asked_by=(), missing=())
        if offer != self._going_on:
            self._going_on = offer
            self.guard.changed(now_s)
        before = self._asked(self.question)
        if self._asked(prompt) == before:
            return
        self.question = prompt
        self.guard.changed(now_s)
        self.choices = () if prompt is None or game is None else choices_of(prompt, game)
        self.state = replace(self.state, picking=start(self.choices))
        if self.state.over is Over.WHY:
            self.state = replace(self.state, over=Over.NOTHING)
        if prompt is not None:
            self._ring(prompt)

    def answered(self, prompt: Prompt) -> None:
        """The question is answered; until the table says so nothing is asked."""
        if self.heard.game is not None:
            self.heard.answered = asked(prompt, self.heard.game)
        self.settle(self.now_s)

    def say(self, message: str) -> None:
        """An answer for the line above the keys."""
        self.state = replace(self.state, message=message)

    def lets(self) -> bool:
        """Whether the key that just came may play something; if not, it is said that it came too soon."""
        if self.guard.lets(self.now_s):
            return True
        self.say(_("That came too quickly to count. Press it once more."))
        return False

    def open(self, over: Over) -> None:
        """A page over the game."""
        self.state = replace(self.state, over=over, scroll=0)

    def examine(self) -> None:
        """Have the doctor look at the way to the table that was joined, or at this computer where it is open here."""
        opened = self.heard.opened
        self.examination.ask(Wanted(self.heard.joined, None if opened is None else opened.port))
        self.open(Over.DOCTOR)

    def _asked(self, prompt: Prompt | None) -> Asked | None:
        game = self.heard.game
        return None if prompt is None or game is None else asked(prompt, game)

    def _ring(self, prompt: Prompt) -> None:
        """Once for a turn that others' turns came before; not while somebody types (U47)."""
        game_id = self.heard.game.game_id if self.heard.game is not None else b""
        fresh = self._rung is None or self._rung[0] != game_id or prompt.k > self._rung[1] + 1
        self._rung = (game_id, prompt.k)
        if fresh and self.taste.bell is Bell.ON and self.state.mode is Mode.KEYS:
            self._bells += 1
