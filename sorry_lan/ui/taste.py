"""How a person likes the full-screen client: signs, confirmation, pace of the animation, bell, board, mouse.

Values only. Drawing cards by itself is the table's (Auto.DRAW), not a matter of the screen.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.full_screen import Mouse


@unique
class Confirm(Enum):
    """When Enter on a previewed choice asks once more before it plays (U42)."""

    ALWAYS = "always"
    RISKY = "risky"
    NEVER = "never"


@unique
class Pace(Enum):
    """How fast cards and pawns move on the screen; with NONE they are simply there."""

    NONE = "none"
    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"


@unique
class Bell(Enum):
    """Whether the own turn rings (U47)."""

    ON = "on"
    OFF = "off"


@unique
class Turned(Enum):
    """Which side of the board is at the bottom: as printed (red at the top), or the own one."""

    AS_PRINTED = "as-printed"
    OWN_BELOW = "own-below"


@dataclass(frozen=True, slots=True)
class Taste:
    """What a person chose; the defaults are those of the commands."""

    signs: Signs = Signs.UNICODE
    confirm: Confirm = Confirm.RISKY
    pace: Pace = Pace.NORMAL
    bell: Bell = Bell.ON
    board: Turned = Turned.AS_PRINTED
    mouse: Mouse = Mouse.ON
