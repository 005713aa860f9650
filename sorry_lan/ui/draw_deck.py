"""The page of the deck: how many of each card are left in the pile, and how many lie open beside it."""

from __future__ import annotations

from dataclasses import dataclass

from sorry_lan.rules.cards import CARDS, full_deck
from sorry_lan.table.view import GameView
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import Canvas, Ink
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.sheet import Line, Typed, draw_sheet, paragraphs, prose
from sorry_lan.ui.shown import TITLE_CELLS, shown
from sorry_lan.ui.tally import Pile
from sorry_lan.ui.texts import card_text

_NAME = 8


@dataclass(frozen=True, slots=True)
class DeckPage:
    """The game, and its pile after the last draw as a Tally has it (the view's still holds a card not yet played)."""

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
        _height = height
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
        rows = []
        full, hollow = ("■", "·") if signs is Signs.UNICODE else ("#", ".")
        for card, count, copies in zip(CARDS, pile, deck, strict=True):
            chance = n_("next: {n} %", "next: {n} %", round(100 * count / left)) if left else ""
            rows.append(
                Line(
                    (
                        (Ink.CARD, f"{card_text(card):>{_NAME}} "),
                        (Ink.PLAIN, f" {count} "),
                        (Ink.STRONG, full * count),
                        (Ink.DIM, hollow * (copies - count) + " " * (max(deck) - copies)),
                        (Ink.DIM, f"  {chance}" if width >= 30 else ""),
                    )
                )
            )
        return paragraphs(
            prose(told, width, Ink.STRONG),
            rows,
            prose(_("The cards drawn lie open; an empty pile is made anew of all of them."), width, Ink.DIM),
        )


def draw_deck(canvas: Canvas, page: DeckPage, signs: Signs) -> None:
    """The page on the whole canvas."""
    draw_sheet(canvas, page, signs)
