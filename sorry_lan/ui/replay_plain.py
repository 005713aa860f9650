"""A kept game read in sentences: all at once, or step by step as a person types. Append-only; no control byte.

Pure: cli/replay.py reads and writes, replay_model.py knows the game.
"""

from __future__ import annotations

from sorry_lan.ui.answers import Answer, Stay, told
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.replay_model import Shot, Timeline
from sorry_lan.ui.shown import shown
from sorry_lan.ui.texts_news import news_lines
from sorry_lan.ui.texts_prompts import board_lines, deck_lines
from sorry_lan.ui.texts_verify import verdict_lines, verdict_text


def whole_game(timeline: Timeline) -> tuple[str, ...]:
    """The verdict, and every step that holds."""
    shots = map(timeline.at, range(timeline.last + 1))
    return (verdict_text(timeline.verdict), *(line for shot in shots for line in shot_lines(shot)))


def shot_lines(shot: Shot) -> tuple[str, ...]:
    """What happened in one step; its number stands before the first sentence."""
    first, *rest = [line for item in shot.news for line in news_lines(item, shot.view)]
    return (_("{n}. {sentence}").format(n=shot.number, sentence=first), *rest)


class ReplaySession:
    """One person who pages through a game; the only state is where they are (None: before the first step)."""

    __slots__ = ("_at", "_timeline")

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._at: int | None = None

    def greeting(self) -> tuple[str, ...]:
        """The verdict, how long the game is, and what can be typed."""
        return (
            verdict_text(self._timeline.verdict),
            _("Steps 0 to {last}. Enter shows the next one, a number jumps to one, h helps, q quits.").format(
                last=self._timeline.last
            ),
        )

    def typed(self, line: str) -> Answer:
        """What one typed line does."""
        text = line.strip().lower()
        number = self._timeline.jump(text)
        if number is not None:
            return self._jumped(number)
        match text:
            case "" | "n" | "next":
                return self._next()
            case "p" | "previous":
                return self._previous()
            case "a" | "all":
                return self._rest()
            case "b" | "board":
                return Answer(board_lines(self._here().game))
            case "d" | "deck":
                return Answer(deck_lines(self._here().game))
            case "v" | "verdict":
                return Answer(verdict_lines(self._timeline.verdict))
            case "h" | "help" | "?":
                return Answer(help_lines())
            case "q" | "quit":
                return Answer((_("Bye."),), (), Stay.LEAVE)
            case _:
                return told(_("I do not know {what}. Type h for help.").format(what=f"'{shown(line.strip(), 40)}'"))

    def _here(self) -> Shot:
        return self._timeline.at(self._at or 0)

    def _next(self) -> Answer:
        if self._at == self._timeline.last:
            return told(_("That was the last step. A number jumps to one, q quits."))
        self._at = 0 if self._at is None else self._timeline.next(self._at)
        return Answer(shot_lines(self._here()))

    def _previous(self) -> Answer:
        if not self._at:
            return told(_("There is nothing before the first step."))
        self._at = self._timeline.previous(self._at)
        return Answer(shot_lines(self._here()))

    def _jumped(self, number: int) -> Answer:
        """A step out of order, with the board that stands after it."""
        self._at = number
        return Answer((*shot_lines(self._here()), *board_lines(self._here().game)))

    def _rest(self) -> Answer:
        if self._at == self._timeline.last:
            return self._next()
        begin = 0 if self._at is None else self._at + 1
        self._at = self._timeline.last
        shots = map(self._timeline.at, range(begin, self._timeline.last + 1))
        return Answer(tuple(line for shot in shots for line in shot_lines(shot)))


def help_lines() -> tuple[str, ...]:
    """What can be typed."""
    return (
        _("Enter or n   the next step        p   the step before"),
        _("a number     jumps to that step, and shows the board after it"),
        _("a            everything up to the end"),
        _("b  the board in words      d  what is left in the pile      v  the whole verdict"),
        _("h  this help      q  quit"),
    )
