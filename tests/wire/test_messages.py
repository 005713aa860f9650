"""Every field of every message: at its limit it passes, beyond it or of another type it does not ([W-9], [W-20])."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Annotated, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorry_lan.fair.open_step import Record
from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.wire import codec
from sorry_lan.wire import messages as m
from sorry_lan.wire.schema import Many, Text, Uint
from sorry_lan.wire.shapes import shape_of
from tests.wire.build import (
    HELLO,
    MESSAGES,
    PARTS,
    Rule,
    bad_values,
    field_cases,
    good_values,
    instances,
    raw,
    sample,
)

CASES = [pytest.param(*case, id=f"{case[0].__name__}.{case[2]}") for case in field_cases()]


def with_field(kind: type, place: int, value: object) -> tuple[object, ...]:
    parts = sample(kind)
    assert isinstance(parts, tuple)
    return (*parts[:place], value, *parts[place + 1 :])


@pytest.mark.parametrize(("kind", "place", "name", "rule"), CASES)
def test_a_field_at_its_limits_passes_both_ways(kind: type, place: int, name: str, rule: Rule) -> None:
    for value in good_values(rule):
        data = raw(with_field(kind, place, value))
        item = codec.unpack(kind, data)
        assert codec.pack(item) == data, f"{name} = {value!r}"


@pytest.mark.parametrize(("kind", "place", "name", "rule"), CASES)
def test_a_field_beyond_its_limits_is_refused(kind: type, place: int, name: str, rule: Rule) -> None:
    for value in bad_values(rule):
        try:
            data = raw(with_field(kind, place, value))
        except OverflowError:
            continue
        with pytest.raises(RemoteFault) as caught:
            codec.unpack(kind, data)
        assert caught.value.code in (Err.SCHEMA, Err.NOT_CANONICAL), f"{name} = {value!r}"


@pytest.mark.parametrize(
    ("kind", "name", "rule"),
    [pytest.param(kind, *rest, id=f"{kind.__name__}.{rest[0]}") for kind, _, *rest in field_cases()],
)
def test_our_own_field_beyond_its_limits_is_a_bug(kind: type, name: str, rule: Rule) -> None:
    good = codec.from_value(kind, sample(kind))  # type: ignore[arg-type]
    for value in bad_values(rule):
        with pytest.raises(LocalMisuse):
            codec.pack(replace(good, **{name: value}))


@pytest.mark.parametrize("kind", [*MESSAGES, *PARTS])
def test_a_field_too_many_or_too_few_is_refused(kind: type) -> None:
    parts = sample(kind)
    assert isinstance(parts, tuple)
    for wrong in (parts[:-1], (*parts, None), (), None, 0):
        with pytest.raises(RemoteFault, match="an array of"):
            codec.unpack(kind, raw(wrong))


@given(st.one_of([instances(kind) for kind in MESSAGES]))
def test_every_message_survives_the_wire(message: m.Message) -> None:
    data = codec.encode_message(message)
    back = codec.decode_message(data)
    assert back == message
    assert type(back) is type(message)
    assert codec.encode_message(back) == data


def test_the_type_numbers_are_those_of_the_protocol() -> None:
    assert {kind.__name__: kind.TYPE for kind in MESSAGES} == {
        "Hello": 1,
        "Auth": 2,
        "Ping": 3,
        "Pong": 4,
        "Bye": 5,
        "Peers": 6,
        "Chat": 7,
        "SeatOffer": 20,
        "Lobby": 21,
        "Propose": 22,
        "ConsentGiven": 23,
        "Withdraw": 24,
        "No": 25,
        "TableAgreed": 26,
        "Entry": 40,
        "Status": 41,
        "Want": 42,
        "StepRecord": 43,
        "MineAsked": 44,
        "Mine": 45,
        "Fault": 46,
        "Ways": 140,
        "Watchers": 141,
    }


def test_a_hello_looks_like_this_on_the_wire() -> None:
    assert codec.encode_message(HELLO).hex() == (
        "9f01a9736f7272792d6c616e0101a3312e30c420"
        + "01" * 32
        + "c420"
        + "02" * 32
        + "c0c410"
        + "03" * 16
        + "0700c0c420"
        + "04" * 32
        + "a3416e6ecd1e61"
    )


@pytest.mark.parametrize("number", [0, 8, 19, 27, 39, 47, 127])
def test_an_unknown_type_below_128_is_refused(number: int) -> None:
    with pytest.raises(RemoteFault, match="unknown message type") as caught:
        codec.decode_message(raw([number, 1]))
    assert caught.value.code is Err.SCHEMA


@pytest.mark.parametrize("number", [128, 255, 2**63 - 1])
def test_an_unknown_extension_is_ignored(number: int) -> None:
    assert codec.decode_message(raw([number, b"whatever", [1, [2]]])) is None


def test_a_record_is_the_same_whether_its_step_is_taken_apart_or_not() -> None:
    for k in (0, 1, 127, 128, 4095):
        step = Record(k, (m.Signed(b"body", b"s" * 64), m.Signed(b"other", b"t" * 64)))
        whole = codec.encode_message(m.StepRecord(b"g" * 32, k, step.entries))
        assert codec.encode_record(b"g" * 32, codec.pack(step)) == whole


def test_an_extension_must_still_be_canonical() -> None:
    with pytest.raises(RemoteFault):
        codec.decode_message(raw([128, 1.5]))


@pytest.mark.parametrize("value", [[], 1, None, b"", [None], [True], ["1"], [b"\x01"], [[1]]])
def test_a_frame_that_is_no_message_is_refused(value: object) -> None:
    with pytest.raises(RemoteFault) as caught:
        codec.decode_message(raw(value))
    assert caught.value.code is Err.SCHEMA


def test_the_head_of_a_later_hello_can_be_read() -> None:
    later = raw([1, "sorry-lan", 2, 9, "7.0", "new", [1, 2]])
    assert codec.decode_hello_head(later) == m.HelloHead("sorry-lan", 2, 9, "7.0")
    assert codec.decode_hello_head(codec.encode_message(HELLO)) == m.HelloHead("sorry-lan", 1, 1, "1.0")


@pytest.mark.parametrize(
    "value", [[2, "sorry-lan", 1, 1, "1.0"], [1, "sorry-lan", 1, 1], [1, "sorry-lan", 1, 256, "x"]]
)
def test_what_does_not_begin_like_a_hello_has_no_head(value: object) -> None:
    with pytest.raises(RemoteFault) as caught:
        codec.decode_hello_head(raw(value))
    assert caught.value.code is Err.SCHEMA


def test_our_enumerations_travel_as_plain_integers() -> None:
    data = codec.encode_message(m.Bye(Err.RATE, "slow down"))
    assert data == raw([5, 6, "slow down"])
    back = codec.decode_message(data)
    assert isinstance(back, m.Bye)
    assert type(back.code) is int


class Odd(IntEnum):
    BIG = 256


def test_an_enumeration_beyond_the_field_is_a_bug() -> None:
    with pytest.raises(LocalMisuse, match=r"Hello\.vmin"):
        codec.pack(replace(HELLO, vmin=Odd.BIG))


def test_a_text_that_is_no_unicode_is_a_bug() -> None:
    with pytest.raises(LocalMisuse, match=r"Hello\.name"):
        codec.pack(replace(HELLO, name="\ud800"))


def test_a_fault_names_the_field_and_the_rule() -> None:
    with pytest.raises(RemoteFault, match=r"Ping\.n: an integer of 0\.\.9223372036854775807 was due"):
        codec.decode_message(raw([3, "x"]))


@dataclass(frozen=True)
class Switch:
    on: bool
    level: Annotated[int, Uint(9)] | None


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.parametrize("level", [0, 9, None])
def test_a_flag_and_a_missing_part_are_what_they_say_on_both_sides(on: bool, level: int | None) -> None:
    assert codec.to_value(Switch(on, level)) == (on, level)
    assert codec.from_value(Switch, (on, level)) == Switch(on, level)


def test_every_refusal_of_a_shape_names_the_field() -> None:
    refused: list[tuple[type, object, str]] = [
        (m.Status, with_field(m.Status, 6, 1), r"Status\.has_move: a boolean"),
        (m.Status, with_field(m.Status, 0, b""), r"Status\.game: 32\.\.32 bytes"),
        (m.Status, with_field(m.Status, 8, ()), r"Status\.boots: an array of 2\.\.4"),
        (m.Status, with_field(m.Status, 8, ("x", 1)), r"Status\.boots: an integer"),
        (m.SeatOffer, with_field(m.SeatOffer, 2, "x" * 25), r"SeatOffer\.name: text of"),
        (m.SeatOffer, with_field(m.SeatOffer, 2, "a\x07"), r"SeatOffer\.name: a name holds no control"),
        (m.SeatOffer, with_field(m.SeatOffer, 3, "old"), r"SeatOffer\.age: an integer"),
        (m.Chat, with_field(m.Chat, 1, ""), r"Chat\.text: text of"),
    ]
    for kind, value, why in refused:
        with pytest.raises(RemoteFault, match=why):
            codec.unpack(kind, raw(value))


def test_a_part_of_another_class_is_a_bug() -> None:
    consent = m.Consent(0, bytes(64))
    with pytest.raises(LocalMisuse, match="a Signed was due"):
        codec.pack(m.StepRecord(bytes(32), 0, (consent,)))  # type: ignore[arg-type]


@dataclass(frozen=True)
class TwoTypes:
    field: int | str


@dataclass(frozen=True)
class NoMarker:
    field: Annotated[int, "nothing we know"]


@dataclass(frozen=True)
class Bare:
    field: int


@dataclass(frozen=True)
class Unbound:
    field: tuple[int, ...]


@pytest.mark.parametrize("kind", [TwoTypes, NoMarker, Bare, Unbound, int])
def test_a_class_outside_the_schema_is_a_bug(kind: type) -> None:
    with pytest.raises(LocalMisuse):
        codec.unpack(kind, raw([1]))


def test_a_shape_is_compiled_once() -> None:
    assert shape_of(m.Hello) is shape_of(m.Hello)


def test_every_message_class_is_in_the_union() -> None:
    declared = {kind for kind in vars(m).values() if isinstance(kind, type) and hasattr(kind, "TYPE")}
    assert declared == set(get_args(m.Message))


def test_the_markers_of_a_limit_are_what_is_enforced() -> None:
    @dataclass(frozen=True)
    class Local:
        numbers: Annotated[tuple[Annotated[int, Uint(9, 3)], ...], Many(2, 3)]
        text: Annotated[str, Text(2, 3)]

    Local.__annotations__ = {
        "numbers": Annotated[tuple[Annotated[int, Uint(9, 3)], ...], Many(2, 3)],
        "text": Annotated[str, Text(2, 3)],
    }
    assert codec.unpack(Local, raw([[3, 9], "é"])) == Local((3, 9), "é")
    for wrong in ([[3], "ab"], [[3] * 4, "ab"], [[2, 3], "ab"], [[3, 10], "ab"], [[3, 3], "a"], [[3, 3], "éé"]):
        with pytest.raises(RemoteFault):
            codec.unpack(Local, raw(wrong))
