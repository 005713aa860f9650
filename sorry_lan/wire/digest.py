"""Tagged hashes, and fair picks from a secret: the arithmetic that every client must do alike ([W-1] to [W-3], [F-6]).

Fixed widths or length prefixes everywhere, so that no two lists of parts hash the same bytes.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

from sorry_lan.faults import LocalMisuse

DOMAIN = b"sorry-lan/1\x00"
"""What every tag and every signed byte string begins with."""
_TAG_SIZE = 32


@lru_cache(maxsize=64)
def tag(name: str) -> bytes:
    """The 32 bytes that keep hashes of one purpose apart; `name` is ASCII of 1..20 bytes, else LocalMisuse."""
    if not (name.isascii() and 1 <= len(name) <= _TAG_SIZE - len(DOMAIN)):
        raise LocalMisuse(f"no tag: {name!r}")
    return (DOMAIN + name.encode()).ljust(_TAG_SIZE, b"\x00")


def tagged_hash(name: str, *parts: bytes) -> bytes:
    """SHA-256 of the tag and the parts, 32 bytes; each part is of fixed width or `sized`."""
    return sha256(tag(name) + b"".join(parts)).digest()


def u8(number: int) -> bytes:
    """One byte; LocalMisuse outside 0..255."""
    return _unsigned(number, 1)


def u32(number: int) -> bytes:
    """Four bytes, big-endian; LocalMisuse outside 0..2**32-1."""
    return _unsigned(number, 4)


def _unsigned(number: int, width: int) -> bytes:
    try:
        return number.to_bytes(width, "big")
    except OverflowError as wrong:
        raise LocalMisuse(f"{number} does not fit {width} bytes") from wrong


def sized(data: bytes) -> bytes:
    """`data` behind its u32 length."""
    return u32(len(data)) + data


def pick(name: str, secret: bytes, ways: int) -> int:
    """A number of 0..ways-1, every one equally likely for a uniform `secret`; `ways` is 1..256, else LocalMisuse.

    Bytes of the stream hash(0), hash(1), ... that would favour the low numbers are passed over ([F-6]).
    """
    if not 1 <= ways <= 256:
        raise LocalMisuse(f"a pick of {ways} ways")
    fair = 256 - 256 % ways
    block = 0
    while True:
        for byte in tagged_hash(name, secret, u32(block)):
            if byte < fair:
                return byte % ways
        block += 1
