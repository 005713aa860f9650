"""Compares the generated tables of protocol/SPEC.md (messages, limits, errors) with the code; `--write` writes them.

Run from the repository's root: python -m tools.spec_table [--write]
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Union, get_args, get_origin, get_type_hints

from sorry_lan.fair import entry
from sorry_lan.faults import Err
from sorry_lan.wire import limits, messages, terms
from sorry_lan.wire.schema import Bin, Many, Name, Text, Uint
from tools.blocks import compare, filled

SPEC = Path(__file__).resolve().parent.parent / "protocol" / "SPEC.md"
WIRE_NAMES = {
    "SeatOffer": "SEAT",
    "ConsentGiven": "CONSENT",
    "TableAgreed": "TABLE",
    "StepRecord": "RECORD",
    "MineAsked": "MINE?",
}
PARTS = (
    (messages.Signed, "entry"),
    (messages.Consent, "consent"),
    (messages.PeerAddress, "peer"),
    (messages.LobbySeat, "lobby seat"),
    (terms.Terms, "TABLE document"),
    (terms.TermsSeat, "seat line"),
    (terms.Parent, "parent"),
    (entry.Reveal, "REVEAL body"),
    (entry.MoveEntry, "MOVE body"),
    (entry.Ack, "ACK body"),
    (entry.Leave, "LEAVE body"),
)
_PART_NAMES = dict(PARTS)


def describe(annotation: object) -> str:
    """One field's kind in the words of SPEC.md section 10."""
    if annotation is bool:
        return "bool"
    origin = get_origin(annotation)
    if origin is Union or origin is UnionType:
        inner = next(part for part in get_args(annotation) if part is not NoneType)
        return f"{describe(inner)} / nil"
    if origin is Annotated:
        base, marker, *_ = get_args(annotation)
        match marker:
            case Uint(high, low):
                return f"uint {low}..{'2^63-1' if high == limits.UINT_MAX else high}"
            case Bin(low, high):
                return f"bin {_span(low, high)}"
            case Text(low, high):
                return f"text {_span(low, high)}"
            case Name(low):
                return f"name {low}..{limits.MAX_NAME}"
            case Many(low, high):
                return f"[{describe(get_args(base)[0])} * {_span(low, high)}]"
    return _PART_NAMES[annotation]  # type: ignore[index]


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}..{high}"


def _row(kind: type) -> str:
    hints = get_type_hints(kind, include_extras=True)
    return "; ".join(f"{field.name} {describe(hints[field.name])}" for field in fields(kind))


def message_lines() -> Iterator[str]:
    """One row a message type, then one a part of a message or document."""
    yield "| type | message | fields |"
    yield "|---|---|---|"
    for kind in sorted(get_args(messages.Message), key=lambda each: each.TYPE):
        yield f"| {kind.TYPE} | {WIRE_NAMES.get(kind.__name__, kind.__name__.upper())} | {_row(kind)} |"
    yield ""
    yield "| part | fields |"
    yield "|---|---|"
    for part, name in PARTS:
        first = f"{int(part.KIND)}; " if hasattr(part, "KIND") else ""
        yield f"| {name} | {first}{_row(part)} |"


def limit_lines() -> Iterator[str]:
    """One row a constant of wire/limits.py with the reason that stands below it."""
    yield "| limit | value | why |"
    yield "|---|---|---|"
    tree = ast.parse(Path(limits.__file__).read_text(encoding="utf-8")).body
    for place, node in enumerate(tree):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            after = tree[place + 1] if place + 1 < len(tree) else None
            why = ""
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                why = " ".join(str(after.value.value).split())
            yield f"| {node.target.id} | {getattr(limits, node.target.id)} | {why} |"


def error_lines() -> Iterator[str]:
    """One row an error code."""
    yield "| code | name |"
    yield "|---|---|"
    for code in Err:
        yield f"| {int(code)} | {code.name.lower().replace('_', ' ')} |"


BLOCKS = {"messages": message_lines, "limits": limit_lines, "errors": error_lines}


def generated(text: str) -> str:
    """`text` of SPEC.md with each generated block as it should be."""
    return filled(text, BLOCKS)


def main(arguments: list[str]) -> int:
    """0 if SPEC.md is as generated, or was written."""
    return compare(SPEC, BLOCKS, "python -m tools.spec_table", arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
