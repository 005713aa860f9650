"""The engine on flat values, for whoever plays many positions: bots, simulators, verifiers and the surface itself.

core.py has the moves of a table, position by position; outcomes.py all distinct ends of a card, for searches;
playouts.py whole random games.
"""

from sorry_lan.rules.fast.core import (
    BACKWARD,
    FORWARD,
    LEAVE,
    NO_WINNER,
    PASS,
    SORRY,
    SPLIT,
    SWAP,
    Action,
    Cells,
    Core,
    Step,
    core,
    flatten,
    rows,
)
from sorry_lan.rules.fast.outcomes import Outcome, Outcomes
from sorry_lan.rules.fast.playouts import NUMBERS, Playouts

__all__ = [
    "BACKWARD",
    "FORWARD",
    "LEAVE",
    "NO_WINNER",
    "NUMBERS",
    "PASS",
    "SORRY",
    "SPLIT",
    "SWAP",
    "Action",
    "Cells",
    "Core",
    "Outcome",
    "Outcomes",
    "Playouts",
    "Step",
    "core",
    "flatten",
    "rows",
]
