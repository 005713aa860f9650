"""Whole random games, for simulators and for bots that try out what a position is worth.

A turn is one of Core.choices(), each as likely; its effect is that of Core.step().
But nothing is listed that is not played: a pawn is tried, and another one where that cannot move.
The board is lists that change in place, with a word at every square who stands there.
So a turn costs about a third of choosing from a list and playing it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sorry_lan.rules.fast.core import NO_WINNER, Cells, Core
from sorry_lan.rules.fast.field import CARE, EMPTY, Field, Side
from sorry_lan.rules.profile import SwapSlide, TwoDrawsAgain
from sorry_lan.rules.tables import tables

NUMBERS: Final = 1 << 32
"""Random numbers are uniform below this: then no card or choice is favoured by more than one part in a thousand."""

End = tuple[Cells, int, int, int]
"""(cells with every row sorted, seat that draws next, winner or NO_WINNER, turns played)."""


class Playouts:
    """Random games at the table of a core."""

    __slots__ = ("_core", "_sides", "_slow")

    def __init__(self, core: Core) -> None:
        self._core = core
        own = [tables(core.rules, colour) for colour in core.colours]
        self._sides = [Side(core, seat, own[seat]) for seat in range(core.seats)]
        # What is rare is played by the core itself: forbidden slides, exchanged pawns that slide, stand-ins.
        self._slow = bool(any(each.vetoes for each in own) or core.rules.swap_slide is SwapSlide.BOTH or core.barred)

    def run(self, cells: Cells, seat: int, pile: list[int], left: int, numbers: Iterable[int]) -> End:
        """Play on until somebody has won or the numbers end, one number a turn, each uniform below NUMBERS.

        `pile` has the card codes of the whole deck, the first `left` of them not yet drawn; it is shuffled in place.
        Every card that is left is as likely; after the last one all are in the pile again (R15).
        """
        if self._slow:
            return self._run_slowly(cells, seat, pile, left, numbers)
        field = Field(self._core, self._sides, cells)
        return _run(field, self._core.rules.two_draws_again, seat, pile, left, numbers)

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


def _run(  # noqa: C901, PLR0915, PLR0917
    field: Field, again: TwoDrawsAgain, seat: int, pile: list[int], left: int, numbers: Iterable[int]
) -> End:
    """The loop of Playouts.run(), in one piece because a call costs a good part of a turn."""
    who, plays, waiting = field.who, field.plays, field.waiting
    following = [*range(1, len(plays)), 0]
    sides = [(own, side.plans) for own, side in zip(plays, field.sides, strict=True)]
    moved_keeps = 0 if again is TwoDrawsAgain.NEVER else 2  # the card after which the same seat draws once more
    idle_keeps = 2 if again is TwoDrawsAgain.ALWAYS else 0
    specials = {7: field.seven, 10: field.ten, 11: field.eleven, 13: field.sorry}
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
            if x < CARE:
                w = who[x]
                if w != seat:
                    if w >= 0:
                        plays[w].remove(x)
                        waiting[w] += 1
                    own[i] = x
                    who[loc] = EMPTY
                    who[x] = seat
                    break
            elif who[x - CARE] != seat:
                own[i] = own[-1]
                own.pop()
                who[loc] = EMPTY
                field.come_down(seat, x - CARE)
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
    return field.cells(), seat, winner, to_come - left
