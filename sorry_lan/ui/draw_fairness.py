"""The page "Was the deck fair?": the answer, how anybody knows, luck in numbers, check words, the proof file."""

from __future__ import annotations

from dataclasses import dataclass

from sorry_lan.rules.cards import CARDS, Card
from sorry_lan.table.view import GameView
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import TRACK, Canvas, Ink
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.sheet import Line, Typed, cut, draw_sheet, heading, item, padded, paragraphs, prose
from sorry_lan.ui.shown import TITLE_CELLS, cells, shown
from sorry_lan.ui.tally import SeatTally, Tally
from sorry_lan.ui.texts import card_text, name_text
from sorry_lan.ui.texts_fairness import (
    Fair,
    Trouble,
    fair_word,
    finding_of,
    how_lines,
    luck_note_text,
    proof_text,
    words_text,
)
from sorry_lan.ui.texts_verify import unusual

_PATH_CELLS = 400
_LUCK_CARDS = (Card.ONE, Card.TWO, Card.FOUR, Card.ELEVEN, Card.SORRY)
"""The cards that people call luck: the ones that bring pawns out, run backward, swap and hit."""
_CELL = 9
_VERIFY = "sorry-lan verify"
_INDENT = 4


@dataclass(frozen=True, slots=True)
class FairnessPage:
    """What the page judges.

    Attributes:
        game: as the view has it. tally: counted from the news. troubles: such news, the first one counts.
        file: path of the transcript once it is written, else None.
    """

    game: GameView
    tally: Tally
    troubles: tuple[Trouble, ...] = ()
    file: str | None = None
    scroll: int = 0
    typed: Typed | None = None

    def title(self) -> tuple[str, str]:
        """The question, and of which table."""
        return _("sorry-lan  Was the deck fair?"), shown(self.game.title, TITLE_CELLS)

    def keys_text(self) -> str:
        """How to leave."""
        return _("Esc back to the game  Up/Down scroll")

    def lines(self, width: int, height: int, signs: Signs) -> tuple[Line, ...]:
        """The answer first, the long explanations after it."""
        _height, _signs = height, signs
        how = [
            line
            for number, text in enumerate(how_lines(self.game), 1)
            for line in item(f"  {number}  ", text, width, Ink.PLAIN, Ink.DIM)
        ]
        return paragraphs(
            verdict_lines(self.game, self.troubles, width),
            [heading(_("How we know (nobody has to be trusted)")), *how],
            luck_lines(self.game, self.tally, width),
            words_lines(self.game, width),
            file_lines(self.file, width),
        )


def draw_fairness(canvas: Canvas, page: FairnessPage, signs: Signs) -> None:
    """The page on the whole canvas."""
    draw_sheet(canvas, page, signs)


def verdict_lines(game: GameView, troubles: tuple[Trouble, ...], width: int) -> list[Line]:
    """YES, NO or NOT YET, and the sentence behind it."""
    finding = finding_of(game, troubles)
    ink = {Fair.YES: Ink.GOOD, Fair.NO: Ink.BAD, Fair.NOT_YET: Ink.STRONG}[finding.fair]
    return item(f"{fair_word(finding.fair)}  ", finding.sentence, width, Ink.STRONG, ink)


def luck_lines(game: GameView, tally: Tally, width: int) -> list[Line]:
    """Who drew what against what the piles promised; one row a seat, or several on a narrow page."""
    if tally.drawn == 0:
        return []
    since = _("Luck so far: drawn / expected from the pile at each draw")
    if tally.since_k > 1:
        since = _("Luck since step {k}: drawn / expected from the pile at each draw").format(k=tally.since_k)
    lines = prose(since, width, Ink.STRONG)
    name_width = min(24, width - 2 - _CELL * len(_LUCK_CARDS))
    table = name_width >= 6
    counted = name_width >= 16
    if table:
        head = "".join(f"{card_text(card):>{_CELL}}" for card in _LUCK_CARDS)
        lines.append(Line(((Ink.DIM, " " * (2 + name_width) + head),)))
    for seat, counts in zip(game.seats, tally.seats, strict=False):
        name = name_text(seat.name)
        if table:
            cards = "  " + n_("{n} card", "{n} cards", counts.drawn) if counted else ""
            who = padded(name, name_width - cells(cards)) + cards
            numbers = tuple((_luck_ink(counts, card), f"{_luck(counts, card):>{_CELL}}") for card in _LUCK_CARDS)
            lines.append(Line(((Ink.PLAIN, "  "), (TRACK[seat.colour], who), *numbers)))
        else:
            told = ", ".join(f"{card_text(card)}: {_luck(counts, card)}" for card in _LUCK_CARDS)
            lines += item(f"{cut(name, 12)}: ", told, width, Ink.PLAIN, TRACK[seat.colour])
    if any(_is_unusual(counts, card) for counts in tally.seats for card in _LUCK_CARDS):
        lines += prose(luck_note_text(len(_LUCK_CARDS) * len(tally.seats)), width, Ink.DIM, 2)
    return lines


def words_lines(game: GameView, width: int) -> list[Line]:
    """The check words; nothing where there is nobody to compare them with."""
    told = words_text(game)
    return item(_("Check words: "), told, width, Ink.PLAIN, Ink.STRONG) if told else []


def file_lines(path: str | None, width: int) -> list[Line]:
    """Where the proof is and how to check it."""
    lines = prose(proof_text(path), width)
    name = _("FILE") if path is None else shown(path, _PATH_CELLS)
    if cells(name) + len(_VERIFY) + 1 + _INDENT <= width:
        return [*lines, *prose(f"{_VERIFY} {name}", width, Ink.STRONG, _INDENT)]
    # A long path is copied most easily from rows of its own.
    return [*lines, *prose(_VERIFY, width, Ink.STRONG), *prose(name, width, Ink.STRONG)]


def _luck(counts: SeatTally, card: Card) -> str:
    face = CARDS.index(card)
    star = "*" if _is_unusual(counts, card) else ""
    return f"{counts.cards[face]}{star}/{counts.expected[face]:.1f}"


def _luck_ink(counts: SeatTally, card: Card) -> Ink:
    return Ink.STRONG if _is_unusual(counts, card) else Ink.PLAIN


def _is_unusual(counts: SeatTally, card: Card) -> bool:
    face = CARDS.index(card)
    return unusual(counts.cards[face], counts.expected[face], counts.drawn)
