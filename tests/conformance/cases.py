"""Vector files as cases, and the one way in which a case is judged; what a group means is in the test modules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from sorry_lan.faults import RemoteFault
from sorry_lan.wire.codec import Value

VECTORS = Path(__file__).resolve().parents[2] / "protocol" / "vectors"
SAFE_INTEGER = 2**53 - 1
Case = Mapping[str, Any]
Judge = Callable[[Any], object]
"""What the implementation makes of a case's `in`, in the notation of its `out`."""


def load(name: str) -> list[Case]:
    """The cases of one file, by its path below protocol/vectors without the ending."""
    found: list[Case] = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))["cases"]
    return found


def params(name: str) -> list[Any]:
    """The same for pytest."""
    return [pytest.param(case, id=case["id"]) for case in load(name)]


def judge(case: Case, groups: Mapping[str, Judge]) -> None:
    """AssertionError unless the implementation answers this case as it says."""
    error = case.get("error")
    try:
        found = groups[case["group"]](case["in"])
    except RemoteFault as fault:
        assert int(fault.code) == error, f"{case['id']}: refused with {fault}"  # noqa: PT017 - either way is judged
        return
    assert error is None, f"{case['id']}: accepted as {found}"
    assert found == case["out"], f"{case['id']}: {found}"


def raw(written: object) -> bytes:
    """Bytes from hex, {"repeat", "count"}, or a list of both."""
    match written:
        case str():
            return bytes.fromhex(written)
        case list():
            return b"".join(raw(part) for part in written)
        case {"repeat": str(byte), "count": int(count)}:
            return bytes.fromhex(byte) * count
    raise ValueError(written)


def value(written: object) -> Value:
    """A value from its JSON notation."""
    match written:
        case {"bin": data}:
            return raw(data)
        case {"uint": str(digits)}:
            return int(digits)
        case list():
            return tuple(value(part) for part in written)
        case None | bool() | int() | str():
            return written
    raise ValueError(written)
