"""Canonical msgpack: bytes and values are one to one; hostile bytes give RemoteFault only ([W-4] to [W-10])."""

from __future__ import annotations

import contextlib
import datetime as dt
import sys
import time
import tracemalloc

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.wire import codec, limits
from tests.wire.build import raw, values
from tests.wire.differential import disagreements, mutations

DEEP_ENOUGH = b"\x91" * 5 + b"\x90"

GOOD = {
    "nil": ("c0", None),
    "false": ("c2", False),
    "true": ("c3", True),
    "zero": ("00", 0),
    "largest one-byte integer": ("7f", 127),
    "smallest u8": ("cc80", 128),
    "largest u8": ("ccff", 255),
    "smallest u16": ("cd0100", 256),
    "smallest u32": ("ce00010000", 65536),
    "smallest u64": ("cf0000000100000000", 2**32),
    "largest integer": ("cf7fffffffffffffff", 2**63 - 1),
    "empty bytes": ("c400", b""),
    "empty text": ("a0", ""),
    "two-byte letter": ("a2c3a9", "é"),
    "empty array": ("90", ()),
    "bytes are not text": ("92c401 61a161", (b"a", "a")),
    "deepest nesting": (DEEP_ENOUGH.hex(), ((((((),),),),),)),
}

HOSTILE = {
    "nothing at all": ("", Err.BAD_FRAME),
    "a byte left over": ("0000", Err.BAD_FRAME),
    "array without its element": ("91", Err.BAD_FRAME),
    "u16 cut short": ("cd01", Err.BAD_FRAME),
    "bytes cut short": ("c40261", Err.BAD_FRAME),
    "text cut short": ("a261", Err.BAD_FRAME),
    "bytes without their length": ("c4", Err.BAD_FRAME),
    "long form of 127": ("cc7f", Err.NOT_CANONICAL),
    "u16 form of 255": ("cd00ff", Err.NOT_CANONICAL),
    "u32 form of 65535": ("ce0000ffff", Err.NOT_CANONICAL),
    "u64 form of 2**32-1": ("cf00000000ffffffff", Err.NOT_CANONICAL),
    "integer of 64 bits": ("cf8000000000000000", Err.NOT_CANONICAL),
    "minus one": ("ff", Err.NOT_CANONICAL),
    "int8": ("d005", Err.NOT_CANONICAL),
    "int16": ("d10005", Err.NOT_CANONICAL),
    "int32": ("d200000005", Err.NOT_CANONICAL),
    "int64": ("d30000000000000005", Err.NOT_CANONICAL),
    "float32": ("ca40a00000", Err.NOT_CANONICAL),
    "float64 five": ("cb4014000000000000", Err.NOT_CANONICAL),
    "NaN": ("cb7ff8000000000000", Err.NOT_CANONICAL),
    "empty map": ("80", Err.NOT_CANONICAL),
    "map with a key twice": ("82a16100a16101", Err.NOT_CANONICAL),
    "map16": ("de0000", Err.NOT_CANONICAL),
    "map32 of 2**31": ("df80000000", Err.NOT_CANONICAL),
    "array32 of 2**31": ("dd80000000", Err.NOT_CANONICAL),
    "bin32 of 2**31": ("c680000000", Err.NOT_CANONICAL),
    "str32 of 2**31": ("db80000000", Err.NOT_CANONICAL),
    "fixext": ("d40000", Err.NOT_CANONICAL),
    "empty ext": ("c70000", Err.NOT_CANONICAL),
    "timestamp": ("d6ff00000000", Err.NOT_CANONICAL),
    "reserved byte": ("c1", Err.NOT_CANONICAL),
    "str8 for a short text": ("d90161", Err.NOT_CANONICAL),
    "str8 for 31 bytes": ("d91f" + "61" * 31, Err.NOT_CANONICAL),
    "str16 for 255 bytes": ("da00ff" + "61" * 255, Err.NOT_CANONICAL),
    "bin16 for 255 bytes": ("c500ff" + "61" * 255, Err.NOT_CANONICAL),
    "array16 for 15 elements": ("dc000f" + "00" * 15, Err.NOT_CANONICAL),
    "array of 65": ("dc0041" + "00" * 65, Err.NOT_CANONICAL),
    "array of 65535 claimed": ("dcffff", Err.NOT_CANONICAL),
    "bytes over the limit claimed": ("c5c001", Err.NOT_CANONICAL),
    "text over the limit claimed": ("dac001", Err.NOT_CANONICAL),
    "seven levels": ((b"\x91" * 6 + b"\x90").hex(), Err.NOT_CANONICAL),
    "a thousand levels": ((b"\x91" * 1000 + b"\xc0").hex(), Err.NOT_CANONICAL),
    "sixty thousand levels": ((b"\x91" * 60_000 + b"\xc0").hex(), Err.NOT_CANONICAL),
    "text with a lone continuation byte": ("a180", Err.NOT_CANONICAL),
    "overlong text": ("a2c080", Err.NOT_CANONICAL),
    "surrogate in text": ("a3eda080", Err.NOT_CANONICAL),
    "text beyond U+10FFFF": ("a4f4908080", Err.NOT_CANONICAL),
    "pre-allocation bomb": ("dcffff" * 21_845, Err.NOT_CANONICAL),
    "one value too many": ("dc0021" + ("dc003f" + "00" * 63) * 32 + "00", Err.NOT_CANONICAL),
    "HTTP": (b"GET / HTTP/1.1\r\n\r\n".hex(), Err.BAD_FRAME),
}


@pytest.mark.parametrize(("data", "value"), GOOD.values(), ids=GOOD)
def test_each_value_has_its_one_encoding(data: str, value: codec.Value) -> None:
    assert codec.decode(bytes.fromhex(data)) == value
    assert type(codec.decode(bytes.fromhex(data))) is type(value)
    assert codec.encode(value) == bytes.fromhex(data)


@pytest.mark.parametrize(("data", "code"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_bytes_are_refused_by_name(data: str, code: Err) -> None:
    with pytest.raises(RemoteFault) as caught:
        codec.decode(bytes.fromhex(data))
    assert caught.value.code is code


def test_as_many_values_as_the_limit_are_accepted() -> None:
    # 1 + 32 x (1 + 62) + 31 = 2,048
    full = ((0,) * 62,) * 32 + (0,) * 31
    assert codec.decode(raw(full)) == full
    with pytest.raises(RemoteFault, match="too many values"):
        codec.decode(raw((*full, 0)))


@pytest.mark.parametrize("blob", [b"a" * limits.MAX_BLOB, "a" * limits.MAX_BLOB])
def test_the_longest_string_is_accepted_and_one_byte_more_is_not(blob: bytes | str) -> None:
    assert codec.decode(codec.encode(blob)) == blob
    longer = blob + blob[:1]
    with pytest.raises(RemoteFault, match="too long"):
        codec.decode(raw(longer))


@given(values)
def test_every_value_survives_the_wire(value: codec.Value) -> None:
    try:
        data = codec.encode(value)
    except LocalMisuse:
        # Only size can be wrong with these values.
        assert len(raw(value)) > limits.MAX_NODES
        return
    assert codec.decode(data) == value
    assert repr(codec.decode(data)) == repr(value)


@given(st.binary(max_size=200))
@example(b"\x93\x01\xc3\xc4\x02ab")
@example(b"\xdc\x00\x10" + b"\x07" * 16)
def test_whatever_decodes_encodes_to_the_same_bytes(data: bytes) -> None:
    try:
        value = codec.decode(data)
    except RemoteFault:
        return
    assert codec.encode(value) == data


@given(st.binary(max_size=400))
def test_only_remote_faults_leave_the_decoders(data: bytes) -> None:
    for decoder in (codec.decode, codec.decode_message, codec.decode_hello_head):
        # Whatever else it raises ends this test.
        with contextlib.suppress(RemoteFault):
            decoder(data)


@pytest.mark.parametrize(
    "value",
    [
        -1,
        2**63,
        2**64,
        1.5,
        {},
        {"a": 1},
        "\ud800",
        (0,) * 65,
        b"a" * (limits.MAX_BLOB + 1),
        ((((((((),),),),),),),),
        object(),
        {1, 2},
        dt.datetime(2000, 1, 1, tzinfo=dt.UTC),
    ],
)
def test_what_cmp_cannot_say_is_our_own_mistake(value: codec.Value) -> None:
    with pytest.raises(LocalMisuse):
        codec.encode(value)


def test_the_c_and_the_pure_python_build_agree_on_mutated_frames() -> None:
    assert disagreements(mutations(seed=1, count=4_000)) == []


WORST = {
    "as many long integers as fit": raw(((2**62,) * 63,) * 31),
    "short texts": raw((("é" * 15,) * 63,) * 31),
    "one text of wide letters": raw(("a" * (limits.MAX_BLOB - 4) + "\U0001f600", "b" * 16_000)),
    "long bytes": raw((b"\xff" * limits.MAX_BLOB, b"\xff" * 16_000)),
    "bad text at the very end": b"\x92" + raw("a" * 49_000) + b"\xda\x3f\x00" + b"a" * 16_127 + b"\xff",
    "nested headers": b"\xdc\x00\x40" * 21_845,
    "claims of 65535": b"\xdc\xff\xff" * 21_845,
    "empty arrays": raw((((),) * 63,) * 31),
    "zeros": bytes(65_536),
    "deep": b"\x91" * 65_536,
}


@pytest.mark.parametrize("data", WORST.values(), ids=WORST)
def test_no_frame_costs_more_than_five_milliseconds_or_a_mebibyte(data: bytes) -> None:
    assert len(data) <= limits.MAX_FRAME

    def judge() -> None:
        with contextlib.suppress(RemoteFault):
            codec.decode_message(data)

    tracemalloc.start()
    try:
        judge()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak <= 1_048_576

    def spent_s() -> float:
        begun = time.process_time()
        judge()
        return time.process_time() - begun

    # The best of many, without the tracing of coverage: the bound is about the work, not about the machine around it.
    tracing = sys.gettrace()
    sys.settrace(None)
    try:
        assert min(spent_s() for _ in range(20)) <= 0.005
    finally:
        sys.settrace(tracing)
