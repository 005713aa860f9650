"""Draws a second time, from nothing but the shares: hash chains, joint secret, cards (docs of [F-1] to [F-10]).

Imports nothing of the product, so that a wrong formula there cannot hide here.
"""

from __future__ import annotations

from hashlib import sha256

CODES = (1, 2, 3, 4, 5, 7, 8, 10, 11, 12, 13)
Commitment = tuple[bytes, bytes, bytes]
"""A seat's key, nonce and anchor."""


class UnfairError(AssertionError):
    """A draw is not what its shares say."""


def hashed(name: str, *parts: bytes) -> bytes:
    """SHA-256 over the protocol's name, the purpose, and the parts."""
    return sha256((b"sorry-lan/1\x00" + name.encode()).ljust(32, b"\x00") + b"".join(parts)).digest()


def picked(name: str, secret: bytes, ways: int) -> int:
    """A fair number of 0..ways-1."""
    block = 0
    while True:
        for byte in hashed(name, secret, block.to_bytes(4, "big")):
            if byte < 256 - 256 % ways:
                return byte % ways
        block += 1


class Draws:
    """The deck of one game, step by step."""

    def __init__(self, game: bytes, ones: int, commitments: dict[int, Commitment]) -> None:
        self.game = game
        self.ones = ones
        self.commitments = commitments
        self.latest = {seat: anchor for seat, (_, _, anchor) in commitments.items()}
        self.deck: list[int] = self.whole()
        self.secret = b""
        self.pending: int | None = None
        """The card that was drawn at an earlier table and waits for step 1."""

    def whole(self) -> list[int]:
        """All cards, ascending by code."""
        return [code for code in CODES for _ in range(self.ones if code == 1 else 4)]

    def whole_counts(self) -> tuple[int, ...]:
        """How many of each code there are in all."""
        return tuple(self.whole().count(code) for code in CODES)

    def counts(self) -> tuple[int, ...]:
        """How many of each code are left."""
        return tuple(self.deck.count(code) for code in CODES)

    def step(self, k: int, shares: dict[int, bytes]) -> int | None:
        """The card of step `k` (None for step 0); UnfairError where a share opens no commitment."""
        if shares.keys() != self.commitments.keys():
            raise UnfairError(f"step {k} was drawn from seats {sorted(shares)}")
        for seat, share in shares.items():
            pk, nonce, _ = self.commitments[seat]
            if hashed("chain", pk, nonce, k.to_bytes(4, "big"), share) != self.latest[seat]:
                raise UnfairError(f"seat {seat}'s share of step {k} opens nothing")
            self.latest[seat] = share
        parts = [seat.to_bytes(1, "big") + shares[seat] for seat in sorted(shares)]
        secret = self.secret = hashed("draw", self.game, k.to_bytes(4, "big"), len(parts).to_bytes(1, "big"), *parts)
        if not k:
            return None
        if k == 1 and self.pending is not None:
            return self.pending
        self.deck = self.deck or self.whole()
        return self.deck.pop(picked("card", secret, len(self.deck)))
