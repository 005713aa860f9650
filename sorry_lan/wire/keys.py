"""Ed25519 keys: sign, verify, refuse weak keys ([W-16] to [W-19]). Owns the cryptography library for signatures.

A key is its 32 bytes everywhere else. Holds no files and makes no randomness: seeds come from outside.
"""

from __future__ import annotations

import hmac
from enum import IntEnum, unique
from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.wire.digest import DOMAIN, tag, u8

NO_GAME: Final = bytes(32)
"""The game id under contexts that belong to no game yet."""
_KEY_SIZE: Final = 32
_SIGNATURE_SIZE: Final = 64

_P: Final = 2**255 - 19
_Y8: Final = 2707385501144840649318225287225658788936804267575313519463743609750303402022
_WEAK: Final = frozenset((0, 1, _P - 1, _Y8, _P - _Y8))
"""The y of the eight points of small order: under such a key one fixed signature holds for many messages."""


@unique
class Context(IntEnum):
    """What a signature is about; it never holds in another context."""

    AUTH = 1
    TABLE = 2
    ENTRY = 3
    MINE = 4


def signed_bytes(context: Context, game_id: bytes, body: bytes) -> bytes:
    """What is signed: domain, context, game id, body; LocalMisuse for a game id the context cannot have ([W-17])."""
    if len(game_id) != len(NO_GAME):
        raise LocalMisuse(f"a game id of {len(game_id)} bytes")
    if context in (Context.AUTH, Context.TABLE) and game_id != NO_GAME:
        raise LocalMisuse(f"{context.name} belongs to no game")
    return b"".join((DOMAIN, u8(context), game_id, body))


class SecretKey:
    """A person's signing key, from a seed of 32 bytes; its repr shows the public half only."""

    __slots__ = ("_key", "public")

    def __init__(self, seed: bytes) -> None:
        if len(seed) != _KEY_SIZE:
            raise LocalMisuse(f"a seed of {len(seed)} bytes")
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public: bytes = self._key.public_key().public_bytes_raw()

    def __repr__(self) -> str:
        return f"SecretKey({self.public.hex()[:8]})"

    def sign(self, context: Context, game_id: bytes, body: bytes) -> bytes:
        """64 bytes, the same ones every time."""
        return self._key.sign(signed_bytes(context, game_id, body))


def verify(public: bytes, context: Context, game_id: bytes, body: bytes, sig: bytes) -> bool:
    """Whether `sig` is `public`'s signature; no weak key ever has one."""
    key = _parsed(public)
    if key is None or len(sig) != _SIGNATURE_SIZE:
        return False
    try:
        key.verify(sig, signed_bytes(context, game_id, body))
    except InvalidSignature:
        return False
    return True


def check_public(public: bytes) -> None:
    """RemoteFault SCHEMA unless `public` is 32 bytes, canonical (y < p), and not of small order ([W-16])."""
    if len(public) != _KEY_SIZE:
        raise RemoteFault(Err.SCHEMA, "a public key has 32 bytes")
    y = int.from_bytes(public, "little") & (2**255 - 1)
    if y >= _P:
        raise RemoteFault(Err.SCHEMA, "a public key that is not canonical")
    if y in _WEAK:
        raise RemoteFault(Err.SCHEMA, "a public key of small order")


@lru_cache(maxsize=256)
def _parsed(public: bytes) -> Ed25519PublicKey | None:
    try:
        check_public(public)
    except RemoteFault:
        return None
    return Ed25519PublicKey.from_public_bytes(public)


def person_key(seed: bytes, index: int) -> SecretKey:
    """The key of person `index` (0..255) at one client; 0 is the identity itself ([W-18])."""
    return SecretKey(_derived(seed, "seat key", index))


def person_root(root: bytes, index: int) -> bytes:
    """The chain root (32 bytes) of person `index` (0..255) at one client; 0 is the identity's own ([W-18])."""
    return _derived(root, "seat root", index)


def _derived(secret: bytes, name: str, index: int) -> bytes:
    if len(secret) != _KEY_SIZE:
        raise LocalMisuse(f"a secret of {len(secret)} bytes")
    return hmac.digest(secret, tag(name) + u8(index), "sha256") if index else secret
