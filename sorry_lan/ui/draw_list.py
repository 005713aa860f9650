"""The game in a few lines, for windows too small for a board: turn, card, choices, last news. Never refuses a size."""

from __future__ import annotations

from dataclasses import dataclass

from sorry_lan.rules.board import HOME
from sorry_lan.rules.moves import Move
from sorry_lan.table.view import Ask, GameView, Phase, Prompt, SeatView
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import TRACK, Canvas, Ink
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.sheet import Line, Typed, draw_sheet, item, latest, paragraphs, prose
from sorry_lan.ui.texts import card_text, name_text, pawn_text
from sorry_lan.ui.texts_brief import brief_move_text, brief_place_text
from sorry_lan.ui.texts_prompts import waiting_text

_TALK = 3
"""Rows of news above the pawns, while somebody else plays."""


@dataclass(frozen=True, slots=True)
class ListPage:
    """What is known and asked.

    Attributes:
        game, phase: of the view. prompt: the open question, or None. choices: its numbered moves, selected: the place
            in `choices` that Enter would play, or None.
        log: sentences, the oldest first. told: what came of the last key (why something is not possible).
    """

    game: GameView
    phase: Phase
    prompt: Prompt | None = None
    choices: tuple[Move, ...] = ()
    selected: int | None = None
    log: tuple[str, ...] = ()
    told: str = ""
    typed: Typed | None = None
    scroll: int = 0

    def title(self) -> tuple[str, str]:
        """Whose turn it is and with which card; on the right how far the people here are."""
        mine = [seat for seat in self.game.seats if seat.person is not None]
        home = [f"{self.game.position.pawns[seat.index].count(HOME)}/{self.game.rules.pawns}" for seat in mine]
        return self._turn(), _("Home {numbers}").format(numbers=" ".join(home)) if home else ""

    def keys_text(self) -> str:
        """What is asked for."""
        if self.typed is not None:
            return _("Enter done  Esc back")
        if self.prompt is None:
            return _("t chat  ? help  Ctrl-C leave")
        if self.prompt.ask is Ask.DRAW:
            return _("Enter draw  ? help  t chat  Ctrl-C leave")
        return _("1-9 pick  Enter play  ? why  / move")

    def lines(self, width: int, height: int, signs: Signs) -> tuple[Line, ...]:
        """What to answer first; then what happened, then where everybody is."""
        _signs = signs
        asked = [*prose(self.told, width, Ink.BAD), *self._question(width)]
        pawns = [line for seat in self._seats() for line in _pawn_line(self.game, seat, width)]
        room = max(_TALK, height - len(asked) - len(pawns) - 2)
        return paragraphs(asked, latest(self.log, width, room), pawns)

    def _turn(self) -> str:
        game = self.game
        if self.prompt is None:
            return waiting_text(game, self.phase)
        name = name_text(game.seats[self.prompt.seat].name)
        if self.prompt.card is None:
            return _("YOUR TURN, {name}").format(name=name)
        return _("YOUR TURN, {name}: {card}").format(name=name, card=card_text(self.prompt.card))

    def _question(self, width: int) -> list[Line]:
        if self.prompt is None:
            return []
        if self.prompt.ask is Ask.DRAW or self.prompt.card is None:
            return [Line(((Ink.STRONG, _("Enter draws your card.")),), "enter")]
        lines: list[Line] = []
        digits = len(str(len(self.choices)))
        for place, move in enumerate(self.choices):
            here = place == self.selected
            ink = Ink.CHOSEN if here else Ink.PLAIN
            label = f"{'>' if here else ' '}{place + 1:>{digits}} "
            told = brief_move_text(move, self.game.position, self.game.rules, self.prompt.card)
            key = str(place + 1) if place < 9 else None
            lines += [Line(row.spans, key, focus=here) for row in item(label, told, width, ink, ink)]
        return lines

    def _seats(self) -> list[SeatView]:
        return sorted(self.game.seats, key=lambda seat: (seat.person is None, seat.index))


def draw_list(canvas: Canvas, page: ListPage, signs: Signs) -> None:
    """The game on the whole canvas."""
    draw_sheet(canvas, page, signs)


def _pawn_line(game: GameView, seat: SeatView, width: int) -> list[Line]:
    """Where a seat's pawns are, as in "R1 22  R2 Start"."""
    row = game.position.pawns[seat.index]
    on_turn = ">" if seat.index == game.position.turn and game.winner is None else " "
    told = " ".join(
        f"{pawn_text(game.position, seat.index, pawn)}\u00a0{brief_place_text(loc)}" for pawn, loc in enumerate(row, 1)
    )
    return item(f"{on_turn}{name_text(seat.name)}: ", told, width, TRACK[seat.colour])
