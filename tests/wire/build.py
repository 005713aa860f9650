"""Builders for tests of the wire: a sample of every message, and what each field's marker admits and refuses."""

from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from types import NoneType
from typing import Annotated, get_args, get_origin, get_type_hints

import msgpack
from hypothesis import strategies as st

from sorry_lan.wire import limits, terms
from sorry_lan.wire import messages as m
from sorry_lan.wire.schema import Bin, Many, Name, Text, Uint

MESSAGES = get_args(m.Message)
PARTS = (m.Signed, m.Consent, m.PeerAddress, m.LobbySeat, m.HelloHead, terms.TermsSeat, terms.Parent, terms.Terms)

HELLO = m.Hello(
    "sorry-lan", 1, 1, "1.0", b"\x01" * 32, b"\x02" * 32, None, b"\x03" * 16, 7, 0, None, b"\x04" * 32, "Ann", 7777
)


def raw(value: object) -> bytes:
    """Msgpack without any rule of ours."""
    data: bytes = msgpack.packb(value)
    return data


@dataclass(frozen=True)
class Rule:
    """One field's annotation, taken apart a second time, independently of the code under test."""

    optional: bool
    base: object
    marker: Uint | Bin | Text | Name | Many | None
    element: object = None


def rule_of(annotation: object) -> Rule:
    optional = False
    if NoneType in get_args(annotation):
        optional = True
        annotation = next(part for part in get_args(annotation) if part is not NoneType)
    if get_origin(annotation) is Annotated:
        base, marker = get_args(annotation)
        element = get_args(base)[0] if isinstance(marker, Many) else None
        return Rule(optional, base, marker, element)
    return Rule(optional, annotation, None)


def rules_of(kind: type) -> dict[str, Rule]:
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: rule_of(hints[field.name]) for field in fields(kind)}


def good_values(rule: Rule) -> list[object]:
    """Plain values (as they travel) at every limit that the rule admits; the first is an ordinary one."""
    values: list[object]
    match rule.marker:
        case Uint(high, low):
            values = [low, high, (low + high) // 2]
        case Bin(low, high):
            values = [b"\xab" * low, b"\x00" * high]
        case Text(low, high):
            values = ["a" * max(low, 1), "a" * low, "z" * high, "é" * (high // 2)]
        case Name(low):
            values = ["Ann", "n" * low, "n" * limits.MAX_NAME, "é" * 12, "\u00a0", "\u2bf0"]
        case Many(low, high):
            one = sample(rule.element)
            values = [(one,) * max(low, 1), (one,) * low, (one,) * high]
        case None if rule.base is bool:
            values = [False, True]
        case None:
            values = [sample(rule.base)]
    return [*values, None] if rule.optional else values


def bad_values(rule: Rule) -> list[object]:
    """Plain values just outside the rule, or of another type."""
    values: list[object]
    match rule.marker:
        case Uint(high, low):
            values = [high + 1, True, False, b"\x01", "1", (), (low,), *([low - 1] if low else [])]
        case Bin(low, high):
            values = [b"\x00" * (high + 1), "a" * low, 0, (), (b"",), True, *([b"\x00" * (low - 1)] if low else [])]
        case Text(low, high):
            values = ["a" * (high + 1), "é" * (high // 2 + 1), b"a" * low, 0, (), ("a",)]
            values += ["a" * (low - 1)] if low else []
        case Name(low):
            values = ["n" * 25, "é" * 13, b"Ann", 0, (), *([""] if low else [])]
            values += [f"a{chr(code)}" for code in (0, 1, 9, 10, 13, 0x1B, 0x1F, 0x7F, 0x80, 0x9B, 0x9F)]
        case Many(low, high):
            one = sample(rule.element)
            values = [(one,) * (high + 1), one, b"", 0, "", (*(one,) * (high - 1), ("?",) * 70)]
            values += [(one,) * (low - 1)] if low else []
        case None if rule.base is bool:
            values = [0, 1, b"", "", ()]
        case None:
            whole = sample(rule.base)
            assert isinstance(whole, tuple)
            values = [whole[:-1], (*whole, None), (), 0, b"", "", True]
    return values if rule.optional else [*values, None]


def sample(annotation: object) -> object:
    """An ordinary plain value for an annotation; for a class, the array of its fields."""
    if isinstance(annotation, type) and is_dataclass(annotation):
        return tuple(good_values(rule)[0] for rule in rules_of(annotation).values())
    return good_values(rule_of(annotation))[0]


def field_cases() -> Iterator[tuple[type, int, str, Rule]]:
    for kind in (*MESSAGES, *PARTS):
        for place, (name, rule) in enumerate(rules_of(kind).items()):
            yield kind, place, name, rule


scalars = (
    st.none()
    | st.booleans()
    | st.integers(0, limits.UINT_MAX)
    | st.sampled_from([0, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, limits.UINT_MAX])
    | st.binary(max_size=300)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=100)
    | st.sampled_from(["a" * n for n in (31, 32, 255, 256)] + [b"a" * n for n in (255, 256)])
)


def _nested(depth: int) -> st.SearchStrategy[object]:
    if depth == 0:
        return scalars
    return scalars | st.lists(_nested(depth - 1), max_size=20).map(tuple)


values = _nested(limits.MAX_DEPTH)
"""Every kind of value that CMP can say."""


def instances(kind: type) -> st.SearchStrategy[object]:
    """Any valid instance of a class of the schema."""
    return st.builds(kind, **{name: _field(rule) for name, rule in rules_of(kind).items()})


def _field(rule: Rule) -> st.SearchStrategy[object]:
    strategy: st.SearchStrategy[object]
    match rule.marker:
        case Uint(high, low):
            strategy = st.integers(low, high)
        case Bin(low, high):
            strategy = st.binary(min_size=low, max_size=min(high, low + 100))
        case Text(low, high):
            strategy = st.text(string.printable + "é漢", min_size=low, max_size=max(low, high // 3))
        case Name(low):
            strategy = st.text(string.ascii_letters + "é漢 ", min_size=low, max_size=8)
        case Many(low, high):
            strategy = st.lists(_field(rule_of(rule.element)), min_size=low, max_size=high).map(tuple)
        case None if rule.base is bool:
            strategy = st.booleans()
        case None:
            assert isinstance(rule.base, type)
            strategy = instances(rule.base)
    return st.none() | strategy if rule.optional else strategy
