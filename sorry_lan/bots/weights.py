"""What the evaluation weighs, and which learned table belongs to a table's rules. The numbers are in learned.py."""

from __future__ import annotations

from dataclasses import dataclass

from sorry_lan.bots.learned import ANY, LEARNED, Numbers
from sorry_lan.rules.profile import Rules, profile_name


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each feature of a seat adds to its score, in judge.NAT unless told otherwise.

    Attributes:
        draws: a draw of its pawns' races, in NAT / 16.
        steps: a square they have to count, in NAT / 64.
        bumps, swaps: a draw it may expect to lose by a bump or an exchange, in NAT / 16: to the seat that draws next,
            to the one after it, and to the others.
        homes, starts: by how many of its pawns are there.
        places: by where a pawn stands, as seen by red.
    """

    draws: int
    steps: int
    bumps: tuple[int, ...]
    swaps: tuple[int, ...]
    homes: tuple[int, ...]
    starts: tuple[int, ...]
    places: tuple[int, ...]


def weights_for(rules: Rules, seats: int) -> Weights:
    """The weights learned for these rules and so many seats, or those that serve any rules."""
    return _weights(LEARNED.get((profile_name(rules) or "", min(seats, 3)), ANY[min(seats, 3)]))


def _weights(numbers: Numbers) -> Weights:
    (draws, steps), bumps, swaps, homes, starts, places = numbers
    return Weights(draws, steps, bumps, swaps, homes, starts, places or (0,) * 67)
