"""JSON objects about a game that goes on: after a restart, without a player, with one who is back, or saved."""

from __future__ import annotations

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
from sorry_lan.ui.json_values import Object


def going_on_fields(item: News) -> tuple[str, Object] | None:
    """Type and fields of one piece of such news; None for any other."""
    match item:
        case TakenUp(game, k):
            return "resuming", {"game": game.hex(), "k": k}
        case WaitsForWord(seats):
            return "waits_for_word", {"seats": list(seats)}
        case GoesOn():
            return "resumed", {}
        case RestoredOrCopied(seat):
            return "restored_or_copied", {"seat": seat}
        case NobodyMoves(seat):
            return "nobody_moves", {"seat": seat}
        case SaidGoodbye(seat, for_good):
            return "goodbye", {"seat": seat, "for_good": for_good}
        case OfferedToGoOn(by, without, back, why):
            return "offered", {"by": by, "without": list(without), "back": list(back), "why": why.name.lower()}
        case OfferVoid():
            return "offer_void", {}
        case GoneOn(game, without, back, why):
            done: Object = {"game": game.hex(), "without": list(without), "back": list(back)}
            return "gone_on", {**done, "why": why.name.lower()}
        case GoneOnWithoutUs(game):
            return "left_out", {"game": game.hex()}
        case GameSaved(left):
            return "game_saved", {"left": list(left)}
        case _:
            return None
