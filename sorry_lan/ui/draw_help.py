"""The help page: the keys that do something now, then what each card does under this table's rules."""

from __future__ import annotations

from dataclasses import dataclass

from sorry_lan.rules.cards import CARDS
from sorry_lan.rules.profile import Rules
from sorry_lan.table.view import Phase
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import Canvas, Ink
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.sheet import Line, Typed, draw_sheet, heading, item, padded, paragraphs, prose
from sorry_lan.ui.shown import cells
from sorry_lan.ui.texts import card_text
from sorry_lan.ui.texts_help import board_help, game_aim, key_rows
from sorry_lan.ui.texts_lobby import rules_name_text
from sorry_lan.ui.texts_rules import card_about_text

_CARD = 12
"""Columns of a card with what is around it."""


@dataclass(frozen=True, slots=True)
class HelpPage:
    """Help for a phase; `rules` of the table, where there is one; `keys` where other ones than the phase's count."""

    phase: Phase
    rules: Rules | None = None
    scroll: int = 0
    typed: Typed | None = None
    keys: tuple[tuple[str, str], ...] = ()

    def title(self) -> tuple[str, str]:
        """What this is, and by which rules."""
        return _("sorry-lan  Help"), "" if self.rules is None else rules_name_text(self.rules)

    def keys_text(self) -> str:
        """How to leave."""
        return _("Esc back  Up/Down scroll")

    def lines(self, width: int, height: int, signs: Signs) -> tuple[Line, ...]:
        """Keys, signs of the board, cards, the aim."""
        _height, _signs = height, signs
        keys = [heading(_("Keys")), *_table(self.keys or key_rows(self.phase), width)]
        if self.rules is None:
            return paragraphs(keys)
        cards = [heading(_("The cards"))]
        for card in CARDS:
            first, *others = item(" " * _CARD, card_about_text(card, self.rules), width)
            plate = ((Ink.PLAIN, "  "), (Ink.CARD, f" {card_text(card):>6} "), (Ink.PLAIN, "  "))
            cards += [Line((*plate, *first.spans[1:])), *others]
        board = [heading(_("The board")), *_table(board_help(signs), width)]
        return paragraphs(keys, cards, board, prose(game_aim(self.rules), width))


def _table(rows: tuple[tuple[str, str], ...], width: int) -> list[Line]:
    """What stands for what, the meanings below one another."""
    column = max(cells(name) for name, _about in rows) + 4
    lines = [item(padded(f"  {name}", column), about, width, Ink.PLAIN, Ink.STRONG) for name, about in rows]
    return [line for row in lines for line in row]


def draw_help(canvas: Canvas, page: HelpPage, signs: Signs) -> None:
    """The page on the whole canvas."""
    draw_sheet(canvas, page, signs)
