"""Sentences about a game that goes on: after a restart, without a player, with one who is back."""

from __future__ import annotations

from sorry_lan.table.view import GameView, GoesOn, News, RestoredOrCopied, TakenUp, WaitsForWord
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.texts import names_text, seat_text


def going_on_lines(item: News, game: GameView) -> tuple[str, ...]:
    """The sentences for one piece of such news; empty for any other."""
    match item:
        case TakenUp(_game, k):
            return (_("The saved game is open again at step {k}; it goes on when all are back.").format(k=k),)
        case WaitsForWord(seats):
            return (_("The game waits for {names} to come back.").format(names=names_text(game, seats)),)
        case GoesOn():
            return (_("All are back: the game goes on."),)
        case RestoredOrCopied(seat):
            return (
                _("The player key of {who} was restored from a backup, or copied.").format(who=seat_text(game, seat)),
            )
        case _:
            return ()
