"""What random games play on: pawns in lists that change in place, and at every square a word who stands there.

What a seat may do here, and what comes of it, is what Core.choices() and Core.step() say; tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from sorry_lan.rules.board import HOME, OUTER, SAFE, START
from sorry_lan.rules.fast.core import Cells, Core
from sorry_lan.rules.profile import ElevenPass, SorryForward, SwapSlide
from sorry_lan.rules.tables import NOWHERE, Tables

# Places: 1..60 as everywhere, then five safe squares for each seat, one Home, and a nowhere for each seat.
# A nowhere is always its seat's own, so that "blocked by an own pawn" and "no such square" are one question.
PLACE_HOME: Final = OUTER + 4 * SAFE + 1
_NOWHERE: Final = PLACE_HOME + 1
_PLACES: Final = _NOWHERE + 4

EMPTY: Final = -1
"""Who stands at a place where nobody does."""

CARE: Final = 128
"""Added in Side.plans to a place where coming down is more than standing there."""

_COUNTS: Final = (1, 2, 3, 4, 5, 8, 12)
"""The cards that only count one pawn; for the others Field has methods."""

Halves = tuple[int, int, int, int]
"""A 7 shared by two pawns: (place of the first, where it comes down, place of the second, where that comes down)."""


class Side:
    """What one seat's pawns do by themselves.

    Attributes:
        forth: by steps and place where a forward count comes down.
        back: by steps and place where a backward count comes down.
        doors: by card where a pawn comes out of Start, or the seat's nowhere.
        plans: for a card that only counts one pawn (where it comes down, with CARE; the door); None for other cards.
        slides: by triangle (end, squares swept).
    """

    __slots__ = ("back", "doors", "forth", "plans", "slides")

    def __init__(self, core: Core, seat: int, own: Tables) -> None:
        def places(table: bytes) -> list[int]:
            ends = [_NOWHERE + seat] * _PLACES
            for loc in range(START + 1, HOME):
                ends[_place(seat, loc)] = _place(seat, table[loc])
            return ends

        self.forth = [places(table) for table in own.forth]
        self.back = [places(table) for table in own.back]
        starters = core.rules.start_cards
        self.doors = [_place(seat, exit_ if card in starters else NOWHERE) for card, exit_ in enumerate(own.exits)]
        self.slides = {loc: (_place(seat, end), tuple(swept)) for loc, (end, swept) in own.slides.items()}
        self.plans: list[tuple[list[int], int] | None] = [None] * 14
        for card in _COUNTS:
            table = self.back[4] if card == 4 else self.forth[card]
            careful = [x + CARE if x >= PLACE_HOME or x in self.slides else x for x in table]
            self.plans[card] = careful, self.doors[card]


class Field:
    """One game under way.

    Attributes:
        sides: by seat the tables.
        plays: by seat the places of the pawns in play, in any order.
        waiting: by seat how many pawns are in Start.
        who: by place the seat of who stands there, or EMPTY.
    """

    __slots__ = (
        "_declines_always",
        "_declines_without_count",
        "_pawns",
        "_shares",
        "_sorry_forward",
        "_sorry_slides",
        "_swap_slides",
        "plays",
        "sides",
        "waiting",
        "who",
    )

    def __init__(self, core: Core, sides: list[Side], cells: Cells) -> None:
        rules = core.rules
        self._pawns = rules.pawns
        self._declines_always = rules.eleven_pass is ElevenPass.ALWAYS
        self._declines_without_count = rules.eleven_pass is ElevenPass.IF_NO_FORWARD
        self._shares = rules.split_pawns == 2
        self._sorry_forward = rules.sorry_forward
        self._sorry_slides = rules.sorry_slide
        self._swap_slides = rules.swap_slide is not SwapSlide.NONE
        self.sides = sides
        self.who = [EMPTY] * _NOWHERE + [0, 1, 2, 3]
        self.plays: list[list[int]] = []
        self.waiting: list[int] = []
        for seat in range(core.seats):
            row = cells[seat * rules.pawns : (seat + 1) * rules.pawns]
            places = [_place(seat, loc) for loc in row if START < loc < HOME]
            for x in places:
                self.who[x] = seat
            self.plays.append(places)
            self.waiting.append(row.count(START))

    def cells(self) -> Cells:
        """The position as a core has it, every row sorted."""
        rows = []
        for seat, (places, waiting) in enumerate(zip(self.plays, self.waiting, strict=True)):
            locs = sorted(x if x <= OUTER else x - SAFE * seat for x in places)
            rows.append(bytes([*[START] * waiting, *locs]).ljust(self._pawns, bytes([HOME])))
        return b"".join(rows)

    # -- the cards that are more than one count; each plays one of the seat's choices, chosen by the number --------

    def ten(self, seat: int, number: int) -> None:
        """R11: forward 10 or backward 1."""
        own, side = self.plays[seat], self.sides[seat]
        ends = (side.forth[10], side.back[1])
        door = side.doors[10]
        counts = 2 * len(own)
        ways = counts + 1 if self.waiting[seat] and self.who[door] != seat else counts
        if not ways:
            return
        # To try one of all that could be is fair: one that cannot be leaves the others as likely as before.
        number, i = divmod(number, ways)
        if i == counts:
            self._leave(seat, door)
            return
        loc = own[i >> 1]
        x = ends[i & 1][loc]
        if self.who[x] != seat:
            self._move(seat, loc, x)
        else:
            self._one_of(seat, door, self._counts(seat, ends[0]) + self._counts(seat, ends[1]), number)

    def eleven(self, seat: int, number: int) -> None:
        """R12: forward 11, or an exchange of two pawns on the track, or nothing where that is allowed."""
        own, side = self.plays[seat], self.sides[seat]
        door = side.doors[11]
        if not own and not (self.waiting[seat] and self.who[door] != seat):
            return
        movers = [loc for loc in own if loc <= OUTER]
        targets = self._targets(seat) if movers else []
        found = self._counts(seat, side.forth[11])
        counts = len(found) + 1 if self.waiting[seat] and self.who[door] != seat else len(found)
        ways = counts + len(movers) * len(targets)
        if not ways:
            return
        i = number % (ways + 1 if self._declines_always or (self._declines_without_count and not counts) else ways)
        if i < len(found):
            self._move(seat, *found[i])
        elif i < counts:
            self._leave(seat, door)
        elif i < ways:
            mover, target = divmod(i - counts, len(targets))
            self._exchange(seat, movers[mover], targets[target])

    def sorry(self, seat: int, number: int) -> None:
        """R14: a pawn from Start to where an opponent stands, or forward 4 where that is in force."""
        targets = self._targets(seat) if self.waiting[seat] else []
        found: list[tuple[int, int]] = []
        mode = self._sorry_forward
        if mode is SorryForward.CHOICE or (mode is SorryForward.FALLBACK and not targets):
            found = self._counts(seat, self.sides[seat].forth[4])
        ways = len(found) + len(targets)
        if not ways:
            return
        i = number % ways
        if i < len(found):
            self._move(seat, *found[i])
            return
        x = targets[i - len(found)]
        self.waiting[seat] -= 1
        self._send_to_start(x)
        self._stand(seat, x, slides=self._sorry_slides)

    def seven(self, seat: int, number: int) -> None:
        """R9: forward 7, or two pawns share it; out of Start where the 7 does that (R1)."""
        own, side = self.plays[seat], self.sides[seat]
        k = len(own)
        table, door = side.forth[7], side.doors[7]
        if k < 2 or not self._shares:
            self._one_of(seat, door, self._counts(seat, table), number)
            return
        whole = k + 1 if self.waiting[seat] and self.who[door] != seat else k
        ways = whole + 6 * k * (k - 1)
        for _ in range(2):  # as in ten()
            number, i = divmod(number, ways)
            if i >= whole:
                pair, a = divmod(i - whole, 6)
                first, second = divmod(pair, k - 1)
                second += second >= first
                shared = self._halves(seat, own[first : first + 1], (a + 1,), own[second : second + 1])
                if shared:
                    self._share(seat, shared[0])
                    return
            elif i == k:
                self._leave(seat, door)
                return
            elif self.who[table[own[i]]] != seat:
                self._move(seat, own[i], table[own[i]])
                return
        shared = self._halves(seat, own, range(1, 7), own)
        counts = whole - k + len(found := self._counts(seat, table))
        if counts + len(shared):
            i = number % (counts + len(shared))
            if i < counts:
                self._one_of(seat, door, found, i)
            else:
                self._share(seat, shared[i - counts])

    # -- what can be ---------------------------------------------------------------------------------------------

    def _counts(self, seat: int, table: list[int]) -> list[tuple[int, int]]:
        """(place, where it comes down) for each pawn that can count so."""
        who = self.who
        return [(loc, x) for loc in self.plays[seat] if who[x := table[loc]] != seat]

    def _targets(self, seat: int) -> list[int]:
        """The outer squares on which the other seats stand."""
        return [x for other, places in enumerate(self.plays) if other != seat for x in places if x <= OUTER]

    def _halves(self, seat: int, firsts: Sequence[int], steps: Iterable[int], seconds: Sequence[int]) -> list[Halves]:
        """Every way that one of the first can go so many steps and then one of the second the rest of seven."""
        forth, slides, who = self.sides[seat].forth, self.sides[seat].slides, self.who
        found = []
        for a in steps:
            table, rest = forth[a], forth[7 - a]
            for first in firsts:
                x = table[first]
                if who[x] == seat:
                    continue
                slide = slides.get(x)
                for second in seconds:
                    if second == first:
                        continue
                    y = rest[second]
                    if slide is None:
                        free = (who[y] != seat or y == first) and (x != y or x == PLACE_HOME)
                    else:
                        end, swept = slide
                        free = second not in swept and y != end and (who[y] != seat or y == first or y in swept)
                    if free:
                        found.append((first, x, second, y))
        return found

    # -- what is done --------------------------------------------------------------------------------------------

    def _one_of(self, seat: int, door: int, found: list[tuple[int, int]], number: int) -> None:
        """One of these counts, or a pawn comes out of Start, or nothing where neither can be."""
        counts = len(found)
        ways = counts + 1 if self.waiting[seat] and self.who[door] != seat else counts
        if ways:
            i = number % ways
            if i < counts:
                self._move(seat, *found[i])
            else:
                self._leave(seat, door)

    def _leave(self, seat: int, door: int) -> None:
        """A pawn comes out of Start (R2)."""
        self.waiting[seat] -= 1
        self.come_down(seat, door)

    def _share(self, seat: int, halves: Halves) -> None:
        """Two pawns move, one after the other."""
        first, x, second, y = halves
        self._move(seat, first, x)
        self._move(seat, second, y)

    def _move(self, seat: int, loc: int, x: int) -> None:
        """The pawn on loc comes down on x."""
        own, who = self.plays[seat], self.who
        own.remove(loc)
        who[loc] = EMPTY
        if who[x] == EMPTY and x < PLACE_HOME and x not in self.sides[seat].slides:
            own.append(x)
            who[x] = seat
        else:
            self.come_down(seat, x)

    def _exchange(self, seat: int, loc: int, x: int) -> None:
        """The pawn on loc and whoever stands on x change places; the one that moved may slide (R12)."""
        other = self.who[x]
        theirs = self.plays[other]
        theirs[theirs.index(x)] = loc
        self.who[loc] = other
        self.plays[seat].remove(loc)
        self.who[x] = EMPTY
        self._stand(seat, x, slides=self._swap_slides)

    def come_down(self, seat: int, x: int) -> None:
        """A pawn of the seat that is nowhere yet comes down on x, bumps who is there and slides (R4, R5, R8)."""
        if self.who[x] != EMPTY:
            self._send_to_start(x)
        if x != PLACE_HOME:
            self._stand(seat, x, slides=True)

    def _stand(self, seat: int, x: int, *, slides: bool) -> None:
        """A pawn that is nowhere yet stands on x, which is free, or where the slide from there ends (R5, R7)."""
        if slides and x in self.sides[seat].slides:
            x, swept = self.sides[seat].slides[x]
            for square in swept:
                if self.who[square] != EMPTY:
                    self._send_to_start(square)
        self.plays[seat].append(x)
        self.who[x] = seat

    def _send_to_start(self, x: int) -> None:
        """Whoever stands on x goes to Start."""
        seat = self.who[x]
        self.plays[seat].remove(x)
        self.waiting[seat] += 1
        self.who[x] = EMPTY


def _place(seat: int, loc: int) -> int:
    """The place of a location of this seat."""
    if loc <= OUTER:
        return loc
    if loc < HOME:
        return loc + SAFE * seat
    return PLACE_HOME if loc == HOME else _NOWHERE + seat
