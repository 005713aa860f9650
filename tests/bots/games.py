"""Questions of whole games between hard bots, for tests that want positions as people meet them."""

from __future__ import annotations

from collections.abc import Iterator

from sorry_lan.bots.choose import choose
from sorry_lan.rules.board import Colour
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import choices, play
from sorry_lan.rules.position import Position, setup
from sorry_lan.rules.profile import Rules
from sorry_lan.wire.digest import pick, tagged_hash, u32

Question = tuple[Position, Card, bytes]


def questions(rules: Rules, seats: int, seed: int, level: int = 2) -> Iterator[Question]:
    """Every position of one game at which its seat has a choice, the card, and the secret of the step."""
    position = setup(rules, tuple(Colour)[:seats], 0)
    for k in range(2000):
        secret = tagged_hash("game", u32(seed), u32(k))
        card = tuple(Card)[pick("card", secret, len(Card))]
        if len(choices(position, rules, card)) > 1:
            yield position, card, secret
        position = play(position, rules, card, choose(position, rules, card, level, secret))
        if position.winner is not None:
            return
