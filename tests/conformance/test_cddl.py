"""messages.cddl says of every message, document, body and file frame what the annotated types say."""

from __future__ import annotations

from dataclasses import fields
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import pytest

from sorry_lan.fair import entry, transcript
from sorry_lan.fair.open_step import Record
from sorry_lan.wire import limits, messages, terms
from sorry_lan.wire.schema import Bin, Many, Name, Text, Uint
from tests.conformance.cddl import Kind, Model
from tests.conformance.spec import ROOT

MODEL = Model((ROOT / "protocol" / "messages.cddl").read_text(encoding="ascii"))
PARTS: dict[str, type] = {
    "signed": messages.Signed,
    "consent": messages.Consent,
    "peer": messages.PeerAddress,
    "lobby_seat": messages.LobbySeat,
    "table": terms.Terms,
    "seat_line": terms.TermsSeat,
    "parent": terms.Parent,
}
BODIES: dict[str, type] = {
    "reveal": entry.Reveal,
    "move": entry.MoveEntry,
    "ack": entry.Ack,
    "leave": entry.Leave,
}
FRAMES: dict[str, tuple[int, type]] = {
    "file_table": (0, transcript.TableFrame),
    "file_step": (1, Record),
    "file_end": (2, transcript.EndFrame),
    "file_fault": (3, transcript.ProofFrame),
}
MESSAGES = {kind.TYPE: kind for kind in get_args(messages.Message)}
UNTYPED = {"snapshot", "mine_body"}
"""Rules that no annotated type has: one is only ever hashed, the other is not read yet."""
_NAMES = {kind: name for name, kind in PARTS.items()}


def kind_of(annotation: Any) -> Kind:
    """An annotation in the terms of the model."""
    if annotation is bool:
        return ("bool",)
    if get_origin(annotation) in {Union, UnionType}:
        (inner,) = (part for part in get_args(annotation) if part is not NoneType)
        return ("nil-or", kind_of(inner))
    if get_origin(annotation) is not Annotated:
        return ("rule", _NAMES[annotation])
    base, marker, *_ = get_args(annotation)
    match marker:
        case Uint(high, low):
            return ("uint", low, high)
        case Bin(low, high):
            return ("bin", low, high)
        case Text(low, high):
            return ("text", low, high)
        case Name(low):
            return ("name", low)
        case Many(low, high):
            return ("many", low, high, kind_of(get_args(base)[0]))
    raise TypeError(annotation)


def fields_of(kind: type) -> dict[str, Kind]:
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: kind_of(hints[field.name]) for field in fields(kind)}


def in_order(found: dict[str, Kind]) -> list[tuple[str, Kind]]:
    return list(found.items())


@pytest.mark.parametrize("number", sorted(MESSAGES))
def test_each_message_type_has_one_rule_with_its_fields(number: int) -> None:
    rules = [name for name, group in MODEL.groups.items() if group.number == number and name not in {*BODIES, *FRAMES}]
    assert len(rules) == 1
    assert in_order(MODEL.fields(rules[0])) == in_order(fields_of(MESSAGES[number]))


@pytest.mark.parametrize("name", PARTS)
def test_each_part_and_document_has_its_fields(name: str) -> None:
    assert MODEL.groups[name].number is None
    assert in_order(MODEL.fields(name)) == in_order(fields_of(PARTS[name]))


@pytest.mark.parametrize("name", BODIES)
def test_each_entry_body_has_its_fields(name: str) -> None:
    kind = BODIES[name]
    assert MODEL.groups[name].number == int(kind.KIND)  # type: ignore[attr-defined]
    assert in_order(MODEL.fields(name)) == in_order(fields_of(kind))


@pytest.mark.parametrize("name", FRAMES)
def test_each_file_frame_has_its_fields(name: str) -> None:
    number, kind = FRAMES[name]
    assert MODEL.groups[name].number == number
    ours, written = fields_of(kind), MODEL.fields(name)
    # The reader takes any counter and leaves it to the game to have no such step.
    assert written.pop("k", None) in {None, ("uint", 0, limits.CHAIN_LENGTH - 1), ("uint", 0, limits.CHAIN_LENGTH)}
    ours.pop("k", None)
    assert in_order(written) == in_order(ours)


def test_the_model_holds_nothing_else() -> None:
    messages_of = {name for name, group in MODEL.groups.items() if group.number in MESSAGES}
    assert set(MODEL.groups) - messages_of == {*PARTS, *BODIES, *FRAMES, *UNTYPED} - messages_of
    assert MODEL.choices == {"body": ["reveal", "move", "ack", "leave"]}


def test_a_rule_that_differs_is_noticed() -> None:
    other = Model("ping = [3, n: 0..7]")
    assert in_order(other.fields("ping")) != in_order(fields_of(messages.Ping))
    with pytest.raises(ValueError, match="was due"):
        Model("ping = [3 n: 0..7]")
    with pytest.raises(ValueError, match="not in the subset"):
        Model("ping = {n: 7}")
