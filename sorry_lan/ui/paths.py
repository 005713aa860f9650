"""The squares that a moving pawn passes, one after another, as people would move it with a finger (R3, R5-R7)."""

from __future__ import annotations

from sorry_lan.rules.board import OUTER, Colour, backward, forward, is_outer
from sorry_lan.rules.effects import Bumped, CameHome, Effect, LeftStart, Moved, Slid, Swapped, Swept
from sorry_lan.rules.position import Position
from sorry_lan.ui.board_picture import Spot, spot

_LONGEST = 12
_SLIDE = 5


def passed(effect: Effect, colour: Colour) -> tuple[int, ...]:
    """The locations where the pawn of `colour` is shown during the event, the last one its end; none if sent back."""
    match effect:
        case LeftStart(square=square):
            return (square,)
        case Moved(source=source, target=target):
            return _counted(colour, source, target)
        case Slid(source=source, target=target):
            return _slid(colour, source, target)
        case Swapped(target=target):
            return (target,)
        case Bumped() | Swept() | CameHome():
            return ()


def trail_of(effects: tuple[Effect, ...], position: Position) -> frozenset[Spot]:
    """Every spot that these events passed, their beginnings included."""
    spots: set[Spot] = set()
    for effect in effects:
        colour = position.colours[effect.seat]
        spots |= {spot(colour, loc) for loc in passed(effect, colour)}
        if isinstance(effect, Moved | Slid | Swapped):
            spots.add(spot(colour, effect.source))
    return frozenset(spots)


def bumped_by(effects: tuple[Effect, ...]) -> tuple[tuple[int, int], ...]:
    """(seat, pawn 1..4) of every pawn that was sent to Start."""
    return tuple((effect.seat, effect.pawn) for effect in effects if isinstance(effect, Bumped | Swept))


def _counted(colour: Colour, source: int, target: int) -> tuple[int, ...]:
    for step in (forward, backward):
        way: list[int] = []
        for n in range(1, _LONGEST + 1):
            loc = step(colour, source, n)
            if loc is None:
                break
            way.append(loc)
            if loc == target:
                return tuple(way)
    return (target,)


def _slid(colour: Colour, source: int, target: int) -> tuple[int, ...]:
    """A slide runs along the track; where it ends in the own safety zone, along the way to it."""
    if is_outer(target):
        return tuple(1 + (source - 1 + n) % OUTER for n in range(1, (target - source) % OUTER + 1))
    way = [loc for n in range(1, _SLIDE + 1) if (loc := forward(colour, source, n)) is not None]
    return tuple(way[: way.index(target) + 1]) if target in way else (target,)
