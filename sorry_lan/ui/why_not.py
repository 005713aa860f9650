"""Why one certain move is not legal, also where its pawn could move otherwise with the same card.

Rules of counting and landing only; the reasons of pawns that cannot move at all are rules/reasons.py's.
"""

from __future__ import annotations

from sorry_lan.rules.board import Colour, backward, forward, to_home
from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import Backward, Decline, Forward, Move, to_action
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import Rules
from sorry_lan.rules.reasons import Reason, ReasonCode, reasons


def why_not(position: Position, rules: Rules, card: Card, move: Move) -> Reason | None:
    """The reason against a move that is no legal choice; None where no single pawn is to blame."""
    if isinstance(move, Decline):
        return None
    pawn = to_action(move)[1]
    whole = next((why for why in reasons(position, rules, card) if why.pawn == pawn), None)
    if whole is not None:
        return whole
    match move:
        case Forward(_, n):
            return _count(position, pawn, n)
        case Backward(_, n):
            return _count(position, pawn, -n)
        case _:
            return None


def _count(position: Position, pawn: int, steps: int) -> Reason | None:
    colour = Colour(position.colours[position.turn])
    row = position.pawns[position.turn]
    loc = row[pawn - 1]
    target = forward(colour, loc, steps) if steps > 0 else backward(colour, loc, -steps)
    if target is None:
        return Reason(pawn, ReasonCode.OVERSHOOT, (steps, to_home(colour, loc)))
    if target in row:
        return Reason(pawn, ReasonCode.OWN_PAWN, (steps, target, row.index(target) + 1))
    return None
