"""From the shares of all humans to what nobody chose: joint secret, card, who begins, check words ([F-5] to [F-10]).

Holds no deck: a pile is eleven counts, in and out. Whether the shares are the right ones is chain.py's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from sorry_lan.faults import LocalMisuse
from sorry_lan.rules.cards import CARDS, Card, full_deck
from sorry_lan.rules.profile import Rules
from sorry_lan.wire.digest import pick, tagged_hash, u8, u32
from sorry_lan.wire.words import WORDS

Pile: TypeAlias = tuple[int, ...]
"""How many of each face are left to draw, in the order of CARDS."""

_SIZE: Final = 32


def joint_secret(game_id: bytes, k: int, shares: Mapping[int, bytes]) -> bytes:
    """32 bytes that no group short of all humans could know or steer; `shares` holds 32 bytes for every human seat.

    Holds nothing that anybody chooses later: no head, no signature, no move ([F-5]). LocalMisuse for other sizes.
    """
    if not shares or any(len(share) != _SIZE for share in (game_id, *shares.values())):
        raise LocalMisuse("a joint secret is made of a game id and at least one share, 32 bytes each")
    parts = [u8(seat) + shares[seat] for seat in sorted(shares)]
    return tagged_hash("draw", game_id, u32(k), u8(len(parts)), *parts)


def draw_card(secret: bytes, pile: Pile, rules: Rules) -> tuple[Card, Pile]:
    """The card that `secret` draws, and what is left without it; an empty pile is refilled first ([F-9], [F-10], R15).

    The pile counts as the list of its cards ascending by code. LocalMisuse for anything but eleven counts.
    """
    if len(pile) != len(CARDS) or min(pile) < 0:
        raise LocalMisuse(f"no pile: {pile}")
    counts = list(pile if any(pile) else full_deck(rules))
    place = pick("card", secret, sum(counts))
    face = 0
    while place >= counts[face]:
        place -= counts[face]
        face += 1
    counts[face] -= 1
    return CARDS[face], tuple(counts)


def first_seat(secret: bytes, seats: int) -> int:
    """The seat that begins where the table names none; bots count ([F-7])."""
    return pick("first", secret, seats)


def check_words(secret: bytes) -> tuple[str, str, str]:
    """Three words of step 0: equal on all screens means that nobody sits in between ([F-8])."""
    one, two, three = tagged_hash("words", secret)[:3]
    return WORDS[one], WORDS[two], WORDS[three]
