"""How a game could go on now: without whom, with whom back, and whether enough people remain; pure values.

Asking, proposing and signing are continuing.py's.
"""

from __future__ import annotations

from dataclasses import dataclass

from sorry_lan.fair.continuation import FEWEST
from sorry_lan.wire.terms import Why


@dataclass(frozen=True, slots=True)
class Plan:
    """Seats that become stand-ins, seats that return, and what the new table will say about it."""

    without: frozenset[int]
    back: frozenset[int]
    why: Why
    humans: frozenset[int]
    """Who then plays."""

    @property
    def saves(self) -> bool:
        """Whether too few people remain to go on."""
        return len(self.humans) < FEWEST and self.why is not Why.CHAIN_END

    def same_seats(self, other: Plan) -> bool:
        """Whether the same people would play."""
        return (self.without, self.back) == (other.without, other.back)


_GRAVEST = (Why.FAULT, Why.LEFT, Why.OWED, Why.UNREACHABLE)


def plan_of(
    humans: frozenset[int], without: dict[int, Why], back: frozenset[int], *, chain_ends: bool, resumed: bool
) -> Plan | None:
    """What can be done, or None where the game simply goes on."""
    if chain_ends and not without:
        return Plan(frozenset(), frozenset(), Why.CHAIN_END, humans)
    if not without:
        # One thing at a time: who comes back needs everybody's yes, so first the game goes on without who is away.
        return Plan(frozenset(), back, Why.RETURN, humans | back) if back else None
    why = next(why for why in _GRAVEST if why in without.values())
    if resumed and why is Why.UNREACHABLE:
        why = Why.SAVE
    return Plan(frozenset(without), frozenset(), why, humans - without.keys())
