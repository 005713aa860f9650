"""Moves told in sentences: what a move does before it is chosen, and what it did once it is counted.

Works from the engine's effects alone, so that sentence and board cannot disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import assert_never

from sorry_lan.rules.board import HOME
from sorry_lan.rules.cards import Card
from sorry_lan.rules.effects import Bumped, CameHome, Effect, LeftStart, Moved, Slid, Swapped, Swept, effects_of
from sorry_lan.rules.moves import Decline, Move, to_text
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import Rules
from sorry_lan.table.news import Played
from sorry_lan.table.view import GameView
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.texts import a_card_text, list_text, pawn_text, place_text, seat_text


def played_lines(item: Played, game: GameView) -> tuple[str, ...]:
    """What a counted move did, and whether the same seat draws again."""
    who = seat_text(game, item.seat)
    if isinstance(item.move, Decline):
        told = (
            _("{who} cannot use {card}.") if item.forced else _("{who} leaves {card} unused, as the rules allow.")
        ).format(who=who, card=a_card_text(item.card))
    else:
        told = effects_text(item.effects, item.before)
    lines = [told]
    row = item.after.pawns[item.seat]
    if item.after.winner is None and any(isinstance(effect, CameHome) for effect in item.effects):
        lines.append(_("{who} has {n} of {total} pawns Home.").format(who=who, n=row.count(HOME), total=len(row)))
    if item.card is Card.TWO and item.after.winner is None and item.after.turn == item.seat:
        lines.append(_("{who} draws again.").format(who=who))
    return tuple(lines)


def choice_text(move: Move, position: Position, rules: Rules, card: Card) -> str:
    """A choice of the numbered list: what the move would do, and its notation."""
    if isinstance(move, Decline):
        return _("leave {card} unused (pass)").format(card=a_card_text(card))
    told = effects_text(effects_of(position, rules, card, move), position)
    return _("{told} ({notation})").format(told=told, notation=to_text(move, position, card))


def effects_text(effects: Sequence[Effect], before: Position) -> str:
    """One sentence a moving pawn, and "Sorry!" where an opponent was sent back."""
    mover = before.turn
    clauses: list[list[str]] = []
    lost: list[str] = []
    sorry = False
    for kind, run in groupby(effects, key=type):
        items = list(run)
        for effect in items:
            match effect:
                case LeftStart() | Moved() | Swapped():
                    clauses.append([_opening(effect, before)])
                case Slid():
                    clauses[-1].append(_slid(effect, before))
                case Bumped(seat, pawn, _square) | Swept(seat, pawn, _square):
                    lost.append(pawn_text(before, seat, pawn))
                    sorry = sorry or seat != mover
                case CameHome():
                    pass
                case _:
                    assert_never(effect)
        if lost and kind in {Bumped, Swept}:
            clauses[-1].append(_("sends {pawns} back to Start").format(pawns=list_text(lost)))
            lost = []
    sentences = [list_text(parts) + "." for parts in clauses]
    return " ".join([*sentences, _("Sorry!")] if sorry else sentences)


def _opening(effect: LeftStart | Moved | Swapped, before: Position) -> str:
    """What a pawn does first."""
    pawn = pawn_text(before, effect.seat, effect.pawn)
    match effect:
        case LeftStart():
            return _("{pawn} comes out of Start to {target}").format(pawn=pawn, target=place_text(effect.square))
        case Moved(target=target):
            if target == HOME:
                return _("{pawn} moves from {source} to Home").format(pawn=pawn, source=place_text(effect.source))
            return _("{pawn} moves from {source} to {target}").format(
                pawn=pawn, source=place_text(effect.source), target=place_text(target)
            )
        case Swapped():
            return _("{pawn} changes places with {other} ({source} and {target})").format(
                pawn=pawn,
                other=pawn_text(before, effect.other_seat, effect.other_pawn),
                source=place_text(effect.source),
                target=place_text(effect.target),
            )
        case _:
            assert_never(effect)


def _slid(effect: Slid, before: Position) -> str:
    if effect.seat == before.turn:
        return _("slides to {target}").format(target=place_text(effect.target))
    pawn = pawn_text(before, effect.seat, effect.pawn)
    return _("{pawn} slides to {target}").format(pawn=pawn, target=place_text(effect.target))
