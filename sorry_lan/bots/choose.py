"""What a bot answers a card with: computed alike by every client from public state, integers only ([F-31], [F-32]).

Knows no table, no seat kinds and no time; the secret of the step is its only chance.
"""

from __future__ import annotations

from typing import Final

from sorry_lan.faults import LocalMisuse
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import choices
from sorry_lan.rules.moves import Move
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import Rules
from sorry_lan.wire.digest import pick

BOTS_VERSION: Final = 1
"""Raised with every change of any bot's choice: part of the engine digest, so that unlike bots never share a table."""


EASY: Final = 0
"""The level that takes any choice; 1..3 of the table document are kept for stronger bots."""
OFFERED: Final = frozenset((EASY,))
"""The levels that exist; a table with another one is refused when it is proposed."""


def choose(position: Position, rules: Rules, card: Card, level: int, secret: bytes) -> Move:
    """The bot's answer to `card` for the seat on turn; `secret` is the step's joint secret, 32 bytes.

    An easy bot takes any of its choices, each as likely ([F-31]). LocalMisuse for a level that is not OFFERED;
    GameOver after the end.
    """
    if level not in OFFERED:
        raise LocalMisuse(f"no bot of level {level}")
    answers = choices(position, rules, card)
    return answers[pick("bot", secret, len(answers))]
