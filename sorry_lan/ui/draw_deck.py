"""The page of the deck: how many of each card are left in the pile, and how many lie open beside it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from sorry_lan.rules.cards import CARDS, Card, full_deck
from sorry_lan.table.view import GameView
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import Canvas, Ink
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.glyphs import glyphs
from sorry_lan.ui.sheet import Line, Typed, draw_sheet, paragraphs, prose
from sorry_lan.ui.shown import TITLE_CELLS, shown
from sorry_lan.ui.tally import Pile
from sorry_lan.ui.texts import card_text

_MOST = 5
"""Copies of the most frequent card."""
_CELL = 8 + 3 + _MOST + 6


@dataclass(frozen=True, slots=True)
class DeckPage:
    """The game, and its pile after the last draw as a Tally has it."""

    game: GameView
    pile: Pile
    scroll: int = 0
    typed: Typed | None = None

    def title(self) -> tuple[str, str]:
        """The question, and of which table."""
        return _("sorry-lan  What is left in the deck"), shown(self.game.title, TITLE_CELLS)

    def keys_text(self) -> str:
        """How to leave."""
        return _("Esc back to the game  Up/Down scroll")

    def lines(self, width: int, height: int, signs: Signs) -> tuple[Line, ...]:
        """A row for each card: as many full signs as are left, and as many hollow ones as were drawn."""
        pile, deck = self.pile, full_deck(self.game.rules)
        left = sum(pile)
        if left == 0:
            told = _("The pile is empty: before the next draw all cards are shuffled again.")
        else:
            told = n_(
                "{n} card is left, so everybody knows which.",
                "{n} cards are left. Everybody can count them; nobody knows their order.",
                left,
            )
        cells = [_cell(card, count, copies, left, signs) for card, count, copies in zip(CARDS, pile, deck, strict=True)]
        half = (len(cells) + 1) // 2
        if height >= len(cells) + 2 or width < 2 * _CELL:
            rows = [Line(cell) for cell in cells]
        else:
            rows = [Line(one + two) for one, two in zip_longest(cells[:half], cells[half:], fillvalue=())]
        return paragraphs(
            prose(told, width, Ink.STRONG),
            rows,
            prose(_("% is how likely each comes next. An empty pile is made anew of all cards."), width, Ink.DIM),
        )


def _cell(card: Card, count: int, copies: int, left: int, signs: Signs) -> tuple[tuple[Ink, str], ...]:
    """One card: what is left of it, and how likely it comes next."""
    table = glyphs(signs)
    chance = _("{n} %").format(n=round(100 * count / left)) if left else ""
    return (
        (Ink.CARD, f" {card_text(card):>6} "),
        (Ink.PLAIN, f" {count} "),
        (Ink.STRONG, table.block * count),
        (Ink.DIM, f"{table.dot * (copies - count):<{_MOST - count}}{chance:>5} "),
    )


def draw_deck(canvas: Canvas, page: DeckPage, signs: Signs) -> None:
    """The page on the whole canvas."""
    draw_sheet(canvas, page, signs)
