"""The easy and the medium bot: they count squares and look at nothing else ([F-31])."""

from __future__ import annotations

from typing import Final

from sorry_lan.bots.bench import Bench
from sorry_lan.rules.fast import Action, Cells
from sorry_lan.wire.digest import pick

_MOODS: Final = 4
"""An easy bot plays one card in so many without thinking."""


def easy(bench: Bench, cells: Cells, seat: int, card: int, secret: bytes) -> Action:
    """Hasty and kind: as many squares as it can, and nobody else's pawn is touched unless every answer does."""
    core = bench.core
    offered = core.choices(cells, seat, card)
    if len(offered) > 1 and pick("mood", secret, _MOODS):
        after = {action: core.step(cells, seat, card, action)[0] for action in offered}
        lo, hi = seat * core.pawns, (seat + 1) * core.pawns
        others = cells[:lo] + cells[hi:]
        kind = [action for action in offered if after[action][:lo] + after[action][hi:] == others] or offered
        left = [bench.left(after[action], seat) for action in kind]
        fewest = min(left)
        offered = [action for action, squares in zip(kind, left, strict=True) if squares == fewest]
    return offered[pick("bot", secret, len(offered))]


def medium(bench: Bench, cells: Cells, seat: int, card: int, secret: bytes) -> Action:
    """Greedy: the best difference between the squares others have before them and its own, at once."""
    offered = bench.core.choices(cells, seat, card)
    gains = [_lead(bench, bench.core.step(cells, seat, card, action)[0], seat) for action in offered]
    best = max(gains)
    offered = [action for action, gain in zip(offered, gains, strict=True) if gain == best]
    return offered[pick("bot", secret, len(offered))]


def _lead(bench: Bench, cells: Cells, seat: int) -> int:
    every = sum([bench.left(cells, other) for other in range(bench.seats)])
    return every - bench.seats * bench.left(cells, seat)
