"""Canonical msgpack (CMP), both ways: bytes <-> values <-> typed messages, one to one ([W-4] to [W-21]).

Judges bytes and shapes only, never what a message means. Whatever the bytes, nothing but RemoteFault leaves a decoder;
what we encode is checked as strictly, a misfit there is LocalMisuse. Owns the msgpack library.
"""

from __future__ import annotations

from typing import Final, TypeVar, cast, get_args

import msgpack  # type: ignore[import-untyped]  # ships no type information; every use is cast

from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.wire import limits
from sorry_lan.wire.messages import EXTENSION_FROM, Hello, HelloHead, Message, StepRecord
from sorry_lan.wire.shapes import Misfit, Value, shape_of

__all__ = [
    "Value",
    "decode",
    "decode_hello_head",
    "decode_message",
    "encode",
    "encode_message",
    "encode_record",
    "from_value",
    "pack",
    "to_value",
    "unpack",
]

T = TypeVar("T")

_PLAIN, _BLOB, _ARRAY = range(3)
# Leading byte -> (what follows, width of the number after it, smallest number that needs this width).
_WIDE: Final = {
    0xCC: (_PLAIN, 1, 0x80),
    0xCD: (_PLAIN, 2, 0x100),
    0xCE: (_PLAIN, 4, 0x1_0000),
    0xCF: (_PLAIN, 8, 0x1_0000_0000),
    0xC4: (_BLOB, 1, 0),
    0xC5: (_BLOB, 2, 0x100),
    0xD9: (_BLOB, 1, 0x20),
    0xDA: (_BLOB, 2, 0x100),
    0xDC: (_ARRAY, 2, 0x10),
}
_BIN8: Final = 0xC4
_LIMITS: Final = {
    _PLAIN: (limits.UINT_MAX, "an integer needs 64 bits"),
    _BLOB: (limits.MAX_BLOB, "a string is too long"),
    _ARRAY: (limits.MAX_ARRAY, "an array is too long"),
}
_BARE: Final = frozenset((*range(0x80), 0xC0, 0xC2, 0xC3))
"""Leading bytes that are a whole value: 0..127, nil, false, true."""


def encode(value: Value) -> bytes:
    """The one encoding of `value`; LocalMisuse if CMP cannot say it or a limit of [W-10] is broken."""
    try:
        data: bytes = msgpack.packb(value)
        _scan(data)
    except RemoteFault as wrong:
        raise LocalMisuse(f"not encodable: {wrong.detail}") from wrong
    except (TypeError, ValueError, OverflowError) as wrong:
        raise LocalMisuse("not encodable: no value of the protocol") from wrong
    return data


def decode(data: bytes) -> Value:
    """The one value that `data` encodes; arrays come as tuples.

    Raises:
        RemoteFault: BAD_FRAME where bytes are missing or left over, NOT_CANONICAL for everything else outside CMP.
    """
    _scan(data)
    try:
        return cast(
            "Value",
            msgpack.unpackb(
                data,
                raw=False,
                use_list=False,
                strict_map_key=True,
                max_str_len=limits.MAX_BLOB,
                max_bin_len=limits.MAX_BLOB,
                max_array_len=limits.MAX_ARRAY,
                max_map_len=0,
                max_ext_len=0,
            ),
        )
    except (ValueError, msgpack.exceptions.UnpackException) as wrong:
        raise RemoteFault(Err.NOT_CANONICAL, "text is not UTF-8") from wrong


def _scan(data: bytes) -> None:
    """Refuse all that is not CMP before the library sees it ([W-4] to [W-10]): no recursion, no claim believed."""
    end = len(data)
    at = nodes = 0
    left = 1  # values still to come in the innermost open array
    outer: list[int] = []  # and in those around it
    while left or outer:
        if not left:
            left = outer.pop()
            continue
        left -= 1
        nodes += 1
        if nodes > limits.MAX_NODES:
            raise RemoteFault(Err.NOT_CANONICAL, "too many values")
        if at >= end:
            raise RemoteFault(Err.BAD_FRAME, "bytes are missing")
        lead = data[at]
        if lead in _BARE:
            at += 1
            continue
        if lead == _BIN8 and at + 1 < end:
            # Keys, hashes, signatures, bodies: most of what is ever read.
            at += 2 + data[at + 1]
        else:
            kind, number, at = _head(data, at)
            if kind == _BLOB:
                at += number
            elif kind == _ARRAY:
                outer.append(left)
                left = number
                if len(outer) > limits.MAX_DEPTH:
                    raise RemoteFault(Err.NOT_CANONICAL, "nested too deeply")
        if at > end:
            raise RemoteFault(Err.BAD_FRAME, "bytes are missing")
    if at != end:
        raise RemoteFault(Err.BAD_FRAME, "bytes are left over")


def _head(data: bytes, at: int) -> tuple[int, int, int]:
    """What begins at `at`: its kind, its number (value, bytes or elements), and where its content begins."""
    lead = data[at]
    if 0xA0 <= lead <= 0xBF:
        return _BLOB, lead & 0x1F, at + 1
    if 0x90 <= lead <= 0x9F:
        return _ARRAY, lead & 0x0F, at + 1
    if lead not in _WIDE:
        raise RemoteFault(Err.NOT_CANONICAL, f"byte {lead:02x} begins no value of the protocol")
    kind, width, low = _WIDE[lead]
    content = at + 1 + width
    if content > len(data):
        raise RemoteFault(Err.BAD_FRAME, "bytes are missing")
    number = int.from_bytes(data[at + 1 : content], "big")
    if number < low:
        raise RemoteFault(Err.NOT_CANONICAL, "a shorter form exists")
    high, over = _LIMITS[kind]
    if number > high:
        raise RemoteFault(Err.NOT_CANONICAL, over)
    return kind, number, content


def to_value(item: object) -> Value:
    """The array of `item`'s fields in order; LocalMisuse where one does not fit, or for an item the schema lacks."""
    try:
        return shape_of(type(item)).write(item)
    except Misfit as wrong:
        raise LocalMisuse(str(wrong)) from wrong


def from_value(kind: type[T], value: Value) -> T:
    """A `kind` built of an array of its fields; RemoteFault SCHEMA where one does not fit ([W-9], [W-20])."""
    try:
        return cast("T", shape_of(kind).read(value))
    except Misfit as wrong:
        raise RemoteFault(Err.SCHEMA, str(wrong)) from wrong


def pack(item: object) -> bytes:
    """CMP of a frozen dataclass of the schema; LocalMisuse as for `to_value`."""
    return encode(to_value(item))


def unpack(kind: type[T], data: bytes) -> T:
    """A `kind` from its CMP; RemoteFault as for `decode` and `from_value`."""
    return from_value(kind, decode(data))


_KINDS: Final[dict[int, type[Message]]] = {kind.TYPE: kind for kind in get_args(Message)}


def encode_message(message: Message) -> bytes:
    """The payload of one frame: [type, fields...] ([W-14], [W-20]); LocalMisuse as for `to_value`."""
    return encode((message.TYPE, *cast("tuple[Value, ...]", to_value(message))))


def encode_record(game: bytes, record: bytes) -> bytes:
    """The payload of a RECORD around the CMP of a step, which is not taken apart: many may ask for the same ones."""
    return b"\x94" + bytes((StepRecord.TYPE, _BIN8, len(game))) + game + record[1:]


def decode_message(data: bytes) -> Message | None:
    """The message in one frame's payload, or None for an extension we do not know ([W-21]).

    Raises:
        RemoteFault: as for `decode`, and SCHEMA for an unknown type below 128 or a field that does not fit.
    """
    number, parts = _message_parts(data)
    if number in _KINDS:
        return from_value(_KINDS[number], parts)
    if number >= EXTENSION_FROM:
        return None
    raise RemoteFault(Err.SCHEMA, f"unknown message type {number}")


def decode_hello_head(data: bytes) -> HelloHead:
    """The part of a HELLO that every version shares, whatever follows ([E-3]); RemoteFault as for `decode_message`."""
    number, parts = _message_parts(data)
    if number != Hello.TYPE:
        raise RemoteFault(Err.SCHEMA, "a HELLO was due")
    return from_value(HelloHead, parts[:4])


def _message_parts(data: bytes) -> tuple[int, tuple[Value, ...]]:
    value = decode(data)
    if type(value) is not tuple or not value or type(value[0]) is not int:
        raise RemoteFault(Err.SCHEMA, "a message is an array that begins with its type")
    return value[0], value[1:]
