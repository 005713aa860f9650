"""Whether a table that let us back in came to nothing: all others took their consents back and played on.

They follow it no more once their game has moved ([T-39]), so nobody but us will ever sign anything there.
"""

from __future__ import annotations

from sorry_lan.table.agreement import client_keys
from sorry_lan.table.desk import known
from sorry_lan.table.play import Game
from sorry_lan.table.signing import seat_kinds
from sorry_lan.wire.messages import Stage, Status


def nobody_came(game: Game) -> bool:
    """Whether all of our seats here are such as returned, and whoever let them in and is linked has moved on before."""
    story, ledger = game.story, game.ledger
    if game.over or ledger.k or not game.hands or not story.terms:
        return False
    was = story.terms[-1]
    back = frozenset(seat_kinds(ledger.terms, was)[1])
    if not (game.hands.keys() | ledger.open.shares.keys()) <= back:
        return False
    k = known(ledger.terms.parent).k
    links = [link for key in game.clients & client_keys(was) if (link := game.desk.linked(key)) is not None]
    said = [(link.status, link.before) for link in links]
    return bool(said) and all(here is None and before is not None and _moved(before, k) for here, before in said)


def _moved(said: Status, k: int) -> bool:
    """Whether step `k` is counted there."""
    return said.k > k or (said.k == k and said.stage in (Stage.ACKS, Stage.OVER))
