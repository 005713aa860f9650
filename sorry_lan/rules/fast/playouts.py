"""Whole random games, for simulators and for bots that try out what a position is worth.

A turn is one of Core.choices(), each as likely; its effect is that of Core.step().
But nothing is listed that is not played: a pawn is tried, and another one where that cannot move.
The board is lists that change in place, with a word at every square who stands there.
So a turn costs a fourth of choosing from a list and playing it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sorry_lan.rules.board import HOME, OUTER, SAFE, START
from sorry_lan.rules.fast.core import NO_WINNER, Cells, Core
from sorry_lan.rules.profile import ElevenPass, SorryForward, SwapSlide, TwoDrawsAgain
from sorry_lan.rules.tables import NOWHERE, Tables, tables

NUMBERS: Final = 1 << 32
"""Random numbers are uniform below this: then no card or choice is favoured by more than one part in a thousand."""

# Places on the common board: 1..60 as everywhere, then five safe squares for each seat, Home, and a nowhere for each
# seat. Where somebody stands there is his seat; a nowhere is always its seat's own, as if blocked by an own pawn.
_HOME: Final = OUTER + 4 * SAFE + 1
_NOWHERE: Final = _HOME + 1
_PLACES: Final = _NOWHERE + 4
_EMPTY: Final = -1
_CARE: Final = 128
"""Added to a place in the tables of the loop where coming down is more than standing there."""

_COUNTS: Final = (1, 2, 3, 4, 5, 8, 12)
"""The cards that only count one pawn; for the others there are methods."""

Halves = tuple[int, int, int, int]
"""A 7 shared by two pawns: (place of the first, where it comes down, place of the second, where that comes down)."""

End = tuple[Cells, int, int, int]
"""(cells with every row sorted, seat that draws next, winner or NO_WINNER, turns played)."""


class Playouts:
    """Random games at the table of a core."""

    __slots__ = ("_core", "_plans", "_sides", "_slow")

    def __init__(self, core: Core) -> None:
        self._core = core
        own = [tables(core.rules, colour) for colour in core.colours]
        self._sides = [_Side(core, seat, own[seat]) for seat in range(core.seats)]
        # What is rare is played by the core itself: forbidden slides, exchanged pawns that slide, stand-ins.
        self._slow = bool(any(each.vetoes for each in own) or core.rules.swap_slide is SwapSlide.BOTH or core.barred)

    def run(self, cells: Cells, seat: int, pile: list[int], left: int, numbers: Iterable[int]) -> End:
        """Play on until somebody has won or the numbers end, one number a turn, each uniform below NUMBERS.

        `pile` has the card codes of the whole deck, the first `left` of them not yet drawn; it is shuffled in place.
        Every card that is left is as likely; after the last one all are in the pile again (R15).
        """
        if self._slow:
            return self._run_slowly(cells, seat, pile, left, numbers)
        board = _Board(self._core, self._sides, cells)
        return board.run(seat, pile, left, numbers)

    def _run_slowly(self, cells: Cells, seat: int, pile: list[int], left: int, numbers: Iterable[int]) -> End:
        """The same with nothing but the core."""
        core = self._core
        to_come, winner = left, NO_WINNER
        for number in numbers:
            if not left:
                left = len(pile)
                to_come += left
            choice, i = divmod(number, left)
            left -= 1
            card = pile[i]
            pile[i], pile[left] = pile[left], card
            answers = core.choices(cells, seat, card)
            cells, seat, winner = core.step(cells, seat, card, answers[choice % len(answers)])
            if winner != NO_WINNER:
                break
        return core.sorted_rows(cells), seat, winner, to_come - left


class _Side:
    """What one seat's pawns do by themselves, with places of the common board.

    Attributes:
        forth: by steps and place where a forward count comes down.
        back: by steps and place where a backward count comes down.
        doors: by card where a pawn comes out of Start, or the seat's nowhere.
        plans: by card of _COUNTS (where a count comes down, with _CARE; the door); None for the other cards.
        slides: by triangle (end, squares swept).
    """

    __slots__ = ("back", "doors", "forth", "plans", "slides")

    def __init__(self, core: Core, seat: int, own: Tables) -> None:
        def place(loc: int) -> int:
            return _place(seat, loc)

        def moved(table: bytes) -> list[int]:
            ends = [_NOWHERE + seat] * _PLACES
            for loc in range(START + 1, HOME):
                ends[place(loc)] = place(table[loc])
            return ends

        self.forth = [moved(table) for table in own.forth]
        self.back = [moved(table) for table in own.back]
        starters = core.rules.start_cards
        self.doors = [place(exit_ if card in starters else NOWHERE) for card, exit_ in enumerate(own.exits)]
        self.slides = {loc: (place(end), tuple(swept)) for loc, (end, swept) in own.slides.items()}
        self.plans: list[tuple[list[int], int] | None] = [None] * 14
        for card in _COUNTS:
            table = self.back[4] if card == 4 else self.forth[card]
            careful = [x + _CARE if x >= _HOME or x in self.slides else x for x in table]
            self.plans[card] = careful, self.doors[card]


class _Board:
    """One game under way.

    Attributes:
        sides: by seat the tables.
        plays: by seat the places of the pawns in play, in any order.
        waiting: by seat how many pawns are in Start.
        who: by place the seat of who stands there, or _EMPTY.
    """

    __slots__ = ("_core", "plays", "sides", "waiting", "who")

    def __init__(self, core: Core, sides: list[_Side], cells: Cells) -> None:
        self._core = core
        self.sides = sides
        self.who = [_EMPTY] * _NOWHERE + [0, 1, 2, 3]
        self.plays: list[list[int]] = []
        self.waiting: list[int] = []
        n = core.pawns
        for seat in range(core.seats):
            row = cells[seat * n : seat * n + n]
            places = [_place(seat, loc) for loc in row if START < loc < HOME]
            for x in places:
                self.who[x] = seat
            self.plays.append(places)
            self.waiting.append(row.count(START))

    def cells(self) -> Cells:
        """The position as a core has it, every row sorted."""
        n = self._core.pawns
        rows = []
        for seat, (places, waiting) in enumerate(zip(self.plays, self.waiting, strict=True)):
            locs = sorted(x if x <= OUTER else x - SAFE * seat for x in places)
            rows.append(bytes([*[START] * waiting, *locs]).ljust(n, bytes([HOME])))
        return b"".join(rows)

    def run(self, seat: int, pile: list[int], left: int, numbers: Iterable[int]) -> End:  # noqa: C901, PLR0915
        """The loop of Playouts.run(), in one piece because a call costs a good part of a turn."""
        who, plays, waiting = self.who, self.plays, self.waiting
        following = [*range(1, len(plays)), 0]
        sides = [(own, side.plans) for own, side in zip(plays, self.sides, strict=True)]
        again = self._core.rules.two_draws_again
        moved_keeps = 0 if again is TwoDrawsAgain.NEVER else 2  # the card after which the same seat draws once more
        idle_keeps = 2 if again is TwoDrawsAgain.ALWAYS else 0
        specials = {7: self._seven, 10: self._ten, 11: self._eleven, 13: self._sorry}
        full = len(pile)
        to_come = left
        winner = NO_WINNER
        for number in numbers:
            if not left:
                left = full
                to_come += full
            i = number % left
            number //= left  # noqa: PLW2901 - the digits of the number are used up one after the other
            left -= 1
            card = pile[i]
            pile[i] = pile[left]
            pile[left] = card
            own, plans = sides[seat]
            plan = plans[card]
            if plan is None:
                specials[card](seat, number)
                if not own and not waiting[seat]:
                    winner = seat
                    break
                seat = following[seat]
                continue
            table, door = plan
            untried = len(own)
            ways = untried + 1 if waiting[seat] and who[door] != seat else untried
            while ways:
                i = number % ways
                if i == untried:
                    w = who[door]
                    if w >= 0:
                        plays[w].remove(door)
                        waiting[w] += 1
                    waiting[seat] -= 1
                    own.append(door)
                    who[door] = seat
                    break
                loc = own[i]
                x = table[loc]
                if x < _CARE:
                    w = who[x]
                    if w != seat:
                        if w >= 0:
                            plays[w].remove(x)
                            waiting[w] += 1
                        own[i] = x
                        who[loc] = _EMPTY
                        who[x] = seat
                        break
                elif who[x - _CARE] != seat:
                    own[i] = own[-1]
                    own.pop()
                    who[loc] = _EMPTY
                    self._come_down(seat, x - _CARE)
                    break
                # It cannot: another one of those that are left, each as likely.
                number //= ways  # noqa: PLW2901
                ways -= 1
                untried -= 1
                own[i] = own[untried]
                own[untried] = loc
            else:
                if card != idle_keeps:
                    seat = following[seat]
                continue
            if not own and not waiting[seat]:
                winner = seat
                break
            if card != moved_keeps:
                seat = following[seat]
        return self.cells(), seat, winner, to_come - left

    # -- the cards that are more than one count ------------------------------------------------------------------

    def _ten(self, seat: int, number: int) -> None:
        """R11: forward 10 or backward 1."""
        side = self.sides[seat]
        found = self._counts(seat, side.forth[10]) + self._counts(seat, side.back[1])
        ways = len(found) + self._opens(seat, 10)
        if ways:
            self._take(seat, 10, found, number % ways)

    def _eleven(self, seat: int, number: int) -> None:
        """R12: forward 11, or an exchange of two pawns on the track, or nothing where that is allowed."""
        found = self._counts(seat, self.sides[seat].forth[11])
        counts = len(found) + self._opens(seat, 11)
        movers = [loc for loc in self.plays[seat] if loc <= OUTER]
        targets = self._squares(seat) if movers else movers
        ways = counts + len(movers) * len(targets)
        if not ways:
            return
        passing = self._core.rules.eleven_pass
        i = number % (ways + (passing is ElevenPass.ALWAYS or (passing is ElevenPass.IF_NO_FORWARD and not counts)))
        if i < counts:
            self._take(seat, 11, found, i)
        elif i < ways:
            mover, target = divmod(i - counts, len(targets))
            self._exchange(seat, movers[mover], targets[target])

    def _sorry(self, seat: int, number: int) -> None:
        """R14: a pawn from Start to where an opponent stands, or forward 4 where that is in force."""
        rules = self._core.rules
        targets = self._squares(seat) if self.waiting[seat] else []
        forward = rules.sorry_forward is SorryForward.CHOICE or (rules.sorry_forward and not targets)
        found = self._counts(seat, self.sides[seat].forth[4]) if forward else []
        ways = len(found) + len(targets)
        if not ways:
            return
        i = number % ways
        if i < len(found):
            self._take(seat, 13, found, i)
            return
        x = targets[i - len(found)]
        self.waiting[seat] -= 1
        self._send_to_start(x)
        self._stand(seat, x, slides=rules.sorry_slide)

    def _seven(self, seat: int, number: int) -> None:
        """R9: forward 7, or two pawns share it; out of Start where the 7 does that (R1)."""
        own = self.plays[seat]
        k = len(own)
        if k < 2 or self._core.rules.split_pawns == 1:
            found = self._counts(seat, self.sides[seat].forth[7])
            ways = len(found) + self._opens(seat, 7)
            if ways:
                self._take(seat, 7, found, number % ways)
            return
        # Trying one of all ways that could be is fair, if one that cannot be leaves all others as likely as before.
        whole = k + self._opens(seat, 7)
        ways = whole + 6 * k * (k - 1)
        for _ in range(2):
            number, i = divmod(number, ways)
            if i < whole:
                found = [(loc, self.sides[seat].forth[7][loc]) for loc in own]
                if i == k or self.who[found[i][1]] != seat:
                    self._take(seat, 7, found, i)
                    return
                continue
            i, a = divmod(i - whole, 6)
            first, second = divmod(i, k - 1)
            halves = self._halves(seat, own[first], a + 1, own[second + (second >= first)])
            if halves:
                self._share(seat, halves)
                return
        found = self._counts(seat, self.sides[seat].forth[7])
        whole = len(found) + self._opens(seat, 7)
        every = (
            self._halves(seat, first, a, second)
            for first in own
            for second in own
            if first != second
            for a in range(1, 7)
        )
        shared = [halves for halves in every if halves]
        ways = whole + len(shared)
        if ways:
            i = number % ways
            if i < whole:
                self._take(seat, 7, found, i)
            else:
                self._share(seat, shared[i - whole])

    def _halves(self, seat: int, first: int, a: int, second: int) -> Halves | None:
        """Both counts, where the pawn on `first` can go a steps and then the one on `second` the rest."""
        side, who = self.sides[seat], self.who
        x, y = side.forth[a][first], side.forth[7 - a][second]
        if who[x] == seat:
            return None
        slide = side.slides.get(x)
        if slide is None:
            free = (who[y] != seat or y == first) and (x != y or x == _HOME)
        else:
            end, swept = slide
            free = second not in swept and y != end and (who[y] != seat or y == first or y in swept)
        return (first, x, second, y) if free else None

    def _share(self, seat: int, halves: Halves) -> None:
        """Two pawns move, one after the other."""
        first, x, second, y = halves
        self._move(seat, first, x)
        self._move(seat, second, y)

    # -- parts ---------------------------------------------------------------------------------------------------

    def _counts(self, seat: int, table: list[int]) -> list[tuple[int, int]]:
        """(place, where it comes down) for each pawn that can count so."""
        who = self.who
        return [(loc, x) for loc in self.plays[seat] if who[x := table[loc]] != seat]

    def _opens(self, seat: int, card: int) -> bool:
        """Whether a pawn can come out of Start with this card."""
        return self.waiting[seat] > 0 and self.who[self.sides[seat].doors[card]] != seat

    def _squares(self, seat: int) -> list[int]:
        """The outer squares on which the other seats stand."""
        return [x for other, places in enumerate(self.plays) if other != seat for x in places if x <= OUTER]

    def _take(self, seat: int, card: int, found: list[tuple[int, int]], i: int) -> None:
        """The i-th of these counts, or after the last one a pawn comes out of Start."""
        if i < len(found):
            self._move(seat, *found[i])
        else:
            self.waiting[seat] -= 1
            self._come_down(seat, self.sides[seat].doors[card])

    def _move(self, seat: int, loc: int, x: int) -> None:
        """The pawn on loc comes down on x."""
        self.plays[seat].remove(loc)
        self.who[loc] = _EMPTY
        self._come_down(seat, x)

    def _exchange(self, seat: int, loc: int, x: int) -> None:
        """The pawn on loc and whoever stands on x change places."""
        other = self.who[x]
        theirs = self.plays[other]
        theirs[theirs.index(x)] = loc
        self.who[loc] = other
        self.plays[seat].remove(loc)
        self.who[x] = _EMPTY
        self._stand(seat, x, slides=self._core.rules.swap_slide is not SwapSlide.NONE)

    def _come_down(self, seat: int, x: int) -> None:
        """A pawn that is nowhere yet comes down on x and bumps who is there (R4, R5, R8)."""
        if self.who[x] != _EMPTY:
            self._send_to_start(x)
        if x != _HOME:
            self._stand(seat, x, slides=True)

    def _stand(self, seat: int, x: int, *, slides: bool) -> None:
        """A pawn that is nowhere yet stands on x, which is free, or where the slide from there ends (R5, R7)."""
        slide = self.sides[seat].slides.get(x) if slides else None
        if slide is not None:
            x, swept = slide
            for square in swept:
                if self.who[square] != _EMPTY:
                    self._send_to_start(square)
        self.plays[seat].append(x)
        self.who[x] = seat

    def _send_to_start(self, x: int) -> None:
        """Whoever stands on x goes to Start."""
        seat = self.who[x]
        self.plays[seat].remove(x)
        self.waiting[seat] += 1
        self.who[x] = _EMPTY


def _place(seat: int, loc: int) -> int:
    """The place on the common board of a location of this seat."""
    if loc <= OUTER:
        return loc
    if loc < HOME:
        return loc + SAFE * seat
    return _HOME if loc == HOME else _NOWHERE + seat
