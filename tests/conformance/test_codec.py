"""codec.json: values, messages, and the head of HELLO that all versions share."""

from __future__ import annotations

from typing import Any

import pytest

from sorry_lan.wire.codec import decode, decode_hello_head, decode_message, encode, encode_message
from tests.conformance.cases import Case, judge, params, raw, value


def _value(given: Any) -> object:
    data = raw(given["bytes"])
    found = decode(data)
    assert encode(found) == data
    return _Same(found)


def _message(given: Any) -> object:
    data = raw(given["bytes"])
    found = decode_message(data)
    if found is None:
        return {"ignored": True}
    assert encode_message(found) == data
    return _Same(decode(data))


def _hello_head(given: Any) -> object:
    head = decode_hello_head(raw(given["bytes"]))
    return {"protocol": head.protocol, "vmin": head.vmin, "vmax": head.vmax, "app": head.app}


class _Same:
    """Equal to the notation of one value, kinds included: 1 is not true."""

    __hash__ = None

    def __init__(self, found: object) -> None:
        self._found = found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, dict) and _typed(value(other["value"])) == _typed(self._found)

    def __repr__(self) -> str:
        return repr(self._found)


def _typed(found: object) -> object:
    return [_typed(part) for part in found] if isinstance(found, tuple) else (type(found), found)


GROUPS = {"value": _value, "message": _message, "hello-head": _hello_head}


@pytest.mark.parametrize("case", params("codec"))
def test_bytes_and_values_are_one_to_one(case: Case) -> None:
    judge(case, GROUPS)
