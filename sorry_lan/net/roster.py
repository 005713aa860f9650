"""Which links stay and when to dial again, decided without a socket ([H-13], [H-20], [H-21]).

Values in, verdicts out; net/mesh.py owns the connections.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import Final

from sorry_lan.table.events import LinkId
from sorry_lan.wire import limits
from sorry_lan.wire.messages import Intent

_JITTER: Final = 0.2


@dataclass(frozen=True, slots=True)
class Standing:
    """An authenticated link: whose it is, who dialled (a key), since when (seconds)."""

    link: LinkId
    pk: bytes
    instance: bytes
    dialler: bytes
    since_s: float


@unique
class Verdict(Enum):
    """What becomes of two links of one key."""

    OLD_STAYS = "old-stays"
    NEW_STAYS = "new-stays"
    NEW_INSTANCE = "new-instance"
    """The key runs in another process now: the old one is told so and does not come back."""


def judge(old: Standing, new: Standing) -> Verdict:
    """Both ends judge alike: two dials that crossed leave the one by the smaller key, else the newer link stays."""
    if old.instance != new.instance:
        return Verdict.NEW_INSTANCE
    crossed = new.since_s - old.since_s <= limits.DUPLICATE_LINK_MS / 1000
    if crossed and old.dialler != new.dialler:
        return Verdict.OLD_STAYS if old.dialler < new.dialler else Verdict.NEW_STAYS
    return Verdict.NEW_STAYS


def room_for(intent: int, intents: tuple[int, ...], known: Known) -> bool:
    """Whether one more authenticated link may be held, beside those of strangers and watchers with these intents."""
    if known is Known.YES:
        return True
    if intent == Intent.WATCH:
        return intents.count(Intent.WATCH) < limits.MAX_WATCHERS
    return len(intents) < limits.MAX_PEERS + limits.MAX_WATCHERS


@unique
class Known(Enum):
    """Whether a key sits in the lobby or at the table."""

    YES = "yes"
    NO = "no"


def redial_delay_s(gone_s: float, slow_tries: int, luck: float) -> float:
    """How long to wait before the next attempt at a peer gone for `gone_s`; `luck` is uniform in 0..1.

    Every half second for a minute; after that doubling from one second to ten, each 20 % more or less ([H-26]).
    """
    if gone_s < limits.REDIAL_FAST_FOR_MS / 1000:
        return limits.REDIAL_MS / 1000
    slowest_s = limits.REDIAL_SLOWEST_MS / 1000
    # After some hours of tries the power itself is beyond every float.
    slow_s = min(2.0 ** min(slow_tries, slowest_s), slowest_s)
    return float(slow_s * (1 - _JITTER + 2 * _JITTER * luck))


@dataclass(frozen=True, slots=True)
class Half:
    """A connection that has not finished AUTH; `number` grows with age."""

    number: int
    host: str


def to_close_for(half_open: tuple[Half, ...], host: str) -> Half | None:
    """Which half-open connection makes room for one more from `host`: the oldest, of that address first ([H-13])."""
    same = [half for half in half_open if half.host == host]
    if len(same) >= limits.MAX_UNAUTHENTICATED_PER_ADDRESS:
        return min(same, key=lambda half: half.number)
    if len(half_open) >= limits.MAX_UNAUTHENTICATED:
        return min(same or half_open, key=lambda half: half.number)
    return None
