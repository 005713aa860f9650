"""The screens without a table: what to do (start), and what comes of it (joining)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

from sorry_lan.table.view import Phase
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import PAWN, Canvas, Ink
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.sheet import Line, Typed, draw_sheet, latest, padded, paragraphs, prose
from sorry_lan.ui.shown import cells
from sorry_lan.ui.texts import name_text

_ROOMY = 12
"""Rows from which on the program's name stands above the choices."""


@unique
class StartChoice(Enum):
    """What can be done without a table; the value is the key."""

    HOST = "h"
    JOIN = "j"
    PLAY = "p"
    RESUME = "r"
    GAMES = "g"
    DOCTOR = "d"
    HELP = "?"
    QUIT = "q"


@dataclass(frozen=True, slots=True)
class StartPage:
    """The first screen: `selected` is the choice that Enter takes, `name` who plays here."""

    name: str
    version: str
    selected: StartChoice = StartChoice.HOST
    typed: Typed | None = None
    scroll: int = 0

    def title(self) -> tuple[str, str]:
        """The program, and who plays."""
        return f"sorry-lan {self.version}", _("you are {name}").format(name=name_text(self.name))

    def keys_text(self) -> str:
        """How to choose."""
        return _("Up/Down choose  Enter go on  q quit")

    def lines(self, width: int, height: int, signs: Signs) -> tuple[Line, ...]:
        """The name of the game, the choices, what came of the last one."""
        _signs = signs
        words = {choice: choice_words(choice) for choice in StartChoice}
        column = max(cells(name) for name, _about in words.values()) + 3
        beside = all(column + 5 + cells(about) <= width for _name, about in words.values())
        choices = []
        for choice, (name, about) in words.items():
            here = choice is self.selected
            told = padded(name, column) + about if beside else name
            mark = ">" if here else " "
            spans = ((Ink.CHOSEN if here else Ink.PLAIN, f"{mark} {choice.value}  {told}"),)
            choices.append(Line(spans, choice.value, focus=here))
        about = words[self.selected][1]
        about_it = [] if beside else prose(f"{about[:1].upper()}{about[1:]}.", width, Ink.DIM)
        return paragraphs(_banner(width) if height >= _ROOMY else [], choices, about_it)


@dataclass(frozen=True, slots=True)
class JoiningPage:
    """Where there is no table: not yet, or not any more. `told` holds the sentences so far, the latest last."""

    told: tuple[str, ...] = ()
    phase: Phase = Phase.CONNECTING
    scroll: int = 0
    typed: Typed | None = None

    def title(self) -> tuple[str, str]:
        """What is being done."""
        over = self.phase is Phase.CLOSED
        return (_("sorry-lan  The table is closed") if over else _("sorry-lan  On the way to the table")), ""

    def keys_text(self) -> str:
        """How to stop."""
        return _("Ctrl-C leave") if self.phase is Phase.CLOSED else _("Ctrl-C leave  d doctor")

    def lines(self, width: int, height: int, signs: Signs) -> tuple[Line, ...]:
        """What was said last, and before it as much as there is room for."""
        _signs = signs
        if not self.told:
            return tuple(prose(_("Please wait for the table."), width, Ink.STRONG))
        last = prose(self.told[-1], width, Ink.STRONG)
        before = latest(self.told[:-1], width, height - len(last) - 1) if len(last) + 1 < height else []
        return paragraphs(before, last)


def draw_joining(canvas: Canvas, page: JoiningPage, signs: Signs) -> None:
    """The screen of a table that is not there."""
    draw_sheet(canvas, page, signs)


def choice_words(choice: StartChoice) -> tuple[str, str]:
    """The name of a choice and what it does."""
    return {
        StartChoice.HOST: (_("Host a game"), _("open a table that others in this network join")),
        StartChoice.JOIN: (_("Join a game"), _("the tables in this network, or an address, or a code")),
        StartChoice.PLAY: (_("Play here"), _("against bots, or together at this keyboard")),
        StartChoice.RESUME: (_("Resume a game"), _("the latest game that was not finished")),
        StartChoice.GAMES: (_("Saved games"), _("which there are, and which can go on")),
        StartChoice.DOCTOR: (_("Doctor"), _("what keeps this computer from the others")),
        StartChoice.HELP: (_("Help"), _("rules and keys")),
        StartChoice.QUIT: (_("Quit"), _("back to the shell")),
    }[choice]


def _banner(width: int) -> list[Line]:
    plates: list[tuple[Ink, str]] = []
    for number, letter in enumerate("sorry-lan"):
        plates.append((PAWN[number % len(PAWN)], f" {letter} "))
    motto = _("Nobody deals: all computers make each card together.")
    return [Line(tuple(plates)), *prose(motto, width, Ink.DIM)]
