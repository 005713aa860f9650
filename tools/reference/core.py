"""Canonical msgpack, hashes, signatures, chains, picks and entries, as SPEC.md sections 2 and 5 say. Plain and slow."""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterator

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Value = None | bool | int | bytes | str | list["Value"]

DOMAIN = b"sorry-lan/1\x00"
CHAIN_LENGTH = 4096
CARD_CODES = (1, 2, 3, 4, 5, 7, 8, 10, 11, 12, 13)
AUTH, TABLE, ENTRY, MINE = 1, 2, 3, 4
REVEAL, MOVE, ACK, LEAVE = 1, 2, 3, 4
NO_GAME = bytes(32)
P = 2**255 - 19
Y8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022


class Bad(Exception):  # noqa: N818 - what the bytes are
    """Bytes that the protocol does not allow, with the error code."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(f"{code}: {why}")
        self.code = code


def made_up(label: str, count: int = 32) -> bytes:
    """Fixed bytes that look random: the vectors never change by themselves."""
    out = b""
    block = 0
    while len(out) < count:
        out += hashlib.sha256(f"sorry-lan vectors/{label}/{block}".encode()).digest()
        block += 1
    return out[:count]


# -- Canonical msgpack: section 2.2 of SPEC.md --


SHORT_INTEGERS = ((0x7F, b"", ">B"), (0xFF, b"\xcc", ">B"), (0xFFFF, b"\xcd", ">H"), (2**32 - 1, b"\xce", ">I"))


def _length(count: int, short: bytes, long: bytes) -> bytes:
    return short + struct.pack(">B", count) if count < 256 else long + struct.pack(">H", count)


def cmp(value: Value) -> bytes:
    """The one encoding of a value."""
    if value is None:
        return b"\xc0"
    if value is False:
        return b"\xc2"
    if value is True:
        return b"\xc3"
    if isinstance(value, int):
        for limit, lead, form in SHORT_INTEGERS:
            if value <= limit:
                return lead + struct.pack(form, value)
        return b"\xcf" + struct.pack(">Q", value)
    if isinstance(value, bytes):
        return _length(len(value), b"\xc4", b"\xc5") + value
    if isinstance(value, str):
        data = value.encode()
        if len(data) < 32:
            return bytes([0xA0 + len(data)]) + data
        return _length(len(data), b"\xd9", b"\xda") + data
    head = bytes([0x90 + len(value)]) if len(value) < 16 else b"\xdc" + struct.pack(">H", len(value))
    return head + b"".join(cmp(each) for each in value)


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at, self.nodes = data, 0, 0

    def take(self, count: int) -> bytes:
        if self.at + count > len(self.data):
            raise Bad(1, "bytes are missing")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, width: int, lowest: int, highest: int) -> int:
        number = int.from_bytes(self.take(width), "big")
        if number < lowest:
            raise Bad(2, "not the shortest form")
        if number > highest:
            raise Bad(2, "above the limit")
        return number

    def text(self, count: int) -> str:
        try:
            return self.take(count).decode("utf-8")
        except UnicodeDecodeError as wrong:
            raise Bad(2, "not UTF-8") from wrong

    def array(self, count: int, depth: int) -> Value:
        if depth == 6:
            raise Bad(2, "too deep")
        return [self.value(depth + 1) for _ in range(count)]

    def value(self, depth: int) -> Value:
        self.nodes += 1
        if self.nodes > 2048:
            raise Bad(2, "too many values")
        lead = self.take(1)[0]
        if lead < 0x80:
            return lead
        if lead in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[lead]
        if lead in (0xCC, 0xCD, 0xCE, 0xCF):
            width = 1 << (lead - 0xCC)
            return self.number(width, {1: 0x80, 2: 0x100, 4: 0x10000, 8: 2**32}[width], 2**63 - 1)
        if lead in (0xC4, 0xC5):
            return self.take(self.number(lead - 0xC3, 0 if lead == 0xC4 else 256, 49152))
        if 0xA0 <= lead <= 0xBF:
            return self.text(lead - 0xA0)
        if lead in (0xD9, 0xDA):
            return self.text(self.number(lead - 0xD8, 32 if lead == 0xD9 else 256, 49152))
        if 0x90 <= lead <= 0x9F:
            return self.array(lead - 0x90, depth)
        if lead == 0xDC:
            return self.array(self.number(2, 16, 64), depth)
        raise Bad(2, f"byte {lead:02x}")


def parse(data: bytes) -> Value:
    """The value that the bytes encode; Bad for anything that is not CMP."""
    reader = _Reader(data)
    value = reader.value(0)
    if reader.at != len(data):
        raise Bad(1, "bytes are left")
    return value


# -- Hashes and picks: section 2.1, 5.2 of SPEC.md --


def tag(name: str) -> bytes:
    return (DOMAIN + name.encode()).ljust(32, b"\x00")


def h(name: str, *parts: bytes) -> bytes:
    return hashlib.sha256(tag(name) + b"".join(parts)).digest()


def u8(number: int) -> bytes:
    return struct.pack(">B", number)


def u32(number: int) -> bytes:
    return struct.pack(">I", number)


def sized(data: bytes) -> bytes:
    return u32(len(data)) + data


def pick_stream(name: str, secret: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from h(name, secret, u32(block))
        block += 1


def pick(name: str, secret: bytes, ways: int) -> int:
    return next(byte % ways for byte in pick_stream(name, secret) if byte < 256 - 256 % ways)


# -- Keys: section 2.4 of SPEC.md --


class Key:
    """An Ed25519 key from its seed."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._key.public_key().public_bytes_raw()

    def sign(self, context: int, game: bytes, body: bytes) -> bytes:
        return self._key.sign(DOMAIN + u8(context) + game + body)


def weak(public: bytes) -> bool:
    y = int.from_bytes(public, "little") % 2**255
    return y >= P or y in (0, 1, P - 1, Y8, P - Y8)


def person(seed: bytes, root: bytes, index: int) -> tuple[bytes, bytes]:
    """Seed and chain root of person `index` at one client."""
    if index == 0:
        return seed, root
    return (
        hmac.digest(seed, tag("seat key") + u8(index), "sha256"),
        hmac.digest(root, tag("seat root") + u8(index), "sha256"),
    )


# -- Chains and draws: section 5.1-5.4 of SPEC.md --


class Chain:
    """All 4097 values of a seat's chain."""

    def __init__(self, root: bytes, pk: bytes, nonce: bytes) -> None:
        values = [hmac.digest(root, tag("seed") + nonce, "sha256")]
        for j in reversed(range(CHAIN_LENGTH)):
            values.append(h("chain", pk, nonce, u32(j), values[-1]))
        self.values = values[::-1]
        self.anchor = self.values[0]

    def share(self, k: int) -> bytes:
        return self.values[k + 1]


def joint(game: bytes, k: int, shares: dict[int, bytes]) -> bytes:
    return h("draw", game, u32(k), u8(len(shares)), *(u8(seat) + shares[seat] for seat in sorted(shares)))


def deck(ones: int) -> list[int]:
    return [code for code in CARD_CODES for _ in range(ones if code == 1 else 4)]


def draw(secret: bytes, pile: list[int], ones: int) -> tuple[int, list[int]]:
    """The card and the pile without it."""
    left = list(pile or deck(ones))
    card = left.pop(pick("card", secret, len(left)))
    return card, left


# -- Entries: section 5.5 of SPEC.md --


def entry_id(game: bytes, body: bytes) -> bytes:
    return hashlib.sha256(DOMAIN + b"\x03" + game + body).digest()


def auto_id(action: list[int], state: bytes) -> bytes:
    return h("auto", sized(cmp(list(action))), state)


def head_start(game: bytes) -> bytes:
    return h("head", game)


def head_next(head: bytes, k: int, secret: bytes, move: bytes) -> bytes:
    return h("step", head, u32(k), secret, move)


def snapshot(turn: int, over: int, locations: list[list[int]], pile: list[int]) -> bytes:
    return cmp([turn, over, locations, [pile.count(code) for code in CARD_CODES]])


def state_of(data: bytes) -> bytes:
    return h("state", sized(data))


def game_of(table: bytes) -> bytes:
    return h("game", sized(table))
