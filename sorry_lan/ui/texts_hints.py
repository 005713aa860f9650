"""Why a move is good, in sentences: one for each fact of bots/explain.py."""

from __future__ import annotations

from collections.abc import Sequence

from sorry_lan.bots.explain import Reason, Why
from sorry_lan.table.view import GameView
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.texts import name_text, pawn_text


def reasons_text(reasons: Sequence[Reason], game: GameView) -> str:
    """The reasons, the weightiest first."""
    return " ".join(reason_text(reason, game) for reason in reasons)


def reason_text(reason: Reason, game: GameView) -> str:
    """One reason as a sentence; the seat on turn is who asks."""
    match reason.why:
        case Why.ONLY:
            return _("Nothing else is possible.")
        case Why.WINS:
            return _("It wins the game.")
        case Why.KEEPS:
            return _("Everything else would take you further from Home.")
        case Why.LEAST:
            return _("In the long run the other moves look worse.")
        case Why.SENDS_LEADER | Why.SENDS_BACK | Why.SETS_BACK | Why.HUNTS:
            return _of_others(reason, game)
        case _:
            return _of_own_pawn(reason, game)


def _of_others(reason: Reason, game: GameView) -> str:
    """What becomes of somebody else's pawn."""
    pawn = pawn_text(game.position, game.position.turn, reason.pawn)
    other = pawn_text(game.position, reason.seat, reason.other)
    name, n = name_text(game.seats[reason.seat].name), reason.n
    if reason.why is Why.SENDS_LEADER:
        return _("It sends {other} back, the pawn of {name} that is nearest Home.").format(other=other, name=name)
    if reason.why is Why.SENDS_BACK:
        return _("It sends {other} of {name} back to Start.").format(other=other, name=name)
    if reason.why is Why.SETS_BACK:
        return n_(
            "It puts {other} of {name} {n} square further from Home.",
            "It puts {other} of {name} {n} squares further from Home.",
            n,
        ).format(other=other, name=name)
    return _("{pawn} then stands {n} behind {other} of {name}.").format(pawn=pawn, n=n, other=other, name=name)


def _of_own_pawn(reason: Reason, game: GameView) -> str:
    """What becomes of a pawn of whoever asks."""
    pawn, n = pawn_text(game.position, game.position.turn, reason.pawn), reason.n
    match reason.why:
        case Why.HOME:
            told = _("It brings {pawn} Home.")
        case Why.SAFE:
            told = _("It brings {pawn} into the safety zone.")
        case Why.LEAVES:
            told = _("It brings {pawn} out of Start.")
        case Why.RUNS:
            told = n_("It brings {pawn} {n} square nearer Home.", "It brings {pawn} {n} squares nearer Home.", n)
        case Why.SHORTCUT:
            told = n_(
                "It takes {pawn} the short way backward: {n} square from Home.",
                "It takes {pawn} the short way backward: {n} squares from Home.",
                n,
            )
        case Why.EXCHANGE:
            told = n_(
                "The exchange brings {pawn} {n} square nearer Home.",
                "The exchange brings {pawn} {n} squares nearer Home.",
                n,
            )
        case _:
            told = n_(
                "{n} kind of card could send {pawn} back, and fewer can now.",
                "{n} kinds of cards could send {pawn} back, and fewer can now.",
                n,
            )
    return told.format(pawn=pawn)
