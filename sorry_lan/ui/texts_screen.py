"""The short words of the full screen: captions of an animation, choices in a narrow list, keys, questions."""

from __future__ import annotations

from typing import assert_never

from sorry_lan.rules.board import HOME, SAFE, START, is_outer
from sorry_lan.rules.effects import Bumped, CameHome, Effect, LeftStart, Moved, Slid, Swapped, Swept
from sorry_lan.rules.moves import Backward, Decline, Forward, LeaveStart, Move, Sorry, Split, Swap
from sorry_lan.rules.position import Position
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.texts import list_text, pawn_text


def caption_text(effect: Effect, before: Position) -> str:
    """What is seen happening, in two or three words."""
    pawn = pawn_text(before, effect.seat, effect.pawn)
    match effect:
        case LeftStart():
            return _("{pawn} comes out").format(pawn=pawn)
        case Moved():
            return ""
        case Slid():
            return _("{pawn} slides").format(pawn=pawn)
        case Swapped():
            other = pawn_text(before, effect.other_seat, effect.other_pawn)
            return _("{pawn} and {other} change places").format(pawn=pawn, other=other)
        case Bumped() | Swept():
            return _("Sorry! {pawn} goes back").format(pawn=pawn)
        case CameHome():
            return _("{pawn} is Home").format(pawn=pawn)
        case _:
            assert_never(effect)


def spot_text(loc: int) -> str:
    """A place in as few signs as the board has for it: 22, S2, Start, Home."""
    if loc == START:
        return _("Start")
    if loc == HOME:
        return _("Home")
    return str(loc - 1) if is_outer(loc) else f"S{loc - HOME + SAFE}"


def short_text(move: Move, effects: tuple[Effect, ...], before: Position, after: Position) -> str:
    """A choice for a list of some thirty columns, as in "R1 +10 22>32, bumps B1"."""
    own = before.turn

    def name(pawn: int) -> str:
        return pawn_text(before, own, pawn)

    def end(pawn: int) -> str:
        return spot_text(after.pawns[own][pawn - 1])

    match move:
        case LeaveStart(pawn):
            told = _("{pawn} out, to {end}").format(pawn=name(pawn), end=end(pawn))
        case Forward(pawn, n) | Backward(pawn, n):
            sign = "+" if isinstance(move, Forward) else "-"
            told = f"{name(pawn)} {sign}{n} {spot_text(before.pawns[own][pawn - 1])}>{end(pawn)}"
        case Split(first, a, second, b):
            told = f"{name(first)} +{a}>{end(first)}, {name(second)} +{b}>{end(second)}"
        case Swap(pawn, seat, target):
            other = pawn_text(before, seat, target)
            told = f"{name(pawn)} {spot_text(before.pawns[own][pawn - 1])}<>{other} {spot_text(_stood(before, move))}"
        case Sorry(pawn, seat, target):
            told = _("{pawn} takes {spot}").format(pawn=name(pawn), spot=spot_text(_stood(before, move)))
        case Decline():
            return _("pass: leave it unused")
        case _:
            assert_never(move)
    slid = [_("slides") for effect in effects if isinstance(effect, Slid)][:1]
    lost = [pawn_text(before, e.seat, e.pawn) for e in effects if isinstance(e, Bumped | Swept)]
    bumps = [_("bumps {pawns}").format(pawns=list_text(lost))] if lost else []
    return ", ".join([told, *slid, *bumps])


def _stood(before: Position, move: Swap | Sorry) -> int:
    return before.pawns[move.seat][move.target - 1]
