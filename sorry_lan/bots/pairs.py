"""How well each seat stands by the tables that expert bots look ahead to: a number for any pawns that stand together.

Two and three pawns of one seat count together, and each pawn of a seat with each of another; so it is seen that a pawn
is safe here and hunted there, that two wait for the same card, and what is worth more to whoever draws next.
The numbers are in pairs.bin, learned by tools/train_pairs.py for the three profiles.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from itertools import combinations
from pkgutil import get_data
from typing import Final

from sorry_lan.bots.shares import Evaluation
from sorry_lan.rules.board import HOME, OUTER, START, Colour, is_outer
from sorry_lan.rules.fast import Cells
from sorry_lan.rules.profile import PROFILES, Rules, differences

SLOTS: Final = 73
"""The places as red sees them, then the second, third and fourth pawn in Start, then those at Home."""
UNIT: Final = 4
"""What a step of the stored weights counts in scores."""
TABLES: Final = 2 + 3 * 3
"""Pairs of a seat on turn and of one that is not, then pairs with another seat: by how many colours further on it is,
and by who is on turn (the first, the other, neither)."""
FIRST_TRIO: Final = 2 * SLOTS + TABLES * SLOTS * SLOTS
WEIGHTS: Final = FIRST_TRIO + SLOTS * (SLOTS + 1) * (SLOTS + 2) // 6
"""Single pawns of a seat on turn and of one that is not, the tables, three pawns of a seat; a signed byte each."""
SETS: Final = tuple((name, seats) for seats in (2, 3) for name in PROFILES)
"""What each set of the file is for, in its order: the profile, and two players or (3) more."""
ROWS_KEPT: Final = 20_000

Line = tuple[int, ...]
Row = tuple[Line, tuple[int, int]]
"""(the slots of a seat's pawns, what these add up to on turn and not)."""


class Pairs(Evaluation):
    """The evaluation at one table."""

    __slots__ = ("_meetings", "_own", "_pawns", "_rows", "_singles", "_slots", "_trios")

    def __init__(self, colours: tuple[Colour, ...], barred: int, pawns: int, weights: Line) -> None:
        super().__init__(len(colours), barred)
        self._pawns = pawns
        self._slots = tuple(tuple(_slot(colour, loc) for loc in range(HOME + 1)) for colour in colours)
        self._singles = weights[:SLOTS], weights[SLOTS : 2 * SLOTS]
        lines = [weights[i : i + SLOTS] for i in range(2 * SLOTS, FIRST_TRIO, SLOTS)]
        tables = [tuple(lines[i : i + SLOTS]) for i in range(0, len(lines), SLOTS)]
        self._own = tables[0], tables[1]
        self._trios = weights[FIRST_TRIO:]
        self._meetings = tuple(
            tuple(
                (one, other, tables[2 + 3 * ((colours[other] - colours[one]) % 4 - 1) + _who(one, other, following)])
                for one in range(self.seats)
                for other in range(self.seats)
                # Between two players one number says it all.
                if one != other and (self.seats > 2 or one == following)
            )
            for following in range(self.seats)
        )
        self._rows: tuple[dict[bytes, Row], ...] = tuple({} for _ in colours)

    def scores(self, cells: Cells, following: int) -> list[int]:
        """Each seat's score when `following` draws next."""
        n = self._pawns
        slots, found = [], []
        for seat, known in enumerate(self._rows):
            own = cells[seat * n : seat * n + n]
            row = known.get(own) or self._remembered(seat, own)
            slots.append(row[0])
            found.append(row[1][seat != following])
        for one, other, table in self._meetings[following]:
            total = 0
            theirs = slots[other]
            for x in slots[one]:
                line = table[x]
                for y in theirs:
                    total += line[y]
            found[one] += total
        return found

    def _remembered(self, seat: int, own: bytes) -> Row:
        """What is known of a row, worked out and kept."""
        known = self._rows[seat]
        if len(known) >= ROWS_KEPT:
            known.clear()
        slots: list[int] = []
        for loc in own:
            slot = self._slots[seat][loc]
            if slot in (START, HOME) and slot in slots:
                first = HOME if slot == START else HOME + 3
                slot = first + sum(loc == before for before in own[: len(slots)])
            slots.append(slot)
        slots.sort()
        threes = sum(
            self._trios[x + y * (y + 1) // 2 + z * (z + 1) * (z + 2) // 6] for x, y, z in combinations(slots, 3)
        )
        on, off = (
            threes + sum(singles[x] for x in slots) + sum(table[x][y] for x, y in combinations(slots, 2))
            for singles, table in zip(self._singles, self._own, strict=True)
        )
        row = known[own] = (tuple(slots), (on, off))
        return row


def _slot(colour: Colour, loc: int) -> int:
    return 1 + (loc - 1 - 15 * colour) % OUTER if is_outer(loc) else loc


def _who(one: int, other: int, following: int) -> int:
    return 0 if one == following else 1 if other == following else 2


def profile_for(rules: Rules) -> str | None:
    """The profile whose tables serve these rules: of those with as many pawns the nearest. None without any."""
    alike = [name for name, profile in PROFILES.items() if profile.pawns == rules.pawns]
    return min(alike, key=lambda name: len(differences(rules, PROFILES[name])), default=None)


@lru_cache(maxsize=4)
def _weights(number: int) -> Line:
    """The weights of one set of the file, times UNIT."""
    stored = zlib.decompress(get_data("sorry_lan.bots", "pairs.bin") or b"")
    some = stored[number * WEIGHTS : (number + 1) * WEIGHTS]
    return tuple(UNIT * (step - 256 if step > 127 else step) for step in some)


@lru_cache(maxsize=32)
def pairs(rules: Rules, colours: tuple[Colour, ...], barred: int) -> Pairs | None:
    """The evaluation for this table, or None for rules with fewer pawns than any profile has."""
    name = profile_for(rules)
    if name is None:
        return None
    return Pairs(colours, barred, rules.pawns, _weights(SETS.index((name, min(len(colours), 3)))))
