"""The engine digest: one value that two clients share only if rules, draws and bots work alike in both ([F-32]).

Plays the corpus of games between bots; nothing of it is stored, and nothing else is compared.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sorry_lan.bots.choose import BOTS_VERSION, EASY, choose
from sorry_lan.fair.entry import head_start
from sorry_lan.fair.step import Applied, Standing, begin, cast_lot, computed_id, count, draw, opening, outcome
from sorry_lan.rules.board import Colour
from sorry_lan.rules.profile import Rules, variations
from sorry_lan.wire.codec import encode
from sorry_lan.wire.digest import sized, tagged_hash, u8, u32
from sorry_lan.wire.terms import PROTO

STEPS: Final = 120
"""Steps of each corpus game, step 0 among them; a game that is won ends earlier."""


@lru_cache(maxsize=1)
def engine_digest() -> bytes:
    """32 bytes, computed at the first call (27 games of four bots)."""
    heads = tuple(corpus_head(number, rules) for number, (_, rules) in enumerate(variations()))
    return tagged_hash("engine", sized(encode((PROTO, BOTS_VERSION, heads))))


def corpus_head(number: int, rules: Rules) -> bytes:
    """The last head of corpus game `number`, 32 bytes."""
    standing = opening(rules, tuple(Colour), head_start(tagged_hash("corpus", u8(number))))
    while standing.k < STEPS and standing.position.winner is None:
        standing = _bot_step(standing, rules, tagged_hash("corpus", u8(number), u32(standing.k))).after
    return standing.head


def _bot_step(standing: Standing, rules: Rules, secret: bytes) -> Applied:
    if standing.k == 0:
        return begin(standing, rules, secret, cast_lot(secret, None, len(standing.position.colours)))
    drawn = draw(standing, rules, secret)
    move = choose(standing.position, rules, drawn.card, EASY, secret)
    result = outcome(standing, rules, drawn, move)
    return count(standing, secret, drawn, result, computed_id(result))
