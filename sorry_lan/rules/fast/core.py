"""The moves of one table on flat values: one lookup where the readable surface looks at rules (R1-R18).

It trusts its input: actions must come from its own lists, cells from sound positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from sorry_lan.rules.board import EXIT, HOME, OUTER, START, Colour
from sorry_lan.rules.profile import ElevenPass, Rules, SorryForward, SwapSlide, TwoDrawsAgain
from sorry_lan.rules.tables import tables

Action = tuple[int, ...]
"""An action exactly as it travels: () | (1,p) | (2,p,n) | (3,p,n) | (4,p,a,q,b) | (5,p,seat,q) | (6,p,seat,q)."""

Cells = bytes
"""All pawns' locations in one string: pawn p (1..) of seat s stands at cells[s * pawns + p - 1]."""

Step = tuple[Cells, int, int]
"""(cells, seat that draws next, winner or NO_WINNER)."""

NO_WINNER: Final = -1
PASS: Final[Action] = ()
LEAVE, FORWARD, BACKWARD, SPLIT, SWAP, SORRY = range(1, 7)

_LEAVES: Final = tuple((LEAVE, p) for p in range(1, 5))
_FORWARDS: Final = tuple(tuple((FORWARD, p, n) for p in range(1, 5)) for n in range(14))
_BACKWARDS: Final = tuple(tuple((BACKWARD, p, n) for p in range(1, 5)) for n in range(14))


class Core:
    """All moves of one table: `rules` for seats of these `colours`, with `barred` as in Position.

    Get one from core(); it is never changed afterwards and may be shared.

    A whole random game is:

        cells, seat, winner = core.opening, first, NO_WINNER
        while winner < 0:
            card = draw()
            cells, seat, winner = core.step(cells, seat, card, pick(core.choices(cells, seat, card)))

    Attributes:
        rules: what it plays by.
        colours: the colour of each seat.
        barred: bit mask of the seats that cannot win.
        pawns: how many each seat has.
        seats: how many there are.
        opening: the cells before the first draw.
        distances: by seat and location the steps from there to Home; from Start one more than from the exit.
    """

    __slots__ = (
        "_back",
        "_decline_always",
        "_decline_without_forward",
        "_doors",
        "_exits",
        "_forth",
        "_home_row",
        "_may_split",
        "_next",
        "_slides",
        "_sorry_forward",
        "_sorry_slides",
        "_swap_slides",
        "_two_again",
        "_vetoes",
        "barred",
        "colours",
        "distances",
        "opening",
        "pawns",
        "rules",
        "seats",
    )

    def __init__(self, rules: Rules, colours: tuple[Colour, ...], barred: int) -> None:
        self.rules = rules
        self.pawns = rules.pawns
        self.seats = len(colours)
        self.barred = barred
        self.colours = colours
        self._home_row = bytes([HOME] * rules.pawns)
        self._next = tuple((seat + 1) % self.seats for seat in range(self.seats))
        self._decline_always = rules.eleven_pass is ElevenPass.ALWAYS
        self._decline_without_forward = rules.eleven_pass is ElevenPass.IF_NO_FORWARD
        self._sorry_forward = rules.sorry_forward
        self._may_split = rules.split_pawns == 2
        self._swap_slides = rules.swap_slide
        self._sorry_slides = rules.sorry_slide
        self._two_again = rules.two_draws_again
        by_seat = [tables(rules, colour) for colour in colours]
        self._forth = tuple(t.forth for t in by_seat)
        self._back = tuple(t.back for t in by_seat)
        self._exits = tuple(t.exits for t in by_seat)
        self._doors = tuple(
            tuple(x if card in rules.start_cards else START for card, x in enumerate(t.exits)) for t in by_seat
        )
        self._slides = tuple(t.slides for t in by_seat)
        self._vetoes = tuple(t.vetoes for t in by_seat)
        self.distances = tuple(t.distances for t in by_seat)
        out = rules.pawns_out
        self.opening: Cells = b"".join(
            bytes([EXIT[colour]] * out + [START] * (rules.pawns - out)) for colour in colours
        )

    # -- lists ---------------------------------------------------------------------------------------------------

    def legal(self, cells: Cells, seat: int, card: int) -> list[Action]:
        """Every legal action but declining, ascending by (length, values): the order of their bytes on the wire."""
        lo = seat * self.pawns
        own = cells[lo : lo + self.pawns]
        if card == 13:
            return self._sorry(cells, seat, own)
        found: list[Action] = []
        vetoes = self._vetoes[seat]
        door = self._doors[seat][card]  # R1; no location but START for a card that opens none
        if door and START in own and door not in own:
            found.append(_LEAVES[own.index(START)])
        if card != 4:
            actions = _FORWARDS[card]
            for p, x in enumerate(own.translate(self._forth[seat][card])):
                if x < HOME:  # R4, R6: an own pawn closes its square; R5, R7: some slides may not be taken
                    if x not in own and not (vetoes and x in vetoes and _vetoed(vetoes[x], own, p)):
                        found.append(actions[p])
                elif x == HOME:
                    found.append(actions[p])
            if card == 7 and self._may_split:
                found += self._splits(seat, own)
            elif card == 11:
                self._swaps(cells, seat, own, found)
        if card == 4 or card == 10:  # noqa: PLR1714 - twice the speed of a set in the hottest line
            steps = 4 if card == 4 else 1  # R10, R11
            actions = _BACKWARDS[steps]
            for p, x in enumerate(own.translate(self._back[seat][steps])):
                if x < HOME and x not in own and not (vetoes and x in vetoes and _vetoed(vetoes[x], own, p)):
                    found.append(actions[p])
        return found

    def choices(self, cells: Cells, seat: int, card: int) -> list[Action]:
        """What the seat may answer with: PASS first where nothing is legal or declining is allowed (R12, R18)."""
        found = self.legal(cells, seat, card)
        if not found or (card == 11 and self.may_decline(found)):
            found.insert(0, PASS)
        return found

    def may_decline(self, legal: list[Action]) -> bool:
        """Whether an 11 with these legal actions may be declined: only while there are some (R12)."""
        if self._decline_without_forward:
            return bool(legal) and legal[0][0] == SWAP  # leaving Start and forward sort before swaps
        return self._decline_always and bool(legal)

    def results(self, cells: Cells, seat: int, card: int) -> dict[Cells, list[Action]]:
        """The distinct results of the legal actions, each row sorted, with every action that leads to it."""
        found: dict[Cells, list[Action]] = {}
        for action in self.legal(cells, seat, card):
            after = self.sorted_rows(self.apply(cells, seat, card, action))
            found.setdefault(after, []).append(action)
        return found

    def sorted_rows(self, cells: Cells) -> Cells:
        """The same pawns with each seat's row ascending."""
        n = self.pawns
        return b"".join([bytes(sorted(cells[i : i + n])) for i in range(0, len(cells), n)])

    # -- moves ---------------------------------------------------------------------------------------------------

    def apply(self, cells: Cells, seat: int, card: int, action: Action) -> Cells:
        """The cells after a legal action (not PASS); turn and end are step()'s business."""
        b = bytearray(cells)
        kind = action[0]
        p = seat * self.pawns + action[1] - 1
        if kind < SPLIT:
            if kind == FORWARD:
                x = self._forth[seat][action[2]][b[p]]
            elif kind == BACKWARD:
                x = self._back[seat][action[2]][b[p]]
            else:
                x = self._exits[seat][card]
            self._land(b, seat, p, x)
        elif kind == SPLIT:  # R9
            forth = self._forth[seat]
            self._land(b, seat, p, forth[action[2]][b[p]])
            q = seat * self.pawns + action[3] - 1
            self._land(b, seat, q, forth[action[4]][b[q]])
        elif kind == SWAP:
            self._exchange(b, seat, p, action[2], action[3])
        else:  # R14
            t = action[2] * self.pawns + action[3] - 1
            b[p] = b[t]
            b[t] = START
            if self._sorry_slides:
                self._slide(b, seat, p)
        return bytes(b)

    def step(self, cells: Cells, seat: int, card: int, action: Action) -> Step:
        """What follows one of choices(); a winner keeps the turn (R16)."""
        return self.turned(self.apply(cells, seat, card, action) if action else cells, seat, card, action)

    def turned(self, cells: Cells, seat: int, card: int, action: Action) -> Step:
        """The cells that an action left, with the seat that draws next and the winner (R13, R16)."""
        if cells.startswith(self._home_row, seat * self.pawns) and action and not self.barred >> seat & 1:
            return cells, seat, seat
        following = seat if card == 2 and self.draws_again(action) else self._next[seat]
        if self.barred:
            following = self._skipping(cells, following)
        return cells, following, NO_WINNER

    def draws_again(self, action: Action) -> bool:
        """Whether a 2 answered with this action gives a further draw (R13)."""
        if self._two_again is TwoDrawsAgain.ALWAYS:
            return True
        return self._two_again is TwoDrawsAgain.IF_MOVED and bool(action)

    # -- for explanations ----------------------------------------------------------------------------------------

    def exit_of(self, seat: int, card: int) -> int:
        """Where a pawn that leaves Start with this card comes down (R2)."""
        return self._exits[seat][card]

    def slide_of(self, seat: int, loc: int) -> tuple[int, bytes] | None:
        """(end, squares swept) of the slide that a pawn of this seat takes from loc, or None (R5)."""
        return self._slides[seat].get(loc)

    def blocker(self, seat: int, own: bytes, pawn: int, loc: int) -> int:
        """The number of the first own pawn that makes a slide of `pawn` from loc illegal, or 0 (R5, R7)."""
        veto = self._vetoes[seat].get(loc, b"")
        return next((p for p, place in enumerate(own, 1) if p != pawn and place in veto), 0)

    # -- parts ---------------------------------------------------------------------------------------------------

    def _splits(self, seat: int, own: bytes) -> Iterator[Action]:
        """Every division of a 7 over two pawns, each half a whole move on the position that the first one left (R9)."""
        forth = self._forth[seat]
        vetoes = self._vetoes[seat]
        slides = self._slides[seat]
        movable = [p for p, loc in enumerate(own) if START < loc < HOME]
        if len(movable) < 2:
            return
        for p in movable:
            loc = own[p]
            for a in range(1, 7):
                x = forth[a][loc]
                if x > HOME or (x in own and x != HOME) or (x in vetoes and _vetoed(vetoes[x], own, p)):
                    continue
                after = bytearray(own)
                after[p] = x
                if x in slides:
                    _sweep(after, p, slides[x])
                table = forth[7 - a]
                for q in movable:
                    if q != p:
                        y = table[after[q]]
                        if y <= HOME and (y not in after or y == HOME):
                            if y in vetoes and _vetoed(vetoes[y], after, q):
                                continue
                            yield (SPLIT, p + 1, a, q + 1, 7 - a)

    def _swaps(self, cells: Cells, seat: int, own: bytes, found: list[Action]) -> None:
        """Every exchange of an own pawn on the track with an opponent's there (R12)."""
        vetoes = self._vetoes[seat] if self._swap_slides is not SwapSlide.NONE else _NO_VETOES
        targets = self._targets(cells, seat)
        for p, loc in enumerate(own):
            if START < loc <= OUTER:
                for other, q, x in targets:
                    if not (x in vetoes and _vetoed(vetoes[x], own, p)):
                        found.append((SWAP, p + 1, other, q))

    def _sorry(self, cells: Cells, seat: int, own: bytes) -> list[Action]:
        """Every use of Sorry!: replacing an opponent's pawn on the track, or forward 4 where that is in force (R14)."""
        found: list[Action] = []
        vetoes = self._vetoes[seat] if self._sorry_slides else _NO_VETOES
        p = own.find(START)
        if p >= 0:
            found += [
                (SORRY, p + 1, other, q)
                for other, q, x in self._targets(cells, seat)
                if not (x in vetoes and _vetoed(vetoes[x], own, p))
            ]
        mode = self._sorry_forward
        if mode is SorryForward.NO or (mode is SorryForward.FALLBACK and found):
            return found
        vetoes = self._vetoes[seat]
        steps: list[Action] = []
        for p, x in enumerate(own.translate(self._forth[seat][4])):
            if x <= HOME and (x not in own or x == HOME) and not (x in vetoes and _vetoed(vetoes[x], own, p)):
                steps.append(_FORWARDS[4][p])
        return steps + found  # a forward is shorter on the wire than a replacement

    def _targets(self, cells: Cells, seat: int) -> list[tuple[int, int, int]]:
        """(seat, pawn number, location) of every opponent's pawn on the track."""
        n = self.pawns
        lo = seat * n
        return [
            (i // n, i % n + 1, loc) for i, loc in enumerate(cells) if START < loc <= OUTER and not lo <= i < lo + n
        ]

    def _land(self, b: bytearray, seat: int, p: int, x: int) -> None:
        """Pawn p (an index into b) comes down on x: bumps who is there and slides (R4, R5, R7, R8)."""
        if x <= OUTER:
            i = b.find(x)
            if i >= 0:
                b[i] = START
            b[p] = x
            if x in self._slides[seat]:
                self._slide(b, seat, p)
        else:
            b[p] = x

    def _slide(self, b: bytearray, seat: int, p: int) -> None:
        """Pawn p, already standing where it came down, slides if that is a triangle for it (R5, R7)."""
        slide = self._slides[seat].get(b[p])
        if slide is not None:
            end, swept = slide
            for x in swept:
                i = b.find(x)
                if i >= 0:
                    b[i] = START
            b[p] = end

    def _exchange(self, b: bytearray, seat: int, p: int, other: int, q: int) -> None:
        """The exchange of an 11, then the slides that `swap_slide` allows (R12)."""
        t = other * self.pawns + q - 1
        x = b[p]
        b[p], b[t] = b[t], x
        if self._swap_slides is SwapSlide.NONE:
            return
        self._slide(b, seat, p)
        # The exchanged pawn may have been swept by that slide; where its own would be illegal it stays.
        if self._swap_slides is SwapSlide.BOTH and b[t] == x:
            lo = other * self.pawns
            vetoes = self._vetoes[other]
            if not (x in vetoes and _vetoed(vetoes[x], b[lo : lo + self.pawns], q - 1)):
                self._slide(b, other, t)

    def _skipping(self, cells: Cells, seat: int) -> int:
        """The seat, or the next one that is not a barred seat with every pawn Home."""
        for _ in range(self.seats):
            lo = seat * self.pawns
            if not self.barred >> seat & 1 or cells[lo : lo + self.pawns] != self._home_row:
                break
            seat = self._next[seat]
        return seat


@lru_cache(maxsize=256)
def core(rules: Rules, colours: tuple[Colour, ...], barred: int = 0) -> Core:
    """The core of a table; built once for each combination that is asked for."""
    return Core(rules, colours, barred)


def flatten(pawns: tuple[tuple[int, ...], ...]) -> Cells:
    """The cells of a position's rows."""
    return b"".join(map(bytes, pawns))


def rows(cells: Cells, pawns: int) -> tuple[tuple[int, ...], ...]:
    """The rows of cells with so many pawns a seat."""
    return tuple(tuple(cells[i : i + pawns]) for i in range(0, len(cells), pawns))


def _vetoed(veto: bytes, own: bytes | bytearray, mover: int) -> bool:
    """Whether an own pawn other than the mover stands where a slide may not find one."""
    return any(loc in veto for p, loc in enumerate(own) if p != mover)


def _sweep(own: bytearray, p: int, slide: tuple[int, bytes]) -> None:
    """Pawn p slides; its own fellows on the way go to Start."""
    end, swept = slide
    for q, loc in enumerate(own):
        if loc in swept:
            own[q] = START
    own[p] = end


_NO_VETOES: Final[dict[int, bytes]] = {}
