"""Sentences about a game that goes on: after a restart, without a player, with one who is back, or saved."""

from __future__ import annotations

from typing import assert_never

from sorry_lan.table.news import (
    GameSaved,
    GoesOn,
    GoneOn,
    GoneOnWithoutUs,
    News,
    NobodyMoves,
    OfferedToGoOn,
    OfferVoid,
    RestoredOrCopied,
    SaidGoodbye,
    TakenUp,
    WaitsForWord,
)
from sorry_lan.table.view import GameView, GoingOn, View
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.texts import names_text, seat_text
from sorry_lan.wire.terms import Why


def going_on_lines(item: News, view: View, game: GameView) -> tuple[str, ...]:
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
        case NobodyMoves(seat):
            return (_("{who} has done nothing for a minute.").format(who=seat_text(game, seat)),)
        case SaidGoodbye(seat, for_good):
            text = _("{who} leaves for good.") if for_good else _("{who} leaves for now.")
            return (text.format(who=seat_text(game, seat)),)
        case OfferedToGoOn(_by, without, back, why):
            only = GoingOn(without, back, why, saves=False, asked_by=(), agreed=False, missing=())
            return offer_lines(view.going_on or only, game)
        case OfferVoid():
            return (_("Nothing changes: the game goes on as it was, or is offered again."),)
        case GoneOn(_game, without, back, _why):
            return _gone_on_lines(game, without, back)
        case GoneOnWithoutUs():
            return (_("The others went on without you. Type yes to ask for your seat back."),)
        case GameSaved(left) if not left:
            return (_("The players saved the game; it goes on when all come back."),)
        case GameSaved(left):
            return (
                _("Saved: {names} left. When all come back, the game goes on: sorry-lan resume").format(
                    names=names_text(game, left)
                ),
            )
        case _:
            return ()


def offer_lines(offer: GoingOn, game: GameView) -> tuple[str, ...]:
    """What may be decided now, and how."""
    if offer.back:
        asked = _("{names} would like the seat back.").format(names=names_text(game, offer.back))
        return (asked, _("Type yes to play on together, no to leave it as it is. Everybody has to say yes."))
    if not offer.without:
        return (_("This table's cards are used up; the game goes on at a new one with the same seats."),)
    why = why_text(offer.why).format(names=names_text(game, offer.without))
    if offer.saves:
        return (why, _("You can save the game: type yes. When all come back, it goes on."))
    return (
        why,
        _("You can go on without them: type yes, or no to wait. The computer then moves those pawns and cannot win."),
    )


def why_text(why: Why) -> str:
    """Why the others may go on; {names} are the seats."""
    match why:
        case Why.LEFT:
            return _("{names} left.")
        case Why.OWED:
            return _("{names} owes a card share for a minute.")
        case Why.FAULT:
            return _("{names} was caught cheating.")
        case Why.UNREACHABLE | Why.SAVE:
            return _("{names} is away.")
        case Why.RETURN | Why.CHAIN_END:
            return _("{names} plays on.")
        case _:
            assert_never(why)


def _gone_on_lines(game: GameView, without: tuple[int, ...], back: tuple[int, ...]) -> tuple[str, ...]:
    if back:
        return (_("{names} is back: the game goes on.").format(names=names_text(game, back)),)
    if not without:
        return (_("The game goes on at a new table with the same seats and cards."),)
    return (
        _("The game goes on without {names}; the computer moves those pawns and cannot win.").format(
            names=names_text(game, without)
        ),
    )
