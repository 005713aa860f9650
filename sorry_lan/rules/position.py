"""The frozen picture of a game between two draws: where every pawn is and whose turn it is.

It holds no cards; whether a position obeys the rules is asked with problems(), not enforced here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sorry_lan.rules.board import EXIT, HOME, START, Colour, is_outer, is_safe, loc_name
from sorry_lan.rules.profile import Rules


@dataclass(frozen=True, slots=True)
class Position:
    """Where all pawns are.

    Attributes:
        colours: the colour of each seat, ascending.
        pawns: pawns[seat][number - 1] is a location 0..66.
        turn: the seat that draws next; after a win the winner.
        winner: the seat that has won, or None.
        barred: bit mask of the seats that can neither win nor end the game; one of them with all pawns Home is skipped.
    """

    colours: tuple[Colour, ...]
    pawns: tuple[tuple[int, ...], ...]
    turn: int
    winner: int | None = None
    barred: int = 0


def setup(rules: Rules, colours: Sequence[Colour], first: int) -> Position:
    """The opening position; `first` is the seat that begins (R17).

    ValueError unless there are 2-4 different colours, ascending, and `first` is one of the seats.
    """
    waiting = (START,) * (rules.pawns - rules.pawns_out)
    pawns = tuple((EXIT[colour],) * rules.pawns_out + waiting for colour in colours)
    position = Position(tuple(colours), pawns, first)
    found = problems(position, rules)
    if found:
        raise ValueError(found[0])
    return position


def problems(position: Position, rules: Rules) -> tuple[str, ...]:
    """One sentence for each broken invariant of a position; empty when it is sound."""
    seats = len(position.colours)
    found = [*_seat_problems(position)]
    if len(position.pawns) != seats:
        return (*found, f"There are {len(position.pawns)} rows of pawns for {seats} players.")
    for colour, row in zip(position.colours, position.pawns, strict=True):
        found += _row_problems(colour, row, rules)
    outer = Counter(loc for row in position.pawns for loc in row if is_outer(loc))
    found += [f"{count} pawns stand on {loc_name(loc)}." for loc, count in sorted(outer.items()) if count > 1]
    if not found:
        found += _end_problems(position)
    return tuple(found)


def canonical(position: Position) -> Position:
    """The same position with each row sorted: equal results compare equal whatever the pawns' numbers."""
    return replace(position, pawns=tuple(tuple(sorted(row)) for row in position.pawns))


def _seat_problems(position: Position) -> list[str]:
    seats = len(position.colours)
    found = []
    if not 2 <= seats <= len(Colour):
        found.append(f"A game has 2 to 4 players, not {seats}.")
    if any(a >= b for a, b in zip(position.colours, position.colours[1:], strict=False)):
        found.append("Colours are all different and in the order red, blue, yellow, green.")
    if not 0 <= position.turn < seats:
        found.append(f"The turn belongs to seat {position.turn}, but the seats are 0 to {seats - 1}.")
    if not 0 <= position.barred < 1 << seats:
        found.append("A seat is barred that nobody has.")
    return found


def _row_problems(colour: Colour, row: Sequence[int], rules: Rules) -> list[str]:
    found = []
    if len(row) != rules.pawns:
        found.append(f"{colour.label} has {len(row)} pawns instead of {rules.pawns}.")
    outside = [loc for loc in row if not START <= loc <= HOME]
    found += [f"{colour.label} has a pawn at {loc}, but places are {START} to {HOME}." for loc in outside]
    zone = Counter(loc for loc in row if is_safe(loc))
    doubled = [(loc_name(loc), count) for loc, count in sorted(zone.items()) if count > 1]
    found += [f"{count} pawns of {colour.label} stand on {name}." for name, count in doubled]
    return found


def _end_problems(position: Position) -> list[str]:
    barred = [bool(position.barred >> seat & 1) for seat in range(len(position.colours))]
    finished = [seat for seat, row in enumerate(position.pawns) if all(loc == HOME for loc in row)]
    arrived = [seat for seat in finished if not barred[seat]]
    if all(barred):
        return ["Every seat is barred, so nobody can win."]
    if position.winner is None:
        if arrived:
            return [f"{position.colours[arrived[0]].label} has every pawn Home, but the game goes on."]
        if position.turn in finished:
            return [f"It is the turn of {position.colours[position.turn].label}, which has every pawn Home."]
        return []
    if arrived != [position.winner]:
        return ["The winner is not the one player with every pawn Home."]
    if position.turn != position.winner:
        return ["After the end the turn stays with the winner."]
    return []
