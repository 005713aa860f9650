"""Moves and places in a few signs, for narrow windows: "R1 +10 22>32 hits B1". No sentences."""

from __future__ import annotations

from itertools import groupby
from typing import assert_never

from sorry_lan.rules.board import HOME, SAFE, START, is_outer
from sorry_lan.rules.cards import Card
from sorry_lan.rules.effects import Bumped, CameHome, Effect, LeftStart, Moved, Slid, Swapped, Swept, effects_of
from sorry_lan.rules.moves import Backward, Decline, Forward, Move, Split
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import Rules
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.texts import pawn_text


def brief_place_text(loc: int) -> str:
    """A place: a square's number, S0 to S4, Start or Home."""
    if is_outer(loc):
        return str(loc - 1)
    if loc in (START, HOME):
        return _("Start") if loc == START else _("Home")
    return f"S{loc - HOME + SAFE}"


def brief_move_text(move: Move, position: Position, rules: Rules, card: Card) -> str:
    """What a legal move does."""
    if isinstance(move, Decline):
        return _("pass")
    effects = effects_of(position, rules, card, move)
    steps = _steps(move)
    parts: list[str] = []
    for kind, run in groupby(effects, key=type):
        items = list(run)
        if kind in (Bumped, Swept):
            hit = [pawn_text(position, e.seat, e.pawn) for e in items if isinstance(e, Bumped | Swept)]
            parts.append(_("hits {pawns}").format(pawns=" ".join(hit)))
        else:
            parts += [text for effect in items if (text := _brief(effect, position, steps))]
    return " ".join(parts)


def _steps(move: Move) -> list[str]:
    """The signed numbers that the pawns count, in the order they do so."""
    match move:
        case Forward(_, n):
            return [f"+{n}"]
        case Backward(_, n):
            return [f"-{n}"]
        case Split(_, a, _, b):
            return [f"+{a}", f"+{b}"]
        case _:
            return []


def _brief(effect: Effect, position: Position, steps: list[str]) -> str:
    """One event; each counting pawn takes its number from `steps`."""
    match effect:
        case LeftStart(seat, pawn, square):
            return _("{pawn} out>{place}").format(
                pawn=pawn_text(position, seat, pawn), place=brief_place_text(square)
            )
        case Moved(seat, pawn, source, target):
            counted = steps.pop(0) if steps else ""
            return " ".join(
                (pawn_text(position, seat, pawn), counted, f"{brief_place_text(source)}>{brief_place_text(target)}")
            )
        case Swapped():
            return _("{pawn} swaps {other} {source}<>{target}").format(
                pawn=pawn_text(position, effect.seat, effect.pawn),
                other=pawn_text(position, effect.other_seat, effect.other_pawn),
                source=brief_place_text(effect.source),
                target=brief_place_text(effect.target),
            )
        case Slid(target=target):
            return _("slides>{place}").format(place=brief_place_text(target))
        case Bumped() | Swept() | CameHome():
            return ""
        case _:
            assert_never(effect)
