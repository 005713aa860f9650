"""What a bot answers a card with: computed alike by every client from public state, integers only ([F-31], [F-32]).

Knows no table, no seat kinds and no time; the secret of the step is its only chance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sorry_lan.bots import search, simple
from sorry_lan.bots.bench import Bench, bench
from sorry_lan.bots.levels import LEVELS
from sorry_lan.faults import LocalMisuse
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import GameOver
from sorry_lan.rules.fast import Action, Cells, flatten
from sorry_lan.rules.moves import Move, from_action
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import Rules

BOTS_VERSION: Final = 3
"""Raised with every change of any bot's choice: part of the engine digest, so that unlike bots never share a table."""

EASY: Final = 0
"""The level of every stand-in."""
OFFERED: Final = frozenset(range(len(LEVELS)))
"""The levels that exist; a table with another one is refused when it is proposed."""

Thinker = Callable[[Bench, Cells, int, int, bytes], Action]
"""The action for cells, the seat on turn, a card and a secret; trusts its input."""

THINKERS: Final[tuple[Thinker, ...]] = (
    simple.easy,
    simple.medium,
    search.hard,
    search.expert,
)
"""By level."""


def choose(position: Position, rules: Rules, card: Card, level: int, secret: bytes) -> Move:
    """The bot's answer to `card` for the seat on turn; `secret` is the step's joint secret, 32 bytes.

    LocalMisuse for a level that is not OFFERED; GameOver after the end.
    """
    if level not in OFFERED:
        raise LocalMisuse(f"no bot of level {level}")
    if position.winner is not None:
        raise GameOver("The game is over.")
    table = bench(rules, position.colours, position.barred)
    return from_action(THINKERS[level](table, flatten(position.pawns), position.turn, card, secret))
