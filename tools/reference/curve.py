"""The Ed25519 group in affine arithmetic, and SPAKE2 on it (SPEC.md 3.2). Slow; for vectors only."""

from __future__ import annotations

import hashlib
import hmac

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
Point = tuple[int, int]
ZERO: Point = (0, 1)


def add(a: Point, b: Point) -> Point:
    product = D * a[0] * b[0] * a[1] * b[1] % P
    x = (a[0] * b[1] + a[1] * b[0]) * pow(1 + product, -1, P) % P
    y = (a[1] * b[1] + a[0] * b[0]) * pow(1 - product, -1, P) % P
    return x, y


def times(n: int, point: Point) -> Point:
    out = ZERO
    while n:
        if n & 1:
            out = add(out, point)
        point = add(point, point)
        n >>= 1
    return out


def minus(point: Point) -> Point:
    return -point[0] % P, point[1]


def encode(point: Point) -> bytes:
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def decode(data: bytes) -> Point:
    """ValueError for bytes that are no point."""
    number = int.from_bytes(data, "little")
    y, sign = number % 2**255, number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT % P
    if x * x % P != square:
        raise ValueError("no point")
    return (x if x & 1 == sign else -x % P), y


BASE = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
M = decode(bytes.fromhex("15cfd18e385952982b6a8f8c7854963b58e34388c8e6dae891db756481a02312"))
N = decode(bytes.fromhex("f04f2e7eb734b2a8f8b472eaf9c3c632576ac64aea650b496a8a20ff00e583c3"))


def hkdf(secret: bytes, salt: bytes, info: bytes, count: int) -> bytes:
    """HKDF-SHA256 (RFC 5869)."""
    key = hmac.digest(salt or bytes(32), secret, "sha256")
    out = block = b""
    place = 1
    while len(out) < count:
        block = hmac.digest(key, block + info + bytes([place]), "sha256")
        out += block
        place += 1
    return out[:count]


def spake2(code: str, x: int, y: int) -> tuple[bytes, bytes, bytes]:
    """The caller's and the listener's HELLO.pake, and K."""
    pw = b"sorry-lan/1 code " + code.encode()
    w = int.from_bytes(hkdf(pw, b"", b"SPAKE2 pw", 48), "big") % L
    ours = add(times(x, BASE), times(w, M))
    theirs = add(times(y, BASE), times(w, N))
    shared = times(x, add(theirs, minus(times(w, N))))
    if shared != times(y, add(ours, minus(times(w, M)))):
        raise ValueError("the two sides differ")
    sha = hashlib.sha256
    k = sha(
        sha(pw).digest()
        + sha(b"client").digest()
        + sha(b"server").digest()
        + encode(ours)
        + encode(theirs)
        + encode(shared)
    ).digest()
    return b"A" + encode(ours), b"B" + encode(theirs), k


def confirm(k: bytes, transcript: bytes, role: str) -> bytes:
    key = hkdf(k, transcript, f"sorry-lan/1 confirm {role}".encode(), 32)
    return hmac.digest(key, transcript, "sha256")
