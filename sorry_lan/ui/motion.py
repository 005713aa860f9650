"""A card that turns over and pawns that walk, as frames with a length; and the film that plays them.

What is shown lags, what is known does not. Bots play as fast as the table goes; the film shows them one by one, and
leaves the oldest scenes out only where somebody waits for an answer from here.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from enum import Enum, unique
from typing import Final

from sorry_lan.rules.board import START
from sorry_lan.rules.cards import Card
from sorry_lan.rules.effects import Bumped, CameHome, Swapped, Swept
from sorry_lan.rules.position import Position
from sorry_lan.table.news import CardDrawn, Played
from sorry_lan.ui.board_picture import Spot, spot
from sorry_lan.ui.paths import passed
from sorry_lan.ui.taste import Pace
from sorry_lan.ui.texts_screen import caption_text, unused_text

MOVE_S: Final = 1.2
"""A move takes no longer."""
SEEN_S: Final = 0.8
"""What somebody else did stays in view at least so long (U38)."""
BACKLOG: Final = 24
"""Scenes that may wait while somebody here is asked, a card and a move being one each: no table waits for more."""
LONGEST: Final = 2000
"""Scenes that may wait while nobody is: a whole game between bots can be watched, however fast they were."""
_UNIT_S: Final = {Pace.NONE: 0.0, Pace.SLOW: 0.2, Pace.NORMAL: 0.11, Pace.FAST: 0.05}
_WEIGHT_OF_A_LOSS: Final = 3.0


@unique
class Face(Enum):
    """How far the card is turned."""

    DOWN = "down"
    EDGE = "edge"
    UP = "up"


@unique
class Whose(Enum):
    """Whether the scene is of somebody here who chose it, and so knows what was done."""

    OWN = "own"
    OTHERS = "others"


@dataclass(frozen=True, slots=True)
class Frame:
    """What the screen shows for `lasts_s` seconds.

    `k` is the step it belongs to; `mover` the pawn that walks, as (seat, pawn 1..4); `caption` names what happens;
    `trail` was passed so far.
    """

    k: int
    position: Position
    seat: int
    card: Card
    face: Face
    lasts_s: float
    mover: tuple[int, int] | None = None
    caption: str = ""
    trail: frozenset[Spot] = frozenset()


Scene = tuple[Frame, ...]


def turning(item: CardDrawn, position: Position, pace: Pace) -> Scene:
    """A card turns over; empty at Pace.NONE."""
    unit_s = _UNIT_S[pace]
    if not unit_s:
        return ()
    face_up = Frame(item.k, position, item.seat, item.card, Face.UP, 3 * unit_s)
    return (
        replace(face_up, face=Face.DOWN, lasts_s=1.5 * unit_s),
        replace(face_up, face=Face.EDGE, lasts_s=unit_s),
        face_up,
    )


def moving(item: Played, pace: Pace, whose: Whose) -> Scene:
    """A move step by step, at most MOVE_S; others' and unused cards stay for SEEN_S. Empty at Pace.NONE."""
    unit_s = _UNIT_S[pace]
    if not unit_s:
        return ()
    weighed = _steps(item)
    total = sum(weight for weight, _ in weighed)
    unit_s = min(unit_s, MOVE_S / total) if total else 0
    frames = [replace(frame, lasts_s=weight * unit_s) for weight, frame in weighed]
    seen_s = SEEN_S - sum(frame.lasts_s for frame in frames)
    if not frames:
        unused = Frame(item.k, item.after, item.seat, item.card, Face.UP, SEEN_S, caption=unused_text())
        return (unused,)
    if whose is Whose.OTHERS and seen_s > 0:
        frames.append(replace(frames[-1], mover=None, lasts_s=seen_s))
    return tuple(frames)


def _steps(item: Played) -> list[tuple[float, Frame]]:
    """A frame for every place a pawn is seen at, with its weight."""
    rows = [list(row) for row in item.before.pawns]
    frame = Frame(item.k, item.before, item.seat, item.card, Face.UP, 0.0)
    steps: list[tuple[float, Frame]] = []

    def show(weight: float) -> None:
        nonlocal frame
        frame = replace(frame, position=replace(item.before, pawns=tuple(map(tuple, rows))))
        steps.append((weight, frame))

    for effect in item.effects:
        frame = replace(frame, mover=(effect.seat, effect.pawn), caption=caption_text(effect, item.before))
        colour = item.before.colours[effect.seat]
        if isinstance(effect, Swapped):
            rows[effect.other_seat][effect.other_pawn - 1] = effect.source
        if isinstance(effect, Bumped | Swept):
            rows[effect.seat][effect.pawn - 1] = START
        for loc in passed(effect, colour):
            old = rows[effect.seat][effect.pawn - 1]
            rows[effect.seat][effect.pawn - 1] = loc
            frame = replace(frame, trail=frame.trail | {spot(colour, old), spot(colour, loc)})
            show(_WEIGHT_OF_A_LOSS if isinstance(effect, Swapped) else 1.0)
        if isinstance(effect, Bumped | Swept | CameHome):
            show(_WEIGHT_OF_A_LOSS)
    return steps


class Film:
    """Scenes that wait to be shown, the first of them running."""

    __slots__ = ("_began_s", "_scenes")

    def __init__(self) -> None:
        self._scenes: deque[Scene] = deque()
        self._began_s = 0.0

    def add(self, scene: Scene, now_s: float) -> None:
        """Show this scene after all others."""
        if not scene:
            return
        if self.at(now_s) is None:
            self._began_s = now_s
        self._scenes.append(scene)
        if len(self._scenes) > LONGEST:
            del self._scenes[1]  # what is running is shown to its end

    def hurry(self, now_s: float) -> None:
        """Leave out the oldest scenes if too many wait."""
        while len(self._scenes) > BACKLOG:
            self._scenes.popleft()
            self._began_s = now_s

    def skip(self) -> None:
        """Forget what still waits."""
        self._scenes.clear()

    def at(self, now_s: float) -> Frame | None:
        """The frame of this moment, None once all is shown."""
        running = self._running(now_s)
        return None if running is None else running[0]

    def next_s(self, now_s: float) -> float | None:
        """When the frame changes."""
        running = self._running(now_s)
        return None if running is None else running[1]

    def _running(self, now_s: float) -> tuple[Frame, float] | None:
        while self._scenes:
            ends_s = self._began_s
            for frame in self._scenes[0]:
                ends_s += frame.lasts_s
                if now_s < ends_s:
                    return frame, ends_s
            self._scenes.popleft()
            self._began_s = ends_s
        return None
