"""Why a move is good, in facts that anybody can check on the board: what it gains, and what the other answers do not.

Facts are weighed by the race of a single pawn (race.py), whatever level proposed the move. Sentences are the UI's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final

from sorry_lan.bots.race import UNIT, draws_home, squares
from sorry_lan.rules import fast
from sorry_lan.rules.board import HOME, OUTER, START, is_outer, is_safe
from sorry_lan.rules.cards import CARDS, Card
from sorry_lan.rules.effects import Bumped, Swept, effects_of
from sorry_lan.rules.engine import choices, play
from sorry_lan.rules.moves import Backward, Move, Split, Swap
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import Rules

MOST: Final = 3
"""So many facts are given."""
_WIN: Final = 1000 * UNIT
_DECK: Final = 45
_FOUR: Final = 4


@unique
class Why(Enum):
    """A kind of fact; what the fields of a Reason mean with it."""

    ONLY = "only"
    """There is nothing else to do."""
    WINS = "wins"
    """Brings the last pawn Home."""
    HOME = "home"
    """`pawn` comes Home."""
    SAFE = "safe"
    """`pawn` comes from the track into its safety zone."""
    SENDS_LEADER = "sends leader"
    """Pawn `other` of `seat`, nearest Home of those it has on the track, goes to Start."""
    SENDS_BACK = "sends back"
    """Another pawn `other` of `seat` goes to Start."""
    LEAVES = "leaves"
    """`pawn` leaves Start."""
    RUNS = "runs"
    """`pawn` comes `n` squares nearer Home."""
    SHORTCUT = "shortcut"
    """`pawn` goes backward past its entry: only `n` squares are left to Home, `n` fewer than before."""
    EXCHANGE = "exchange"
    """`pawn` comes `n` squares nearer Home by the exchange."""
    SETS_BACK = "sets back"
    """The exchange puts pawn `other` of `seat` `n` squares further from Home."""
    SAFER = "safer"
    """Of the 11 faces `n` could send `pawn` back before, and fewer can now."""
    HUNTS = "hunts"
    """`pawn` now stands `n` squares behind pawn `other` of `seat`, and there is a card of that number."""
    KEEPS = "keeps"
    """Own pawns stay where they are, with no move or one that slides back; all else takes them further from Home."""
    LEAST = "least"
    """None of the facts above: the other answers look worse in the long run."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One fact about a move; pawns are 1..4."""

    why: Why
    pawn: int = 0
    seat: int = 0
    other: int = 0
    n: int = 0


def explain(position: Position, rules: Rules, card: Card, move: Move) -> tuple[Reason, ...]:
    """The one to MOST facts that speak most for this answer beside the others; `move` is one of the choices."""
    answers = choices(position, rules, card)
    ends = {play(position, rules, card, each): each for each in answers}
    if len(ends) == 1:
        return (Reason(Why.ONLY),)
    own = _facts(position, rules, card, move)
    if not own:
        return (_nothing_gained(position, rules, card, move),)
    result = play(position, rules, card, move)
    others = [_by_kind(_facts(position, rules, card, each)) for end, each in ends.items() if end != result]
    usual = {
        why: sum(facts.get(why, 0) for facts in others) // max(1, len(others)) for why in {fact.why for fact in own}
    }
    ranked = sorted(own, key=lambda fact: (usual[fact.why] - own[fact], -own[fact]))
    decisive = [fact for fact in ranked if own[fact] > usual[fact.why]] or ranked[:1]
    heaviest = max(own[fact] for fact in decisive)
    return tuple(fact for fact in decisive if own[fact] * 8 >= heaviest)[:MOST]


def dangers(position: Position, rules: Rules, seat: int, pawn: int) -> tuple[Card, ...]:
    """The cards with which another seat, if it were its turn now, could send this pawn to Start."""
    core = fast.core(rules, position.colours, position.barred)
    cells = fast.flatten(position.pawns)
    place = seat * core.pawns + pawn - 1
    if not is_outer(cells[place]):
        return ()
    others = [other for other in range(core.seats) if other != seat]

    def hit(card: Card) -> bool:
        return any(
            core.apply(cells, other, card, action)[place] == START
            for other in others
            for action in core.legal(cells, other, card)
        )

    return tuple(card for card in CARDS if hit(card))


def _by_kind(facts: Mapping[Reason, int]) -> dict[Why, int]:
    """What the facts of each kind weigh together."""
    found: dict[Why, int] = {}
    for fact, weight in facts.items():
        found[fact.why] = found.get(fact.why, 0) + weight
    return found


def _facts(position: Position, rules: Rules, card: Card, move: Move) -> dict[Reason, int]:
    """Every fact that speaks for the move, with its weight in draws x UNIT."""
    seat = position.turn
    after = play(position, rules, card, move)
    if after.winner is not None:
        return {Reason(Why.WINS): _WIN}
    found = _sent(position, rules, card, move)
    race = [draws_home(rules, colour) for colour in position.colours]
    for pawn, (source, target) in enumerate(zip(position.pawns[seat], after.pawns[seat], strict=True), 1):
        gain = race[seat][source] - race[seat][target]
        fact = _moved(position, move, pawn, source, target)
        if fact is not None and (gain > 0 or fact.why is Why.SAFE):
            # Alone a pawn would rather stand just before its entry than behind it, but it seldom is alone.
            found[fact] = max(gain, UNIT)
    if isinstance(move, Swap):
        theirs = position.pawns[move.seat][move.target - 1], after.pawns[move.seat][move.target - 1]
        lost = race[move.seat][theirs[1]] - race[move.seat][theirs[0]]
        colour = position.colours[move.seat]
        further = squares(colour, theirs[1]) - squares(colour, theirs[0])
        if lost > 0 and further > 0 and theirs[1] != START:
            found[Reason(Why.SETS_BACK, 0, move.seat, move.target, further)] = lost
    for pawn in _movers(move):
        found |= _safer(position, after, rules, pawn, race[seat])
        found |= _hunts(after, rules, seat, pawn, lambda other, loc: race[other][START] - race[other][loc])
    return found


def _sent(position: Position, rules: Rules, card: Card, move: Move) -> dict[Reason, int]:
    found = {}
    for effect in effects_of(position, rules, card, move):
        if isinstance(effect, Bumped | Swept) and effect.seat != position.turn:
            colour, row = position.colours[effect.seat], position.pawns[effect.seat]
            ahead = [loc for loc in row if is_outer(loc) and squares(colour, loc) <= squares(colour, effect.square)]
            leads = len([loc for loc in row if is_outer(loc)]) > 1 and ahead == [effect.square]
            race = draws_home(rules, colour)
            why = Why.SENDS_LEADER if leads else Why.SENDS_BACK
            found[Reason(why, 0, effect.seat, effect.pawn)] = max(1, race[START] - race[effect.square])
    return found


def _moved(position: Position, move: Move, pawn: int, source: int, target: int) -> Reason | None:
    """What is good about the new place of an own pawn."""
    colour = position.colours[position.turn]
    nearer = squares(colour, source) - squares(colour, target)
    if target == HOME:
        return Reason(Why.HOME, pawn)
    if source == START:
        return Reason(Why.LEAVES, pawn)
    if is_safe(target) and is_outer(source):
        return Reason(Why.SAFE, pawn)
    if nearer <= 0:
        return None
    if isinstance(move, Backward):
        return Reason(Why.SHORTCUT, pawn, n=squares(colour, target))
    return Reason(Why.EXCHANGE if isinstance(move, Swap) else Why.RUNS, pawn, n=nearer)


def _movers(move: Move) -> tuple[int, ...]:
    """The own pawns that the move names."""
    if isinstance(move, Split):
        return (move.first, move.second)
    return () if not hasattr(move, "pawn") else (move.pawn,)


def _safer(before: Position, after: Position, rules: Rules, pawn: int, race: tuple[int, ...]) -> dict[Reason, int]:
    seat = before.turn
    source = before.pawns[seat][pawn - 1]
    feared = dangers(before, rules, seat, pawn)
    if not feared or after.pawns[seat][pawn - 1] == START:
        return {}
    left = dangers(after, rules, seat, pawn)
    if len(left) >= len(feared):
        return {}
    lost = max(0, race[START] - race[source])
    return {Reason(Why.SAFER, pawn, n=len(feared)): _FOUR * (len(feared) - len(left)) * lost // _DECK}


def _hunts(after: Position, rules: Rules, seat: int, pawn: int, loss: Callable[[int, int], int]) -> dict[Reason, int]:
    """The best prey that one card's count forward would reach."""
    loc = after.pawns[seat][pawn - 1]
    if not is_outer(loc):
        return {}
    core = fast.core(rules, after.colours, after.barred)
    cells = fast.flatten(after.pawns)
    found: dict[Reason, int] = {}
    for other, row in enumerate(after.pawns):
        for number, prey in enumerate(row, 1):
            distance = (prey - loc) % OUTER
            if other == seat or not is_outer(prey) or distance not in _COUNTS:
                continue
            action = (fast.FORWARD, pawn, distance)
            hits = action in core.legal(cells, seat, distance)
            if hits and core.apply(cells, seat, distance, action)[other * core.pawns + number - 1] == START:
                found[Reason(Why.HUNTS, pawn, other, number, distance)] = _FOUR * max(0, loss(other, prey)) // _DECK
    return dict(sorted(found.items(), key=lambda item: -item[1])[:1])


_COUNTS: Final = frozenset(int(card) for card in CARDS if card not in (Card.FOUR, Card.SORRY))


def _nothing_gained(position: Position, rules: Rules, card: Card, move: Move) -> Reason:
    seat = position.turn
    colour = position.colours[seat]

    def left(each: Move) -> int:
        return sum(squares(colour, loc) for loc in play(position, rules, card, each).pawns[seat])

    here = left(move)
    others = [left(each) for each in choices(position, rules, card) if each != move]
    passes = play(position, rules, card, move).pawns == position.pawns
    return Reason(Why.KEEPS) if passes and all(other > here for other in others) else Reason(Why.LEAST)
