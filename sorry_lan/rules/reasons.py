"""Why a pawn cannot move with a card: a code and its values for each such pawn.

The sentences for people are in the catalogue of texts; nothing here is needed to play.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

from sorry_lan.rules import fast
from sorry_lan.rules.board import HOME, SAFE, START, backward, forward, in_play, is_safe, to_home
from sorry_lan.rules.cards import Card
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import Rules, SorryForward


@unique
class ReasonCode(Enum):
    """Why a pawn has no legal move with the card; in brackets the meaning of a Reason's values.

    `steps` is negative for backward, `loc` a location 0..66, `blocker` the number of an own pawn.

    AT_HOME ()                          it is Home and never moves again (R3)
    NOT_A_START_CARD (card,)            this card brings no pawn out of Start (R1)
    EXIT_TAKEN (loc, blocker)           an own pawn stands where it would come out (R2)
    LOWER_NUMBER_FIRST (pawn,)          pawns in Start are alike, so the lowest number goes; that pawn can
    OVERSHOOT (steps, to_home)          it has fewer steps to Home than the card counts (R3)
    OWN_PAWN (steps, loc, blocker)      it would come down on an own pawn (R4)
    OWN_ON_SLIDE (steps, loc, blocker)  it would slide from loc over an own pawn, which the rules in force forbid (R7)
    ZONE_TAKEN (steps, loc, blocker)    it would slide from loc into the first safety square, held by an own pawn (R5)
    NEITHER_WAY (to_home, blocker, behind)  a 10: forward overshoots (blocker 0) or is blocked; back 1 is too (R11)
    NO_PARTNER (to_home, blocker)       a 7: not in one piece (as above), and no other own pawn is in play (R9)
    NO_SPLIT (to_home, blocker)         a 7: not in one piece, and no division works (R9)
    NO_SWAP (to_home, blocker)          an 11: not forward, and there is no pawn on the track to swap with (R12)
    NEEDS_START ()                      Sorry! moves only a pawn in Start (R14)
    NO_TARGET ()                        Sorry!: no opponent on the track can be replaced (R14)
    REPLACE_FIRST ()                    Sorry! moves forward only when no replacement is possible, and one is (R14)
    """

    AT_HOME = "at_home"
    NOT_A_START_CARD = "not_a_start_card"
    EXIT_TAKEN = "exit_taken"
    LOWER_NUMBER_FIRST = "lower_number_first"
    OVERSHOOT = "overshoot"
    OWN_PAWN = "own_pawn"
    OWN_ON_SLIDE = "own_on_slide"
    ZONE_TAKEN = "zone_taken"
    NEITHER_WAY = "neither_way"
    NO_PARTNER = "no_partner"
    NO_SPLIT = "no_split"
    NO_SWAP = "no_swap"
    NEEDS_START = "needs_start"
    NO_TARGET = "no_target"
    REPLACE_FIRST = "replace_first"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one pawn (1..4) of the seat on turn cannot move; `values` as ReasonCode says."""

    pawn: int
    code: ReasonCode
    values: tuple[int, ...] = ()


def reasons(position: Position, rules: Rules, card: Card) -> tuple[Reason, ...]:
    """One reason for each pawn of the seat on turn that no legal action moves, by number; the others are left out."""
    core = fast.core(rules, position.colours, position.barred)
    legal = core.legal(fast.flatten(position.pawns), position.turn, card)
    moved = {action[1] for action in legal} | {action[3] for action in legal if action[0] == fast.SPLIT}
    scene = _Scene(position, rules, card, core)
    return tuple(
        scene.reason(pawn, moved) for pawn in range(1, len(position.pawns[position.turn]) + 1) if pawn not in moved
    )


class _Scene:
    """One position and card, looked at from the seat on turn."""

    __slots__ = ("_card", "_colour", "_core", "_row", "_rules", "_seat")

    def __init__(self, position: Position, rules: Rules, card: Card, core: fast.Core) -> None:
        self._seat = position.turn
        self._colour = position.colours[position.turn]
        self._row = position.pawns[position.turn]
        self._rules = rules
        self._card = card
        self._core = core

    def reason(self, pawn: int, moved: set[int]) -> Reason:
        """Why this pawn, which is not among the moved ones, stays."""
        loc = self._row[pawn - 1]
        if loc == HOME:
            return Reason(pawn, ReasonCode.AT_HOME)
        if loc == START:
            return self._in_start(pawn, moved)
        match self._card:
            case Card.SORRY:
                return self._sorry(pawn, moved)
            case Card.FOUR:
                return self._step(pawn, -4)
            case Card.SEVEN:
                return self._seven(pawn)
            case Card.TEN:
                return self._ten(pawn)
            case Card.ELEVEN if not is_safe(loc):
                return Reason(pawn, ReasonCode.NO_SWAP, self._ahead(pawn))
            case _:
                return self._step(pawn, self._card)

    def _in_start(self, pawn: int, moved: set[int]) -> Reason:
        lowest = self._row.index(START) + 1
        if lowest in moved:
            return Reason(pawn, ReasonCode.LOWER_NUMBER_FIRST, (lowest,))
        if self._card is Card.SORRY:
            return Reason(pawn, ReasonCode.NO_TARGET)
        if self._card not in self._rules.start_cards:
            return Reason(pawn, ReasonCode.NOT_A_START_CARD, (self._card,))
        target = self._core.exit_of(self._seat, self._card)
        return Reason(pawn, ReasonCode.EXIT_TAKEN, (target, self._row.index(target) + 1))

    def _step(self, pawn: int, steps: int) -> Reason:
        """Why counting `steps` is illegal, which it is."""
        loc = self._row[pawn - 1]
        target = self._target(loc, steps)
        if target is None:
            return Reason(pawn, ReasonCode.OVERSHOOT, (steps, to_home(self._colour, loc)))
        if target in self._row:
            return Reason(pawn, ReasonCode.OWN_PAWN, (steps, target, self._row.index(target) + 1))
        blocker = self._core.blocker(self._seat, bytes(self._row), pawn, target)
        zone_taken = self._row[blocker - 1] == HOME - SAFE
        return Reason(pawn, ReasonCode.ZONE_TAKEN if zone_taken else ReasonCode.OWN_ON_SLIDE, (steps, target, blocker))

    def _target(self, loc: int, steps: int) -> int | None:
        if steps < 0:
            return backward(self._colour, loc, -steps)
        return forward(self._colour, loc, steps)

    def _ahead(self, pawn: int) -> tuple[int, int]:
        """(steps to Home, own pawn in the way or 0) of a whole forward move that is illegal."""
        why = self._step(pawn, self._card)
        return to_home(self._colour, self._row[pawn - 1]), 0 if why.code is ReasonCode.OVERSHOOT else why.values[2]

    def _seven(self, pawn: int) -> Reason:
        if self._rules.split_pawns == 1:
            return self._step(pawn, self._card)
        partners = sum(in_play(loc) for loc in self._row) - 1
        return Reason(pawn, ReasonCode.NO_SPLIT if partners else ReasonCode.NO_PARTNER, self._ahead(pawn))

    def _ten(self, pawn: int) -> Reason:
        return Reason(pawn, ReasonCode.NEITHER_WAY, (*self._ahead(pawn), self._step(pawn, -1).values[2]))

    def _sorry(self, pawn: int, moved: set[int]) -> Reason:
        match self._rules.sorry_forward:
            case SorryForward.NO:
                return Reason(pawn, ReasonCode.NEEDS_START)
            case SorryForward.FALLBACK if any(self._row[p - 1] == START for p in moved):
                return Reason(pawn, ReasonCode.REPLACE_FIRST)
            case _:
                return self._step(pawn, 4)
