"""The game on readable values: which moves are legal, what they do, and what comes next (R1-R18).

A thin surface over fast/core.py, which does the work; it holds no cards and shuffles nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import assert_never

from sorry_lan.rules import fast
from sorry_lan.rules.cards import CARDS, Card, card_label
from sorry_lan.rules.effects import Bumped, CameHome, Effect, LeftStart, Moved, Slid, Swapped, Swept, effects_of
from sorry_lan.rules.moves import Decline, Move, Sorry, Swap, from_action, to_action, to_text
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import Rules, TwoDrawsAgain
from sorry_lan.rules.reasons import Reason, reasons

__all__ = [
    "Bumped",
    "CameHome",
    "Effect",
    "GameOver",
    "IllegalMove",
    "LeftStart",
    "Merged",
    "Moved",
    "Slid",
    "Swapped",
    "Swept",
    "Use",
    "choices",
    "draws_again",
    "effects",
    "legal_moves",
    "may_decline",
    "merged",
    "perft",
    "play",
]


class IllegalMove(ValueError):  # noqa: N818 - it reads as what happened, like the rest of the project's errors
    """The rules do not allow this move.

    Attributes:
        reason: why the pawn it names cannot move at all, or None when the pawn could, but not so.
    """

    def __init__(self, sentence: str, reason: Reason | None = None) -> None:
        super().__init__(sentence)
        self.reason = reason


class GameOver(IllegalMove):
    """The game has been won; there are no moves any more (R16)."""


class Use(Enum):
    """What became of a card: did a pawn move, or nothing?"""

    MOVED = "moved"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Merged:
    """One distinct result and every legal move that leads to it.

    Attributes:
        result: the canonical position afterwards, turn and winner included.
        moves: in the order of legal_moves.
    """

    result: Position
    moves: tuple[Move, ...]


def legal_moves(position: Position, rules: Rules, card: Card) -> tuple[Move, ...]:
    """Every legal move but declining, ascending as the bytes of their actions; GameOver after the end."""
    found = _core(position, rules).legal(fast.flatten(position.pawns), position.turn, card)
    return tuple(_move(action) for action in found)


def may_decline(position: Position, rules: Rules, card: Card) -> bool:
    """Whether the card may be left unused although it could be used: only an 11 (R12)."""
    core = _core(position, rules)
    legal = core.legal(fast.flatten(position.pawns), position.turn, card)
    return card is Card.ELEVEN and core.may_decline(legal)


def choices(position: Position, rules: Rules, card: Card) -> tuple[Move, ...]:
    """Every answer to the card: Decline() first where nothing is legal or it is allowed, then the legal moves (R18)."""
    found = _core(position, rules).choices(fast.flatten(position.pawns), position.turn, card)
    return tuple(_move(action) for action in found)


def play(position: Position, rules: Rules, card: Card, move: Move) -> Position:
    """The position after the seat on turn answers the card with one of choices(); sets turn and winner (R13, R16).

    IllegalMove with a sentence for any other move.
    """
    core = _core(position, rules)
    cells = fast.flatten(position.pawns)
    action = to_action(move)
    if action not in core.choices(cells, position.turn, card):
        raise _illegal(position, rules, card, move)
    cells, turn, winner = core.step(cells, position.turn, card, action)
    return Position(
        position.colours,
        fast.rows(cells, core.pawns),
        turn,
        None if winner == fast.NO_WINNER else winner,
        position.barred,
    )


def effects(position: Position, rules: Rules, card: Card, move: Move) -> tuple[Effect, ...]:
    """What the move does, event by event; empty for Decline(). IllegalMove unless it is one of choices()."""
    if move not in choices(position, rules, card):
        raise _illegal(position, rules, card, move)
    return effects_of(position, rules, card, move)


def merged(position: Position, rules: Rules, card: Card) -> tuple[Merged, ...]:
    """The distinct results of the legal moves (declining is none), ascending by the pawns' places in seat order."""
    core = _core(position, rules)
    found = core.results(fast.flatten(position.pawns), position.turn, card)
    results = []
    for cells in sorted(found):
        moves = tuple(_move(action) for action in found[cells])
        after = play(position, rules, card, moves[0])
        results.append(Merged(replace(after, pawns=fast.rows(cells, core.pawns)), moves))
    return tuple(results)


def draws_again(rules: Rules, card: Card, use: Use) -> bool:
    """Whether the same seat draws once more after this card; a win ends the game all the same (R13, R16)."""
    if card is not Card.TWO:
        return False
    match rules.two_draws_again:
        case TwoDrawsAgain.ALWAYS:
            return True
        case TwoDrawsAgain.IF_MOVED:
            return use is Use.MOVED
        case TwoDrawsAgain.NEVER:
            return False
        case _:
            assert_never(rules.two_draws_again)


def perft(position: Position, rules: Rules, depth: int) -> int:
    """How many ways `depth` draws can go: each of the eleven faces once a draw, equal results counted once.

    A won position counts 1 at any depth; declining, where allowed, and a card without effect count as one result.
    """
    core = fast.core(rules, position.colours, position.barred)
    winner = fast.NO_WINNER if position.winner is None else position.winner
    known: dict[tuple[fast.Cells, int, int], int] = {}
    state = (core.sorted_rows(fast.flatten(position.pawns)), position.turn, winner)
    return _perft(fast.Outcomes(core), state, depth, known)


def _perft(
    tree: fast.Outcomes, state: tuple[fast.Cells, int, int], depth: int, known: dict[tuple[fast.Cells, int, int], int]
) -> int:
    cells, seat, winner = state
    if depth == 0 or winner != fast.NO_WINNER:
        return 1
    key = (cells, seat, depth)
    if key in known:
        return known[key]
    outcomes = [outcome for card in CARDS for outcome in tree.of(cells, seat, card)]
    if depth == 1:
        total = len(outcomes)
    else:
        total = sum(_perft(tree, (after, turn, won), depth - 1, known) for _, after, turn, won in outcomes)
    known[key] = total
    return total


@lru_cache(maxsize=512)
def _move(action: fast.Action) -> Move:
    """The move of an action of the core; there are some 300."""
    return from_action(action)


def _core(position: Position, rules: Rules) -> fast.Core:
    if position.winner is not None:
        raise GameOver(f"The game is over: {position.colours[position.winner].label} has won.")
    return fast.core(rules, position.colours, position.barred)


def _illegal(position: Position, rules: Rules, card: Card, move: Move) -> IllegalMove:
    if isinstance(move, Decline):
        return IllegalMove("There is a legal move, so this card cannot be passed.")
    if isinstance(move, Swap | Sorry) and move.seat >= len(position.colours):
        return IllegalMove("That move names a seat that nobody has.")
    named = to_action(move)[1]
    reason = next((why for why in reasons(position, rules, card) if why.pawn == named), None)
    because = f": {reason.code.value.replace('_', ' ')}" if reason else ""
    return IllegalMove(f"{to_text(move, position, card)} is not legal with {card_label(card)}{because}.", reason)
