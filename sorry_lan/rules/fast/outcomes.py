"""Every distinct end of a card in one list, for searches: what a row can do is worked out once and then looked up.

An opponent never makes a count legal or illegal, he can only be hit (R4).
So what a card can do with a row, and which squares it hits, hold whoever else is on the board; a search, in which the
same rows come back all the time, mostly puts remembered rows between the others.
Swaps (R12) and Sorry! (R14) need to know where others stand and are worked out each time.
"""

from __future__ import annotations

from typing import Final

from sorry_lan.rules.board import OUTER, START
from sorry_lan.rules.fast.core import BACKWARD, LEAVE, PASS, SPLIT, Action, Cells, Core
from sorry_lan.rules.tables import Tables, tables

Outcome = tuple[Action, Cells, int, int]
"""(action, and what Core.step() says of it: cells, seat that draws next, winner or NO_WINNER)."""

Way = tuple[Action, bytes, bytes]
"""(action, own row afterwards and sorted, squares whose opponents go to Start)."""

WAYS_KEPT: Final = 20_000
"""Rows and cards that are remembered, some kilobytes each at most; then remembering begins again."""


class Outcomes:
    """What cards can lead to at the table of a core. It remembers rows: keep one for a whole search."""

    __slots__ = ("_core", "_known", "_tables")

    def __init__(self, core: Core) -> None:
        self._core = core
        self._tables = [tables(core.rules, colour) for colour in core.colours]
        self._known: dict[tuple[bytes, int, int], tuple[Way, ...]] = {}

    def of(self, cells: Cells, seat: int, card: int) -> list[Outcome]:
        """Each distinct end of the seat's choices once, all rows sorted: PASS first where it is a choice.

        The action is the first of those that lead there; cells and seat together are the key of the position.
        """
        core = self._core
        if card == 11 or card == 13:  # noqa: PLR1714 - twice the speed of a set
            found = {after: actions[0] for after, actions in core.results(cells, seat, card).items()}
        else:
            found = self._ends_of_counts(cells, seat, card)
        ends = [(action, *core.turned(after, seat, card, action)) for after, action in found.items()]
        if not found or (card == 11 and core.may_decline(list(found.values()))):
            ends.insert(0, (PASS, *core.turned(core.sorted_rows(cells), seat, card, PASS)))
        return ends

    def _ends_of_counts(self, cells: Cells, seat: int, card: int) -> dict[Cells, Action]:
        """The distinct results of a card that needs no opponent, with the first action that leads to each."""
        core = self._core
        lo = seat * core.pawns
        hi = lo + core.pawns
        ordered = core.sorted_rows(cells)
        before, behind = ordered[:lo], ordered[hi:]
        others = before + behind
        found: dict[Cells, Action] = {}
        for action, row, hit in self._ways(cells[lo:hi], seat, card):
            after = before + row + behind
            for x in hit:
                if x in others:
                    after = core.sorted_rows(core.apply(cells, seat, card, action))
                    break
            if after not in found:
                found[after] = action
        return found

    def _ways(self, own: bytes, seat: int, card: int) -> tuple[Way, ...]:
        """What the card can do with this row, as if nobody else were on the board."""
        key = (own, seat, card)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= WAYS_KEPT:
                self._known.clear()
            core = self._core
            lo = seat * core.pawns
            alone = bytes(lo) + own + bytes(len(core.opening) - lo - core.pawns)
            ways: dict[tuple[bytes, bytes], Action] = {}
            for action in core.legal(alone, seat, card):
                row = bytes(sorted(core.apply(alone, seat, card, action)[lo : lo + core.pawns]))
                ways.setdefault((row, _hit(self._tables[seat], own, card, action)), action)
            found = self._known[key] = tuple((action, row, hit) for (row, hit), action in ways.items())
        return found


def _hit(own_tables: Tables, own: bytes, card: int, action: Action) -> bytes:
    """The squares whose opponents go to Start by a way of this row."""
    kind = action[0]
    loc = own[action[1] - 1]
    if kind == LEAVE:
        return _swept(own_tables, own_tables.exits[card])
    if kind == BACKWARD:
        return _swept(own_tables, own_tables.back[action[2]][loc])
    hit = _swept(own_tables, own_tables.forth[action[2]][loc])
    if kind == SPLIT:
        hit += _swept(own_tables, own_tables.forth[action[4]][own[action[3] - 1]])
    return hit


def _swept(own_tables: Tables, x: int) -> bytes:
    """The squares whose opponents go to Start when a pawn comes down on x: that one and those of its slide."""
    if not START < x <= OUTER:
        return b""
    slide = own_tables.slides.get(x)
    return bytes([x]) + slide[1] if slide else bytes([x])
