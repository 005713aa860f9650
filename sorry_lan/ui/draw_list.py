"""The game in a few lines, for windows too small for a board: whose turn it is, the last news, where everybody is.

What is asked, and the choices, come from draw_small.py, which joins both.
"""

from __future__ import annotations

from dataclasses import dataclass

from sorry_lan.rules.board import HOME
from sorry_lan.table.view import GameView, Phase, Prompt, SeatView
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import TRACK, Ink
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.sheet import Line, item, latest, paragraphs
from sorry_lan.ui.texts import card_text, name_text, pawn_text
from sorry_lan.ui.texts_prompts import waiting_text
from sorry_lan.ui.texts_screen import spot_text

_TALK = 3
"""Rows of news above the pawns, however little room there is."""


@dataclass(frozen=True, slots=True)
class ListPage:
    """What is known: the game, the open question (None: nobody here is asked), sentences with the oldest first."""

    game: GameView
    phase: Phase
    prompt: Prompt | None = None
    log: tuple[str, ...] = ()

    def title(self) -> tuple[str, str]:
        """Whose turn it is and with which card; on the right how far the people here are."""
        mine = [seat for seat in self.game.seats if seat.person is not None]
        home = [f"{self.game.position.pawns[seat.index].count(HOME)}/{self.game.rules.pawns}" for seat in mine]
        return self._turn(), _("Home {numbers}").format(numbers=" ".join(home)) if home else ""

    def lines(self, width: int, height: int, signs: Signs) -> tuple[Line, ...]:
        """What happened, then where everybody is, the people here first."""
        _signs = signs
        seats = sorted(self.game.seats, key=lambda seat: (seat.person is None, seat.index))
        pawns = [line for seat in seats for line in _pawn_line(self.game, seat, width)]
        return paragraphs(latest(self.log, width, max(_TALK, height - len(pawns) - 1)), pawns)

    def _turn(self) -> str:
        game = self.game
        if self.prompt is None:
            return waiting_text(game, self.phase)
        name = name_text(game.seats[self.prompt.seat].name)
        if self.prompt.card is None:
            return _("YOUR TURN, {name}").format(name=name)
        return _("YOUR TURN, {name}: {card}").format(name=name, card=card_text(self.prompt.card))


def _pawn_line(game: GameView, seat: SeatView, width: int) -> list[Line]:
    """Where a seat's pawns are, as in ">Ada: R1 22 R2 Start"."""
    row = game.position.pawns[seat.index]
    on_turn = ">" if seat.index == game.position.turn and game.winner is None else " "
    told = " ".join(
        f"{pawn_text(game.position, seat.index, pawn)}\u00a0{spot_text(loc)}" for pawn, loc in enumerate(row, 1)
    )
    return item(f"{on_turn}{name_text(seat.name)}: ", told, width, TRACK[seat.colour], Ink.PLAIN)
