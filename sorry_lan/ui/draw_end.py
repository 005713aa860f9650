"""The last page: who won and how, the story of the game in numbers, whether it was fair, where the file is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

from sorry_lan.rules.board import HOME
from sorry_lan.table.view import GameView
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import PAWN, TRACK, Canvas, Ink
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.draw_fairness import file_lines, luck_lines, verdict_lines
from sorry_lan.ui.sheet import Line, Typed, cut, draw_sheet, heading, item, padded, paragraphs, prose, wrap
from sorry_lan.ui.shown import TITLE_CELLS, cells, shown
from sorry_lan.ui.tally import SeatTally, Tally
from sorry_lan.ui.texts import name_text
from sorry_lan.ui.texts_end import confirmed_text, headline, highlights, story_heads, won_text
from sorry_lan.ui.texts_fairness import Trouble

_NAME = 9
"""Columns that a name keeps however little room there is."""
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class EndPage:
    """What the page tells.

    Attributes:
        game: the finished game. tally: counted from the news. troubles: see FairnessPage.
        file: path of the transcript, None until it is written. last: what the winning move did, in a sentence.
        log: what was said since, the oldest first. typed: the chat being typed.
        looks_on: whether this client only watched.
    """

    game: GameView
    tally: Tally
    troubles: tuple[Trouble, ...] = ()
    file: str | None = None
    last: str = ""
    log: tuple[str, ...] = ()
    scroll: int = 0
    typed: Typed | None = None
    looks_on: bool = False

    def title(self) -> tuple[str, str]:
        """That the game is over, and which."""
        return _("sorry-lan  The game is over"), shown(self.game.title, TITLE_CELLS)

    def keys_text(self) -> str:
        """What can be done now."""
        if self.typed is not None:
            return _("Enter say it  Esc back")
        if self.looks_on:
            return _("q leave  f fair?  Esc the board  ? help")
        return _("r rematch  q leave  f fair?  Esc the board  t chat  ? help")

    def lines(self, width: int, height: int, signs: Signs) -> tuple[Line, ...]:
        """The winner first, the file last."""
        _height, _signs = height, signs
        talk = [line for sentence in self.log[-3:] for line in prose(sentence, width)]
        return paragraphs(
            self._winner(width),
            story_lines(self.game, self.tally, width),
            self._fair(width),
            talk,
            _highlights(self.game, self.tally, width),
            luck_lines(self.game, self.tally, width),
        )

    def _winner(self, width: int) -> list[Line]:
        game = self.game
        if game.winner is None:
            return prose(_("Nobody has won."), width, Ink.STRONG)
        plate = PAWN[game.seats[game.winner].colour]
        lines = [Line(((plate, f" {row} "),)) for row in wrap(headline(game), width - 2)]
        return lines + prose(f"{self.last} {won_text(game, self.tally)}", width)

    def _fair(self, width: int) -> list[Line]:
        lines = [heading(_("Was the deck fair?")), *verdict_lines(self.game, self.troubles, width)]
        lines += prose(confirmed_text(self.game), width, Ink.BAD if self.game.unconfirmed else Ink.PLAIN)
        return lines + file_lines(self.file, width)


def draw_end(canvas: Canvas, page: EndPage, signs: Signs) -> None:
    """The page on the whole canvas."""
    draw_sheet(canvas, page, signs)


def story_lines(game: GameView, tally: Tally, width: int) -> list[Line]:
    """The game in numbers, a row a seat and as many columns as fit."""
    names = [name_text(seat.name) for seat in game.seats]
    columns = [max(cells(head), _DIGITS) + 1 for head in story_heads()]
    name_width = min(max(map(cells, names)) + 1, max(_NAME, width - sum(columns)))
    fitting = sum(end <= width - name_width for end in accumulate(columns))
    if not fitting:
        return []
    heads = zip(story_heads(), columns[:fitting], strict=False)
    lines = [heading(_("The story in numbers"))]
    lines.append(Line(((Ink.DIM, " " * name_width + "".join(_right(head, column) for head, column in heads)),)))
    for seat, name, counts in zip(game.seats, names, tally.seats, strict=False):
        numbers = _numbers(counts, game.position.pawns[seat.index].count(HOME))
        told = "".join(f"{number:>{column}}" for number, column in zip(numbers, columns[:fitting], strict=False))
        who = padded(cut(name, name_width - 1), name_width)
        lines.append(Line(((TRACK[seat.colour], who), (Ink.PLAIN, told))))
    return lines


def _highlights(game: GameView, tally: Tally, width: int) -> list[Line]:
    told = [line for sentence in highlights(game, tally) for line in item("  ", sentence, width)]
    return [heading(_("What stood out")), *told] if told else []


def _right(text: str, width: int) -> str:
    return " " * (width - cells(text)) + text


def _numbers(counts: SeatTally, home: int) -> tuple[int, ...]:
    return (
        home,
        counts.bumps_given,
        counts.bumps_taken,
        counts.slides,
        counts.sorries,
        counts.swaps,
        counts.drawn,
        counts.turns,
        counts.steps,
    )
