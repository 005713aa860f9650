"""A seat's commitment for a whole game, and the shares that open it one step at a time ([F-1] to [F-4]).

A hash chain: its end is the anchor that everyone signs, each share is the preimage of the one before.
When a share may leave is not decided here.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Final

from sorry_lan.faults import LocalMisuse
from sorry_lan.wire import limits
from sorry_lan.wire.digest import tag

_SIZE: Final = 32
_STRIDE: Final = 64
"""Links between two kept values: 2 KiB a chain instead of 128, and a share costs at most this many hashes."""


class Chain:
    """The shares of one seat in one game.

    `root` (32 secret bytes), `pk` and `nonce` (32 each; the nonce is fresh for every table) fix them all.
    `anchor` (32 bytes) is public. LocalMisuse for other sizes.
    """

    __slots__ = ("_marks", "_prefix", "_steps", "anchor")

    def __init__(self, root: bytes, pk: bytes, nonce: bytes) -> None:
        if not len(root) == len(pk) == len(nonce) == _SIZE:
            raise LocalMisuse("a chain is made of three times 32 bytes")
        self._prefix = _prefix(pk, nonce)
        self._steps = limits.CHAIN_LENGTH
        value = hmac.digest(root, tag("seed") + nonce, "sha256")
        marks = [value]
        for step in reversed(range(self._steps)):
            value = _link(self._prefix, step, value)
            if step and step % _STRIDE == 0:
                marks.append(value)
        self.anchor = value
        self._marks = marks[::-1]

    def __repr__(self) -> str:
        return f"Chain({self.anchor.hex()[:8]})"

    def share(self, k: int) -> bytes:
        """The 32 bytes that open step `k`; they open every earlier step too. LocalMisuse outside the chain ([F-4])."""
        if not 0 <= k < self._steps:
            raise LocalMisuse(f"a chain of {self._steps} steps has no share for step {k}")
        mark = k // _STRIDE
        value = self._marks[mark]
        for step in reversed(range(k + 1, min((mark + 1) * _STRIDE, self._steps))):
            value = _link(self._prefix, step, value)
        return value


def opens(pk: bytes, nonce: bytes, k: int, share: bytes, last: bytes) -> bool:
    """Whether `share` is the share for step `k`, `last` being its share for the step before or its anchor ([F-3])."""
    return 0 <= k < limits.CHAIN_LENGTH and len(share) == _SIZE and _link(_prefix(pk, nonce), k, share) == last


def _prefix(pk: bytes, nonce: bytes) -> bytes:
    return tag("chain") + pk + nonce


def _link(prefix: bytes, step: int, value: bytes) -> bytes:
    # tagged_hash written out: 4096 of these make a chain, and this is twice as fast.
    return sha256(prefix + step.to_bytes(4, "big") + value).digest()
