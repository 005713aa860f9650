"""Compiles the markers of wire/schema.py into checks, once a class: a dataclass is an array of its fields in order.

Knows values, not bytes (wire/codec.py). Both directions check alike; the caller knows whose misfit it is.
Implements [W-9], [W-11] and [W-20].
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Final, TypeAlias, Union, get_args, get_origin, get_type_hints

from sorry_lan.faults import LocalMisuse
from sorry_lan.wire import limits
from sorry_lan.wire.schema import Bin, Many, Name, Text, Uint

Value: TypeAlias = "int | bytes | str | tuple[Value, ...] | None"
"""What canonical msgpack can say; `bool` is an `int` to the type checker and to nobody else."""

_CONTROLS = re.compile(rb"[\x00-\x1f\x7f]|\xc2[\x80-\x9f]")
"""C0, DEL and C1 as bytes: in well-formed UTF-8 the byte C2 only ever leads a pair."""


class Misfit(Exception):  # noqa: N818 - neither family of errors: whoever knows the direction translates it
    """A value does not have the shape that was due; the text names the field and the rule."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One compiled annotation: `read` takes a decoded value, `write` gives one; both raise Misfit."""

    read: Callable[[Value], object]
    write: Callable[[object], Value]


_SHAPES: Final[dict[type, Shape]] = {}


def shape_of(kind: type) -> Shape:
    """The shape of a frozen dataclass annotated with the markers of wire/schema.py; LocalMisuse for anything else."""
    if kind not in _SHAPES:
        _SHAPES[kind] = _record(kind)
    return _SHAPES[kind]


def _record(kind: type) -> Shape:
    if not is_dataclass(kind):
        raise LocalMisuse(f"{kind.__name__} is no message type")
    hints = get_type_hints(kind, include_extras=True)
    parts = tuple((field.name, _compile(hints[field.name], f"{kind.__name__}.{field.name}")) for field in fields(kind))
    count = len(parts)
    readers = tuple(shape.read for _, shape in parts)
    writers = tuple((name, shape.write) for name, shape in parts)

    def read(value: Value) -> object:
        if type(value) is not tuple or len(value) != count:
            raise Misfit(f"{kind.__name__}: an array of {count} was due")
        return kind(*[reader(part) for reader, part in zip(readers, value, strict=True)])

    def write(item: object) -> Value:
        if type(item) is not kind:
            raise Misfit(f"a {kind.__name__} was due")
        return tuple([writer(getattr(item, name)) for name, writer in writers])

    return Shape(read, write)


def _compile(annotation: object, where: str) -> Shape:
    if annotation is bool:
        return _flag(where)
    origin = get_origin(annotation)
    if origin is Union or origin is UnionType:
        inner = [part for part in get_args(annotation) if part is not NoneType]
        if len(inner) == 1:
            return _optional(_compile(inner[0], where))
    elif origin is Annotated:
        base, marker, *_ = get_args(annotation)
        match marker:
            case Uint():
                return _uint(marker, where)
            case Bin():
                return _bin(marker, where)
            case Text():
                return _text(marker, where)
            case Name(low):
                return _name(Text(low, limits.MAX_NAME), where)
            case Many():
                return _many(marker, _compile(get_args(base)[0], where), where)
            case _:
                pass
    elif isinstance(annotation, type):
        return shape_of(annotation)
    raise LocalMisuse(f"{where}: no marker of the schema")


def _flag(where: str) -> Shape:
    due = f"{where}: a boolean was due"

    def check(value: object) -> bool:
        if value is True or value is False:
            return value is True
        raise Misfit(due)

    return Shape(check, check)


def _uint(marker: Uint, where: str) -> Shape:
    low, high = marker.low, marker.high
    due = f"{where}: an integer of {low}..{high} was due"

    def read(value: Value) -> int:
        if type(value) is not int or not low <= value <= high:
            raise Misfit(due)
        return value

    def write(item: object) -> int:
        # Our own enumerations are integers too; only `bool` must not slip through.
        if not isinstance(item, int) or isinstance(item, bool) or not low <= item <= high:
            raise Misfit(due)
        return int(item)

    return Shape(read, write)


def _bin(marker: Bin, where: str) -> Shape:
    low, high = marker.low, marker.high
    due = f"{where}: {low}..{high} bytes were due"

    def check(value: object) -> bytes:
        if type(value) is not bytes or not low <= len(value) <= high:
            raise Misfit(due)
        return value

    return Shape(check, check)


def _text(marker: Text, where: str) -> Shape:
    low, high = marker.low, marker.high
    due = f"{where}: text of {low}..{high} bytes was due"

    def check(value: object) -> str:
        if type(value) is not str or not low <= len(_utf8(value, due)) <= high:
            raise Misfit(due)
        return value

    return Shape(check, check)


def _name(marker: Text, where: str) -> Shape:
    bounded = _text(marker, where)
    due = f"{where}: a name holds no control characters"

    def check(value: object) -> str:
        if type(value) is not str:
            raise Misfit(due)
        bounded.read(value)
        if _CONTROLS.search(value.encode()):
            raise Misfit(due)
        return value

    return Shape(check, check)


def _utf8(text: str, due: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as wrong:
        raise Misfit(due) from wrong


def _many(marker: Many, element: Shape, where: str) -> Shape:
    low, high = marker.low, marker.high
    due = f"{where}: an array of {low}..{high} was due"
    read_one, write_one = element.read, element.write

    def read(value: Value) -> tuple[object, ...]:
        if type(value) is not tuple or not low <= len(value) <= high:
            raise Misfit(due)
        return tuple([read_one(part) for part in value])

    def write(item: object) -> Value:
        if type(item) is not tuple or not low <= len(item) <= high:
            raise Misfit(due)
        return tuple([write_one(part) for part in item])

    return Shape(read, write)


def _optional(inner: Shape) -> Shape:
    def read(value: Value) -> object:
        return None if value is None else inner.read(value)

    def write(item: object) -> Value:
        return None if item is None else inner.write(item)

    return Shape(read, write)
