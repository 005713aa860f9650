"""The board as tables: outer squares, slides, safety zones and the one numbering of locations.

Only geometry (R19); which slides count for whom is a matter of the rules and lives in tables.py.
"""

from __future__ import annotations

from enum import IntEnum, unique
from typing import Final

START: Final = 0
HOME: Final = 66
OUTER: Final = 60
SAFE: Final = 5


@unique
class Colour(IntEnum):
    """The four colours in the order of play, clockwise (R17)."""

    RED = 0
    BLUE = 1
    YELLOW = 2
    GREEN = 3

    @property
    def label(self) -> str:
        """The colour's name in lower case."""
        return self.name.lower()

    @property
    def letter(self) -> str:
        """The first letter of the name, as notation uses it."""
        return self.label[0]


def parse_colour(text: str) -> Colour:
    """The colour of that name in lower case; ValueError names the four."""
    for colour in Colour:
        if colour.label == text:
            return colour
    raise ValueError(f"{_quoted(text)} is no colour; the colours are {', '.join(c.label for c in Colour)}.")


def track(n: int) -> int:
    """The location of outer square n (0..59, clockwise from the top left corner)."""
    if not 0 <= n < OUTER:
        raise ValueError(f"outer squares are 0..{OUTER - 1}, not {n}.")
    return 1 + n


def safe(i: int) -> int:
    """The location of safety square i (0..4, 0 beside the entry)."""
    if not 0 <= i < SAFE:
        raise ValueError(f"safety squares are 0..{SAFE - 1}, not {i}.")
    return 1 + OUTER + i


def is_outer(loc: int) -> bool:
    """Whether the location is one of the 60 outer squares."""
    return START < loc <= OUTER


def is_safe(loc: int) -> bool:
    """Whether the location is a square of the own safety zone."""
    return OUTER < loc < HOME


def in_play(loc: int) -> bool:
    """Whether a pawn there can be moved by counting: on the track or in its safety zone."""
    return START < loc < HOME


_SIDE: Final = 15  # squares from one corner to the next; everything else repeats per side

ENTRY: Final[tuple[int, ...]] = tuple(track(_SIDE * c + 2) for c in Colour)
"""Location of the square where each colour turns into its safety zone."""

EXIT: Final[tuple[int, ...]] = tuple(track(_SIDE * c + 4) for c in Colour)
"""Location where each colour's pawns leave Start."""

Slide = tuple[int, tuple[int, ...]]
"""A triangle's location, and the locations after it up to and including the slide's end."""


def _slide(first: int, last: int) -> Slide:
    return track(first), tuple(track(n) for n in range(first + 1, last + 1))


SLIDES: Final[tuple[tuple[Slide, Slide], ...]] = tuple(
    (_slide(_SIDE * c + 1, _SIDE * c + 4), _slide(_SIDE * c + 9, _SIDE * c + 13)) for c in Colour
)
"""The two slides of each colour; only the first of a colour runs across an entry, its own."""


def forward(colour: Colour, loc: int, steps: int) -> int | None:
    """Where a pawn in play stands after counting forward, before any slide; None past Home (R3)."""
    if is_safe(loc):
        target = loc + steps
        return target if target <= HOME else None
    before_entry = (ENTRY[colour] - loc) % OUTER
    if steps <= before_entry:
        return track((loc - 1 + steps) % OUTER)
    target = OUTER + steps - before_entry
    return target if target <= HOME else None


def backward(colour: Colour, loc: int, steps: int) -> int:
    """Where a pawn in play stands after counting backward, before any slide: never into a safety zone (R3)."""
    if is_safe(loc):
        if steps < loc - OUTER:
            return loc - steps
        return track((ENTRY[colour] - 1 - (steps - (loc - OUTER))) % OUTER)
    return track((loc - 1 - steps) % OUTER)


def to_home(colour: Colour, loc: int) -> int:
    """Steps from a location in play to Home."""
    if is_safe(loc):
        return HOME - loc
    return (ENTRY[colour] - loc) % OUTER + SAFE + 1


def loc_name(loc: int) -> str:
    """The location's name: "start", "sq:12", "safe:3" or "home"; ValueError outside 0..66."""
    if loc == START:
        return "start"
    if loc == HOME:
        return "home"
    if is_outer(loc):
        return f"sq:{loc - 1}"
    if is_safe(loc):
        return f"safe:{loc - 1 - OUTER}"
    raise ValueError(f"locations are {START}..{HOME}, not {loc}.")


_LOCS: Final = {loc_name(loc): loc for loc in range(START, HOME + 1)}


def parse_loc(text: str) -> int:
    """The location of that name; ValueError for anything else."""
    loc = _LOCS.get(text)
    if loc is None:
        raise ValueError(f"{_quoted(text)} is no place; places are start, sq:0 to sq:59, safe:0 to safe:4 and home.")
    return loc


def _quoted(text: str) -> str:
    """What was written, short enough for a sentence."""
    return ascii(text if len(text) <= 40 else text[:37] + "...")
