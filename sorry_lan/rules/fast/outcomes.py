"""Every distinct end of a card in one list, for searches: what a row can do is worked out once and then looked up.

An opponent never makes a count legal or illegal, he can only be hit (R4).
So what a card can do with a row, and which squares it hits, hold whoever else is on the board; a search, in which the
same rows come back all the time, mostly puts remembered rows between the others.
Swaps (R12) and Sorry! (R14) need to know where others stand and are worked out each time.
"""

from __future__ import annotations

from typing import Final

from sorry_lan.rules.board import HOME, OUTER, START
from sorry_lan.rules.fast.core import BACKWARD, LEAVE, NO_WINNER, PASS, SPLIT, Action, Cells, Core
from sorry_lan.rules.tables import Tables, tables

Outcome = tuple[Action, Cells, int, int]
"""(action, and what Core.step() says of it: cells, seat that draws next, winner or NO_WINNER)."""

Way = tuple[Action, bytes, bytes]
"""(action, own row afterwards and sorted, squares whose opponents go to Start)."""

WAYS_KEPT: Final = 20_000
"""Rows and cards that are remembered, a kilobyte each or so; then remembering begins again."""

_ONE: Final = tuple(bytes([loc]) for loc in range(HOME + 1))


class _Ways:
    """What one card can do with one row, as if nobody else were on the board.

    Attributes:
        ways: all that differ in the row or in the squares they hit.
        rows: of these the first that leads to each row: all there is where nobody is hit.
        hit: every square that one of them hits.
    """

    __slots__ = ("hit", "rows", "ways")

    def __init__(self, ways: dict[tuple[bytes, bytes], Action]) -> None:
        self.ways = tuple((action, row, hit) for (row, hit), action in ways.items())
        rows: dict[bytes, Action] = {}
        for action, row, _ in self.ways:
            rows.setdefault(row, action)
        self.rows = tuple((action, row) for row, action in rows.items())
        self.hit = frozenset(x for _, _, hit in self.ways for x in hit)


class Outcomes:
    """What cards can lead to at the table of a core. It remembers rows: keep one for a whole search."""

    __slots__ = ("_core", "_known", "_ordered", "_tables")

    def __init__(self, core: Core) -> None:
        self._core = core
        self._tables = [tables(core.rules, colour) for colour in core.colours]
        self._known: dict[tuple[bytes, int, int], _Ways] = {}
        self._ordered: dict[bytes, bytes] = {}

    def of(self, cells: Cells, seat: int, card: int) -> list[Outcome]:
        """Each distinct end of the seat's choices once, all rows sorted: PASS first where it is a choice.

        The action is the first of those that lead there; cells and seat together are the key of the position.
        """
        core = self._core
        if card == 11 or card == 13:  # noqa: PLR1714 - twice the speed of a set
            return self._of_encounters(cells, seat, card)
        lo = seat * core.pawns
        hi = lo + core.pawns
        own = cells[lo:hi]
        found = self._known.get((own, seat, card)) or self._remembered(own, seat, card)
        before, behind = self._sorted(cells[:lo]), self._sorted(cells[hi:])
        if not found.rows:
            return [(PASS, *core.turned(before + self._sorted(own) + behind, seat, card, PASS))]
        others = before + behind
        after_all: dict[Cells, Action] = {}
        if found.hit.isdisjoint(others):
            after_all = {before + row + behind: action for action, row in found.rows}
        else:
            for action, row, hit in found.ways:
                after = before + row + behind
                for x in hit:
                    if x in others:
                        after = self._sorted(core.apply(cells, seat, card, action))
                        break
                after_all.setdefault(after, action)
        return self._ended(after_all, seat, card)

    def _of_encounters(self, cells: Cells, seat: int, card: int) -> list[Outcome]:
        """The same for an 11 or a Sorry!, whose actions depend on where the others stand."""
        core = self._core
        found: dict[Cells, Action] = {}
        for action in core.legal(cells, seat, card):
            found.setdefault(self._sorted(core.apply(cells, seat, card, action)), action)
        ends = self._ended(found, seat, card)
        if not found or (card == 11 and core.may_decline(list(found.values()))):
            ends.insert(0, (PASS, *core.turned(self._sorted(cells), seat, card, PASS)))
        return ends

    def _ended(self, found: dict[Cells, Action], seat: int, card: int) -> list[Outcome]:
        """These ends with the seat that draws next, which is the same after all that win nothing.

        What wins stands first: then there is nobody else to move, and a step back comes after a step forward.
        """
        following = None
        ends: list[Outcome] = []
        for after, action in found.items():
            if following is None:
                _, turn, winner = self._core.turned(after, seat, card, action)
                ends.append((action, after, turn, winner))
                if winner == NO_WINNER:
                    following = turn
            else:
                ends.append((action, after, following, NO_WINNER))
        return ends

    def _sorted(self, cells: bytes) -> bytes:
        """The rows of some seats sorted, each looked up where it was seen before."""
        n = self._core.pawns
        known = self._ordered
        rows = []
        for i in range(0, len(cells), n):
            row = cells[i : i + n]
            ordered = known.get(row)
            if ordered is None:
                if len(known) >= WAYS_KEPT:
                    known.clear()
                ordered = known[row] = bytes(sorted(row))
            rows.append(ordered)
        return b"".join(rows)

    def _remembered(self, own: bytes, seat: int, card: int) -> _Ways:
        """What the card can do with this row, worked out and kept."""
        if len(self._known) >= WAYS_KEPT:
            self._known.clear()
        core, own_tables = self._core, self._tables[seat]
        lo = seat * core.pawns
        alone = bytes(lo) + own + bytes(len(core.opening) - lo - core.pawns)
        ways: dict[tuple[bytes, bytes], Action] = {}
        for action in core.legal(alone, seat, card):
            row, hit, slides = own, b"", False
            for loc, x in _counts(own_tables, own, card, action):
                row = row.replace(_ONE[loc], _ONE[x], 1)
                if x <= OUTER:
                    hit += _ONE[x]
                    if x in own_tables.slides:
                        hit += own_tables.slides[x][1]
                        slides = True
            if slides:
                row = core.apply(alone, seat, card, action)[lo : lo + core.pawns]
            elif action[0] == SPLIT and action[3] < action[1]:
                continue  # without slides it comes to what the other way round did, or one pawn with the whole 7
            ways.setdefault((bytes(sorted(row)), hit), action)
        found = self._known[own, seat, card] = _Ways(ways)
        return found


def _counts(own_tables: Tables, own: bytes, card: int, action: Action) -> tuple[tuple[int, int], ...]:
    """(from, to) of each count of an action: two for a split 7, of others one."""
    kind = action[0]
    if kind == LEAVE:
        return ((START, own_tables.exits[card]),)
    loc = own[action[1] - 1]
    if kind == BACKWARD:
        return ((loc, own_tables.back[action[2]][loc]),)
    first = (loc, own_tables.forth[action[2]][loc])
    if kind != SPLIT:
        return (first,)
    loc = own[action[3] - 1]
    return (first, (loc, own_tables.forth[action[4]][loc]))
